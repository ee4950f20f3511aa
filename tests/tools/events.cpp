#include "tools/events.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace kmap::test {

namespace {

bool is_launch(const Event& event) {
  return event.kind == "for" || event.kind == "reduce" || event.kind == "scan";
}

Event read_event(const std::string& line) {
  std::istringstream words(line);
  Event event;
  words >> event.kind;
  if (is_launch(event) || event.kind == "end") {
    words >> event.number;
  } else if (event.kind != "push" && event.kind != "pop" && event.kind != "allocate") {
    throw std::runtime_error("no event: " + line);
  }
  words.ignore(1);
  std::getline(words, event.name);
  return event;
}

std::string text_of(const Event& event) {
  return event.name.empty() ? event.kind : event.kind + " " + event.name;
}

// What has begun and not ended.
class OpenEvents {
 public:
  void begin(const Event& event) { open_.push_back(event); }

  bool ends(const Event& event) {
    if (open_.empty()) return false;
    const Event last = open_.back();
    open_.pop_back();
    return event.kind == "pop" ? last.kind == "push"
                               : is_launch(last) && last.number == event.number;
  }

  std::size_t size() const { return open_.size(); }

  bool within_kmap() const { return !open_.empty() && open_.back().name.starts_with("kmap:"); }

 private:
  Events open_;
};

}  // namespace

std::map<std::string, std::string> tool_environment(const std::filesystem::path& folder) {
  return {{"KOKKOS_TOOLS_LIBS", KMAP_TEST_TOOL}, {"KMAP_TEST_EVENTS", folder.string()}};
}

std::vector<Events> read_events(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("events.")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Events> processes;
  for (const auto& path : files) {
    std::ifstream file(path);
    Events events;
    for (std::string line; std::getline(file, line);) events.push_back(read_event(line));
    processes.push_back(events);
  }
  return processes;
}

testing::AssertionResult well_labelled(const Events& events, const std::string& own) {
  OpenEvents open;
  const auto is_known = [&](const std::string& name) {
    return name.starts_with("kmap:") || (!own.empty() && name.starts_with(own));
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const auto wrong = [&](const std::string& what) {
      return testing::AssertionFailure() << "event " << i << ", " << text_of(event) << ": " << what;
    };
    if (event.kind == "pop" || event.kind == "end") {
      if (!open.ends(event)) return wrong("something else began last");
      continue;
    }
    const bool is_of_kokkos = event.name.starts_with("Kokkos::");
    if (!is_known(event.name) && !(is_of_kokkos && open.within_kmap())) return wrong("unlabelled");
    if (event.kind != "allocate") open.begin(event);
  }
  if (open.size() > 0) return testing::AssertionFailure() << open.size() << " did not end";
  return testing::AssertionSuccess();
}

std::vector<std::string> inside(const Events& events, const std::string& region) {
  std::vector<std::string> texts;
  int depth = 0;
  for (const Event& event : events) {
    const bool is_inside = depth > 0;
    if (event.kind == "push" && (is_inside || event.name == region)) ++depth;
    if (event.kind == "pop" && is_inside) --depth;
    if (is_inside && depth == 0) break;
    const bool is_of_kokkos = event.kind == "allocate" && event.name.starts_with("Kokkos::");
    if (is_inside && event.kind != "end" && !is_of_kokkos) texts.push_back(text_of(event));
  }
  return texts;
}

std::vector<std::string> stages(const Events& events) {
  std::vector<std::string> names;
  int depth = 0;
  for (const Event& event : events) {
    if (event.kind == "push" && depth++ == 0 && (names.empty() || names.back() != event.name)) {
      names.push_back(event.name);
    }
    if (event.kind == "pop") --depth;
  }
  return names;
}

}  // namespace kmap::test
