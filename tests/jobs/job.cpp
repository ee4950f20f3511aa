#include "jobs/job.hpp"

#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

namespace kmap::test {

namespace {

constexpr const char* layout_names[] = {"plain", "chunked", "big_endian"};

std::string encoded_type(hid_t type) {
  std::size_t size = 0;
  H5Tencode(type, nullptr, &size);
  std::string text(size, '\0');
  H5Tencode(type, text.data(), &size);
  return text;
}

std::string shape_text(hid_t space) {
  std::vector<hsize_t> shape(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  std::string text = "(";
  for (const hsize_t extent : shape) text += std::to_string(extent) + ",";
  return text + ")";
}

bool is_plain(hid_t type) {
  return H5Tis_variable_str(type) <= 0 && H5Tdetect_class(type, H5T_REFERENCE) <= 0 &&
         H5Tdetect_class(type, H5T_VLEN) <= 0;
}

CommandOptions options(int threads) {
  CommandOptions options;
  options.environment = {{"OMP_NUM_THREADS", std::to_string(threads)},
                         {"KMAP_PLUGINS", KMAP_TEST_PLUGIN}};
  return options;
}

std::size_t bytes_in(hid_t space, hid_t type) {
  return static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type);
}

herr_t add_attribute(hid_t object, const char* name, const H5A_info_t*, void* text) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  const hid_t space = H5Aget_space(attribute);
  std::string& all = *static_cast<std::string*>(text);
  all += std::string(" @") + name + shape_text(space) + encoded_type(type);
  // What is elsewhere in the file (texts of any length, references) is not compared.
  if (is_plain(type)) {
    std::string values(bytes_in(space, type), '\0');
    H5Aread(attribute, type, values.data());
    all += values;
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return 0;
}

std::string dataset_text(hid_t dataset) {
  const hid_t type = H5Dget_type(dataset);
  const hid_t space = H5Dget_space(dataset);
  const hid_t creation = H5Dget_create_plist(dataset);
  std::string text = "dataset" + shape_text(space) + encoded_type(type) + " layout " +
                     std::to_string(H5Pget_layout(creation)) + " values ";
  std::string values(bytes_in(space, type), '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    values = "unreadable";
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
  return text + values;
}

// Visits links, not objects: that call of HDF5 has the same arguments in 1.10 and 1.14. The root
// has no link, so it comes under its own name.
herr_t add_object(hid_t file, const char* name, const H5L_info_t*, void* objects) {
  const std::string path = name;
  if (path == "kmap" || path.starts_with("kmap/")) return 0;
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  std::string text = H5Iget_type(object) == H5I_DATASET ? dataset_text(object) : "group";
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute, &text);
  H5Oclose(object);
  (*static_cast<std::map<std::string, std::string>*>(objects))[path] = text;
  return 0;
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const Way& way) {
  return stream << way.ranks << " ranks, " << way.threads << " threads, blocks of "
                << way.block_rows << " rows, " << (way.staged ? "staged, " : "")
                << layout_names[static_cast<int>(way.layout)];
}

std::map<std::string, std::string> contents(const std::filesystem::path& file) {
  std::map<std::string, std::string> objects;
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (opened < 0) return objects;
  add_object(opened, ".", nullptr, &objects);
  H5Lvisit(opened, H5_INDEX_NAME, H5_ITER_INC, add_object, &objects);
  H5Fclose(opened);
  return objects;
}

Job::Job(std::string kernel, std::vector<JobInput> inputs, std::string params,
         std::set<std::string> once, std::string keys)
    : kernel_(std::move(kernel)),
      inputs_(std::move(inputs)),
      params_(std::move(params)),
      once_(std::move(once)),
      keys_(std::move(keys)) {}

std::filesystem::path Job::input_file(Layout layout) {
  const std::filesystem::path file =
      folder_.path() / (std::string(layout_names[static_cast<int>(layout)]) + ".h5");
  if (std::filesystem::exists(file)) return file;
  for (const JobInput& input : inputs_) write_array(file, "/in/" + input.name, input.array, layout);
  return file;
}

// Bytes for blocks of so many rows, as documented: inputs as the kernel reads them and outputs,
// twice where staged; besides, decompressed chunks. (The tests' inputs are read as they are
// stored.)
std::int64_t Job::memory_for(const Way& way) {
  std::int64_t fixed = 0;
  std::int64_t row = output_row_bytes_;
  for (const JobInput& input : inputs_) {
    const auto bytes = static_cast<std::int64_t>(input.array.bytes.size());
    (input.replicated ? fixed : row) +=
        input.replicated ? bytes : bytes / input.array.shape.front();
  }
  const std::int64_t chunks = way.layout == Layout::chunked ? chunk_memory(fixed + row) : 0;
  return (way.staged ? 2 : 1) * (fixed + way.block_rows * row) + chunks + kept_;
}

// What chunks need is for kmap to say: the difference of the least memory that it names to what one
// row needs without them.
std::int64_t Job::chunk_memory(std::int64_t one_row) {
  if (!chunk_memory_) {
    write_config(Layout::chunked, "{memory: 1 B}");
    const CommandResult result = run_command(kmap_words({"run", config().string()}), options(1));
    const std::string remedy = "allow at least ";
    const std::size_t at = result.err.find(remedy);
    EXPECT_NE(at, std::string::npos) << result;
    chunk_memory_ =
        at == std::string::npos ? 0 : std::stoll(result.err.substr(at + remedy.size())) - one_row;
  }
  return *chunk_memory_;
}

void Job::write_config(Layout layout, const std::string& run) {
  const std::filesystem::path file = input_file(layout);
  std::ofstream yaml(config());
  yaml << "kernel: " << kernel_ << "\nparams: " << params_ << "\n" << keys_ << "\n";
  if (!inputs_.empty()) yaml << "inputs:\n";
  for (const JobInput& input : inputs_) {
    yaml << "  " << input.name << ": {file: " << file.string() << ", dataset: /in/" << input.name
         << (input.options.empty() ? "" : ", ") << input.options << "}\n";
  }
  yaml << "outputs: {file: out.h5, if_exists: overwrite}\nrun: " << run << "\n";
}

CommandResult Job::run(const Way& way) {
  std::string run = "{staging: " + std::string(way.staged ? "always" : "auto");
  if (way.block_rows > 0) run += ", memory: " + std::to_string(memory_for(way));
  write_config(way.layout, run + "}");
  std::vector<std::string> arguments = {"run", config().string()};
  if (kept_ > 0 && way.block_rows > 0) {
    arguments.insert(arguments.end(),
                     {"--set", "map.batch_size=" + std::to_string(way.block_rows)});
  }
  return run_command(way.ranks == 1 ? kmap_words(arguments) : kmap_words(way.ranks, arguments),
                     options(way.threads));
}

void Job::learn_from_reference() {
  const CommandResult result = run({});
  ASSERT_EQ(result.exit_code, 0) << result;
  reference_ = contents(output());
  ASSERT_FALSE(reference_.empty());
  for (const std::string& name : members(output(), "/")) {
    if (name == "kmap" || once_.contains(name)) continue;
    const Array array = read("/" + name);
    rows_ = array.shape.front();
    if (rows_ > 0) output_row_bytes_ += static_cast<std::int64_t>(array.bytes.size()) / rows_;
  }
}

void Job::expect_same(const Way& way) {
  if (reference_.empty()) {
    learn_from_reference();
    if (::testing::Test::HasFatalFailure()) return;
  }
  std::ostringstream words;
  words << way;
  SCOPED_TRACE(words.str());
  const CommandResult result = run(way);
  ASSERT_EQ(result.exit_code, 0) << result;
  const std::int64_t longest = std::max<std::int64_t>(1, (rows_ + way.ranks - 1) / way.ranks);
  const std::int64_t length = std::min(way.block_rows, longest);
  if (way.block_rows > 0 && length < 1000) {
    // The blocks are those that the way means: its memory was understood. (The text groups the
    // digits of longer ones.)
    EXPECT_THAT(result.out, ::testing::HasSubstr("of up to " + std::to_string(length) + " row"));
  }
  const auto found = contents(output());
  ASSERT_EQ(found.size(), reference_.size()) << "other objects";
  for (const auto& [path, text] : reference_) {
    const auto object = found.find(path);
    ASSERT_NE(object, found.end()) << path << " is missing";
    EXPECT_TRUE(object->second == text) << path << " differs" << result;
  }
}

// A covering array: ranks x blocks in full, the others spread so that all pairs occur (checked by a
// test).
std::vector<Way> all_pairs(std::int64_t few) {
  constexpr std::int64_t all = 1'000'000;
  constexpr Layout plain = Layout::plain, chunked = Layout::chunked, big = Layout::big_endian;
  return {{1, 1, 1, true, plain},    {1, 2, few, true, chunked},  {1, 2, all, false, big},
          {2, 2, 1, false, chunked}, {2, 1, few, true, big},      {2, 1, all, false, plain},
          {3, 2, 1, true, big},      {3, 1, few, false, plain},   {3, 2, all, true, chunked},
          {4, 2, 1, true, plain},    {4, 1, few, false, chunked}, {4, 1, all, true, big}};
}

std::vector<Way> some_ways(std::int64_t few) {
  return {{1, 2, few, false, Layout::big_endian},
          {2, 1, 1, true, Layout::chunked},
          {3, 2, few, true, Layout::plain},
          {4, 1, few + 1, false, Layout::chunked}};
}

}  // namespace kmap::test
