#pragma once
// Checks of the scalars of a run config against the schema.

#include "config/job_config.hpp"
#include "config/node.hpp"
#include "config/schema.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kmap::config {

// What is wrong with the value of `key`, which may be any kind of node; "" if it is right.
std::string wrong_with(const Key& key, const Node& node);

// What a wrong value may have been meant to be, or "".
std::string meant_by(const Key& key, const Node& node);

// What the key expects: "a size, such as 2 GiB".
std::string expected_by(const Key& key);

// "a, b, c"
std::string join_names(std::span<const std::string_view> names);

// START:STOP or START:STOP:STEP, all optional.
std::optional<Slice> parse_slice(std::string_view text);

}  // namespace kmap::config
