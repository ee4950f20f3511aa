#include "config/yaml.hpp"

#include "config/clean_text.hpp"
#include "config/parse_value.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace kmap::config {
namespace {

constexpr std::size_t most_nested = 32;

// The braces of ${VAR} would end a plain scalar inside {…}, so the YAML library sees these instead.
constexpr char hidden_open = '\x1E';
constexpr char hidden_close = '\x1F';

void hide_variables(std::string& text) {
  for (std::size_t at = text.find("${"); at != text.npos; at = text.find("${", at + 2)) {
    const std::size_t end = text.find_first_of("}\n", at);
    if (end == text.npos || text[end] != '}') continue;
    text[at + 1] = hidden_open;
    text[end] = hidden_close;
  }
}

std::string show_variables(std::string text) {
  std::replace(text.begin(), text.end(), hidden_open, '{');
  std::replace(text.begin(), text.end(), hidden_close, '}');
  return text;
}

// Marks of the YAML library (lines and bytes from 0) as places (lines and characters from 1); or
// one place for everything.
class Places {
 public:
  Places(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    int count = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if ((text_[i] & 0xC0) != 0x80) ++count;
      characters_.push_back(count);
      if (text_[i] == '\n') line_starts_.push_back(i + 1);
    }
  }
  Places(std::string_view text, Location option) : Places(text, std::string()) {
    option_ = std::move(option);
  }

  Location operator()(const YAML::Mark& mark) const {
    if (option_) return *option_;
    if (mark.is_null()) return {file_, 1, 1};
    const bool is_beyond = static_cast<std::size_t>(mark.line) >= line_starts_.size();
    const std::size_t line =
        is_beyond ? line_starts_.size() : static_cast<std::size_t>(mark.line) + 1;
    const std::size_t start = start_of(mark);
    const std::size_t here =
        is_beyond ? text_.size() : start + static_cast<std::size_t>(mark.column);
    return {file_, static_cast<int>(line), characters_before(here) - characters_before(start) + 1};
  }

  // The text from the mark on.
  std::string_view text_at(const YAML::Mark& mark) const {
    const std::size_t here = start_of(mark) + static_cast<std::size_t>(mark.column);
    return text_.substr(std::min(here, text_.size()));
  }

 private:
  std::size_t start_of(const YAML::Mark& mark) const {
    return line_starts_[std::min(static_cast<std::size_t>(mark.line), line_starts_.size() - 1)];
  }

  int characters_before(std::size_t i) const {
    if (i == 0 || characters_.empty()) return 0;
    return characters_[std::min(i, characters_.size()) - 1];
  }

  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> line_starts_ = {0};
  std::vector<int> characters_;  // up to each byte, for lines as long as the file
  std::optional<Location> option_;
};

// Builds the tree from the events of the YAML library: its own nodes forget places, repeated keys
// and quotes.
class TreeBuilder : public YAML::EventHandler {
 public:
  struct TooDeep {
    Location place;
  };

  // `around` is the key whose value the document is.
  TreeBuilder(const Places& places, std::string around, Mistakes& mistakes)
      : places_(places), around_(std::move(around)), mistakes_(mistakes) {}

  Node take_root() { return std::move(root_); }
  // Where the last name or value that was read is.
  const Location& last_place() const { return last_; }
  // Where the innermost open map or list begins, or nullptr.
  const Location* open_place() const { return open_.empty() ? nullptr : &open_.back().node.place; }

  // The key of what comes next, or of the map that it is in.
  std::string path() const {
    std::string key = around_;
    for (const Open& open : open_) {
      if (open.has_name) key = join_key(key, open.name);
    }
    return key;
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    Node node;
    node.place = places_(mark);
    if (is_written_null(places_.text_at(mark))) node.text = "null";
    finish(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    add(mark, "an alias (*) is not supported", "the value itself");
    Node node;
    node.place = places_(mark);
    node.refused = true;
    finish(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    finish(scalar_node(show_variables(value), tag != "?", places_(mark)));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start(mark, tag, anchor, Node::Kind::list);
  }
  void OnSequenceEnd() override { end(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start(mark, tag, anchor, Node::Kind::map);
  }
  void OnMapEnd() override { end(); }

 private:
  struct Open {
    Node node;
    std::map<std::string, Location> names;  // of a map: all that were there, to find repeated ones
    bool has_name = false;                  // of a map: a value comes next
    bool drop_value = false;                // since its name was refused
    std::string name;
    Location name_place;
  };

  // The mark of a value that is not there is that of what comes next.
  static bool is_written_null(std::string_view text) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t\n,]}#:"));
    const bool is_key = text.substr(word.size()).starts_with(':');
    return !is_key && is_null_text(word);
  }

  void start(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
             Node::Kind kind) {
    if (open_.size() >= most_nested) throw TooDeep{places_(mark)};
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    Open open;
    open.node.kind = kind;
    open.node.place = places_(mark);
    open_.push_back(std::move(open));
  }

  void end() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    finish(std::move(node));
  }

  // A complete node: the root, an item, a name or a value.
  void finish(Node node) {
    last_ = node.place;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& open = open_.back();
    if (open.node.kind == Node::Kind::list) {
      open.node.items.push_back(std::move(node));
    } else if (!open.has_name) {
      take_name(open, node);
    } else {
      open.has_name = false;
      if (open.drop_value) return;
      if (node.is_null() && node.text.empty()) node.place = open.name_place;
      open.node.entries.push_back({open.name, open.name_place, std::move(node)});
    }
  }

  void take_name(Open& open, const Node& node) {
    open.drop_value = true;
    open.name = node.text;
    if (!node.is_scalar() || node.text.empty()) {
      mistakes_.add({node.place, path(), "a key that is no text", "KEY: VALUE", ""});
    } else if (node.text == "<<" && !node.quoted) {
      mistakes_.add({node.place, join_key(path(), "<<"), "a merge key is not supported",
                     "the keys themselves", ""});
    } else if (const auto first = open.names.find(node.text); first != open.names.end()) {
      mistakes_.add({node.place, join_key(path(), node.text),
                     "written twice, first at " + to_string(first->second), "each key once", ""});
    } else {
      open.drop_value = false;
      open.name_place = node.place;
      open.names.emplace(node.text, node.place);
    }
    open.has_name = true;
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) add(mark, "an anchor (&) is not supported", "the value alone");
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag == "?" || tag == "!") return;  // none; a scalar in quotes
    add(mark, "a tag (!) is not supported", "the value alone, in quotes if it is text");
  }

  // Of a list with many of the same kind, the first stands for all.
  void add(const YAML::Mark& mark, const std::string& wrong, const std::string& expected) {
    const bool is_item = !open_.empty() && open_.back().node.kind == Node::Kind::list;
    if (is_item && !said_of_items_.insert(path() + '\n' + wrong).second) return;
    mistakes_.add({places_(mark), path(), wrong, expected, ""});
  }

  const Places& places_;
  std::string around_;
  Mistakes& mistakes_;
  std::vector<Open> open_;
  std::set<std::string> said_of_items_;
  Location last_;
  Node root_;
};

struct Explanation {
  std::string_view library_says, wrong, expected;
};

// The YAML library tells what its parser missed; people need what to change.
constexpr std::array<Explanation, 14> explanations = {{
    {"end of map flow not found", "{ is not closed, or a key in it has no value",
     "{KEY: VALUE, …}"},
    {"end of sequence flow not found", "[ is not closed, or an item is malformed", "[ITEM, …]"},
    {"end of map not found", "not at the level of the keys above, or no key", "KEY: VALUE"},
    {"end of sequence not found", "not at the level of the items above", "- ITEM"},
    {"illegal map value", "a colon where none can be",
     "KEY: VALUE, keys at one indentation and colons in values quoted"},
    {"illegal map key", "a key where none can be", "KEY: VALUE"},
    {"illegal EOF in scalar", "the text ends inside quotes", "a closing quote"},
    {"illegal document indicator", "--- or ... inside quotes", "a closing quote"},
    {"illegal flow end", "a closing bracket without its opening one", ""},
    {"illegal block entry", "a list item (-) where none can be", "KEY: VALUE"},
    {"unknown token", "a character that no value may begin with", "quotes around the value"},
    {"unknown escape character", "an unknown \\ sequence in double quotes",
     "single quotes, or \\\\ for one \\"},
    {"the referenced anchor is not defined", "an alias (*) is not supported", "the value itself"},
    {"illegal tab", "a tab in the indentation", "spaces"},
}};

// `around` is the key whose value the text is.
Mistake explain(const YAML::ParserException& error, const Places& places,
                const TreeBuilder& builder, const std::string& around) {
  Mistake mistake{places(error.mark), around, "not YAML (" + error.msg + ")", "", ""};
  for (const Explanation& explanation : explanations) {
    if (error.msg.find(explanation.library_says) == std::string::npos) continue;
    mistake.wrong = explanation.wrong;
    mistake.expected = explanation.expected;
    break;
  }
  if (error.msg.find("anchor") != std::string::npos) mistake.key = builder.path();
  // What is open is noticed at the end of the text only.
  const bool is_flow = error.msg.find("flow not found") != std::string::npos;
  const Location* open = builder.open_place();
  if (is_flow && open != nullptr && open->line != 0) {
    mistake.wrong += " (opened at " + to_string(*open) + ")";
  }
  const bool is_quote = error.msg.find("EOF in scalar") != std::string::npos;
  if (is_quote && builder.last_place().line != 0) {
    mistake.wrong += " (opened after " + to_string(builder.last_place()) + ")";
  }
  return mistake;
}

// Tells where a second document, or text that does not belong to the first, begins.
class SecondDocument : public TreeBuilder {
 public:
  struct Found {
    YAML::Mark mark;
  };
  using TreeBuilder::TreeBuilder;
  void OnDocumentStart(const YAML::Mark& mark) override { throw Found{mark}; }
};

Mistake second_document(const YAML::Mark& mark, const Places& places, const std::string& around) {
  const bool is_marked = places.text_at(mark).starts_with("---");
  return {places(mark), around,
          is_marked ? "a second document" : "text after the end of the document", "one document",
          ""};
}

Node refused_node(const Location& place) {
  Node node;
  node.place = place;
  node.refused = true;
  return node;
}

Node read_tree(std::string text, const Places& places, const std::string& around,
               Mistakes& mistakes) {
  hide_variables(text);
  text += "\n#";  // yaml-cpp does not notice a quote that is open at the end if a line end is there
  std::istringstream stream(text);
  TreeBuilder builder(places, around, mistakes);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return {};
    SecondDocument second(places, around, mistakes);
    parser.HandleNextDocument(second);
    return builder.take_root();
  } catch (const YAML::ParserException& error) {
    mistakes.add(explain(error, places, builder, around));
  } catch (const TreeBuilder::TooDeep& error) {
    mistakes.add({error.place, around,
                  "nested more than " + std::to_string(most_nested) + " levels deep",
                  "a run config", ""});
  } catch (const SecondDocument::Found& found) {
    mistakes.add(second_document(found.mark, places, around));
  }
  return refused_node(places(YAML::Mark::null_mark()));
}

// True if `text` means the same text again when written without quotes after "KEY: ".
bool is_plain(std::string_view text) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./";
  if (text.empty()) return false;
  const bool is_number = looks_like_number(text);
  if (letters.find(text.front()) == letters.npos && !is_number) return false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    const bool inner = (text[i] == ' ' || text[i] == ':') && next != ' ';
    const bool fine = letters.find(text[i]) != letters.npos || text[i] == '+' || text[i] == '-';
    if (!fine && !inner) return false;
  }
  return true;
}

std::string in_quotes(std::string_view text) {
  constexpr std::string_view hexadecimal = "0123456789ABCDEF";
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (text.substr(i, 3) == "\xEF\xBB\xBF") {  // clean_text takes it at the start only
      result += "\\uFEFF";
      i += 2;
    } else if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      result += "\\x";
      result += hexadecimal[byte / 16];
      result += hexadecimal[byte % 16];
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string without_variables(std::string text) {
  for (std::size_t at = text.find("${"); at != text.npos; at = text.find("${", at + 3)) {
    text.insert(at, 1, '$');
  }
  return text;
}

std::string scalar_text(const Node& node) {
  if (node.is_null()) return "null";
  if (!node.quoted && is_plain(node.text)) return node.text;
  return in_quotes(without_variables(node.text));
}

void write_value(const Node& value, const std::string& indentation, std::string& yaml);

void write_entries(const Node& map, const std::string& indentation, std::string& yaml) {
  for (const Node::Entry& entry : map.entries) {
    const bool is_plain_name = is_plain(entry.name) && entry.name.find(' ') == std::string::npos;
    yaml += indentation + (is_plain_name ? entry.name : in_quotes(entry.name)) + ":";
    write_value(entry.value, indentation, yaml);
  }
}

// Each begins with "- " in place of the spaces before its first entry.
void write_items(const Node& list, const std::string& indentation, std::string& yaml) {
  for (const Node& item : list.items) {
    if (!item.is_map() || item.entries.empty()) {
      yaml += indentation + "-";
      write_value(item, indentation, yaml);
      continue;
    }
    const std::size_t begin = yaml.size();
    write_entries(item, indentation + "  ", yaml);
    yaml[begin + indentation.size()] = '-';
  }
}

// Behind "KEY:" or "-".
void write_value(const Node& value, const std::string& indentation, std::string& yaml) {
  const bool is_list = value.kind == Node::Kind::list;
  if (!value.is_map() && !is_list) {
    yaml += " " + scalar_text(value) + "\n";
  } else if (value.entries.empty() && value.items.empty()) {
    yaml += is_list ? " []\n" : " {}\n";
  } else {
    yaml += "\n";
    const std::string inner = indentation + "  ";
    is_list ? write_items(value, inner, yaml) : write_entries(value, inner, yaml);
  }
}

}  // namespace

Node read_yaml(std::string_view text, const std::string& file, Mistakes& mistakes) {
  const std::string cleaned = clean_text(text, file, mistakes);
  if (!mistakes.empty()) return {};
  return read_tree(cleaned, Places(cleaned, file), "", mistakes);
}

Node read_option_value(std::string_view text, const std::string& key, const Location& option,
                       Mistakes& mistakes) {
  Mistakes in_text;
  clean_text(text, "", in_text);
  if (!in_text.empty()) {
    mistakes.add(
        {option, key, "bytes that are not UTF-8, control characters or deep nesting", "text", ""});
    return refused_node(option);
  }
  const bool is_yaml = !text.empty() && std::string_view("{[\"'").find(text.front()) != text.npos;
  if (is_yaml) return read_tree(std::string(text), Places(text, option), key, mistakes);
  Node node = scalar_node(std::string(text), false, option);
  if (text.empty() || is_null_text(text)) node.kind = Node::Kind::null;
  return node;
}

std::string write_yaml(const Node& root) {
  std::string yaml;
  write_entries(root, "", yaml);
  return yaml;
}

}  // namespace kmap::config
