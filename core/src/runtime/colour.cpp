#include "runtime/colour.hpp"

#include "runtime/launcher.hpp"

#include <unistd.h>

namespace kmap::detail {

namespace {

std::string styled(std::string_view text, const char* style, bool on) {
  return on ? std::string("\x1b[") + style + "m" + std::string(text) + "\x1b[0m"
            : std::string(text);
}

}  // namespace

bool colours_allowed(bool is_terminal, const GetVariable& get) {
  if (!is_terminal || is_launched(get)) return false;
  return get("NO_COLOR").value_or("").empty() && get("TERM").value_or("dumb") != "dumb";
}

bool use_colours(int descriptor) { return colours_allowed(isatty(descriptor) != 0, own_variable); }

std::string bold(std::string_view text, bool on) { return styled(text, "1", on); }
std::string warning_colour(std::string_view text, bool on) { return styled(text, "1;33", on); }
std::string error_colour(std::string_view text, bool on) { return styled(text, "1;31", on); }
std::string remedy_colour(std::string_view text, bool on) { return styled(text, "1;32", on); }

std::string error_text(const std::string& message, const std::string& where, bool coloured) {
  std::string text = error_colour("kmap:", coloured) + " ";
  if (!where.empty()) text += where + " ";
  const std::string label = "remedy:";
  const std::size_t remedy = message.rfind("\n  " + label);
  if (remedy == std::string::npos) return text + message + "\n";
  const std::size_t begin = remedy + 3;
  return text + message.substr(0, begin) + remedy_colour(label, coloured) +
         message.substr(begin + label.size()) + "\n";
}

}  // namespace kmap::detail
