// Cases without collectives.

#include "conformance/functors.hpp"
#include "conformance/run_case.hpp"

#include <stdexcept>

namespace kmap::test {

namespace {

enum class Function { identity, negate, square, sum, transpose, subtract, second, dot, none };

Function function_of(const std::string& op) {
  if (op == "identity") return Function::identity;
  if (op == "negate") return Function::negate;
  if (op == "square") return Function::square;
  if (op == "sum") return Function::sum;
  if (op == "transpose") return Function::transpose;
  if (op == "subtract") return Function::subtract;
  if (op == "second") return Function::second;
  if (op == "dot") return Function::dot;
  return Function::none;
}

template <int R>
using X = std::conditional_t<R == 0, double, Example<const double, R>>;

double at(double x) { return x; }
template <int R, class... I>
double at(const Example<const double, R>& x, I... i) {
  return x(i...);
}

// An example to a number or to an example of the same rank, through an `out` view.
template <int R, int RO>
struct Unary {
  Function op;
  void operator()(const X<R>& x, const Example<double, RO>& y) const {
    if constexpr (RO < R) {
      double sum = 0;
      kmap::detail::for_each_index<R>(extents_of(x), [&](auto... i) { sum += at(x, i...); });
      y() = sum;
    } else if (op == Function::transpose) {
      kmap::detail::for_each_index<R>(extents_of(y), [&](auto... i) {
        y(i...) = reversed(x, std::make_index_sequence<static_cast<std::size_t>(R)>{}, i...);
      });
    } else {
      kmap::detail::for_each_index<R>(extents_of(y), [&](auto... i) {
        const double value = at(x, i...);
        y(i...) = op == Function::square ? value * value : op == Function::negate ? -value : value;
      });
    }
  }

 private:
  template <std::size_t... D, class... I>
  static double reversed(const X<R>& x, std::index_sequence<D...>, I... i) {
    const std::array<std::int64_t, sizeof...(I)> index{i...};
    return at(x, index[sizeof...(I) - 1 - D]...);
  }
};

// Returned results.
struct NumberOfTwo {
  Function op;
  double operator()(double x, double y) const { return op == Function::second ? y : x - y; }
  double operator()(const X<1>& x, const X<1>& y) const {
    double sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x(i) * y(i);
    return sum;
  }
};
struct VectorOfTwo {
  Function op;
  void operator()(const X<1>& x, const X<1>& y, const Example<double, 1>& z) const {
    for (std::int64_t i = 0; i < z.extent(0); ++i) {
      z(i) = op == Function::second ? y(i) : x(i) - y(i);
    }
  }
};
struct SumAndSecond {
  void operator()(const X<1>& x, const X<1>& y, const Example<double, 1>& sum,
                  const Example<double, 1>& second) const {
    for (std::int64_t i = 0; i < sum.extent(0); ++i) {
      sum(i) = x(i) + y(i);
      second(i) = y(i);
    }
  }
};

struct Run {
  const Case& c;
  const Communicator& comm;
  bool all_vmap;
  std::vector<CaseArray>& results;

  template <class Ins, class Outs, int R, int RO, bool WithPmap = false>
  bool unary() const {
    if (!masks_match<Ins, Outs>(c) || core_rank(c, false, 0) != R || core_rank(c, true, 0) != RO) {
      return false;
    }
    const Argument<double, R + Ins::template times_mapped<0>> x(c, 0);
    const auto options = std::make_tuple(outputs(core_out_shape<double, RO>(c, 0)));
    Maps<Ins, Outs, 1, WithPmap>::run(c, comm, all_vmap, Unary<R, RO>{function_of(c.op)}, options,
                                      results, x.view());
    return true;
  }

  template <class Ins, class Outs, int R, int RO, bool WithPmap = false>
  bool binary() const {
    if (!masks_match<Ins, Outs>(c) || core_rank(c, false, 0) != R || core_rank(c, true, 0) != RO) {
      return false;
    }
    const Argument<double, R + Ins::template times_mapped<0>> x(c, 0);
    const Argument<double, R + Ins::template times_mapped<1>> y(c, 1);
    if constexpr (RO == 0) {
      Maps<Ins, Outs, 1, WithPmap>::run(c, comm, all_vmap, NumberOfTwo{function_of(c.op)},
                                        std::tuple<>(), results, x.view(), y.view());
    } else {
      const auto options = std::make_tuple(outputs(core_out_shape<double, RO>(c, 0)));
      Maps<Ins, Outs, 1, WithPmap>::run(c, comm, all_vmap, VectorOfTwo{function_of(c.op)}, options,
                                        results, x.view(), y.view());
    }
    return true;
  }

  template <class Ins, class Outs>
  bool pair() const {
    if (!masks_match<Ins, Outs>(c)) return false;
    const Argument<double, 1 + Ins::template times_mapped<0>> x(c, 0);
    const Argument<double, 1 + Ins::template times_mapped<1>> y(c, 1);
    const auto options =
        std::make_tuple(outputs(core_out_shape<double, 1>(c, 0), core_out_shape<double, 1>(c, 1)));
    Maps<Ins, Outs, 2>::run(c, comm, all_vmap, SumAndSecond{}, options, results, x.view(),
                            y.view());
    return true;
  }

  bool any_unary() const {
    using One = Masks<1>;
    using Two = Masks<1, 1>;
    using Three = Masks<1, 1, 1>;
    using No = Masks<0>;
    using Outer = Masks<1, 0>;
    using Inner = Masks<0, 1>;
    return unary<One, One, 0, 0, true>() || unary<One, One, 1, 1, true>() ||
           unary<One, One, 2, 2, true>() || unary<One, One, 3, 3>() || unary<One, One, 1, 0>() ||
           unary<One, One, 2, 0, true>() || unary<No, One, 0, 0>() ||
           unary<No, One, 1, 1, true>() || unary<No, No, 1, 1, true>() || unary<No, No, 1, 0>() ||
           unary<Two, Two, 0, 0>() || unary<Two, Two, 1, 1, true>() || unary<Two, Two, 1, 0>() ||
           unary<Two, Two, 2, 2>() || unary<Three, Three, 0, 0>() || unary<Three, Three, 1, 1>() ||
           unary<Inner, Two, 0, 0>() || unary<Outer, Two, 0, 0>() || unary<Outer, Two, 1, 1>() ||
           unary<Inner, Two, 1, 1>();
  }

  bool any_binary() const {
    using One = Masks<1>;
    using Two = Masks<1, 1>;
    return binary<Masks<3>, One, 0, 0>() || binary<Masks<1>, One, 0, 0, true>() ||
           binary<Masks<2>, One, 0, 0>() || binary<Masks<3>, One, 1, 1, true>() ||
           binary<Masks<1>, One, 1, 1>() || binary<Masks<2>, One, 1, 1>() ||
           binary<Masks<3>, One, 1, 0>() || binary<Masks<1>, One, 1, 0>() ||
           binary<Masks<2>, One, 1, 0, true>() || binary<Masks<1, 2>, Two, 1, 0, true>() ||
           binary<Masks<2, 1>, Two, 1, 0>() || binary<Masks<1, 2>, Two, 0, 0>() ||
           binary<Masks<2, 1>, Two, 0, 0>();
  }
};

}  // namespace

bool run_functions(const Case& c, const Communicator& comm, bool all_vmap,
                   std::vector<CaseArray>& result) {
  if (!c.names.empty() || c.x.front().type != "f8") return false;
  const Run run{c, comm, all_vmap, result};
  if (c.op == "sum_and_second") {
    return run.pair<Masks<3>, Masks<3>>() || run.pair<Masks<1>, Masks<3>>() ||
           run.pair<Masks<1>, Masks<1>>();
  }
  return c.x.size() == 2 ? run.any_binary() : run.any_unary();
}

}  // namespace kmap::test
