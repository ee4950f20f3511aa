#include "io/conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>

namespace kmap::io {
namespace {

// The first bytes of a value, at most eight, in the order of this machine.
std::array<unsigned char, 8> native_bytes(hid_t type, const void* value) {
  std::array<unsigned char, 8> bytes{};
  const std::size_t size = std::min(H5Tget_size(type), bytes.size());
  const bool swapped = H5Tget_order(type) != H5Tget_order(H5T_NATIVE_INT);
  const auto* stored = static_cast<const unsigned char*>(value);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = stored[swapped ? size - 1 - i : i];
  return bytes;
}

template <class T>
T as(const std::array<unsigned char, 8>& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// The value of an IEEE float or double; of other formats nothing.
std::optional<double> float_value(hid_t type, const void* value) {
  const std::size_t size = H5Tget_size(type);
  if (size == sizeof(float)) return as<float>(native_bytes(type, value));
  if (size == sizeof(double)) return as<double>(native_bytes(type, value));
  return std::nullopt;
}

std::string integer_text(hid_t type, const void* value) {
  if (H5Tget_size(type) > 8) return {};
  const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
  const std::array<unsigned char, 8> bytes = native_bytes(type, value);
  switch (H5Tget_size(type)) {
    case 1:
      return is_signed ? fmt::to_string(+as<std::int8_t>(bytes)) : fmt::to_string(+bytes[0]);
    case 2:
      return is_signed ? fmt::to_string(as<std::int16_t>(bytes))
                       : fmt::to_string(as<std::uint16_t>(bytes));
    case 4:
      return is_signed ? fmt::to_string(as<std::int32_t>(bytes))
                       : fmt::to_string(as<std::uint32_t>(bytes));
    case 8:
      return is_signed ? fmt::to_string(as<std::int64_t>(bytes))
                       : fmt::to_string(as<std::uint64_t>(bytes));
    default:
      return {};
  }
}

std::string value_text(hid_t type, const void* value) {
  if (H5Tget_class(type) == H5T_INTEGER) return integer_text(type, value);
  if (H5Tget_class(type) != H5T_FLOAT) return {};
  const std::optional<double> number = float_value(type, value);
  if (!number) return {};
  return std::isnan(*number) ? "NaN" : fmt::format("{:g}", *number);
}

bool is_infinite(hid_t type, const void* value) {
  const std::optional<double> number = float_value(type, value);
  return number && std::isinf(*number);
}

// A float type holds infinities and NaN, so only finite values that it cannot reach are faults.
// HDF5 reports an infinity as out of range on some of its ways, and as an infinity on others.
bool is_fault_for_float(H5T_conv_except_t kind, hid_t source, const void* value) {
  if (kind != H5T_CONV_EXCEPT_RANGE_HI && kind != H5T_CONV_EXCEPT_RANGE_LOW) return false;
  return !is_infinite(source, value);
}

H5T_conv_ret_t on_exception(H5T_conv_except_t kind, hid_t source, hid_t target, void* value, void*,
                            void* user) {
  if (kind == H5T_CONV_EXCEPT_PRECISION) return H5T_CONV_UNHANDLED;
  if (H5Tget_class(target) == H5T_FLOAT && !is_fault_for_float(kind, source, value)) {
    return H5T_CONV_UNHANDLED;
  }
  auto& fault = *static_cast<ConversionFault*>(user);
  fault.found = true;
  fault.value = value_text(source, value);
  return H5T_CONV_ABORT;
}

// Forward, one by one, through copies: the places overlap, and the next value to read is never
// before the one that was just written.
template <class Narrow, class Wide, class Convert>
void widen(std::byte* buffer, std::int64_t count, Convert convert) {
  const auto n = static_cast<std::size_t>(count);
  const std::byte* source = buffer + n * (sizeof(Wide) - sizeof(Narrow));
  for (std::size_t i = 0; i < n; ++i) {
    Narrow narrow;
    std::memcpy(&narrow, source + i * sizeof narrow, sizeof narrow);
    const Wide wide = convert(narrow);
    std::memcpy(buffer + i * sizeof wide, &wide, sizeof wide);
  }
}

}  // namespace

void report_faults(hid_t transfer, ConversionFault& fault, const Place& place) {
  place.check(H5Pset_type_conv_cb(transfer, on_exception, &fault), "prepare the conversion");
}

void widen_in_place(DType narrow, DType wide, void* buffer, std::int64_t count) {
  auto* bytes = static_cast<std::byte*>(buffer);
  if (narrow == DType::boolean) {
    visit_dtype(wide, [&]<class Wide>(std::type_identity<Wide>) {
      widen<std::uint8_t, Wide>(bytes, count,
                                [](std::uint8_t value) { return Wide(value != 0 ? 1 : 0); });
    });
  } else if (wide == DType::c8) {
    widen<float, Kokkos::complex<float>>(
        bytes, count, [](float value) { return Kokkos::complex<float>(value, 0); });
  } else {
    widen<double, Kokkos::complex<double>>(
        bytes, count, [](double value) { return Kokkos::complex<double>(value, 0); });
  }
}

std::int64_t first_not_bool(const void* bytes, std::int64_t count) {
  const auto* begin = static_cast<const unsigned char*>(bytes);
  const auto* end = begin + count;
  const auto* found = std::find_if(begin, end, [](unsigned char byte) { return byte > 1; });
  return found == end ? -1 : found - begin;
}

}  // namespace kmap::io
