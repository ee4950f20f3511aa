#include "libraries.hpp"
#include "table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace kmap::test {
namespace {

template <class T>
constexpr const char* type_name = sizeof(T) == 4 ? "f4" : "f8";

// The largest error of one function in one library.
struct Worst {
  double error = 0;
  std::size_t at = 0;

  void see(double seen, std::size_t i) {
    if (seen > error) {
      error = seen;
      at = i;
    }
  }
};

template <class Function>
const Function& find_function(std::span<const Function> functions, const std::string& name) {
  return *std::find_if(functions.begin(), functions.end(),
                       [&](const Function& f) { return f.name == name; });
}

// results[l][i]: what library l says of argument i.
template <class T, class Set>
std::vector<Worst> compare(const std::vector<std::vector<T>>& results, const Set& set) {
  std::vector<Worst> worst(results.size());
  Correct<T> correct;
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    set(correct, i);
    const double first = correct.distance(results[0][i]);
    worst[0].see(first, i);
    for (std::size_t l = 1; l < results.size(); ++l) {
      const bool same = results[l][i] == results[0][i] && results[l][i] != 0;
      worst[l].see(same ? first : correct.distance(results[l][i]), i);
    }
  }
  return worst;
}

std::ostream& start_line(const Library& library, const std::string& name, const char* type,
                         double error) {
  return std::cout << std::left << std::setw(8) << name << type << "  " << std::setw(10)
                   << library.arch << std::setprecision(4) << std::setw(7) << error << " at "
                   << std::hexfloat;
}

template <class T>
void check(const UnaryClaim& claim) {
  const std::vector<T> x = arguments_of<T>(claim);
  std::vector<std::vector<T>> results;
  for (const Library& library : libraries()) {
    results.emplace_back(x.size());
    find_function(library.functions.unary<T>(), claim.name)
        .many(x.data(), results.back().data(), x.size());
  }
  const std::vector<Worst> worst = compare(
      results, [&](Correct<T>& correct, std::size_t i) { correct.set(claim.reference, x[i]); });
  for (std::size_t l = 0; l < worst.size(); ++l) {
    const std::size_t at = worst[l].at;
    start_line(libraries()[l], claim.name, type_name<T>, worst[l].error)
        << x[at] << ": " << results[l][at] << std::defaultfloat << '\n';
    EXPECT_LE(worst[l].error, bound_of<T>(claim)) << libraries()[l].arch << ", x = " << x[at];
  }
}

template <class T>
void check(const BinaryClaim& claim) {
  const auto [x, y] = arguments_of<T>(claim);
  std::vector<std::vector<T>> results;
  for (const Library& library : libraries()) {
    results.emplace_back(x.size());
    find_function(library.functions.binary<T>(), claim.name)
        .many(x.data(), y.data(), results.back().data(), x.size());
  }
  const std::vector<Worst> worst =
      compare(results, [&, &x = x, &y = y](Correct<T>& correct, std::size_t i) {
        correct.set(claim.reference, x[i], y[i]);
      });
  for (std::size_t l = 0; l < worst.size(); ++l) {
    const std::size_t at = worst[l].at;
    start_line(libraries()[l], claim.name, type_name<T>, worst[l].error)
        << x[at] << ", " << y[at] << ": " << results[l][at] << std::defaultfloat << '\n';
    EXPECT_LE(worst[l].error, bound_of<T>(claim))
        << libraries()[l].arch << ", x = " << x[at] << ", y = " << y[at];
  }
}

const auto name_of = [](const auto& info) { return info.param.name; };

class OneArgument : public testing::TestWithParam<UnaryClaim> {};
TEST_P(OneArgument, F4) { check<float>(GetParam()); }
TEST_P(OneArgument, F8) { check<double>(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Accuracy, OneArgument, testing::ValuesIn(unary_claims()), name_of);

class TwoArguments : public testing::TestWithParam<BinaryClaim> {};
TEST_P(TwoArguments, F4) { check<float>(GetParam()); }
TEST_P(TwoArguments, F8) { check<double>(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Accuracy, TwoArguments, testing::ValuesIn(binary_claims()), name_of);

}  // namespace
}  // namespace kmap::test
