#include <kmap/collectives.hpp>
#include <kmap/kernel.hpp>

#include <cstdint>

namespace {

enum class Boundary { periodic, zeros };

/// An elementary cellular automaton (S. Wolfram, Statistical mechanics of cellular automata, 1983)
/// on a line of cells that is cut into strips, one strip per example. In each step strips exchange
/// the cells at their edges, two collectives: the function is run 2 steps + 1 times.
struct Life {
  using Cell = std::uint8_t;

  std::int64_t rule = 110;
  std::int64_t steps = 1;
  Boundary boundary = Boundary::periodic;

  template <class C>
  KOKKOS_FUNCTION void operator()(C& c, const kmap::Example<const Cell, 1>& initial,
                                  const kmap::out<Cell, 1>& cells) const {
    const std::int64_t size = cells.extent(0);
    for (std::int64_t i = 0; i < size; ++i) cells(i) = initial(i) != 0 ? 1 : 0;

    const bool first = kmap::axis_index<"batch">(c) == 0;
    const bool last = kmap::axis_index<"batch">(c) == kmap::axis_size<"batch">(c) - 1;
    for (std::int64_t step = 0; step < steps; ++step) {
      Cell before = kmap::ppermute<"batch">(c, cells(size - 1), kmap::ring(1));
      Cell behind = kmap::ppermute<"batch">(c, cells(0), kmap::ring(-1));
      if (kmap::stands_in(c)) return;
      if (boundary == Boundary::zeros && first) before = 0;
      if (boundary == Boundary::zeros && last) behind = 0;
      for (std::int64_t i = 0; i < size; ++i) {
        const Cell here = cells(i);
        cells(i) = next(before, here, i + 1 < size ? cells(i + 1) : behind);
        before = here;
      }
    }
  }

  /// The bit of the rule that these three cells number.
  KOKKOS_FUNCTION Cell next(Cell left, Cell here, Cell right) const {
    return static_cast<Cell>((rule >> (4 * left + 2 * here + right)) & 1);
  }
};

KMAP_KERNEL(life, Life, "(w)->(w)", "elementary cellular automaton on strips of a line of cells")
    .input<"initial">(kmap::type<Life::Cell>, "strips of cells; alive where not 0")
    .output<"final">(kmap::type<Life::Cell>, "0 or 1, after the last step")
    .param("rule", &Life::rule, "1", "number of the rule, as Wolfram counts", kmap::between(0, 255))
    .param("steps", &Life::steps, "1", "number of steps", kmap::at_least(0))
    .param("boundary", &Life::boundary, kmap::choices("periodic", "zeros"),
           "the line's ends meet, or dead cells are beyond them");

}  // namespace
