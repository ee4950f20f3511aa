#pragma once
// Environments that tests invent.

#include "runtime/environment.hpp"

#include <map>
#include <utility>

namespace kmap::test {

inline detail::GetVariable invented(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

}  // namespace kmap::test
