// Axes: which one of each argument is mapped, where it lands, what goes whole to every example.
// The comment above each line is what it is in JAX.

#include <kmap/kmap.hpp>

#include <cstdio>
#include <tuple>

struct Sum {
  template <class T>
  KOKKOS_FUNCTION T operator()(const kmap::Example<const T, 1>& x) const {
    T sum = 0;
    for (int i = 0; i < x.extent(0); ++i) sum += x(i);
    return sum;
  }
};

struct Add {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x, T y) const {
    return x + y;
  }
};

struct Ends {  // two results
  template <class T>
  KOKKOS_FUNCTION std::tuple<T, T> operator()(const kmap::Example<const T, 1>& x) const {
    return {x(0), x(x.extent(0) - 1)};
  }
};

struct CumSum {  // a result whose length is known at run time only is written
  template <class T>
  KOKKOS_FUNCTION void operator()(const kmap::Example<const T, 1>& x, kmap::out<T, 1> y) const {
    for (int i = 0; i < x.extent(0); ++i) y(i) = x(i) + (i > 0 ? y(i - 1) : 0);
  }
};

template <class View>
void print(const char* what, const View& x) {
  std::printf("%-18s", what);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    if constexpr (View::rank() == 1) {
      std::printf(" %d", x(i));
    } else {
      for (std::size_t j = 0; j < x.extent(1); ++j) std::printf(" %d", x(i, j));
      std::printf(i + 1 < x.extent(0) ? " |" : "");
    }
  }
  std::printf("\n");
}

int main(int argc, char** argv) {
  using namespace kmap;
  const Runtime runtime(argc, argv);
  Kokkos::View<int**, Kokkos::HostSpace> x("x", 2, 3);  // [[0, 1, 2], [3, 4, 5]]
  for (int i = 0; i < 6; ++i) x(i / 3, i % 3) = i;
  Kokkos::View<int*, Kokkos::HostSpace> y("y", 3);  // [10, 20, 30]
  for (int i = 0; i < 3; ++i) y(i) = 10 * (i + 1);

  // vmap(sum)(x)                                             rows: axis 0 is the default
  print("sum of rows", vmap(Sum{})(x));
  // vmap(sum, in_axes=1)(x)                                  columns; -1 is the last axis, too
  print("sum of columns", vmap(Sum{}, in_axes(1))(x));

  // vmap(add)(y, y)                                          several arguments
  print("y + y", vmap(Add{})(y, y));
  // vmap(add, in_axes=(0, None))(y, 1)                       1 goes whole to every example
  print("y + 1", vmap(Add{}, in_axes(0, none))(y, 1));
  // vmap(vmap(add), in_axes=(0, None))(x, y)                 so does y, to every row of x
  print("x + y", vmap(vmap(Add{}), in_axes(0, none))(x, y));

  // first, last = vmap(ends)(x)                              several results
  const auto [first, last] = vmap(Ends{})(x);
  print("first of rows", first);
  print("last of rows", last);

  // vmap(cumsum)(x)                                          C++ has to be told the result's shape
  const auto three = outputs(out_shape<int>(3));
  print("running sums", vmap(CumSum{}, three)(x));
  // vmap(cumsum, out_axes=1)(x)                              examples become columns
  print("as columns", vmap(CumSum{}, three, out_axes(1))(x));
  // no counterpart: the result goes into an array that is there
  Kokkos::View<int**, Kokkos::HostSpace> given("given", 2, 3);
  vmap(CumSum{}).into(given)(x);
  print("given", given);

  // vmap(add, in_axes=None, axis_size=4)(20, 22)             no argument has the mapped axis
  print("four times", vmap(Add{}, in_axes(none), axis_size(4))(20, 22));
  // vmap(add, in_axes=None, out_axes=None, axis_size=4)(20, 22)      all results alike: kept once
  const auto once = vmap(Add{}, in_axes(none), out_axes(none), axis_size(4))(20, 22);
  std::printf("%-18s %d\n", "kept once", once());

  // lax.map(sum, x, batch_size=1)                            one row after the other
  print("in batches", map(Sum{}, x, batch_size(1)));
}
