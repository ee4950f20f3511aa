// Uses what the library has, each thing in a region `test:…`, for library_test.cpp. On any number
// of ranks.

#include <kmap/kmap.hpp>

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

using namespace kmap;

namespace {

using Vector = Kokkos::View<double*, Kokkos::HostSpace>;
using Matrix = Kokkos::View<double**, Kokkos::HostSpace>;

constexpr int one = 1;         // is done at once, by one thread
constexpr int many = 1 << 20;  // are not

template <class T>
struct Scale {
  T factor = 2;
  KOKKOS_FUNCTION T operator()(T x) const { return factor * x; }
};

struct Center {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return x - pmean<"i">(c, x);
  }
};

template <class A, class B>
struct Two {
  A a;
  B b;
};

struct Add {
  template <class P>
  KOKKOS_FUNCTION double operator()(const P& p) const {
    return p.a + p.b;
  }
};

struct TeamSum {
  using map_kind = per_team;
  template <class Team>
  KOKKOS_FUNCTION double operator()(const Team& team, const Example<const double, 1>& x) const {
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, x.extent(0)),
        [&](std::int64_t i, double& part) { part += x(i); }, sum);
    return sum;
  }
};

struct Block {
  using map_kind = per_block;
  bool fails = false;
  template <class Exec, class X, class Y>
  void operator()(const Exec&, const X& x, const Y& y) const {
    if (fails) throw std::runtime_error("as it should");
    for (std::size_t i = 0; i < x.extent(0); ++i) y(i) = x(i);
  }
};

struct Constant {
  KOKKOS_FUNCTION double operator()(double) const { return 1; }
};

struct Throws {
  KOKKOS_FUNCTION double operator()(double x) const {
    if (x >= 0) throw std::runtime_error("as it should");
    return x;
  }
};

// A map inside of a mapped function, into memory that is there.
struct Nested {
  KOKKOS_FUNCTION void operator()(const Example<const double, 1>& x, out<double, 1> y) const {
    using In = Kokkos::View<const double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    using Out = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    const auto n = static_cast<std::size_t>(x.extent(0));
    vmap(Scale<double>{}).into(Out(y.data(), n))(In(x.data(), n));
  }
};

// Without a launch by Kokkos, as zeros would be.
Vector ones(const std::string& name, int n) {
  const Vector x(Kokkos::view_alloc(Kokkos::WithoutInitializing, "test:" + name), n);
  std::fill_n(x.data(), x.size(), 1.0);
  return x;
}
Matrix ones(const std::string& name, int n, int m) {
  const Matrix x(Kokkos::view_alloc(Kokkos::WithoutInitializing, "test:" + name), n, m);
  std::fill_n(x.data(), x.size(), 1.0);
  return x;
}

template <class Work>
void step(const char* name, const Work& work) {
  const Kokkos::Profiling::ScopedRegion region(std::string("test:") + name);
  work();
}

template <class Work>
void failing_step(const char* name, const Work& work) {
  step(name, [&] {
    try {
      work();
    } catch (const std::exception&) {
      return;
    }
    throw std::runtime_error(std::string(name) + " did not throw");
  });
}

void map_on_one_rank() {
  const Vector x = ones("x", one);
  const Vector y = ones("y", one);
  const Vector long_x = ones("long_x", many);
  const Vector long_y = ones("long_y", many);
  const Matrix rows = ones("rows", 4, 8);
  const Matrix results = ones("results", 4, 8);
  step("vmap", [&] { vmap(Scale<double>{})(x); });
  step("vmap of many", [&] { vmap(Scale<double>{}).into(long_y)(long_x); });
  step("vmap of a structure", [&] { vmap(Add{})(Two{x, y}); });
  step("vmap of rows", [&] { vmap(vmap(Scale<double>{}))(rows); });
  step("vmap by teams", [&] { vmap(TeamSum{})(rows); });
  step("vmap of a block", [&] { vmap(Block{}).into(y)(x); });
  step("vmap without an axis", [&] { vmap(Constant{}, out_axes(none))(x); });
  step("vmap in a vmap", [&] { vmap(Nested{}).into(results)(rows); });
  step("map", [&] { map(Scale<double>{}, x, batch_size(one)); });
  failing_step("vmap that throws", [&] { vmap(Throws{}).into(y)(x); });
  failing_step("vmap of many that throws", [&] { vmap(Throws{}).into(long_y)(long_x); });
  failing_step("vmap of a block that throws", [&] { vmap(Block{true}).into(y)(x); });
}

void map_on_all_ranks(const Communicator& comm) {
  const Matrix batch = ones("batch", 8, many / 8);
  const Vector x = ones("x", 16);
  step("vmap with a collective", [&] { vmap(Center{}, axis_name<"i">)(x); });
  step("scatter", [&] { scatter(comm, batch); });
  const auto shards = scatter(comm, batch, 1);
  step("pmap", [&] { pmap(vmap(Scale<double>{}), in_axes(1), out_axes(1))(shards); });
  step("gather", [&] { gather(shards); });
  step("psum", [&] { psum(shards); });
  const auto numbers = scatter(comm, x);
  step("pmap with a collective", [&] { pmap(Center{}, axis_name<"i">)(numbers); });
  step("pmap without an axis", [&] { pmap(Constant{}, out_axes(none))(numbers); });
  failing_step("pmap that throws", [&] { pmap(Throws{})(numbers); });
}

void draw() {
  const auto key = random::key(1);
  step("normal", [&] { random::normal<double>(key, random::shape(many)); });
  step("few uniform", [&] { random::uniform<double>(key, random::shape(10)); });
  const Matrix deck = ones("deck", many / 8, 8);
  step("choice", [&] { random::choice(key, random::shape(10), deck); });
  step("permutation", [&] { random::permutation(key, 10); });
  step("shuffle", [&] { random::shuffle(key, deck); });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Runtime runtime(argc, argv);
    map_on_one_rank();
    map_on_all_ranks(runtime.comm());
    draw();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
