#pragma once
/// \file
/// Element types: the C++ types that arrays hold, and their names at run time (NumPy's short names,
/// which run configs and messages use).

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace kmap {

/// An element type at run time. `boolean` is one byte, 0 or 1.
enum class DType : std::uint8_t { boolean, i1, i2, i4, i8, u1, u2, u4, u8, f4, f8, c8, c16 };

namespace detail {

template <class T>
struct DTypeOf;  // not defined for types that arrays cannot hold

template <DType V>
struct DTypeConstant {
  static constexpr DType value = V;
};

template <>
struct DTypeOf<bool> : DTypeConstant<DType::boolean> {};
template <>
struct DTypeOf<float> : DTypeConstant<DType::f4> {};
template <>
struct DTypeOf<double> : DTypeConstant<DType::f8> {};
template <>
struct DTypeOf<Kokkos::complex<float>> : DTypeConstant<DType::c8> {};
template <>
struct DTypeOf<Kokkos::complex<double>> : DTypeConstant<DType::c16> {};

// By size and sign, so that `long` and `long long` both find their place.
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct DTypeOf<T> {
  static constexpr int log2_size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  static constexpr DType value =
      static_cast<DType>(static_cast<int>(std::is_signed_v<T> ? DType::i1 : DType::u1) + log2_size);
};

template <class T>
concept HasDType = requires { DTypeOf<std::remove_cv_t<T>>::value; };

/// Kokkos' 16-bit floating-point types where they are types of their own (on devices; elsewhere
/// they are float). They have no name at run time: files and kernels of jobs do not hold them.
template <class T>
inline constexpr bool is_half = (std::is_same_v<T, Kokkos::Experimental::half_t> ||
                                 std::is_same_v<T, Kokkos::Experimental::bhalf_t>) &&
                                !std::is_same_v<T, float>;

}  // namespace detail

/// A type that an array of kmap can hold: bool, integers, float, double, Kokkos::complex of these,
/// and Kokkos' half types.
template <class T>
concept Element = detail::HasDType<T> || detail::is_half<std::remove_cv_t<T>>;

template <Element T>
inline constexpr DType dtype_of = detail::DTypeOf<std::remove_cv_t<T>>::value;

struct DTypeInfo {
  std::string_view name;  ///< "bool", "i1" … "u8", "f4", "f8", "c8", "c16"
  std::size_t size;       ///< bytes
  char kind;              ///< 'b' bool, 'i' signed, 'u' unsigned, 'f' floating, 'c' complex
};

inline constexpr std::array<DTypeInfo, 13> dtype_infos = {{{"bool", 1, 'b'},
                                                           {"i1", 1, 'i'},
                                                           {"i2", 2, 'i'},
                                                           {"i4", 4, 'i'},
                                                           {"i8", 8, 'i'},
                                                           {"u1", 1, 'u'},
                                                           {"u2", 2, 'u'},
                                                           {"u4", 4, 'u'},
                                                           {"u8", 8, 'u'},
                                                           {"f4", 4, 'f'},
                                                           {"f8", 8, 'f'},
                                                           {"c8", 8, 'c'},
                                                           {"c16", 16, 'c'}}};

constexpr const DTypeInfo& info(DType type) { return dtype_infos[static_cast<std::size_t>(type)]; }
constexpr std::string_view name(DType type) { return info(type).name; }
constexpr std::size_t size_of(DType type) { return info(type).size; }

/// The type of that name, or nothing.
constexpr std::optional<DType> dtype_from_name(std::string_view name) {
  for (std::size_t i = 0; i < dtype_infos.size(); ++i) {
    if (dtype_infos[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

/// Calls `f(std::type_identity<T>{})` with the C++ type T of `type`; returns what f returns.
template <class F>
decltype(auto) visit_dtype(DType type, F&& f) {
  switch (type) {
    case DType::boolean:
      return f(std::type_identity<bool>{});
    case DType::i1:
      return f(std::type_identity<std::int8_t>{});
    case DType::i2:
      return f(std::type_identity<std::int16_t>{});
    case DType::i4:
      return f(std::type_identity<std::int32_t>{});
    case DType::i8:
      return f(std::type_identity<std::int64_t>{});
    case DType::u1:
      return f(std::type_identity<std::uint8_t>{});
    case DType::u2:
      return f(std::type_identity<std::uint16_t>{});
    case DType::u4:
      return f(std::type_identity<std::uint32_t>{});
    case DType::u8:
      return f(std::type_identity<std::uint64_t>{});
    case DType::f4:
      return f(std::type_identity<float>{});
    case DType::c8:
      return f(std::type_identity<Kokkos::complex<float>>{});
    case DType::c16:
      return f(std::type_identity<Kokkos::complex<double>>{});
    case DType::f8:
      break;
  }
  return f(std::type_identity<double>{});
}

}  // namespace kmap
