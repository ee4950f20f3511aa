#include "kmap/shape.hpp"

namespace kmap {

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  // A one-tuple keeps its comma, or it would read as a number in parentheses.
  text += shape.size() == 1 ? ",)" : ")";
  return text;
}

}  // namespace kmap
