// Cases of every element type: one level, examples of rank 0.

#include "conformance/functors.hpp"
#include "conformance/run_case.hpp"

namespace kmap::test {

namespace {

template <class T>
inline constexpr bool is_complex = info(dtype_of<T>).kind == 'c';

template <class T>
struct Arithmetic {
  int op;  // 0: identity, 1: negate, 2: square
  T operator()(T x) const {
    if (op == 0) return x;
    if constexpr (std::is_same_v<T, bool>) {
      return op == 1 ? !x : x;
    } else {
      return op == 1 ? static_cast<T>(-x) : static_cast<T>(x * x);
    }
  }
};

// A collective of type T, chosen at run time: an example is a number as one or two doubles.
struct Reduction {
  Op op;
  DType type;
  Pairs pairs;
  Kokkos::View<DType, Kokkos::HostSpace> result_type{"type"};

  template <class C>
  void operator()(C& c, const Example<const double, 1>& x, const Example<double, 1>& y) const {
    visit_dtype(type, [&](auto t) {
      using T = typename decltype(t)::type;
      if constexpr (is_complex<T>) {
        using Part = typename T::value_type;
        reduce(c, T(static_cast<Part>(x(0)), static_cast<Part>(x(1))), y);
      } else {
        reduce(c, static_cast<T>(x(0)), y);
      }
    });
  }

 private:
  template <class C, class T>
  void reduce(C& c, T x, const Example<double, 1>& y) const {
    switch (op) {
      case Op::psum:
        return put(psum<"i">(c, x), y);
      case Op::pmean:
        return put(pmean<"i">(c, x), y);
      case Op::pmax:
        if constexpr (!is_complex<T>) return put(pmax<"i">(c, x), y);
        break;
      case Op::pmin:
        if constexpr (!is_complex<T>) return put(pmin<"i">(c, x), y);
        break;
      default:
        return put(ppermute<"i">(c, x, pairs), y);
    }
  }

  template <class S>
  void put(S result, const Example<double, 1>& y) const {
    Kokkos::atomic_store(&result_type(), dtype_of<S>);
    if constexpr (is_complex<S>) {
      y(0) = result.real();
      y(1) = result.imag();
    } else {
      y(0) = static_cast<double>(result);
      y(1) = 0;
    }
  }
};

template <class T>
void run_arithmetic(const Case& c, const Communicator& comm, bool all_vmap,
                    std::vector<CaseArray>& result) {
  const Argument<T, 1> x(c, 0);
  const Arithmetic<T> f{c.op == "identity" ? 0 : c.op == "negate" ? 1 : 2};
  // One of each size, and of each kind.
  constexpr bool with_pmap = std::is_same_v<T, bool> || std::is_same_v<T, std::int16_t> ||
                             std::is_same_v<T, std::uint64_t> || std::is_same_v<T, float> ||
                             std::is_same_v<T, Kokkos::complex<double>>;
  Maps<Masks<1>, Masks<1>, 1, with_pmap>::run(c, comm, all_vmap, f, std::tuple<>(), result,
                                              x.view());
}

// Numbers as pairs of doubles, and back.
template <class T>
CaseArray widened(const CaseArray& array) {
  std::vector<double> pairs;
  for (std::size_t at = 0; at < array.bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, array.bytes.data() + at, sizeof(T));
    if constexpr (is_complex<T>) {
      pairs.insert(pairs.end(), {value.real(), value.imag()});
    } else {
      pairs.insert(pairs.end(), {static_cast<double>(value), 0.0});
    }
  }
  CaseArray wide{"f8", {array.shape.at(0), 2}, {}};
  wide.bytes.resize(pairs.size() * sizeof(double));
  std::memcpy(wide.bytes.data(), pairs.data(), wide.bytes.size());
  return wide;
}

template <class T>
CaseArray narrowed(const CaseArray& wide) {
  CaseArray array{std::string(name(dtype_of<T>)), {wide.shape.at(0)}, {}};
  for (std::size_t i = 0; i < wide.bytes.size(); i += 2 * sizeof(double)) {
    double pair[2];
    std::memcpy(pair, wide.bytes.data() + i, sizeof(pair));
    T value;
    if constexpr (is_complex<T>) {
      using Part = typename T::value_type;
      value = T(static_cast<Part>(pair[0]), static_cast<Part>(pair[1]));
    } else {
      value = static_cast<T>(pair[0]);
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    array.bytes.insert(array.bytes.end(), bytes, bytes + sizeof(T));
  }
  return array;
}

void run_reduction(const Case& c, DType type, const Communicator& comm, bool all_vmap,
                   std::vector<CaseArray>& result) {
  Case wide = c;
  visit_dtype(type, [&](auto t) { wide.x[0] = widened<typename decltype(t)::type>(c.x[0]); });
  wide.y[0].shape = wide.x[0].shape;
  const Argument<double, 2> x(wide, 0);
  const Reduction f{op_of(c), type, Pairs(c.pairs)};
  std::vector<CaseArray> results;
  Maps<Masks<1>, Masks<1>, 1>::run(
      wide, comm, all_vmap, f, std::make_tuple(outputs(out_shape<double>(2))), results, x.view());
  for (const CaseArray& r : results) {
    visit_dtype(f.result_type(),
                [&](auto t) { result.push_back(narrowed<typename decltype(t)::type>(r)); });
  }
}

}  // namespace

bool run_types(const Case& c, const Communicator& comm, bool all_vmap,
               std::vector<CaseArray>& result) {
  const auto type = dtype_from_name(c.x.front().type);
  if (!type || c.x.size() != 1 || c.x.front().shape.size() != 1 ||
      !masks_match<Masks<1>, Masks<1>>(c)) {
    return false;
  }
  if (c.names.empty()) {
    visit_dtype(*type, [&](auto t) {
      run_arithmetic<typename decltype(t)::type>(c, comm, all_vmap, result);
    });
  } else {
    run_reduction(c, *type, comm, all_vmap, result);
  }
  return true;
}

}  // namespace kmap::test
