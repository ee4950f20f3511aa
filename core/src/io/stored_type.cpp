#include "io/stored_type.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kmap::io {
namespace {

struct HdfString {
  char* text = nullptr;
  ~HdfString() {
    if (text != nullptr) H5free_memory(text);
  }
};

std::string member_name(hid_t type, unsigned member) {
  HdfString name{H5Tget_member_name(type, member)};
  return name.text == nullptr ? "?" : name.text;
}

std::string order_prefix(hid_t type) {
  return H5Tget_order(type) == H5T_ORDER_BE && H5Tget_size(type) > 1 ? "big-endian " : "";
}

std::string short_name(char kind, std::size_t bytes) { return kind + std::to_string(bytes); }

DType smallest_holding(DType first, std::size_t bytes) {
  int steps = 0;
  while ((std::size_t{1} << steps) < bytes) ++steps;
  return static_cast<DType>(static_cast<int>(first) + steps);
}

std::optional<StoredType> describe_integer(hid_t type) {
  const std::size_t bytes = H5Tget_size(type);
  if (bytes > 8) return std::nullopt;
  const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
  return StoredType{smallest_holding(is_signed ? DType::i1 : DType::u1, bytes),
                    order_prefix(type) + short_name(is_signed ? 'i' : 'u', bytes),
                    {},
                    {}};
}

std::optional<StoredType> describe_float(hid_t type) {
  std::size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
  H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits);
  if (exponent_bits > 11 || mantissa_bits > 52) return std::nullopt;  // wider than double
  const bool fits_f4 = exponent_bits <= 8 && mantissa_bits <= 23;
  return StoredType{fits_f4 ? DType::f4 : DType::f8,
                    order_prefix(type) + short_name('f', H5Tget_size(type)),
                    {},
                    {}};
}

// h5py's bool: an enumeration of FALSE = 0 and TRUE = 1 over one byte.
bool is_bool(hid_t enumeration) {
  if (H5Tget_nmembers(enumeration) != 2 || H5Tget_size(enumeration) != 1) return false;
  const std::array<const char*, 2> names = {"FALSE", "TRUE"};
  for (std::uint8_t expected = 0; expected < 2; ++expected) {
    std::uint8_t value = 255;
    if (H5Tenum_valueof(enumeration, names[expected], &value) < 0) {
      H5Eclear2(H5E_DEFAULT);
      return false;
    }
    if (value != expected) return false;
  }
  return true;
}

std::optional<StoredType> describe_enumeration(hid_t type, const Place& place) {
  if (is_bool(type)) return StoredType{DType::boolean, "bool", {}, {}};
  const TypeHandle base(place.check(H5Tget_super(type), "look at its type"));
  std::optional<StoredType> stored = describe_integer(base.get());
  if (stored) stored->text = "enumeration of " + stored->text;
  return stored;
}

// Compounds of two floats that h5py, Julia, Octave or MATLAB's users write for complex numbers.
std::optional<StoredType> describe_complex(hid_t type, const Place& place) {
  if (H5Tget_nmembers(type) != 2) return std::nullopt;
  constexpr std::array<std::array<const char*, 2>, 3> conventions = {
      {{"r", "i"}, {"real", "imag"}, {"re", "im"}}};
  const std::string first = member_name(type, 0);
  const std::string second = member_name(type, 1);
  for (const auto& [real, imag] : conventions) {
    if ((first != real || second != imag) && (first != imag || second != real)) continue;
    const TypeHandle a(place.check(H5Tget_member_type(type, 0), "look at its type"));
    const TypeHandle b(place.check(H5Tget_member_type(type, 1), "look at its type"));
    if (H5Tget_class(a.get()) != H5T_FLOAT || H5Tequal(a.get(), b.get()) <= 0) return std::nullopt;
    const std::optional<StoredType> part = describe_float(a.get());
    if (!part) return std::nullopt;
    return StoredType{part->dtype == DType::f4 ? DType::c8 : DType::c16,
                      order_prefix(a.get()) + short_name('c', 2 * H5Tget_size(a.get())), real,
                      imag};
  }
  return std::nullopt;
}

std::string text_of_strings(hid_t type) {
  if (H5Tis_variable_str(type) > 0) return "strings of variable length";
  return "strings of " + std::to_string(H5Tget_size(type)) + " bytes";
}

std::string text_of_compound(hid_t type) {
  constexpr int most = 6;
  const int members = H5Tget_nmembers(type);
  std::string names;
  for (int i = 0; i < members && i < most; ++i) {
    names += (i > 0 ? ", " : "") + member_name(type, static_cast<unsigned>(i));
  }
  if (members > most) names += ", …";
  return "records (a compound type with the members " + names + ")";
}

std::string text_of_unsupported(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return text_of_strings(type);
    case H5T_COMPOUND:
      return text_of_compound(type);
    case H5T_VLEN:
      return "sequences of variable length";
    case H5T_REFERENCE:
      return "references to other objects";
    case H5T_ARRAY:
      return "fixed-size arrays as elements (an array type)";
    case H5T_OPAQUE:
      return "opaque bytes";
    case H5T_BITFIELD:
      return "bit fields";
    case H5T_TIME:
      return "times (an HDF5 time type)";
    case H5T_INTEGER:
    case H5T_ENUM:
      return "integers of " + std::to_string(8 * H5Tget_size(type)) + " bits";
    case H5T_FLOAT:
      return "floating-point numbers wider than f8 (long double)";
    default:
      return "values of a type that this HDF5 does not know";
  }
}

hid_t predefined(DType type) {
  switch (type) {
    case DType::boolean:
    case DType::i1:
      return H5T_NATIVE_INT8;
    case DType::i2:
      return H5T_NATIVE_INT16;
    case DType::i4:
      return H5T_NATIVE_INT32;
    case DType::i8:
      return H5T_NATIVE_INT64;
    case DType::u1:
      return H5T_NATIVE_UINT8;
    case DType::u2:
      return H5T_NATIVE_UINT16;
    case DType::u4:
      return H5T_NATIVE_UINT32;
    case DType::u8:
      return H5T_NATIVE_UINT64;
    case DType::f4:
    case DType::c8:
      return H5T_NATIVE_FLOAT;
    case DType::f8:
    case DType::c16:
      break;
  }
  return H5T_NATIVE_DOUBLE;
}

// Failures here are of memory, or of kmap.
const Place& making_types() {
  static const Place place{"HDF5", "", ExitCode::internal};
  return place;
}

TypeHandle bool_type() {
  const Place& place = making_types();
  TypeHandle type(place.check(H5Tenum_create(H5T_NATIVE_INT8), "make a type"));
  const std::int8_t no = 0, yes = 1;
  place.check(H5Tenum_insert(type.get(), "FALSE", &no), "make a type");
  place.check(H5Tenum_insert(type.get(), "TRUE", &yes), "make a type");
  return type;
}

TypeHandle complex_type(DType type, const char* real_name, const char* imag_name) {
  const Place& place = making_types();
  const std::size_t size = size_of(type);
  TypeHandle compound(place.check(H5Tcreate(H5T_COMPOUND, size), "make a type"));
  place.check(H5Tinsert(compound.get(), real_name, 0, predefined(type)), "make a type");
  place.check(H5Tinsert(compound.get(), imag_name, size / 2, predefined(type)), "make a type");
  return compound;
}

}  // namespace

StoredType describe_type(hid_t type, const Place& place) {
  std::optional<StoredType> stored;
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      stored = describe_integer(type);
      break;
    case H5T_FLOAT:
      stored = describe_float(type);
      break;
    case H5T_ENUM:
      stored = describe_enumeration(type, place);
      break;
    case H5T_COMPOUND:
      stored = describe_complex(type, place);
      break;
    default:
      break;
  }
  if (!stored) {
    throw Error(ExitCode::bad_data,
                place.name() + " holds " + text_of_unsupported(type) +
                    ", which kmap cannot map over: it reads bool, integers, floating-point and "
                    "complex numbers");
  }
  return std::move(*stored);
}

TypeHandle native_type(DType type) {
  if (type == DType::boolean) return bool_type();
  if (info(type).kind == 'c') return complex_type(type, "r", "i");
  return TypeHandle(making_types().check(H5Tcopy(predefined(type)), "copy a type"));
}

TypeHandle memory_type_for(const StoredType& stored) {
  if (stored.dtype == DType::boolean) return native_type(DType::i1);
  if (info(stored.dtype).kind != 'c') return native_type(stored.dtype);
  return complex_type(stored.dtype, stored.real_name.c_str(), stored.imag_name.c_str());
}

}  // namespace kmap::io
