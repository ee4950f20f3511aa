#pragma once
// Generalised-ufunc signatures, read at compile time: "(t),()->(f)". The form is NumPy's, with
// fixed sizes "(3)", "(...)" for all dimensions behind the mapped ones, seen as one, and "->()"
// for a kernel without inputs.

#include "kmap/axes.hpp"

#include <cstdint>
#include <string_view>

namespace kmap::detail {

struct SignatureDim {
  std::string_view name;
  std::int64_t fixed = -1;  // "3"
  bool rest = false;        // "..."
};

struct SignatureOperand {
  static constexpr int max_rank = 7;
  SignatureDim dims[max_rank] = {};
  int rank = 0;
};

struct ParsedSignature {
  static constexpr int max_operands = 16;
  SignatureOperand inputs[max_operands] = {};
  SignatureOperand outputs[max_operands] = {};
  int input_count = 0;
  int output_count = 0;
  bool valid = false;
};

class SignatureParser {
 public:
  constexpr explicit SignatureParser(std::string_view text) : text_(text) {}

  constexpr ParsedSignature parse() {
    ParsedSignature result;
    skip_spaces();
    const bool has_inputs = !text_.starts_with('-');
    result.valid = (!has_inputs || operands(result.inputs, result.input_count)) && take('-') &&
                   take('>') && operands(result.outputs, result.output_count) && text_.empty();
    return result;
  }

 private:
  constexpr bool take(char c) {
    skip_spaces();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    skip_spaces();
    return true;
  }
  constexpr void skip_spaces() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }

  constexpr bool operands(SignatureOperand* list, int& count) {
    do {
      if (count == ParsedSignature::max_operands || !operand(list[count])) return false;
      ++count;
    } while (take(','));
    return true;
  }

  constexpr bool operand(SignatureOperand& operand) {
    if (!take('(')) return false;
    if (take(')')) return true;
    do {
      if (operand.rank == SignatureOperand::max_rank || !dim(operand.dims[operand.rank])) {
        return false;
      }
      ++operand.rank;
    } while (take(','));
    // The rest of an example is one dimension: nothing can stand beside it.
    for (int d = 0; d < operand.rank; ++d) {
      if (operand.dims[d].rest && operand.rank > 1) return false;
    }
    return take(')');
  }

  constexpr bool dim(SignatureDim& dim) {
    skip_spaces();
    std::size_t length = 0;
    while (length < text_.size() && is_word(text_[length])) ++length;
    if (length == 0) {
      dim.rest = text_.starts_with("...");
      if (dim.rest) text_.remove_prefix(3);
      dim.name = "...";
      return dim.rest;
    }
    dim.name = text_.substr(0, length);
    text_.remove_prefix(length);
    if (!is_digit(dim.name.front())) return true;
    dim.fixed = 0;
    for (const char c : dim.name) {
      if (!is_digit(c)) return false;
      dim.fixed = dim.fixed * 10 + (c - '0');
    }
    return dim.fixed > 0;
  }

  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  std::string_view text_;
};

template <auto Text>
inline constexpr ParsedSignature parsed_signature = SignatureParser(Text.view()).parse();

}  // namespace kmap::detail
