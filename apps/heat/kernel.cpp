#include <kmap/collectives.hpp>
#include <kmap/kernel.hpp>

namespace {

enum class Boundary { fixed, periodic };

/// The heat equation u_t = alpha (u_xx + u_yy) by explicit Euler steps with the five-point formula,
/// on a grid that is cut into strips of rows, one strip per example. In each step strips exchange
/// the rows at their edges, two collectives: the function is run 2 steps + 1 times.
struct Heat {
  using map_kind = kmap::per_team;
  template <class T>
  using Strip =
      Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::DefaultExecutionSpace::scratch_memory_space,
                   Kokkos::MemoryUnmanaged>;

  double number = 0.25;
  std::int64_t steps = 1;
  Boundary boundary = Boundary::fixed;

  template <class T>
  std::size_t scratch_bytes(const kmap::Example<const T, 2>& initial) const {
    return Strip<T>::shmem_size(static_cast<std::size_t>(initial.extent(0)),
                                static_cast<std::size_t>(initial.extent(1)));
  }

  template <class C, class Team, class T>
  KOKKOS_FUNCTION void operator()(C& c, const Team& team, const kmap::Example<const T, 2>& initial,
                                  const kmap::out<T, 2>& u) const {
    const std::int64_t rows = u.extent(0);
    const std::int64_t columns = u.extent(1);
    const Strip<T> old(team.team_scratch(1), rows, columns);
    const auto for_cells = [&](const auto& body) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](std::int64_t i) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns),
                             [&](std::int64_t j) { body(i, j); });
      });
      team.team_barrier();
    };
    const bool first = kmap::axis_index<"batch">(c) == 0;
    const bool last = kmap::axis_index<"batch">(c) == kmap::axis_size<"batch">(c) - 1;
    const auto is_kept = [&](std::int64_t i, std::int64_t j) {
      return boundary == Boundary::fixed &&
             ((first && i == 0) || (last && i == rows - 1) || j == 0 || j == columns - 1);
    };

    for_cells([&](std::int64_t i, std::int64_t j) { u(i, j) = initial(i, j); });
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto row = [&](std::int64_t i) {
        return kmap::computed<T>({columns}, [=](std::int64_t j) { return u(i, j); });
      };
      const auto above = kmap::ppermute<"batch">(c, row(rows - 1), kmap::ring(1));
      const auto below = kmap::ppermute<"batch">(c, row(0), kmap::ring(-1));
      if (kmap::stands_in(c)) return;
      for_cells([&](std::int64_t i, std::int64_t j) { old(i, j) = u(i, j); });
      for_cells([&](std::int64_t i, std::int64_t j) {
        if (is_kept(i, j)) return;
        const T up = i > 0 ? old(i - 1, j) : above(j);
        const T down = i < rows - 1 ? old(i + 1, j) : below(j);
        const T left = old(i, j > 0 ? j - 1 : columns - 1);
        const T right = old(i, j < columns - 1 ? j + 1 : 0);
        u(i, j) += static_cast<T>(number) * (up + down + left + right - 4 * old(i, j));
      });
    }
  }
};

KMAP_KERNEL(heat, Heat, "(y,x)->(y,x)", "heat equation on strips of the rows of a grid")
    .input<"initial">(kmap::real, "temperature at the start, in strips of rows")
    .output<"final">(kmap::same_as<"initial">, "temperature after the last step")
    .param("number", &Heat::number, "1",
           "alpha dt / dx^2 of a step; beyond 1/4 the method is not stable", kmap::between(0, 0.25))
    .param("steps", &Heat::steps, "1", "number of steps", kmap::at_least(0))
    .param("boundary", &Heat::boundary, kmap::choices("fixed", "periodic"),
           "the outermost cells keep their temperature, or the grid's edges meet");

}  // namespace
