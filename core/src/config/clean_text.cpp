#include "config/clean_text.hpp"

#include "config/yaml.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

namespace kmap::config {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t most_nested = 100;  // far beyond any config, far below what recursion bears

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Bytes of the UTF-8 character at `i`, 0 if there is none (RFC 3629: no overlong forms,
// surrogates).
std::size_t character_size(std::string_view text, std::size_t i) {
  const unsigned char lead = byte_at(text, i);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - i < size) return 0;
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte_at(text, i + k) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte_at(text, i + 1);
  const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                   (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return bad ? 0 : size;
}

std::string hexadecimal(unsigned char byte) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "0x%02X", static_cast<unsigned>(byte));
  return text.data();
}

std::string with_simple_line_ends(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\r') {
      text += bytes[i];
    } else if (i + 1 == bytes.size() || bytes[i + 1] != '\n') {
      text += '\n';
    }
  }
  return text;
}

// Another kind of file, told by its first bytes.
std::string other_kind(std::string_view bytes) {
  if (bytes.starts_with("\x89HDF"sv)) return "an HDF5 file, not a run config";
  if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv))
    return "UTF-32 text";
  if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) return "UTF-16 text";
  return {};
}

// Goes over the characters; `text` is followed as lines and columns.
class Checker {
 public:
  Checker(std::string_view text, const std::string& file, Mistakes& mistakes)
      : text_(text), file_(file), mistakes_(mistakes) {}

  bool run() {
    for (std::size_t i = 0; i < text_.size() && fine_;) i = check_line(i);
    return fine_;
  }

 private:
  std::size_t check_line(std::size_t begin) {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    check_indentation(text_.substr(begin, end - begin));
    column_ = 1;
    for (std::size_t i = begin; i < end && fine_; ++column_) i += check_character(i);
    ++line_;
    return end + 1;
  }

  // Tabs, and nested lists or keys on one line ("- - - a").
  void check_indentation(std::string_view line) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const std::size_t tab = line.find('\t');
    if (begin < line.size() && line[begin] != '#' && tab < begin) {
      column_ = static_cast<int>(tab) + 1;
      add("a tab in the indentation", "spaces");
    }
    if (line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")) {
      column_ = 1;
      add("a mark of a merge conflict", "a text without conflicts");
      fine_ = false;  // what is between the marks is there twice
    }
    if (line.starts_with('%')) {  // the YAML library skips some of these lines silently
      column_ = 1;
      add("a directive (%) is not supported", "KEY: VALUE");
    }
    const std::size_t content = std::min(line.find_first_not_of("-?: \t"), line.size());
    column_ = static_cast<int>(begin) + 1;
    const auto marks = std::count_if(line.begin(), line.begin() + static_cast<long>(content),
                                     [](char c) { return c != ' ' && c != '\t'; });
    if (static_cast<std::size_t>(marks) > most_nested && line.find(' ') < content) too_deep();
  }

  std::size_t check_character(std::size_t i) {
    const unsigned char byte = byte_at(text_, i);
    const std::size_t size = character_size(text_, i);
    if (size == 0) {
      add("byte " + hexadecimal(byte) + " is not UTF-8", "UTF-8 text");
      fine_ = false;
    } else if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
      add("a control character (" + hexadecimal(byte) + ")", "text");
      fine_ = false;
    }
    if (text_.substr(i, size) == "\xEF\xBB\xBF"sv) {  // invisible, and a part of the word
      add("a byte order mark (U+FEFF) inside the text", "one at the start, or none");
    }
    // Brackets in quotes and comments count too: nobody has a hundred of them open.
    if (byte == '[' || byte == '{') {
      if (++open_ > most_nested) too_deep();
    } else if ((byte == ']' || byte == '}') && open_ > 0) {
      --open_;
    }
    return std::max<std::size_t>(size, 1);
  }

  void too_deep() {
    add("nested more than " + std::to_string(most_nested) + " levels deep", "a run config");
    fine_ = false;
  }

  void add(const std::string& wrong, const std::string& expected) {
    mistakes_.add({{file_, line_, column_}, "", wrong, expected, ""});
  }

  std::string_view text_;
  const std::string& file_;
  Mistakes& mistakes_;
  int line_ = 1;
  int column_ = 1;
  std::size_t open_ = 0;
  bool fine_ = true;
};

}  // namespace

std::string clean_text(std::string_view bytes, const std::string& file, Mistakes& mistakes) {
  const Location start{file, 1, 1};
  if (bytes.size() > max_config_bytes) {
    mistakes.add({start, "", "larger than 1 MiB", "a run config", ""});
    return {};
  }
  if (const std::string kind = other_kind(bytes); !kind.empty()) {
    mistakes.add({start, "", kind, "UTF-8 text", ""});
    return {};
  }
  if (bytes.starts_with("\xEF\xBB\xBF"sv)) bytes.remove_prefix(3);
  std::string text = with_simple_line_ends(bytes);
  if (!Checker(text, file, mistakes).run()) return {};
  return text;
}

}  // namespace kmap::config
