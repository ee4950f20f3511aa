#include <kmap/collectives.hpp>
#include <kmap/kernel.hpp>

namespace {

/// Centres of clusters, as the sums of their points' coordinates and, last in each row, the number
/// of these points. A cluster without points is where it started.
template <class T>
struct Centres {
  kmap::Example<const T, 2> start;  // (k, d)
  kmap::Example<const T, 2> sums;   // (k, d + 1); of size 0 before the first iteration

  KOKKOS_FUNCTION T operator()(std::int64_t j, std::int64_t t) const {
    const T count = sums.size() > 0 ? sums(j, start.extent(1)) : T(0);
    return count > 0 ? sums(j, t) / count : start(j, t);
  }

  /// The centre that is nearest to x, the first of several; -1 if none is at a finite distance.
  KOKKOS_FUNCTION std::int32_t nearest(const kmap::Example<const T, 1>& x) const {
    std::int32_t label = -1;
    T least = Kokkos::Experimental::infinity_v<T>;
    for (std::int64_t j = 0; j < start.extent(0); ++j) {
      T square = 0;
      for (std::int64_t t = 0; t < start.extent(1); ++t) {
        const T distance = x(t) - (*this)(j, t);
        square += distance * distance;
      }
      if (square < least) {
        label = static_cast<std::int32_t>(j);
        least = square;
      }
    }
    return label;
  }

  /// Whether the sum of the squares of all moves from `before` is more than `most`. While centres
  /// move, the first of them say so.
  KOKKOS_FUNCTION bool moved(const Centres& before, T most) const {
    T square = 0;
    for (std::int64_t j = 0; j < start.extent(0); ++j) {
      for (std::int64_t t = 0; t < start.extent(1); ++t) {
        const T distance = (*this)(j, t) - before(j, t);
        square += distance * distance;
        if (square > most) return true;
      }
    }
    return false;
  }
};

/// k-means clustering by S. Lloyd's iteration (Least squares quantization in PCM, 1982): every
/// point is labelled with the nearest centre, and every centre moves to the mean of its points. A
/// run for the record looks for a label once: earlier iterations are known by their sums.
struct KMeans {
  std::int64_t iterations = 300;
  double tolerance = 0;

  template <class C, class T>
  KOKKOS_FUNCTION void operator()(C& c, const kmap::Example<const T, 1>& point,
                                  const kmap::Example<const T, 2>& start,
                                  const kmap::out<std::int32_t, 0>& label,
                                  const kmap::out<T, 2>& centres) const {
    const std::int64_t k = start.extent(0);
    const std::int64_t d = start.extent(1);
    Centres<T> now{start, {}};
    for (std::int64_t i = 0; i < iterations; ++i) {
      const auto sums = kmap::psum<"batch">(c, [&] {
        const std::int32_t mine = now.nearest(point);
        return kmap::computed<T>({k, d + 1}, [=](std::int64_t j, std::int64_t t) {
          return j != mine ? T(0) : t < d ? point(t) : T(1);
        });
      });
      if (kmap::stands_in(c)) return;
      const Centres<T> before = now;
      now.sums = sums;
      if (!now.moved(before, static_cast<T>(tolerance * tolerance))) break;
    }
    label() = now.nearest(point);
    for (std::int64_t j = 0; j < k; ++j) {
      for (std::int64_t t = 0; t < d; ++t) centres(j, t) = now(j, t);
    }
  }
};

KMAP_KERNEL(k_means, KMeans, "(d),(k,d)->(),(k,d)", "clusters of points by Lloyd's iteration")
    .input<"point">(kmap::real)
    .input<"start">(kmap::same_as<"point">, "the centres to begin with, the same for all points")
    .output<"label">(kmap::type<std::int32_t>, "the nearest centre; -1 of a point that has NaN")
    .output<"centres">(kmap::same_as<"point">, kmap::same_for_all, "the means of the clusters")
    .param("iterations", &KMeans::iterations, "1", "most iterations", kmap::at_least(0))
    .param("tolerance", &KMeans::tolerance, "unit of the points",
           "it stops when the root of the sum of the squares of all centres' moves is no more",
           kmap::at_least(0));

}  // namespace
