#include "config/variables.hpp"

#include <string_view>
#include <utility>

namespace kmap::config {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && !(c >= '0' && c <= '9') && c != '_') return false;
  }
  return true;
}

// Replaces the variables of one text.
class Replacer {
 public:
  Replacer(const Environment& environment, Mistakes& mistakes, Mistake mistake)
      : environment_(environment), mistakes_(mistakes), mistake_(std::move(mistake)) {}

  bool failed() const { return failed_; }

  std::string operator()(std::string_view text) {
    std::string result;
    while (!text.empty()) {
      if (text.starts_with("$${")) {
        result += "${";
        text.remove_prefix(3);
      } else if (text.starts_with("${")) {
        const std::size_t end = text.find('}');
        result += value_of(text.substr(2, end == text.npos ? end : end - 2), end != text.npos);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
      } else {
        result += text.front();
        text.remove_prefix(1);
      }
    }
    return result;
  }

 private:
  std::string value_of(std::string_view inside, bool is_closed) {
    const std::size_t split = inside.find(":-");
    const std::string name(inside.substr(0, split));
    const bool has_default = split != inside.npos;
    const std::string_view otherwise = has_default ? inside.substr(split + 2) : "";
    if (!is_closed || !is_name(name) || otherwise.find("${") != otherwise.npos) {
      add("a malformed variable", "${NAME} or ${NAME:-DEFAULT}, or $${ for ${ itself");
      return {};
    }
    const std::optional<std::string> value = environment_(name);
    if (has_default && (!value || value->empty())) return std::string(otherwise);
    if (!value)
      add("the environment variable " + name + " is not set",
          "it to be set, or ${" + name + ":-DEFAULT}");
    return value.value_or("");
  }

  void add(const std::string& wrong, const std::string& expected) {
    mistake_.wrong = wrong;
    mistake_.expected = expected;
    mistakes_.add(mistake_);
    failed_ = true;
  }

  const Environment& environment_;
  Mistakes& mistakes_;
  Mistake mistake_;
  bool failed_ = false;
};

void replace_in_scalar(Node& node, const std::string& key, const Environment& environment,
                       Mistakes& mistakes) {
  if (node.variables_done) return;
  node.variables_done = true;
  if (node.text.find("${") == std::string::npos) return;
  Replacer replace(environment, mistakes, {node.place, key, "", "", ""});
  node.text = replace(node.text);
  node.refused = replace.failed();
  if (!node.quoted && is_null_text(node.text)) node.kind = Node::Kind::null;
}

}  // namespace

void replace_variables(Node& node, const std::string& key, const Environment& environment,
                       Mistakes& mistakes) {
  if (node.is_scalar()) replace_in_scalar(node, key, environment, mistakes);
  for (Node& item : node.items) replace_variables(item, key, environment, mistakes);
  for (Node::Entry& entry : node.entries) {
    replace_variables(entry.value, join_key(key, entry.name), environment, mistakes);
  }
}

}  // namespace kmap::config
