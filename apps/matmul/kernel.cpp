#include <kmap/kernel.hpp>

#include <type_traits>

namespace {

/// The product of a row and a column. A map over the rows of a, and in it one over the columns of
/// b, make the product of the matrices. Integers wrap around as they do in NumPy.
struct Matmul {
  template <class T>
  KOKKOS_FUNCTION T operator()(const kmap::Example<const T, 1>& a,
                               const kmap::Example<const T, 1>& b) const {
    T sum{};
    for (std::int64_t i = 0; i < a.extent(0); ++i) sum = add_product(sum, a(i), b(i));
    return sum;
  }

  template <class T>
  static KOKKOS_FUNCTION T add_product(T sum, T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      // Signed overflow is undefined, and shorter types would be promoted to int, which is signed.
      using Unsigned = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
      return static_cast<T>(static_cast<Unsigned>(sum) +
                            static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
    } else {
      return sum + a * b;
    }
  }
};

KMAP_KERNEL(matmul, Matmul, "(k),(k)->()", "sum of a(k) b(k): mapped twice, a matrix product")
    .input<"a">(kmap::number, "a row")
    .input<"b">(kmap::same_as<"a">, "a column")
    .output<"c">(kmap::same_as<"a">);

}  // namespace
