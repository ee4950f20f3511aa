#pragma once
/// \file
/// Packs: the values of several examples side by side, for functions that wait for their own
/// results.
///
/// A loop over examples is vectorised by itself, one register of examples at a time. Where each
/// step of f needs the step before (a time integration), the processor then waits most of the time.
/// A function that says
/// ```cpp
/// static constexpr int pack_registers = 4;
/// ```
/// is called, on hosts, with `Pack`s of so many registers in place of its numbers, so that the
/// steps of several registers overlap; everywhere else, and for what is left over, with plain
/// numbers. It is a template on the type of its numbers that uses + - * /, comparisons with
/// `kmap::select` instead of if and ?:, and the functions of kmap/math.hpp; it takes values and
/// read-only Examples, returns values (scalars, vecs, tuples of these), and has no context. Results
/// have the same bits as those of plain calls.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/registers.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace kmap {

/// For plain numbers, so that one text serves both: a if `condition`, else b.
template <class T>
  requires(std::is_arithmetic_v<T>)
KOKKOS_FORCEINLINE_FUNCTION T select(bool condition, T a, T b) {
  return condition ? a : b;
}

/// a b + c, rounded once and in one instruction where the processor has it (GPUs, and any recent
/// CPU, if it is compiled for), else twice. The compiler never does this by itself: a result must
/// not depend on how a loop was vectorised.
template <class T>
  requires(std::is_floating_point_v<T>)
KOKKOS_FORCEINLINE_FUNCTION T mul_add(T a, std::type_identity_t<T> b, std::type_identity_t<T> c) {
  KOKKOS_IF_ON_DEVICE((return Kokkos::fma(a, b, c);))
  KOKKOS_IF_ON_HOST((return detail::mul_add(a, b, c);))
}

/// The same for each element of b and c.
template <class T, int... N>
KOKKOS_FORCEINLINE_FUNCTION vec<T, N...> mul_add(std::type_identity_t<T> a, const vec<T, N...>& b,
                                                 const vec<T, N...>& c) {
  vec<T, N...> x;
  for (int i = 0; i < vec<T, N...>::size; ++i) x.values[i] = mul_add(a, b.values[i], c.values[i]);
  return x;
}

#if KMAP_DETAIL_PACKS

/// The answers of comparisons of packs, for `select`.
template <class T, int N>
class PackMask {
  using Registers = detail::Registers<T, N>;

 public:
  using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t,
                                  std::conditional_t<sizeof(T) == 4, std::int32_t, std::int16_t>>;
  detail::Registers<Bits, N> bits;

  friend PackMask operator&(PackMask a, const PackMask& b) {
    for (int r = 0; r < Registers::count; ++r) a.bits.at[r] &= b.bits.at[r];
    return a;
  }
  friend PackMask operator|(PackMask a, const PackMask& b) {
    for (int r = 0; r < Registers::count; ++r) a.bits.at[r] |= b.bits.at[r];
    return a;
  }
  friend PackMask operator!(PackMask a) {
    for (int r = 0; r < Registers::count; ++r) a.bits.at[r] = ~a.bits.at[r];
    return a;
  }
};

/// N values of type T, one per example.
template <class T, int N>
class Pack {
  using Registers = detail::Registers<T, N>;
  static constexpr int count = Registers::count;

 public:
  using value_type = T;
  static constexpr int lanes = N;

  Pack() = default;
  /// The same value for all examples. Implicit for what T itself takes without becoming another
  /// type: 2 * x, but not 0.5 * x for floats.
  template <class S>
    requires(std::is_arithmetic_v<S>)
  // NOLINTNEXTLINE(google-explicit-constructor)
  explicit(!std::is_same_v<std::common_type_t<T, S>, T>) Pack(S value) {
    const typename Registers::Register zero = {};
    for (int r = 0; r < count; ++r) registers_.at[r] = zero + static_cast<T>(value);
  }

  T operator[](int lane) const {
    return registers_.at[lane / Registers::lanes][lane % Registers::lanes];
  }
  void set(int lane, T value) {
    registers_.at[lane / Registers::lanes][lane % Registers::lanes] = value;
  }
  /// N values that lie one after the other.
  static Pack load(const T* from) {
    Pack x;
    std::memcpy(&x.registers_, from, sizeof x.registers_);
    return x;
  }
  void store(T* to) const { std::memcpy(to, &registers_, sizeof registers_); }

  friend Pack operator+(Pack a, const Pack& b) { return a += b; }
  friend Pack operator-(Pack a, const Pack& b) { return a -= b; }
  friend Pack operator*(Pack a, const Pack& b) { return a *= b; }
  friend Pack operator/(Pack a, const Pack& b) { return a /= b; }
  friend Pack operator-(Pack a) {
    for (int r = 0; r < count; ++r) a.registers_.at[r] = -a.registers_.at[r];
    return a;
  }
  Pack& operator+=(const Pack& b) {
    for (int r = 0; r < count; ++r) registers_.at[r] += b.registers_.at[r];
    return *this;
  }
  Pack& operator-=(const Pack& b) {
    for (int r = 0; r < count; ++r) registers_.at[r] -= b.registers_.at[r];
    return *this;
  }
  Pack& operator*=(const Pack& b) {
    for (int r = 0; r < count; ++r) registers_.at[r] *= b.registers_.at[r];
    return *this;
  }
  Pack& operator/=(const Pack& b) {
    for (int r = 0; r < count; ++r) registers_.at[r] /= b.registers_.at[r];
    return *this;
  }

  friend PackMask<T, N> operator<(const Pack& a, const Pack& b) {
    return compare(a, b, [](const auto& x, const auto& y) { return x < y; });
  }
  friend PackMask<T, N> operator<=(const Pack& a, const Pack& b) {
    return compare(a, b, [](const auto& x, const auto& y) { return x <= y; });
  }
  friend PackMask<T, N> operator>(const Pack& a, const Pack& b) { return b < a; }
  friend PackMask<T, N> operator>=(const Pack& a, const Pack& b) { return b <= a; }
  friend PackMask<T, N> operator==(const Pack& a, const Pack& b) {
    return compare(a, b, [](const auto& x, const auto& y) { return x == y; });
  }
  friend PackMask<T, N> operator!=(const Pack& a, const Pack& b) { return !(a == b); }

  template <class U, int M>
  friend Pack<U, M> mul_add(const Pack<U, M>& a, const Pack<U, M>& b, const Pack<U, M>& c);
  template <class U, int M>
  friend Pack<U, M> select(const PackMask<U, M>& mask, const Pack<U, M>& a, const Pack<U, M>& b);

 private:
  template <class Compare>
  static PackMask<T, N> compare(const Pack& a, const Pack& b, const Compare& compare) {
    PackMask<T, N> mask;
    for (int r = 0; r < count; ++r) {
      mask.bits.at[r] = compare(a.registers_.at[r], b.registers_.at[r]);
    }
    return mask;
  }

  Registers registers_;
};

/// a b + c, as for numbers.
template <class T, int N>
Pack<T, N> mul_add(const Pack<T, N>& a, const Pack<T, N>& b, const Pack<T, N>& c) {
  Pack<T, N> x;
  for (int r = 0; r < Pack<T, N>::count; ++r) {
    x.registers_.at[r] =
        detail::mul_add_registers<T>(a.registers_.at[r], b.registers_.at[r], c.registers_.at[r]);
  }
  return x;
}

/// a where the mask says so, else b.
template <class T, int N>
Pack<T, N> select(const PackMask<T, N>& mask, const Pack<T, N>& a, const Pack<T, N>& b) {
  Pack<T, N> x;
  for (int r = 0; r < Pack<T, N>::count; ++r) {
    x.registers_.at[r] = mask.bits.at[r] ? a.registers_.at[r] : b.registers_.at[r];
  }
  return x;
}

namespace detail {

template <class T, int N>
inline constexpr bool is_pack<Pack<T, N>> = true;

}  // namespace detail

/// The same example of as many arrays as a pack has lanes: reading an element gives a pack.
template <class T, int N, int Rank>
class Example<const Pack<T, N>, Rank> {
 public:
  using element_type = const Pack<T, N>;
  using value_type = Pack<T, N>;

  /// Example l begins at data + l step; from `valid` on the last of these is taken again.
  Example(const T* data, const detail::Extents<Rank>& extents, const detail::Extents<Rank>& strides,
          std::int64_t step, int valid)
      : data_(data), extents_(extents), strides_(strides), step_(step), valid_(valid) {}

  static constexpr int rank() { return Rank; }
  std::int64_t extent(int d) const { return extents_[d]; }
  std::int64_t size() const {
    std::int64_t n = 1;
    for (int d = 0; d < Rank; ++d) n *= extents_[d];
    return n;
  }

  template <std::integral... I>
    requires(sizeof...(I) == static_cast<std::size_t>(Rank))
  Pack<T, N> operator()(I... index) const {
    std::int64_t offset = 0;
    [[maybe_unused]] int d = 0;
    ((detail::check_bounds(static_cast<std::int64_t>(index), extents_[d]),
      offset += static_cast<std::int64_t>(index) * strides_[d], ++d),
     ...);
    if (step_ == 1 && valid_ == N) return Pack<T, N>::load(data_ + offset);
    T values[N];
    for (int l = 0; l < N; ++l) values[l] = data_[offset + (l < valid_ ? l : valid_ - 1) * step_];
    return Pack<T, N>::load(values);
  }
  Pack<T, N> operator[](std::int64_t index) const
    requires(Rank == 1)
  {
    return (*this)(index);
  }

 private:
  const T* data_;
  detail::Extents<Rank> extents_;
  detail::Extents<Rank> strides_;
  std::int64_t step_;
  int valid_;
};

#endif

}  // namespace kmap
