// Jobs that say how their kernel is mapped: random axes for every input, vmap and output, against
// plain nested loops; the wrong ones are refused.

#include "apps/arrays.hpp"
#include "support/command.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

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
  for (unsigned seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    Case one(seed);
    one.compute();
    one.run();
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace kmap::test
