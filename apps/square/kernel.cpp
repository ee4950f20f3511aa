#include <kmap/kernel.hpp>

#include <type_traits>

namespace {

/// x squared, in the type of x: integers wrap around as they do in NumPy.
struct Square {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) {
      // Signed overflow is undefined, and shorter types would be promoted to int, which is signed.
      using Unsigned = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
      return static_cast<T>(static_cast<Unsigned>(x) * static_cast<Unsigned>(x));
    } else {
      return x * x;
    }
  }
};

KMAP_KERNEL(square, Square, "()->()", "x squared")
    .input<"x">(kmap::number)
    .output<"y">(kmap::same_as<"x">);

}  // namespace
