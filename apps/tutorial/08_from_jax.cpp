// From JAX to kmap: a line of JAX, the values that JAX gives, and those of the same in kmap.
// docs/from_jax.md is the whole table, with what has no counterpart.

#include <kmap/kmap.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <tuple>

using Vector = Kokkos::View<double*, Kokkos::HostSpace>;
using Matrix = Kokkos::View<double**, Kokkos::HostSpace>;
using Integers = Kokkos::View<int*, Kokkos::HostSpace>;
using Row = kmap::Example<const double, 1>;  // of a Matrix

Vector arange(int n) {
  Vector x("x", static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x(i) = i;
  return x;
}

Matrix arange(int n, int m) {
  Matrix x("x", static_cast<std::size_t>(n), static_cast<std::size_t>(m));
  for (int i = 0; i < n * m; ++i) x(i / m, i % m) = i;
  return x;
}

Vector doubles(std::initializer_list<double> values) {
  Vector x("x", values.size());
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

Integers integers(std::initializer_list<int> values) {
  Integers x("x", values.size());
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

// ---- Functions of one example. One that is short and not generic may also be a KOKKOS_LAMBDA.

struct Square {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x * x;
  }
};

struct Dot {
  KOKKOS_FUNCTION double operator()(const Row& x, const Row& y) const {
    double sum = 0;
    for (int i = 0; i < x.extent(0); ++i) sum += x(i) * y(i);
    return sum;
  }
};

struct CumSum {  // lax.scan: a loop with a state
  KOKKOS_FUNCTION void operator()(const Row& x, kmap::out<double, 1> y) const {
    double sum = 0;
    for (int i = 0; i < x.extent(0); ++i) y(i) = sum += x(i);
  }
};

struct Switch {
  KOKKOS_FUNCTION double operator()(int i, double x) const {
    switch (i) {
      case 0:
        return x;
      case 1:
        return -x;
      default:
        return x * x;
    }
  }
};

template <class A, class B>
struct Pair {
  A a;
  B b;
};

struct Times {
  template <class P>
  KOKKOS_FUNCTION double operator()(const P& p) const {
    return p.a * p.b;
  }
};

struct Reduce {
  template <class C, class T>
  KOKKOS_FUNCTION auto operator()(C& c, T x) const {
    return std::tuple{kmap::psum<"i">(c, x), kmap::pmean<"i">(c, x), kmap::pmax<"i">(c, x),
                      kmap::pmin<"i">(c, x)};
  }
};

struct Mean {
  template <class C, class T>
  KOKKOS_FUNCTION auto operator()(C& c, T x) const {
    return kmap::pmean<"i">(c, x);
  }
};

/// Structures are combined in one go.
struct Totals {
  template <class C, class T>
  KOKKOS_FUNCTION auto operator()(C& c, T x) const {
    return kmap::psum<"i">(c, std::tuple{x, x + x});
  }
};

struct Place {
  template <class C>
  KOKKOS_FUNCTION std::tuple<int, double> operator()(C& c, double) const {
    return {kmap::axis_index<"i">(c), static_cast<double>(kmap::axis_size<"i">(c))};
  }
};

struct Permute {
  kmap::Permutation order;  // tables are made before the map
  template <class C>
  KOKKOS_FUNCTION std::tuple<double, double> operator()(C& c, double x) const {
    return {kmap::ppermute<"i">(c, x, kmap::ring(1)), kmap::pshuffle<"i">(c, x, order)};
  }
};

struct Send {
  kmap::Pairs pairs;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return kmap::ppermute<"i">(c, x, pairs);
  }
};

struct Gather {
  template <class C>
  KOKKOS_FUNCTION auto operator()(C& c, double x) const {
    return kmap::all_gather<"i">(c, x);
  }
};

struct Join {
  template <class C>
  KOKKOS_FUNCTION auto operator()(C& c, const Row& x) const {
    return kmap::all_gather<"i">(c, x, kmap::axis(0), kmap::tiled);
  }
};

struct Swap {
  template <class C>
  KOKKOS_FUNCTION auto operator()(C& c, const Row& x) const {
    return kmap::pswapaxes<"i">(c, x, 0);
  }
};

struct Scatter {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, const Row& x) const {
    return kmap::psum_scatter<"i">(c, x);
  }
};

struct ToAll {
  template <class C>
  KOKKOS_FUNCTION auto operator()(C& c, const Row& x) const {
    return kmap::all_to_all<"i">(c, x, 0, 0);
  }
};

struct InGroups {
  kmap::AxisIndexGroups groups;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return kmap::psum<"i">(c, x, groups);
  }
};

struct Total {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return kmap::psum<"i", "j">(c, x);
  }
};

// ---- What is printed

std::string text(double x) {
  char word[32];
  std::snprintf(word, sizeof word, "%.10g", x);
  return word;
}

/// The values of an array, row by row.
template <class View>
  requires Kokkos::is_view_v<View>
std::string text(const View& array) {
  const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), array);
  std::string words;
  const auto add = [&](auto value) {
    words += (words.empty() ? "" : " ") + text(static_cast<double>(value));
  };
  if constexpr (View::rank() == 0) {
    add(x());
  } else {
    for (std::size_t i = 0; i < x.extent(0); ++i) {
      if constexpr (View::rank() == 1) {
        add(x(i));
      } else {
        for (std::size_t j = 0; j < x.extent(1); ++j) add(x(i, j));
      }
    }
  }
  return words;
}

/// Of a distributed array, all of them on rank 0.
template <class T, int Rank, class Space>
std::string text(const kmap::DistArray<T, Rank, Space>& x) {
  return text(kmap::gather(x));
}

template <class... X>
std::string text(const std::tuple<X...>& results) {
  return std::apply(
      [](const auto&... x) {
        std::string words;
        ((words += (words.empty() ? "" : " / ") + text(x)), ...);
        return words;
      },
      results);
}

struct Table {
  bool prints;

  /// A line of JAX, what it gives (with 8 devices and its default settings), and what we have.
  template <class X>
  void row(const char* jax, const char* values, const X& ours, const char* why = "") const {
    const std::string words = text(ours);
    if (!prints) return;
    std::printf("%s\n  JAX  %s\n  kmap %s\n", jax, values, words.c_str());
    if (*why != '\0') std::printf("  %s\n", why);
  }
};

void maps(const Table& t) {
  using namespace kmap;
  const Vector x = arange(3);
  const Matrix m = arange(2, 3);

  t.row("vmap(lambda x: x * x)(arange(3.))", "0 1 4", vmap(Square{})(x));
  t.row("vmap(lambda x: 3.0)(arange(4.))", "3 3 3 3",
        vmap(KOKKOS_LAMBDA(double) { return 3.0; })(arange(4)));
  t.row("vmap(lambda x, w: x + w, in_axes=(0, None))(arange(3.), 10.0)", "10 11 12",
        vmap(KOKKOS_LAMBDA(double a, double w) { return a + w; }, in_axes(0, none))(x, 10.0));
  t.row("vmap(lambda x: x, out_axes=1)(arange(6.).reshape(2, 3))", "0 3 1 4 2 5",
        vmap(KOKKOS_LAMBDA(const Row& row) { return row; }, out_axes(1))(m));
  t.row("vmap(lambda x: (x, 8.0), out_axes=(0, None))(arange(2.))", "0 1 / 8",
        vmap(KOKKOS_LAMBDA(double a) { return std::tuple(a, 8.0); }, out_axes(0, none))(arange(2)));
  t.row("vmap(lambda x: x + 1, in_axes=None, axis_size=4)(1.0)", "2 2 2 2",
        vmap(KOKKOS_LAMBDA(double a) { return a + 1; }, in_axes(none), axis_size(4))(1.0));
  t.row(
      "vmap(vmap(dot, in_axes=(None, 0)), in_axes=(0, None))(arange(6.).reshape(2, 3), "
      "arange(6.).reshape(2, 3))",
      "5 14 14 50", vmap(vmap(Dot{}, in_axes(none, 0)), in_axes(0, none))(m, m));
  t.row(
      "vmap(lambda p: p[\"a\"] * p[\"b\"], in_axes=({\"a\": 0, \"b\": None},))"
      "({\"a\": arange(3.), \"b\": 2.0})",
      "0 2 4", vmap(Times{}, in_axes(Pair{0, none}))(Pair{x, 2.0}));
  t.row("lax.map(lambda x: x * x, arange(3.), batch_size=2)", "0 1 4",
        map(Square{}, x, batch_size(2)));
  t.row("square(arange(6.).reshape(2, 3))", "0 1 4 9 16 25", vmap(Square{}, elementwise)(m));
}

void control_flow(const Table& t) {
  using namespace kmap;
  t.row("vmap(lambda x: lax.cond(x < 2, lambda: x, lambda: -x))(arange(4.))", "0 1 -2 -3",
        vmap(KOKKOS_LAMBDA(double x) { return x < 2 ? x : -x; })(arange(4)));
  t.row(
      "vmap(lambda i, x: lax.switch(i, [lambda: x, lambda: -x, lambda: x * x]))(arange(3), "
      "array([5.0, 6.0, 7.0]))",
      "5 -6 49", vmap(Switch{})(integers({0, 1, 2}), doubles({5, 6, 7})));
  t.row("vmap(lambda x: lax.while_loop(lambda v: v < 3, lambda v: v + 2, x))(arange(4.))",
        "4 3 4 3", vmap(KOKKOS_LAMBDA(double x) {
          while (x < 3) x += 2;
          return x;
        })(arange(4)));
  t.row("vmap(lambda x: lax.fori_loop(0, 3, lambda i, v: v * 2, x))(arange(4.))", "0 8 16 24",
        vmap(KOKKOS_LAMBDA(double x) {
          for (int i = 0; i < 3; ++i) x *= 2;
          return x;
        })(arange(4)));
  t.row(
      "vmap(lambda x: lax.scan(lambda s, v: (s + v, s + v), 0.0, x)[1])"
      "(arange(6.).reshape(2, 3))",
      "0 1 3 3 7 12", vmap(CumSum{}, outputs(out_shape<double>(3)))(arange(2, 3)));
}

void collectives(const Table& t) {
  using namespace kmap;
  const auto i = axis_name<"i">;
  t.row(
      "vmap(lambda x: (lax.psum(x, \"i\"), lax.pmean(x, \"i\"), lax.pmax(x, \"i\"), "
      "lax.pmin(x, \"i\")), axis_name=\"i\")(arange(3.))",
      "3 3 3 / 1 1 1 / 2 2 2 / 0 0 0", vmap(Reduce{}, i)(arange(3)));
  t.row("vmap(lambda x: lax.psum((x, x + x), \"i\"), axis_name=\"i\")(arange(3.))", "3 3 3 / 6 6 6",
        vmap(Totals{}, i)(arange(3)));
  t.row("vmap(lambda x: lax.pmean(x, \"i\"), axis_name=\"i\")(array([1, 2]))", "1.5 1.5",
        vmap(Mean{}, i)(integers({1, 2})));
  t.row("vmap(lambda x: (lax.axis_index(\"i\"), lax.psum(1, \"i\")), axis_name=\"i\")(arange(3.))",
        "0 1 2 / 3 3 3", vmap(Place{}, i)(arange(3)));
  t.row(
      "vmap(lambda x: (lax.ppermute(x, \"i\", [(0, 1), (1, 2), (2, 0)]), "
      "lax.pshuffle(x, \"i\", [1, 0, 2])), axis_name=\"i\")(arange(3.))",
      "2 0 1 / 1 0 2", vmap(Permute{Permutation({1, 0, 2})}, i)(arange(3)));
  t.row("pmap(lambda x: lax.ppermute(x, \"i\", [(1, 0), (2, 1)]), axis_name=\"i\")(arange(3.))",
        "1 2 0", vmap(Send{Pairs({{1, 0}, {2, 1}})}, i)(arange(3)));
  t.row("vmap(lambda x: lax.all_gather(x, \"i\"), axis_name=\"i\")(arange(3.))",
        "0 1 2 0 1 2 0 1 2", vmap(Gather{}, i)(arange(3)));
  t.row(
      "vmap(lambda x: lax.all_gather(x, \"i\", axis=0, tiled=True), axis_name=\"i\")"
      "(arange(4.).reshape(2, 2))",
      "0 1 2 3 0 1 2 3", vmap(Join{}, i)(arange(2, 2)));
  t.row("vmap(lambda x: lax.pswapaxes(x, \"i\", 0), axis_name=\"i\")(arange(4.).reshape(2, 2))",
        "0 2 1 3", vmap(Swap{}, i)(arange(2, 2)));
  t.row("vmap(lambda x: lax.psum_scatter(x, \"i\"), axis_name=\"i\")(arange(4.).reshape(2, 2))",
        "2 4", vmap(Scatter{}, i)(arange(2, 2)));
  t.row(
      "vmap(lambda x: lax.all_to_all(x, \"i\", 0, 0), axis_name=\"i\")"
      "(arange(4.).reshape(2, 2))",
      "0 2 1 3", vmap(ToAll{}, i)(arange(2, 2)));
  t.row(
      "pmap(lambda x: lax.psum(x, \"i\", axis_index_groups=[[0, 1], [2, 3]]), axis_name=\"i\")"
      "(arange(4.))",
      "1 1 5 5", vmap(InGroups{AxisIndexGroups({{0, 1}, {2, 3}})}, i)(arange(4)));
}

void random_numbers(const Table& t) {
  using namespace kmap;
  const auto key = random::key(0);
  t.row("random.key_data(random.split(random.key(0)))",
        "1797259609 2579123966 928981903 3453687069", random::split(key, 2));
  t.row("random.bits(random.fold_in(random.key(0), 7), (2,))", "2040308410 309011329",
        random::bits<std::uint32_t>(random::fold_in(key, 7), random::shape(2)));
  t.row("random.uniform(random.key(0), (3,))", "0.9476670027 0.9785798788 0.3322914839",
        random::uniform<float>(key, random::shape(3)));
  t.row("vmap(random.uniform)(random.split(random.key(0), 3))",
        "0.8423141241 0.007293820381 0.9024494886", vmap(KOKKOS_LAMBDA(random::Key own) {
          return random::uniform<float>(own);
        })(random::split(key, 3)));
  t.row("random.randint(random.key(0), (5,), 0, 10)", "9 0 2 3 1",
        random::randint<std::int32_t>(key, random::shape(5), 0, 10));
  t.row("random.bernoulli(random.key(0), 0.5, (4,))", "0 0 1 1",
        random::bernoulli(key, random::shape(4), 0.5F));
  t.row("random.permutation(random.key(0), 5)", "0 1 4 3 2", random::permutation(key, 5));
}

void over_ranks(const Table& t, const kmap::Communicator& comm) {
  using namespace kmap;
  const auto x = scatter(comm, arange(4));
  const auto m = scatter(comm, arange(2, 3));
  t.row("pmap(lambda x: x * x)(arange(4.))", "0 1 4 9", pmap(Square{})(x));
  t.row("pmap(lambda x, n: x * n, static_broadcasted_argnums=1)(arange(4.), 3)", "0 3 6 9",
        pmap(KOKKOS_LAMBDA(double a, int n) { return a * n; })(x, fixed(3)));
  t.row("pmap(lambda x: lax.pmean(x, \"i\"), axis_name=\"i\", out_axes=None)(arange(4.))", "1.5",
        pmap(Mean{}, axis_name<"i">, out_axes(none))(x));
  t.row(
      "pmap(vmap(lambda x: lax.psum(x, (\"i\", \"j\")), axis_name=\"j\"), axis_name=\"i\")"
      "(arange(6.).reshape(2, 3))",
      "15 15 15 15 15 15", pmap(vmap(Total{}, axis_name<"j">), axis_name<"i">)(m));
}

void differences(const Table& t) {
  using namespace kmap;
  t.row("vmap(lambda x: x / 2)(array([3, 4]))", "1.5 2",
        vmap(KOKKOS_LAMBDA(int x) { return x / 2; })(integers({3, 4})),
        "differs: C++ divides integers; say x / 2.0");
  t.row("vmap(lambda x: x % 2)(array([-3, 4]))", "1 0",
        vmap(KOKKOS_LAMBDA(int x) { return x % 2; })(integers({-3, 4})),
        "differs: C++'s remainder has the sign of x");
  t.row("vmap(lambda x: x + 1)(array([16777216.0]))", "16777216",
        vmap(KOKKOS_LAMBDA(double x) { return x + 1; })(doubles({16777216})),
        "differs: double is double; JAX makes it float unless jax_enable_x64 is set");
  t.row("random.choice(random.key(0), 10, (3,))", "9 0 2",
        random::choice(random::key(0), random::shape(3), 10),
        "differs: indices are 64-bit integers, drawn as JAX does when jax_enable_x64 is set");
}

int main(int argc, char** argv) {
  const kmap::Runtime runtime(argc, argv);
  const Table table{runtime.comm().is_root()};
  maps(table);
  control_flow(table);
  collectives(table);
  random_numbers(table);
  over_ranks(table, runtime.comm());
  differences(table);
}
