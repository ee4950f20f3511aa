#pragma once
// Colours for terminals: when they are used, and what is coloured.

#include "runtime/environment.hpp"

#include <string>
#include <string_view>

namespace kmap::detail {

// Only a person's terminal shows colours. NO_COLOR (no-color.org) and TERM=dumb forbid them.
bool colours_allowed(bool is_terminal, const GetVariable& get);

// For the file descriptor 1 or 2 of this process.
bool use_colours(int descriptor);

// The text as it is, or in a style if `on`.
std::string bold(std::string_view text, bool on);
std::string warning_colour(std::string_view text, bool on);
std::string error_colour(std::string_view text, bool on);
std::string remedy_colour(std::string_view text, bool on);

// "kmap: " and the message of an Error, whose remedy begins a line of its own; ends with a line
// feed. `where` is empty or a rank, as in "[rank 1/4]".
std::string error_text(const std::string& message, const std::string& where, bool coloured);

}  // namespace kmap::detail
