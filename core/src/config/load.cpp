#include "config/load.hpp"

#include "config/check_scalar.hpp"
#include "config/complete.hpp"
#include "config/mistakes.hpp"
#include "config/node.hpp"
#include "config/options.hpp"
#include "config/parse_value.hpp"
#include "config/read_file.hpp"
#include "config/variables.hpp"
#include "config/yaml.hpp"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

namespace kmap::config {
namespace {

namespace fs = std::filesystem;

// All that a config is made of. Ranks that have the same source make the same config.
struct Source {
  std::string text;
  std::string file;
  Folders folders;
  std::vector<std::string> options;
  std::map<std::string, std::string> variables;
};

Source source_of(std::string text, const fs::path& file, const std::vector<std::string>& options) {
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(file).parent_path(), error);
  return {std::move(text),
          file.string(),
          {folder, error ? folder : real, fs::current_path()},
          options,
          {}};
}

// Texts in one, each after its size.
std::string pack(const std::vector<std::string>& parts) {
  std::string packed;
  for (const std::string& part : parts) packed += std::to_string(part.size()) + ":" + part;
  return packed;
}

std::vector<std::string> unpack(const std::string& packed) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < packed.size();) {
    const std::size_t colon = packed.find(':', at);
    const std::size_t size = std::stoull(packed.substr(at, colon - at));
    parts.push_back(packed.substr(colon + 1, size));
    at = colon + 1 + size;
  }
  return parts;
}

std::string to_text(const Source& source) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : source.variables) {
    variables.push_back(name);
    variables.push_back(value);
  }
  const Folders& folders = source.folders;
  return pack({source.text, source.file, folders.config.string(), folders.config_real.string(),
               folders.working.string(), pack(source.options), pack(variables)});
}

Source source_from(const std::string& text) {
  std::vector<std::string> parts = unpack(text);
  Source source{parts[0], parts[1], {parts[2], parts[3], parts[4]}, unpack(parts[5]), {}};
  const std::vector<std::string> variables = unpack(parts[6]);
  for (std::size_t i = 0; i + 1 < variables.size(); i += 2) {
    source.variables[variables[i]] = variables[i + 1];
  }
  return source;
}

std::string text_of(const Node& map, std::string_view name) {
  const Node* node = map.find(name);
  return node == nullptr ? std::string{} : node->text;
}

Location place_of(const Node& map, std::string_view name) {
  const Node* node = map.find(name);
  return node == nullptr ? map.place : node->place;
}

const std::vector<Node::Entry>& entries_of(const Node& map, std::string_view name) {
  static const std::vector<Node::Entry> none;
  const Node* node = map.find(name);
  return node == nullptr ? none : node->entries;
}

// Of a tree that is complete: what is missing or wrong in it is a mistake already and left out.
class Builder {
 public:
  JobConfig build(const Node& root) {
    JobConfig config;
    config.kernel = text_of(root, "kernel");
    config.kernel_location = place_of(root, "kernel");
    for (const Node::Entry& entry : entries_of(root, "params")) {
      const Node& value = entry.value;
      config.params[entry.name] = {value.text, value.quoted, value.place, entry.name_place};
    }
    for (const Node::Entry& entry : entries_of(root, "inputs")) {
      config.inputs[entry.name] = input(entry);
    }
    if (const Node* map = root.find("map")) config.map = map_config(*map);
    config.seed = parse_integer(text_of(root, "seed"));
    if (const Node* outputs = root.find("outputs")) add_outputs(*outputs, config);
    if (const Node* run = root.find("run")) add_run(*run, config);
    config.as_resolved = write_yaml(root);
    add_locations(root, "", config.locations);
    return config;
  }

 private:
  static InputConfig input(const Node::Entry& entry) {
    const Node& map = entry.value;
    InputConfig config;
    config.file = text_of(map, "file");
    config.dataset = text_of(map, "dataset");
    config.slice = parse_slice(text_of(map, "slice"));
    config.window = window(map.find("window"));
    if (const Node* axis = map.find("in_axis")) config.in_axis = mapped_axis(*axis);
    config.dtype = dtype_from_name(text_of(map, "dtype"));
    config.location = map.place;
    config.name_location = entry.name_place;
    return config;
  }

  static MappedAxis mapped_axis(const Node& axis) {
    return {!axis.is_null(), static_cast<int>(parse_integer(axis.text).value_or(0))};
  }

  static std::map<std::string, MappedAxis> mapped_axes(const Node& map, std::string_view name) {
    std::map<std::string, MappedAxis> axes;
    for (const Node::Entry& entry : entries_of(map, name)) {
      axes[entry.name] = mapped_axis(entry.value);
    }
    return axes;
  }

  static MapConfig map_config(const Node& map) {
    MapConfig config;
    config.axis_name = text_of(map, "axis_name");
    config.axis_size = parse_integer(text_of(map, "axis_size"));
    config.batch_size = parse_integer(text_of(map, "batch_size"));
    const Node* vmaps = map.find("vmap");
    if (vmaps == nullptr) return config;
    for (const Node& item : vmaps->items) {
      config.vmap.push_back({text_of(item, "axis_name"), parse_integer(text_of(item, "axis_size")),
                             mapped_axes(item, "in_axes"), mapped_axes(item, "out_axes")});
    }
    return config;
  }

  static std::optional<Window> window(const Node* map) {
    if (map == nullptr) return std::nullopt;
    const std::int64_t size = parse_integer(text_of(*map, "size")).value_or(1);
    return Window{size, parse_integer(text_of(*map, "stride")).value_or(size)};
  }

  static void add_outputs(const Node& outputs, JobConfig& config) {
    config.output_file = text_of(outputs, "file");
    config.output_location = place_of(outputs, "file");
    const bool overwrite = text_of(outputs, "if_exists") == "overwrite";
    config.if_exists = overwrite ? IfExists::overwrite : IfExists::error;
    for (const Node::Entry& entry : entries_of(outputs, "datasets")) {
      const Node* axis = entry.value.find("out_axis");
      config.output_datasets[entry.name] = {
          text_of(entry.value, "path"),
          axis == nullptr ? std::nullopt : std::optional(mapped_axis(*axis)),
          dtype_from_name(text_of(entry.value, "dtype")), entry.value.place, entry.name_place};
    }
  }

  static void add_run(const Node& run, JobConfig& config) {
    config.memory = parse_size(text_of(run, "memory"));
    const bool always = text_of(run, "staging") == "always";
    config.staging = always ? Staging::always : Staging::automatic;
    config.progress = parse_duration(text_of(run, "progress")).value_or(config.progress);
  }

  static void add_locations(const Node& node, const std::string& key,
                            std::map<std::string, Location>& locations) {
    locations[key] = node.place;
    for (const Node::Entry& entry : node.entries) {
      add_locations(entry.value, join_key(key, entry.name), locations);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      add_locations(node.items[i], join_key(key, std::to_string(i)), locations);
    }
  }
};

void require_document(const Node& root, const Source& source, Mistakes& mistakes) {
  if (root.is_map()) return;
  const bool has_colon = root.is_scalar() && !root.quoted && root.text.find(':') != root.text.npos;
  const std::string expected = std::string("a map with the keys kernel, inputs and outputs") +
                               (has_colon ? ", and a space after each colon" : "");
  const std::string wrong = root.is_null() ? "the file is empty" : "the file " + what_it_is(root);
  if (mistakes.empty()) mistakes.add({{source.file, 1, 1}, "", wrong, expected, ""});
  mistakes.throw_if_any();
}

JobConfig build(const Source& source, const Environment& environment, const ExtraCheck& check) {
  Mistakes mistakes;
  Node root = read_yaml(source.text, source.file, mistakes);
  require_document(root, source, mistakes);
  apply_options(root, source.options, environment, mistakes);
  replace_variables(root, "", environment, mistakes);
  complete(root, source.folders, mistakes);
  JobConfig config = Builder().build(root);
  if (check) check(config, mistakes);
  mistakes.throw_if_any();
  config.as_written = source.text;
  return config;
}

std::optional<std::string> own_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// Keeps the variables that were looked at in `source`.
JobConfig build_and_note_variables(Source& source, const ExtraCheck& check) {
  const auto note = [&](const std::string& name) {
    std::optional<std::string> value = own_environment(name);
    if (value) source.variables[name] = *value;
    return value;
  };
  return build(source, note, check);
}

JobConfig build_from_noted_variables(const Source& source, const ExtraCheck& check) {
  const auto noted = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = source.variables.find(name);
    return found == source.variables.end() ? std::nullopt : std::optional(found->second);
  };
  return build(source, noted, check);
}

}  // namespace

JobConfig parse(const std::string& text, const fs::path& file,
                const std::vector<std::string>& overrides, const ExtraCheck& check) {
  Source source = source_of(text, file, overrides);
  return build_and_note_variables(source, check);
}

JobConfig load(const Communicator& comm, const fs::path& file,
               const std::vector<std::string>& overrides, const ExtraCheck& check) {
  const std::string text = on_root(comm, [&] {
    Source source = source_of(read_file(file), file, overrides);
    build_and_note_variables(source, check);
    return to_text(source);
  });
  // Each rank builds the config from the same source: places and all, whatever the config has.
  return build_from_noted_variables(source_from(text), check);
}

}  // namespace kmap::config
