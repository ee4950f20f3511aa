#pragma once
// Cases for the benchmarks: a case is work on data of some sizes, its variants are ways to do it.

#include <kmap/kmap.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace kmap::bench {

/// What a case is made for: its sizes, in the order that the case names, and the ranks.
struct Setting {
  std::vector<std::int64_t> sizes;
  const Communicator& comm;

  std::int64_t size(std::size_t i) const {
    if (i >= sizes.size()) throw std::invalid_argument("a size is missing");
    return sizes[i];
  }
};

/// One way to do the work, on data that is there.
struct Variant {
  std::function<void()> run;                 ///< once
  std::function<void()> clear;               ///< makes an older result useless
  std::function<void(std::ostream&)> write;  ///< the result, row-major, one output after the other
  std::string absent{};                      ///< why there is none on this machine
  std::function<void()> prepare{};           ///< if there is any: before the clock starts

  /// Seconds of the shortest run so far.
  double shortest = std::numeric_limits<double>::infinity();
};

template <class T, int Rank>
using Array =
    Kokkos::View<typename detail::DataType<T, Rank>::type, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// Row-major bytes of a View of any layout.
template <class View>
void write_view(const View& view, std::ostream& out) {
  const auto rows = detail::to_host(view);
  out.write(reinterpret_cast<const char*>(rows.data()),
            static_cast<std::streamsize>(rows.size() * sizeof(typename View::value_type)));
}

/// The ways to do the work of one case.
class Variants {
 public:
  /// `run` writes into the Views `y…`, which variants may share.
  template <class Run, class... View>
  void given(const std::string& name, const Run& run, const View&... y) {
    variants_[name] = {
        run,
        [=] {
          (Kokkos::deep_copy(y, std::numeric_limits<typename View::value_type>::quiet_NaN()), ...);
        },
        [=](std::ostream& out) { (write_view(y, out), ...); }};
  }

  /// `make` returns a View or DistArray. As in a loop of `y = f(x)`: the result before lives until
  /// there is a new one.
  template <class Make>
  void fresh(const std::string& name, const Make& make) {
    made(name, make, [](auto& held, const auto& f) { held = f(); });
  }
  /// The same, with the result before given up first.
  template <class Make>
  void reused(const std::string& name, const Make& make) {
    made(name, make, [](auto& held, const auto& f) {
      held.reset();
      held = f();
    });
  }
  /// The same, with all results kept, so that no memory is used twice.
  template <class Make>
  void kept(const std::string& name, const Make& make) {
    const auto all = std::make_shared<std::vector<std::invoke_result_t<Make>>>();
    variants_[name] = {[=] { all->push_back(make()); },
                       [=] { all->clear(); },
                       [=](std::ostream& out) { write_result(all->back(), out); },
                       {},
                       [] { detail::kept_views().clear(); }};
  }

  void absent(const std::string& name, const std::string& reason) {
    variants_[name].absent = reason;
  }

  Variant& at(const std::string& name) {
    const auto found = variants_.find(name);
    if (found == variants_.end()) throw std::invalid_argument("no variant " + name);
    return found->second;
  }

 private:
  template <class Result>
  static void write_result(const Result& result, std::ostream& out) {
    if constexpr (Kokkos::is_view_v<Result>) {
      write_view(result, out);
    } else {
      write_view(gather(result), out);  // collective; other ranks write nothing
    }
  }

  template <class Make, class Hold>
  void made(const std::string& name, const Make& make, const Hold& hold) {
    const auto held = std::make_shared<std::optional<std::invoke_result_t<Make>>>();
    const auto run = [=] { hold(*held, make); };
    variants_[name] = {run,
                       [=] { held->reset(); },
                       [=](std::ostream& out) { write_result(held->value(), out); },
                       {},
                       // In a program that does nothing else, the results before have left memory;
                       // here other variants may have taken it.
                       [=] {
                         run();
                         run();
                       }};
  }

  std::map<std::string, Variant> variants_;
};

/// Element i of every input, before its scale: in [-1, 1), the same on every rank and in serve.py.
inline double input_element(std::int64_t i) {
  return static_cast<double>(static_cast<std::uint32_t>(i) * 2654435761U) * 0x1p-31 - 1;
}

/// Uninitialised.
template <class T, int Rank>
Array<T, Rank> make_array(const Shape& shape) {
  return detail::make_view<Array<T, Rank>>("bench", shape);
}

/// Row-major numbers in [-scale, scale), written by the threads that will read them.
template <class T, int Rank>
Array<T, Rank> make_input(const Shape& shape, double scale) {
  const auto x = make_array<T, Rank>(shape);
  T* data = x.data();
  const auto n = static_cast<std::int64_t>(x.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) data[i] = static_cast<T>(scale * input_element(i));
  return x;
}

/// A function that makes the variants of a case.
using MakeVariants = std::function<Variants(const Setting&)>;

/// Cases by name and type, "f4" or "f8". Each is declared below and defined in a file of its own.
std::map<std::string, MakeVariants> all_cases();

/// Sizes: n.
template <class T>
Variants square(const Setting&);
/// Sizes: n.
template <class T>
Variants heavy(const Setting&);
/// Sizes: n, the greatest argument's size (0: all bit patterns).
template <class T>
Variants sine(const Setting&);
/// Sizes: as sine's.
template <class T>
Variants cosine(const Setting&);
/// Sizes: examples, steps.
template <class T>
Variants lorenz(const Setting&);
/// Sizes: examples.
template <class T>
Variants matvec(const Setting&);
/// Sizes: examples, their length.
template <class T>
Variants moments(const Setting&);
/// Sizes: examples, their length. Every layout and mapped axis of a sum of squares per example.
template <class T>
Variants row_layouts(const Setting&);
/// Sizes: examples. The same of a 16 x 16 matrix times a vector.
template <class T>
Variants matvec_layouts(const Setting&);
/// Sizes: n.
template <class T>
Variants sum(const Setting&);
/// Sizes: rows, their length, of all ranks together.
template <class T>
Variants batch(const Setting&);
/// Sizes: n.
Variants uniforms(const Setting&);

}  // namespace kmap::bench
