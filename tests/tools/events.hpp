#pragma once
// What Kokkos Tools saw of a program, by event_tool.cpp.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kmap::test {

struct Event {
  std::string kind;         // push, pop, for, reduce, scan, end, allocate
  std::string name;         // of regions, launches, allocations
  std::int64_t number = 0;  // of a launch and its end
};
using Events = std::vector<Event>;

// For a program whose events are wanted in `folder`.
std::map<std::string, std::string> tool_environment(const std::filesystem::path& folder);

// Of each process, in the order of their numbers. A line that the tool does not write is an
// exception.
std::vector<Events> read_events(const std::filesystem::path& folder);

// That launches and regions end in the reverse order in which they began, and that the name of
// each, and of each allocation, begins with "kmap:" or `own`, as what the program does itself. What
// Kokkos does of its own, such as a copy, is inside a region or a launch of kmap.
testing::AssertionResult well_labelled(const Events& events, const std::string& own = {});

// What is between a region's begin and end, the first one of that name; each event as a text, "push
// NAME", "pop", "for NAME", …, without the ends of launches and what Kokkos allocates for itself.
std::vector<std::string> inside(const Events& events, const std::string& region);

// The outermost regions, in order; of several of one name in a row one.
std::vector<std::string> stages(const Events& events);

}  // namespace kmap::test
