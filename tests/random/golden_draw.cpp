#include "random/golden_draw.hpp"

#include "support/paths.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace kmap::test {

namespace {

// "seed=7 fold=3 split=5:2": key 2 of 5 of those split from key 7 with 3 folded in.
random::Key key_of(const std::string& chain) {
  random::Key key;
  for (const std::string& word : split_text(chain, ' ')) {
    const auto parts = split_text(word, '=');
    if (parts.at(0) == "seed") {
      key = random::key(std::stoll(parts.at(1)));
    } else if (parts.at(0) == "fold") {
      key = random::fold_in(key, std::stoll(parts.at(1)));
    } else if (parts.at(0) == "split") {
      key = random::split_at(key, std::stoll(split_text(parts.at(1), ':').at(1)));
    } else {
      throw std::runtime_error("goldens: a key from '" + word + "'");
    }
  }
  return key;
}

GoldenDraw draw_of(const GoldenGroup& group) {
  GoldenDraw draw;
  draw.id = group.id;
  for (const auto& [name, text] : group.texts) {
    if (name == "function") {
      draw.function = text;
    } else if (name == "key") {
      draw.key = key_of(text);
    } else if (name == "type") {
      draw.type = text;
    } else if (name == "shape") {
      draw.shape = numbers_of(text);
    } else if (name == "parameters") {
      draw.parameters = split_text(text, ' ');
    } else if (name == "options") {
      draw.options = split_text(text, ' ');
    } else if (name == "tolerance") {
      draw.tolerance = std::stod(text);
    } else {
      throw std::runtime_error(group.id + ": unknown attribute " + name);
    }
  }
  draw.x = group.x;
  draw.y = group.y.at(0);
  return draw;
}

}  // namespace

double GoldenDraw::real(std::size_t i) const { return std::stod(parameters.at(i)); }
std::int64_t GoldenDraw::integer(std::size_t i) const { return std::stoll(parameters.at(i)); }

std::variant<std::int64_t, std::uint64_t> GoldenDraw::bound(std::size_t i) const {
  const std::string& text = parameters.at(i);
  if (text.front() != '-') {
    const std::uint64_t number = std::stoull(text);
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return number;
    }
  }
  return std::int64_t{std::stoll(text)};
}

bool GoldenDraw::has(const std::string& option) const {
  return std::find(options.begin(), options.end(), option) != options.end();
}

int GoldenDraw::axis() const {
  for (const std::string& option : options) {
    if (option.starts_with("axis=")) return std::stoi(option.substr(5));
  }
  return 0;
}

std::vector<GoldenDraw> read_draws() {
  std::vector<GoldenDraw> draws;
  for (const GoldenGroup& group : read_groups(source_dir() / "tests" / "random" / "goldens.h5")) {
    draws.push_back(draw_of(group));
  }
  return draws;
}

}  // namespace kmap::test
