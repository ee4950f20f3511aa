#include "config/schema.hpp"

#include "config/parse_value.hpp"

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

constexpr Key in_axis_of = {.name = "INPUT",
                            .kind = Kind::axis,
                            .example = "1",
                            .doc =
                                "Of one input, counted in what the maps around leave of it; "
                                "null gives it whole. Inputs without: 0."};
constexpr Key out_axis_of = {.name = "OUTPUT",
                             .kind = Kind::axis,
                             .example = "1",
                             .doc = "Of one output; null stores it once. Outputs without: 0."};
constexpr std::array<Key, 4> vmap_keys = {{
    {.name = "axis_name",
     .kind = Kind::text,
     .example = "column",
     .doc = "By which kernels call collectives over this axis."},
    {.name = "axis_size",
     .kind = Kind::count,
     .example = "100",
     .doc = "Its length, where no input has it."},
    {.name = "in_axes",
     .kind = Kind::named,
     .doc = "Which axis of each input is mapped.",
     .each = &in_axis_of},
    {.name = "out_axes",
     .kind = Kind::named,
     .doc = "Where the axis is in each output.",
     .each = &out_axis_of},
}};
constexpr Key vmap = {.name = "N",
                      .kind = Kind::map,
                      .required = true,
                      .doc = "One vmap; N counts from 0, the outermost.",
                      .keys = vmap_keys};
constexpr std::array<Key, 4> map_keys = {{
    {.name = "axis_name",
     .kind = Kind::text,
     .default_value = "batch",
     .example = "row",
     .doc = "Of the distributed axis, by which kernels call collectives over it."},
    {.name = "axis_size",
     .kind = Kind::count,
     .example = "1000",
     .doc = "Length of the distributed axis, where no input has it."},
    {.name = "batch_size",
     .kind = Kind::count,
     .example = "4096",
     .doc = "How much of the distributed axis is mapped at one time, at most; results do not "
            "depend on it."},
    {.name = "vmap",
     .kind = Kind::list,
     .doc = "Further maps inside, outermost first.",
     .each = &vmap},
}};

constexpr std::array<Key, 3> output_dataset_keys = {{
    {.name = "path",
     .kind = Kind::dataset,
     .default_value = "/NAME",
     .example = "/y",
     .doc = "The path of the dataset inside the file."},
    {.name = "out_axis",
     .kind = Kind::axis,
     .example = "1",
     .doc = "Where the axis of the batch is, negative ones from the end; null stores one value, "
            "which has to be the same for all examples. Without: 0, or what the kernel says."},
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

constexpr std::array<Key, 7> job_keys = {{
    {.name = "kernel",
     .kind = Kind::text,
     .required = true,
     .example = "square",
     .doc = "The kernel to map; `kmap list` names all."},
    {.name = "params", .kind = Kind::named, .doc = "Parameters of the kernel.", .each = &param},
    {.name = "inputs", .kind = Kind::named, .doc = "Inputs of the kernel.", .each = &input},
    {.name = "map",
     .kind = Kind::map,
     .doc = "How the kernel is mapped over the inputs.",
     .keys = map_keys},
    {.name = "seed",
     .kind = Kind::integer,
     .example = "42",
     .doc = "Of the random numbers of a kernel that draws some; example i gets the key "
            "split(key(seed), n)[i]. Without: 0."},
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
  if (map.kind == Kind::list) return parse_integer(name) ? map.each : nullptr;
  const auto found = std::find_if(map.keys.begin(), map.keys.end(),
                                  [&](const Key& key) { return key.name == name; });
  return found == map.keys.end() ? nullptr : &*found;
}

}  // namespace kmap::config
