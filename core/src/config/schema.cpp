#include "config/schema.hpp"

#include "kmap/dtype.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kmap::config {
namespace {

constexpr auto dtype_names = [] {
  std::array<std::string_view, dtype_infos.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = dtype_infos[i].name;
  return names;
}();
constexpr std::array<std::string_view, 2> if_exists_choices = {"error", "overwrite"};
constexpr std::array<std::string_view, 2> staging_choices = {"auto", "always"};

constexpr Key param = {.name = "NAME",
                       .kind = Kind::scalar,
                       .doc = "A parameter of the kernel; `kmap describe KERNEL` lists them."};

constexpr std::array<Key, 2> window_keys = {{
    {.name = "size",
     .kind = Kind::count,
     .required = true,
     .example = "4096",
     .doc = "The length of a window, which is one example."},
    {.name = "stride",
     .kind = Kind::count,
     .example = "2048",
     .doc = "From the start of a window to that of the next; without it they follow each other."},
}};

constexpr std::array<Key, 6> input_keys = {{
    {.name = "file",
     .kind = Kind::file,
     .required = true,
     .example = "data.h5",
     .doc = "The HDF5 file that holds the input."},
    {.name = "dataset",
     .kind = Kind::dataset,
     .required = true,
     .example = "/x",
     .doc = "The path of the dataset inside the file."},
    {.name = "slice",
     .kind = Kind::slice,
     .example = "0:1000",
     .doc =
         "The examples of the batch to work on, as START:STOP or START:STOP:STEP, NumPy's rules."},
    {.name = "window",
     .kind = Kind::map,
     .example = "4096",
     .doc = "Cuts the axis of the batch, a signal, into windows that may overlap; each is an "
            "example.",
     .keys = window_keys,
     .short_form = ShortForm::first_key},
    {.name = "in_axis",
     .kind = Kind::axis,
     .default_value = "0",
     .example = "1",
     .doc = "The axis of the batch, negative ones from the end; null gives the whole dataset to "
            "every example."},
    {.name = "dtype",
     .kind = Kind::choice,
     .example = "f8",
     .doc = "The element type that the input is converted to on reading.",
     .choices = dtype_names},
}};
constexpr Key input = {.name = "NAME",
                       .kind = Kind::map,
                       .required = true,
                       .example = "data.h5:/x",
                       .doc = "An input of the kernel; in short FILE:/DATASET.",
                       .keys = input_keys,
                       .short_form = ShortForm::file_and_dataset};

constexpr std::array<Key, 2> output_dataset_keys = {{
    {.name = "path",
     .kind = Kind::dataset,
     .default_value = "/NAME",
     .example = "/y",
     .doc = "The path of the dataset inside the file."},
    {.name = "dtype",
     .kind = Kind::choice,
     .example = "f4",
     .doc = "The element type that the output is stored as.",
     .choices = dtype_names},
}};
constexpr Key output_dataset = {.name = "NAME",
                                .kind = Kind::map,
                                .example = "/y",
                                .doc = "An output of the kernel; in short its path in the file.",
                                .keys = output_dataset_keys,
                                .short_form = ShortForm::first_key};

constexpr std::array<Key, 3> outputs_keys = {{
    {.name = "file",
     .kind = Kind::file,
     .required = true,
     .example = "out.h5",
     .doc = "The HDF5 file to write; it appears under this name when it is complete."},
    {.name = "if_exists",
     .kind = Kind::choice,
     .default_value = "error",
     .example = "overwrite",
     .doc = "What to do if the file exists: stop before any work, or replace it at the end.",
     .choices = if_exists_choices},
    {.name = "datasets",
     .kind = Kind::named,
     .doc = "How each output is stored; an output that is not named here is at /NAME.",
     .each = &output_dataset},
}};

constexpr std::array<Key, 3> run_keys = {{
    {.name = "memory",
     .kind = Kind::size,
     .unit = "bytes",
     .example = "2 GiB",
     .doc = "What a rank may hold of the data at one time."},
    {.name = "staging",
     .kind = Kind::choice,
     .default_value = "auto",
     .example = "always",
     .doc = "Whether blocks are copied between host and device memory: where needed, or always.",
     .choices = staging_choices},
    {.name = "progress",
     .kind = Kind::duration,
     .default_value = "10 min",
     .unit = "seconds",
     .example = "1 min",
     .doc = "The longest time between two lines of progress in a log."},
}};

constexpr std::array<Key, 5> job_keys = {{
    {.name = "kernel",
     .kind = Kind::text,
     .required = true,
     .example = "square",
     .doc = "The kernel to map; `kmap list` names all."},
    {.name = "params", .kind = Kind::named, .doc = "Parameters of the kernel.", .each = &param},
    {.name = "inputs",
     .kind = Kind::named,
     .required = true,
     .doc = "Inputs of the kernel.",
     .each = &input},
    {.name = "outputs",
     .kind = Kind::map,
     .required = true,
     .example = "out.h5",
     .doc = "Where the outputs go; in short the name of a file.",
     .keys = outputs_keys,
     .short_form = ShortForm::first_key},
    {.name = "run", .kind = Kind::map, .doc = "How the job is run.", .keys = run_keys},
}};
constexpr Key job = {
    .name = "", .kind = Kind::map, .required = true, .doc = "A run config.", .keys = job_keys};

}  // namespace

const Key& schema() { return job; }

const Key* find_key(const Key& map, std::string_view name) {
  if (map.kind == Kind::named) return map.each;
  const auto found = std::find_if(map.keys.begin(), map.keys.end(),
                                  [&](const Key& key) { return key.name == name; });
  return found == map.keys.end() ? nullptr : &*found;
}

}  // namespace kmap::config
