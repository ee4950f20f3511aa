// What JAX draws, and what the library does: every case of goldens.h5, as an array and element by
// element.

#include "random/golden_draw.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

namespace kmap::test {
namespace {

const std::vector<GoldenDraw>& draws() {
  static const std::vector<GoldenDraw> all = read_draws();
  return all;
}

void expect_golden(const GoldenDraw& golden, const CaseArray& got) {
  const auto wrong = difference(got, golden.y, golden.tolerance);
  EXPECT_FALSE(wrong) << golden.id << ": " << *wrong;
}
template <class View>
  requires Kokkos::is_view_v<View>
void expect_golden(const GoldenDraw& golden, const View& got) {
  expect_golden(golden, array_from(got, golden.y.type));
}

// draw(key, place): the array, and the same bits from every place alone.
template <class Draw>
void expect_draws(const GoldenDraw& golden, const Draw& draw) {
  CaseArray array;
  with_shape(golden.shape, [&](const auto& shape) {
    array = array_from(draw(golden.key, shape), golden.y.type);
  });
  expect_golden(golden, array);
  using T = decltype(draw(golden.key, random::at(0)));
  for (std::size_t i = 0; i < array.bytes.size() / sizeof(T); ++i) {
    const T one = draw(golden.key, random::at(i));
    ASSERT_EQ(std::memcmp(&one, array.bytes.data() + i * sizeof(T), sizeof(T)), 0)
        << golden.id << ": element " << i << " alone is another";
  }
}

// The functions of a real type. False if it is another.
template <class T>
bool expect_reals(const GoldenDraw& g) {
  const auto with = [&](const auto& draw) {
    expect_draws(g, draw);
    return true;
  };
  if (g.function == "uniform" && g.parameters.empty()) {
    return with([](auto key, const auto& place) { return random::uniform<T>(key, place); });
  }
  if (g.function == "exponential") {
    return with([](auto key, const auto& place) { return random::exponential<T>(key, place); });
  }
  if (g.function == "gumbel") {
    return with([](auto key, const auto& place) { return random::gumbel<T>(key, place); });
  }
  const double a = g.parameters.empty() ? 0 : g.real(0);
  const double b = g.parameters.size() < 2 ? 0 : g.real(1);
  if (g.function == "uniform") {
    return with([&](auto key, const auto& place) { return random::uniform<T>(key, place, a, b); });
  }
  if (g.function == "truncated_normal") {
    return with(
        [&](auto key, const auto& place) { return random::truncated_normal<T>(key, place, a, b); });
  }
  if (g.function == "gamma") {
    return with([&](auto key, const auto& place) { return random::gamma<T>(key, place, a); });
  }
  if (g.function == "loggamma") {
    return with([&](auto key, const auto& place) { return random::loggamma<T>(key, place, a); });
  }
  if (g.function == "beta") {
    return with([&](auto key, const auto& place) { return random::beta<T>(key, place, a, b); });
  }
  if (g.function == "bernoulli") {
    const T p = static_cast<T>(a);
    return with([&](auto key, const auto& place) { return random::bernoulli(key, place, p); });
  }
  return false;
}

template <class T>
void expect_integers(const GoldenDraw& g) {
  std::visit(
      [&](auto low, auto high) {
        expect_draws(g, [&](auto key, const auto& place) {
          return random::randint<T>(key, place, low, high);
        });
      },
      g.bound(0), g.bound(1));
}

void expect_categories(const GoldenDraw& g) {
  const auto expect = [&](const auto& logits) {
    with_shape(g.shape, [&](const auto& shape) {
      expect_golden(g, random::categorical(g.key, shape, logits));
    });
    if (detail::shape_of(logits).size() == g.shape.size() + 1) {
      expect_golden(g, random::categorical(g.key, logits));
    }
  };
  if (g.type == "f4") with_array<float>(g.x.at(0), expect);
  if (g.type == "f8") with_array<double>(g.x.at(0), expect);
}

void expect_permutation(const GoldenDraw& g) {
  if (g.x.empty()) return expect_golden(g, random::permutation(g.key, g.integer(0)));
  with_array<double>(g.x.at(0), [&](const auto& x) {
    const auto axis = random::axis(g.axis());
    if (g.has("independent")) {
      expect_golden(g, random::permutation(g.key, x, random::independent, axis));
      random::shuffle(g.key, x, axis, random::independent);
    } else {
      expect_golden(g, random::permutation(g.key, x, axis));
      random::shuffle(g.key, x, axis);
    }
    expect_golden(g, x);
  });
}

// With the weights of array x[i], or without any.
template <class A>
void expect_choice(const GoldenDraw& g, const A& a, std::size_t i) {
  const auto expect = [&](const auto&... weights) {
    with_shape(g.shape, [&](const auto& shape) {
      const auto axis = random::axis(g.axis());
      if (g.has("without_replacement")) {
        expect_golden(
            g, random::choice(g.key, shape, a, random::without_replacement, axis, weights...));
      } else {
        expect_golden(g, random::choice(g.key, shape, a, weights..., axis));
      }
    });
  };
  if (g.x.size() <= i) return expect();
  const CaseArray& weights = g.x[i];
  if (weights.type == "f4") return expect(view_of<float, 1>(weights));
  if (weights.type == "i8") return expect(view_of<std::int64_t, 1>(weights));
  expect(view_of<double, 1>(weights));
}

void expect_choice(const GoldenDraw& g) {
  if (!g.parameters.empty()) return expect_choice(g, g.integer(0), 0);
  with_array<double>(g.x.at(0), [&](const auto& x) { expect_choice(g, x, 1); });
}

void expect_keys(const GoldenDraw& g) {
  const auto words_of = [](random::Key key) {
    const HostView<std::uint32_t, 1> words("words", 2);
    words(0) = key.high;
    words(1) = key.low;
    return words;
  };
  if (g.function == "key") return expect_golden(g, words_of(g.key));
  if (g.function == "fold_in") {
    return expect_golden(g, words_of(random::fold_in(g.key, g.integer(0))));
  }
  with_shape(g.shape, [&](const auto& shape) {
    if constexpr (std::remove_cvref_t<decltype(random::split(g.key, shape))>::rank() < 5) {
      expect_golden(g, random::split(g.key, shape));
    }
  });
}

// By what the function draws.
void expect_case(const GoldenDraw& g) {
  const std::set<std::string> of_keys = {"key", "fold_in", "split"};
  if (of_keys.contains(g.function)) return expect_keys(g);
  if (g.function == "permutation") return expect_permutation(g);
  if (g.function == "choice") return expect_choice(g);
  if (g.function == "categorical") return expect_categories(g);
  const auto dtype = dtype_from_name(g.type);
  ASSERT_TRUE(dtype) << g.id;
  visit_dtype(*dtype, [&]<class T>(std::type_identity<T>) {
    const auto normal = [](auto key, const auto& place) { return random::normal<T>(key, place); };
    const auto bits = [](auto key, const auto& place) { return random::bits<T>(key, place); };
    if constexpr (std::is_same_v<T, bool>) {
      FAIL() << g.id;
    } else if constexpr (std::is_integral_v<T>) {
      if (g.function == "randint") return expect_integers<T>(g);
      if constexpr (std::is_unsigned_v<T>) {
        if (g.function == "bits") return expect_draws(g, bits);
      }
    } else {
      if (g.function == "normal") return expect_draws(g, normal);
      if constexpr (std::is_floating_point_v<T>) {
        if (expect_reals<T>(g)) return;
      }
    }
    FAIL() << g.id << ": not drawn";
  });
}

TEST(RandomGoldens, AreThoseOfJax) {
  std::map<std::string, int> counts;
  for (const GoldenDraw& golden : draws()) {
    expect_case(golden);
    ++counts[golden.function];
  }
  EXPECT_GE(draws().size(), 500u);
  for (const auto& [function, count] : counts) std::cout << function << ' ' << count << ' ';
  std::cout << '\n';
  EXPECT_EQ(counts.size(), 17u);
}

}  // namespace
}  // namespace kmap::test
