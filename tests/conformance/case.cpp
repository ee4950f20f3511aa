#include "conformance/case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <ostream>
#include <sstream>

namespace kmap::test {

namespace {

template <class List, class Show>
void join(std::ostream& stream, const List& list, const char* separator, const Show& show) {
  const char* before = "";
  for (const auto& element : list) {
    stream << before;
    show(element);
    before = separator;
  }
}

template <class T>
T element(const CaseArray& array, std::size_t i) {
  T value;
  std::memcpy(&value, array.bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

void show_element(std::ostream& stream, const CaseArray& array, std::size_t i) {
  const std::string& type = array.type;
  if (type == "bool" || type == "u1") stream << int{element<std::uint8_t>(array, i)};
  if (type == "i1") stream << int{element<std::int8_t>(array, i)};
  if (type == "i2") stream << element<std::int16_t>(array, i);
  if (type == "i4") stream << element<std::int32_t>(array, i);
  if (type == "i8") stream << element<std::int64_t>(array, i);
  if (type == "u2") stream << element<std::uint16_t>(array, i);
  if (type == "u4") stream << element<std::uint32_t>(array, i);
  if (type == "u8") stream << element<std::uint64_t>(array, i);
  if (type == "f4") stream << element<float>(array, i);
  if (type == "f8") stream << element<double>(array, i);
  if (type == "c8")
    stream << element<float>(array, 2 * i) << '|' << element<float>(array, 2 * i + 1);
  if (type == "c16") {
    stream << element<double>(array, 2 * i) << '|' << element<double>(array, 2 * i + 1);
  }
}

// The parts of complex numbers count as elements.
double real_part(const CaseArray& array, std::size_t i) {
  const bool is_double = array.type == "f8" || array.type == "c16";
  return is_double ? element<double>(array, i) : double{element<float>(array, i)};
}

bool is_close(const CaseArray& got, const CaseArray& wanted, double tolerance) {
  const std::size_t parts = wanted.type.front() == 'c' ? 2 : 1;
  const std::size_t n = wanted.bytes.size() / bytes_of(wanted.type) * parts;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = real_part(got, i);
    const double b = real_part(wanted, i);
    if (std::isnan(a) && std::isnan(b)) continue;
    if (!(std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)))) return false;
  }
  return true;
}

}  // namespace

std::size_t bytes_of(const std::string& type) {
  return type == "bool" ? 1 : static_cast<std::size_t>(std::stoi(type.substr(1)));
}

std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::ostream& operator<<(std::ostream& stream, const CaseArray& array) {
  stream << array.type << '(';
  join(stream, array.shape, ", ", [&](std::int64_t n) { stream << n; });
  stream << ") [";
  constexpr std::size_t most = 1000;
  const auto n = static_cast<std::size_t>(count_of(array.shape));
  for (std::size_t i = 0; i < std::min(n, most); ++i) {
    if (i > 0) stream << ' ';
    show_element(stream, array, i);
  }
  return stream << (n > most ? " …]" : "]");
}

std::ostream& operator<<(std::ostream& stream, const Case& c) {
  stream << "case " << c.id << ": " << c.kind << ", " << c.op << " over ";
  join(stream, c.names, ", ", [&](const std::string& name) { stream << name; });
  const auto show_axis = [&](const std::optional<int>& axis) {
    if (axis) {
      stream << *axis;
    } else {
      stream << "none";
    }
  };
  const auto show_numbers = [&](const std::vector<std::int64_t>& numbers) {
    stream << '[';
    join(stream, numbers, ", ", [&](std::int64_t n) { stream << n; });
    stream << ']';
  };
  for (const MapLevel& level : c.levels) {
    stream << "\n  " << (level.pmap ? "pmap" : "vmap") << ", in_axes ";
    join(stream, level.in, ", ", show_axis);
    stream << ", out_axes ";
    join(stream, level.out, ", ", show_axis);
    if (level.size >= 0) stream << ", axis_size " << level.size;
  }
  stream << "\n  axis " << c.axis << ", split " << c.split << ", concat " << c.concat << ", source "
         << c.source << (c.tiled ? ", tiled" : "") << (c.shadowed ? ", shadowed" : "");
  if (c.groups) {
    stream << ", groups ";
    join(stream, *c.groups, " ", show_numbers);
  }
  stream << ", permutation ";
  show_numbers(c.permutation);
  stream << ", pairs";
  for (const auto& [from, to] : c.pairs) stream << ' ' << from << "->" << to;
  stream << ", layouts";
  for (const CaseLayout layout : c.layouts) stream << ' ' << static_cast<int>(layout);
  for (const CaseArray& x : c.x) stream << "\n  x: " << x;
  for (const CaseArray& y : c.y) stream << "\n  y: " << y;
  return stream << '\n';
}

std::optional<std::string> difference(const CaseArray& got, const CaseArray& wanted,
                                      double tolerance) {
  const bool same_form = got.type == wanted.type && got.shape == wanted.shape;
  if (same_form && got.bytes == wanted.bytes) return std::nullopt;
  // Zeros of either sign are equal where a tolerance allows for anything.
  if (same_form && tolerance > 0 && is_close(got, wanted, tolerance)) return std::nullopt;
  std::ostringstream text;
  text << "got " << got << "\n  instead of " << wanted;
  return text.str();
}

}  // namespace kmap::test
