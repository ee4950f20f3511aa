// Jobs that say how their kernel is mapped: random axes for every input, vmap and output, against
// plain nested loops; the wrong ones are refused.

#include "apps/arrays.hpp"
#include "support/command.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

#include "kmap/random.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <sstream>

namespace kmap::test {
namespace {

using Index = std::vector<std::int64_t>;

// A dimension of an array: a mapped level (0 is the batch), or dimension `core` of an example.
struct Dim {
  int level = -1;
  int core = -1;
};

// An input or output: which levels it has, in which place, and how the config says so.
struct Operand {
  std::string name;
  Index core;
  std::vector<Dim> dims;
  std::vector<std::optional<int>> axes;  // per level that the config speaks of; none: null
  std::vector<double> values;
};

class Case {
 public:
  explicit Case(unsigned seed) : random_(seed) {
    levels_ = {pick(0, 6)};
    const std::int64_t vmaps = pick(0, 3);
    for (std::int64_t v = 0; v < vmaps; ++v) levels_.push_back(pick(1, 4));
    vmaps_ = static_cast<int>(vmaps);
    if (pick(0, 2) == 0) levels_.push_back(pick(1, 3));  // a loop that the config does not name
    const std::int64_t t = pick(1, 4);
    const std::int64_t k = pick(1, 3);
    // x has every level: then nothing is left without a length.
    inputs_ = {input("x", {t}, true), input("w", {k}, false), input("b", {}, false)};
    outputs_ = {output("y", {k}), output("z", {})};
  }

  // y = 1.5 (w Σx) + b, z = Σx for every example.
  void compute() {
    for (Operand& output : outputs_) output.values.assign(size(output), -1);
    over(levels_, [&](const Index& level) {
      double sum = 0;
      const std::int64_t length = inputs_[0].core[0];
      for (std::int64_t i = 0; i < length; ++i) sum += at(inputs_[0], level, {i});
      for (std::int64_t j = 0; j < inputs_[1].core[0]; ++j) {
        at(outputs_[0], level, {j}) =
            1.5 * (at(inputs_[1], level, {j}) * sum) + at(inputs_[2], level, {});
      }
      at(outputs_[1], level, {}) = sum;
    });
  }

  void run() {
    TemporaryFolder folder;
    const Layout layout = static_cast<Layout>(pick(0, 2));
    for (const Operand& input : inputs_) {
      write_array(folder.path() / "in.h5", "/" + input.name,
                  array_of<double>("f8", shape(input), input.values), layout);
    }
    const std::string config = text();
    SCOPED_TRACE(config);
    std::ofstream(folder.path() / "job.yaml") << config;
    const int ranks = static_cast<int>(pick(1, 4));
    const std::vector<std::string> words = {"run", (folder.path() / "job.yaml").string()};
    CommandOptions options;
    options.environment = {{"OMP_NUM_THREADS", std::to_string(pick(1, 2))},
                           {"KMAP_PLUGINS", KMAP_TEST_PLUGIN}};
    const CommandResult result =
        run_command(ranks == 1 ? kmap_words(words) : kmap_words(ranks, words), options);
    ASSERT_EQ(result.exit_code, 0) << ranks << " ranks" << result;
    for (const Operand& output : outputs_) {
      const Array found = read_array(folder.path() / "out.h5", "/" + output.name);
      EXPECT_EQ(found.shape, shape(output)) << output.name;
      EXPECT_EQ(values<double>(found), output.values) << output.name << " on " << ranks << " ranks";
    }
  }

 private:
  std::int64_t pick(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }

  int named_levels() const { return vmaps_ + 1; }

  // An axis counted from the front or from the end.
  int either(std::size_t at, std::size_t rank) {
    return static_cast<int>(at) - (pick(0, 1) == 0 ? 0 : static_cast<int>(rank));
  }

  void insert(Operand& operand, int level) {
    const std::size_t at =
        static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(operand.dims.size())));
    operand.dims.insert(operand.dims.begin() + static_cast<std::ptrdiff_t>(at), Dim{level, -1});
    operand.axes[static_cast<std::size_t>(level)] = either(at, operand.dims.size());
  }

  Operand with_core(const std::string& name, Index core) {
    Operand operand{name, std::move(core), {}, {}, {}};
    for (int d = 0; d < static_cast<int>(operand.core.size()); ++d) operand.dims.push_back({-1, d});
    operand.axes.resize(static_cast<std::size_t>(named_levels()));
    // Unnamed levels come before an example's dimensions.
    for (int level = static_cast<int>(levels_.size()) - 1; level >= named_levels(); --level) {
      operand.dims.insert(operand.dims.begin(), Dim{level, -1});
    }
    return operand;
  }

  Operand input(const std::string& name, Index core, bool has_all) {
    Operand operand = with_core(name, std::move(core));
    const bool has_loops = static_cast<int>(levels_.size()) > named_levels();
    for (int level = named_levels() - 1; level >= 0; --level) {
      // Only inputs that have the batch have levels without a name.
      const bool has = has_all || (level == 0 && has_loops) || pick(0, 2) > 0;
      if (has) insert(operand, level);
    }
    std::normal_distribution<double> normal(0, 10);
    operand.values.resize(size(operand));
    for (double& value : operand.values) value = normal(random_);
    return operand;
  }

  Operand output(const std::string& name, Index core) {
    Operand operand = with_core(name, std::move(core));
    for (int level = named_levels() - 1; level >= 0; --level) insert(operand, level);
    return operand;
  }

  Index shape(const Operand& operand) const {
    Index result;
    for (const Dim& dim : operand.dims) {
      result.push_back(dim.level >= 0 ? levels_[static_cast<std::size_t>(dim.level)]
                                      : operand.core[static_cast<std::size_t>(dim.core)]);
    }
    return result;
  }

  std::size_t size(const Operand& operand) const {
    const Index extents = shape(operand);
    return static_cast<std::size_t>(
        std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>()));
  }

  double& at(Operand& operand, const Index& level, const Index& core) const {
    const Index extents = shape(operand);
    std::int64_t place = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const Dim& dim = operand.dims[d];
      place = place * extents[d] + (dim.level >= 0 ? level[static_cast<std::size_t>(dim.level)]
                                                   : core[static_cast<std::size_t>(dim.core)]);
    }
    return operand.values[static_cast<std::size_t>(place)];
  }

  static void over(const Index& extents, const std::function<void(const Index&)>& work) {
    Index index(extents.size(), 0);
    if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return;
    while (true) {
      work(index);
      std::size_t d = extents.size();
      while (d > 0 && ++index[d - 1] == extents[d - 1]) index[--d] = 0;
      if (d == 0) return;
    }
  }

  static std::string axis_text(const std::optional<int>& axis) {
    return axis ? std::to_string(*axis) : "null";
  }

  std::string axes_text(const std::vector<Operand>& operands, std::size_t level) {
    std::string text;
    for (const Operand& operand : operands) {
      text += (text.empty() ? "" : ", ") + operand.name + ": " + axis_text(operand.axes[level]);
    }
    return "{" + text + "}";
  }

  std::string text() {
    std::ostringstream yaml;
    yaml << "kernel: affine\nparams: {factor: 1.5}\ninputs:\n";
    for (const Operand& input : inputs_) {
      yaml << "  " << input.name << ": {file: in.h5, dataset: /" << input.name
           << ", in_axis: " << axis_text(input.axes[0]) << "}\n";
    }
    yaml << "outputs:\n  file: out.h5\n  datasets:\n";
    for (const Operand& output : outputs_) {
      yaml << "    " << output.name << ": {out_axis: " << axis_text(output.axes[0]) << "}\n";
    }
    yaml << "map:\n  batch_size: " << pick(1, 7) << "\n";
    if (vmaps_ > 0) yaml << "  vmap:\n";
    for (std::size_t v = 1; v <= static_cast<std::size_t>(vmaps_); ++v) {
      yaml << "    - in_axes: " << axes_text(inputs_, v)
           << "\n      out_axes: " << axes_text(outputs_, v) << "\n";
      if (pick(0, 1) == 0) yaml << "      axis_name: level" << v << "\n";
      if (pick(0, 2) == 0) yaml << "      axis_size: " << levels_[v] << "\n";
    }
    yaml << "run: {staging: " << (pick(0, 1) == 0 ? "auto" : "always") << "}\n";
    return yaml.str();
  }

  std::mt19937 random_;
  Index levels_;
  int vmaps_ = 0;
  std::vector<Operand> inputs_;
  std::vector<Operand> outputs_;
};

TEST(Mapping, OfRandomAxesIsThatOfNestedLoops) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Case one(seed);
    one.compute();
    one.run();
    if (::testing::Test::HasFailure()) return;
  }
}

// One config, run in a folder that holds in.h5 with the dataset /x.
class RunOnce {
 public:
  RunOnce(const Array& x, const std::string& config, int ranks = 1, int threads = 1) {
    write_array(folder_.path() / "in.h5", "/x", x);
    std::ofstream(folder_.path() / "job.yaml") << config;
    const std::vector<std::string> words = {"run", (folder_.path() / "job.yaml").string()};
    CommandOptions options;
    options.environment = {{"OMP_NUM_THREADS", std::to_string(threads)},
                           {"KMAP_PLUGINS", KMAP_TEST_PLUGIN}};
    result_ = run_command(ranks == 1 ? kmap_words(words) : kmap_words(ranks, words), options);
  }

  const CommandResult& result() const { return result_; }
  Array output(const std::string& name) const {
    return read_array(folder_.path() / "out.h5", "/" + name);
  }
  template <class T>
  std::vector<T> output_values(const std::string& name) const {
    return values<T>(output(name));
  }

 private:
  TemporaryFolder folder_;
  CommandResult result_;
};

Array counting_array(Index shape) {
  std::vector<double> all(static_cast<std::size_t>(
      std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<double>(i * i % 17) - 3;
  return array_of<double>("f8", std::move(shape), all);
}

// The kernel asks about rows and columns; the config says which axis of the data is which.
TEST(Mapping, NamesOfAxesAreTheConfigs) {
  const Array x = counting_array({5, 4});
  const auto all = values<double>(x);
  for (const bool rows_outside : {true, false}) {
    for (const int ranks : {1, 3}) {
      const std::string outer = rows_outside ? "row" : "column";
      const std::string inner = rows_outside ? "column" : "row";
      const RunOnce run(x,
                        "kernel: sums\ninputs: {x: in.h5:/x}\noutputs: out.h5\nmap: {axis_name: " +
                            outer + ", batch_size: 2, vmap: [{axis_name: " + inner + "}]}\n",
                        ranks, 2);
      ASSERT_EQ(run.result().exit_code, 0) << run.result();
      const auto sums = run.output_values<double>("sums");
      const auto places = run.output_values<std::int64_t>("place");
      double total = 0;
      for (const double value : all) total += value;
      for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
          double along_i = 0;
          double along_j = 0;
          for (std::size_t k = 0; k < 5; ++k) along_i += all[4 * k + j];
          for (std::size_t k = 0; k < 4; ++k) along_j += all[4 * i + k];
          const std::size_t e = 4 * i + j;
          EXPECT_EQ(sums[3 * e], rows_outside ? along_i : along_j);
          EXPECT_EQ(sums[3 * e + 1], rows_outside ? along_j : along_i);
          EXPECT_EQ(sums[3 * e + 2], total);
          EXPECT_EQ(places[e], static_cast<std::int64_t>(rows_outside ? 4 * i + j : 5 * j + i));
        }
      }
      EXPECT_EQ(run.output("total").shape, Index{});
      EXPECT_EQ(run.output_values<double>("total"), std::vector<double>{total});
    }
  }
}

// Sums over one axis differ along the other: what is the same for all then has that axis, as far as
// the config says so.
TEST(Mapping, AnOutputStoredOnceHasToBeOne) {
  const std::string config =
      "kernel: sums\ninputs: {x: in.h5:/x}\noutputs: {file: out.h5, datasets: ";
  const std::string map = "map: {axis_name: row, vmap: [{axis_name: column, out_axes: ";
  for (const int ranks : {1, 3}) {
    const RunOnce wrong(counting_array({5, 4}),
                        config + "{place: {out_axis: null}}}\n" + map + "{}}]}\n", ranks);
    EXPECT_EQ(wrong.result().exit_code, 65) << wrong.result();
    EXPECT_THAT(wrong.result().err, ::testing::HasSubstr("output place is stored once"));
    const RunOnce wrong_inside(counting_array({5, 4}), config + "{}}\n" + map + "{sums: null}}]}\n",
                               ranks);
    EXPECT_EQ(wrong_inside.result().exit_code, 65) << wrong_inside.result();
    EXPECT_THAT(wrong_inside.result().err, ::testing::HasSubstr("output sums is stored once"));
    const RunOnce spread(counting_array({5, 4}),
                         config + "{total: {out_axis: -1}}}\n" + map + "{total: 0}}]}\n", ranks);
    ASSERT_EQ(spread.result().exit_code, 0) << spread.result();
    EXPECT_EQ(spread.output("total").shape, (Index{4, 5}));
  }
  const RunOnce none(array_of<double>("f8", {0, 4}, {}), config + "{}}\n" + map + "{}}]}\n");
  EXPECT_EQ(none.result().exit_code, 65) << none.result();
  EXPECT_THAT(none.result().err, ::testing::HasSubstr("there is no example to take it from"));
}

// Example i of all, row-major, gets split(key(seed), n)[i]: whatever the ranks, threads and blocks.
TEST(Mapping, KeysAreThoseOfGlobalIndices) {
  const Array x = counting_array({7, 3, 2});
  const auto given = values<double>(x);
  for (const std::int64_t seed : {std::int64_t{0}, std::int64_t{42}, std::int64_t{-7}}) {
    for (const int ranks : {1, 2, 4}) {
      const RunOnce run(
          x,
          "kernel: draw\ninputs: {x: in.h5:/x}\noutputs: out.h5\nseed: " + std::to_string(seed) +
              "\nmap: {batch_size: 2, vmap: [{in_axes: {x: 1}, out_axes: {key: -2}}]}\n",
          ranks, 2);
      ASSERT_EQ(run.result().exit_code, 0) << run.result();
      const auto words = run.output_values<std::uint32_t>("key");
      const auto y = run.output_values<double>("y");
      // Levels are (7, 2, 3): the vmap takes the last axis of x, the loop the one before it.
      for (std::size_t i = 0; i < 7; ++i) {
        for (std::size_t v = 0; v < 2; ++v) {
          for (std::size_t l = 0; l < 3; ++l) {
            const random::Key key = random::split_at(random::key(seed), (i * 2 + v) * 3 + l);
            const std::size_t place = (i * 3 + l) * 2 + v;  // key: (7, 3, 2 of the vmap, 2 words)
            EXPECT_EQ(words[2 * place], key.high);
            EXPECT_EQ(words[2 * place + 1], key.low);
            EXPECT_EQ(y[(i * 2 + v) * 3 + l],
                      given[(i * 3 + l) * 2 + v] + random::uniform<double>(key));
          }
        }
      }
    }
  }
}

// Where collectives are within rows, what one row calls does not concern the others of its block.
TEST(Mapping, RowsMayCallAsManyCollectivesAsTheyNeed) {
  const Array x = counting_array({5, 3});
  std::vector<double> expected = values<double>(x);
  for (std::size_t row = 0; row < 5; ++row) {
    double* y = expected.data() + 3 * row;
    while (y[0] + y[1] + y[2] >= 1) {
      for (int j = 0; j < 3; ++j) y[j] /= 2;
    }
  }
  for (const int ranks : {1, 2, 4}) {
    for (const char* batch_size : {"1", "2", "5"}) {
      const RunOnce run(x,
                        "kernel: halve\ninputs: {x: in.h5:/x}\noutputs: out.h5\n"
                        "map: {axis_name: i, vmap: [{axis_name: row}], batch_size: " +
                            std::string(batch_size) + "}\n",
                        ranks);
      ASSERT_EQ(run.result().exit_code, 0) << run.result();
      EXPECT_EQ(run.output_values<double>("y"), expected) << ranks << " " << batch_size;
    }
  }
}

TEST(Mapping, RowsWithoutExamplesCallNothing) {
  for (const int ranks : {1, 3}) {
    for (const std::string& map :
         {std::string(), std::string("map: {axis_name: i, vmap: [{axis_name: batch}]}\n")}) {
      const RunOnce run(array_of<double>("f8", {3, 0}, {}),
                        "kernel: center\ninputs: {x: in.h5:/x}\noutputs: out.h5\n" + map, ranks);
      ASSERT_EQ(run.result().exit_code, 0) << run.result();
      EXPECT_EQ(run.output("y").shape, (Index{3, 0}));
    }
  }
}

TEST(Mapping, AKernelWithoutInputs) {
  std::vector<std::int64_t> first;
  for (const int ranks : {1, 3, 4}) {
    const RunOnce run(counting_array({1}),
                      "kernel: dice\noutputs: out.h5\nseed: 5\nparams: {sides: 20}\n"
                      "map: {axis_size: 1001, batch_size: 100}\n",
                      ranks, 2);
    ASSERT_EQ(run.result().exit_code, 0) << run.result();
    const auto sides = run.output_values<std::int64_t>("side");
    ASSERT_EQ(sides.size(), 1001u);
    if (first.empty()) first = sides;
    EXPECT_EQ(sides, first);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      EXPECT_EQ(sides[i],
                random::randint<std::int64_t>(random::split_at(random::key(5), i), 1, 21));
    }
    EXPECT_EQ(
        run.output_values<std::int64_t>("sum"),
        std::vector<std::int64_t>{std::accumulate(sides.begin(), sides.end(), std::int64_t{0})});
  }
}

struct Refused {
  std::string config;  // behind the kernel and the output
  int exit_code;
  std::string says;
};

TEST(Mapping, RefusesWhatDoesNotFit) {
  const std::string x = "inputs: {x: in.h5:/x}\n";
  const std::vector<std::pair<std::string, Refused>> cases = {
      {"sums", {x, 78, "kernel sums asks about the axis \"row\", and no axis has that name"}},
      {"sums", {x + "map: {axis_name: row}\n", 78, "asks about the axis \"column\""}},
      {"sums",
       {x + "map: {axis_name: row, vmap: [{axis_name: column}, {axis_name: row}]}\n", 78,
        "map.vmap.1.axis_name: an axis around has the name \"row\""}},
      {"square", {x + "seed: 1\n", 78, "seed: kernel square draws no random numbers"}},
      {"square", {x + "seed: 1.5\n", 78, "seed: 1.5 is a number with a fraction"}},
      {"square",
       {x + "map: {vmap: [{in_axes: {y: 0}}]}\n", 78,
        "map.vmap.0.in_axes.y: kernel square has no input of that name; expected one of x"}},
      {"square",
       {x + "map: {vmap: [{out_axes: {x: 0}}]}\n", 78,
        "map.vmap.0.out_axes.x: kernel square has no output of that name; expected one of y"}},
      {"square",
       {x + "map: {vmap: {axis_name: i}}\n", 78,
        "map.vmap: is a map; expected a list, whose items begin with -"}},
      {"square",
       {x + "map: {vmap: [{in_axes: {x: 1}}]}\n", 78,
        "map.vmap.0.in_axes.x: what the maps around leave of"}},
      {"square",
       {x + "map: {vmap: [{out_axes: {y: 2}}]}\n", 78,
        "map.vmap.0.out_axes.y: output y has 1 dimension there, and no axis 2"}},
      {"square",
       {x + "map: {vmap: [{axis_size: 5}]}\n", 65,
        "map.vmap.0 has no one length: axis 1 of input x"}},
      {"square",
       {x + "map: {vmap: [{in_axes: {x: null}}]}\n", 78,
        "map.vmap.0: nothing to map: no input has this axis"}},
      {"square", {x + "map: {axis_size: 4}\n", 78, "map.axis_size: 4, but input x"}},
      {"square", {x + "map: {batch_size: 0}\n", 78, "map.batch_size: 0 is not positive"}},
      {"dice", {"", 78, "map.axis_size: missing"}},
      {"dice", {x + "map: {axis_size: 4}\n", 78, "kernel dice has no inputs"}},
      {"comb",
       {"inputs: {x: in.h5:/x}\nmap: {vmap: [{in_axes: {x: 0}}]}\n", 65,
        "has 2 dimensions; a batch of (t) needs 3 or more"}},
  };
  for (const auto& [kernel, refused] : cases) {
    const std::string config = "kernel: " + kernel + "\noutputs: out.h5\n" + refused.config;
    SCOPED_TRACE(config);
    const RunOnce run(counting_array({5, 4}), config);
    EXPECT_EQ(run.result().exit_code, refused.exit_code) << run.result();
    EXPECT_THAT(run.result().err, ::testing::HasSubstr(refused.says));
  }
}

// Sums over an axis inside of each row need no more memory than a block has: 1.6 MB of rows in
// 1/10 of that, and less.
TEST(Mapping, SumsWithinRowsKeepNothingBeyondABlock) {
  constexpr std::size_t rows = 2000;
  constexpr std::size_t columns = 100;
  std::vector<double> x(rows * columns);
  for (std::size_t e = 0; e < x.size(); ++e) x[e] = 1 + static_cast<double>(e * 7919 % 64);
  TemporaryFolder folder;
  write_array(folder.path() / "in.h5", "/x", array_of<double>("f8", {rows, columns}, x),
              Layout::plain);
  CommandOptions options;
  options.environment = {{"KMAP_PLUGINS", KMAP_TEST_PLUGIN}};
  const auto run = [&](int ranks, int memory) {
    std::ofstream(folder.path() / "job.yaml")
        << "kernel: fragile\ninputs: {x: in.h5:/x}\n"
        << "outputs: {file: out.h5, if_exists: overwrite}\nrun: {memory: " << memory << "}\n"
        << "map: {axis_name: row, vmap: [{axis_name: batch}]}\n";
    const std::vector<std::string> words = {"run", (folder.path() / "job.yaml").string()};
    return run_command(ranks == 1 ? kmap_words(words) : kmap_words(ranks, words), options);
  };
  for (const int ranks : {1, 2, 3}) {
    for (const int memory : {160'000, 5000}) {
      const CommandResult result = run(ranks, memory);
      ASSERT_EQ(result.exit_code, 0) << result;
      const auto y = values<double>(read_array(folder.path() / "out.h5", "/y"));
      ASSERT_EQ(y.size(), x.size());
      for (std::size_t e = 0; e < x.size(); ++e) {
        double sum = 0;  // of small integers: exact in any order
        for (std::size_t j = 0; j < columns; ++j) sum += x[e / columns * columns + j];
        ASSERT_EQ(y[e], x[e] / sum) << e << ", " << ranks << " ranks, " << memory << " bytes";
      }
    }
  }
  // A row takes 1600 bytes in a block, its operands 800, their sum and the result 8 each.
  const CommandResult result = run(2, 2415);
  EXPECT_EQ(result.exit_code, 78) << result;
  EXPECT_THAT(result.err, testing::HasSubstr("psum over axis \"batch\" of f8 with shape () for 100 "
                                             "examples, needs 816 bytes on every rank"));
  EXPECT_THAT(result.err, testing::HasSubstr("allow at least 2416 bytes"));
  EXPECT_EQ(run(2, 2416).exit_code, 0);
}

}  // namespace
}  // namespace kmap::test
