#include "plan/choose_type.hpp"

#include <algorithm>

namespace kmap::plan {

namespace {

bool is_integer(const DTypeInfo& type) { return type.kind == 'i' || type.kind == 'u'; }

bool fits_integer(const DTypeInfo& from, const DTypeInfo& to) {
  if (from.kind == to.kind) return from.size <= to.size;
  return from.kind == 'u' && from.size < to.size;
}

// The floating-point precision that a number needs: integers and bool take double.
std::size_t real_size(const DTypeInfo& type) {
  if (type.kind == 'f') return type.size;
  if (type.kind == 'c') return type.size / 2;
  return sizeof(double);
}

}  // namespace

bool is_safe(DType from, DType to) {
  const DTypeInfo& a = info(from);
  const DTypeInfo& b = info(to);
  if (from == to) return true;
  if (to == DType::boolean) return false;
  if (is_integer(b)) return a.kind == 'b' || (is_integer(a) && fits_integer(a, b));
  if (a.kind == 'c' && b.kind != 'c') return false;
  return real_size(a) <= real_size(b);
}

std::optional<DType> choose_type(const std::vector<DType>& stored,
                                 const std::vector<DType>& allowed) {
  constexpr DType order[] = {DType::boolean, DType::i1, DType::u1, DType::i2, DType::u2,
                             DType::i4,      DType::u4, DType::i8, DType::u8, DType::f4,
                             DType::f8,      DType::c8, DType::c16};
  for (const DType candidate : order) {
    const bool compiled = std::find(allowed.begin(), allowed.end(), candidate) != allowed.end();
    const bool safe = std::all_of(stored.begin(), stored.end(),
                                  [&](DType from) { return is_safe(from, candidate); });
    if (compiled && safe) return candidate;
  }
  return std::nullopt;
}

}  // namespace kmap::plan
