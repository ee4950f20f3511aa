// The loop over blocks, at several numbers of ranks: what reaches the kernel, what reaches the
// file, and what happens when one rank fails.

#include "run/run_plan.hpp"

#include "config/load.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "mpi/io/fixture.hpp"
#include "plan/bind_kernel.hpp"

#include "kmap/kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>

namespace kmap::test {
namespace {

using testing::HasSubstr;

/// y = weight · x + index of the row: tells whether rows and their global numbers belong together.
struct Label {
  template <class C>
  KOKKOS_FUNCTION double operator()(const C& c, double x,
                                    const Example<const double, 1>& weight) const {
    return weight(0) * x + 1000.0 * axis_index<"batch">(c) + 1e7 * axis_size<"batch">(c);
  }
};

KMAP_KERNEL(label, Label, "(),(w)->()", "for the tests")
    .input<"x">(type<double>)
    .input<"weight">(type<double>)
    .output<"y">(type<double>);

std::atomic<int> fail_at_call = -1;
std::atomic<int> calls = 0;

/// Fails in some block of some rank.
struct Fragile {
  using map_kind = per_block;
  template <class Exec, class X, class Y>
  void operator()(const Exec& /*exec*/, const X& x, const Y& y) const {
    if (calls++ == fail_at_call) throw std::runtime_error("the kernel broke");
    for (std::size_t i = 0; i < x.extent(0); ++i) y(i) = -x(i);
  }
};

KMAP_KERNEL(fragile, Fragile, "()->()", "for the tests")
    .input<"x">(type<double>)
    .output<"y">(type<double>);

class RunPlan : public SharedFiles {
 protected:
  config::JobConfig job(const std::string& kernel, const std::vector<std::string>& options) const {
    const std::string inputs = kernel == "label" ? "x: in.h5:/x\n  weight: {file: in.h5, dataset: "
                                                   "/weight, in_axis: null}"
                                                 : "x: in.h5:/x";
    return config::parse("kernel: " + kernel + "\ninputs:\n  " + inputs + "\noutputs: out.h5\n",
                         path("job.yaml"), options);
  }

  // Rows of `columns` values: 0, 1, 2, …
  void make_input(std::int64_t rows, std::int64_t columns) const {
    on_rank_0([&] {
      std::vector<double> values(static_cast<std::size_t>(rows * columns));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
      Hdf5Writer writer(path("in.h5"));
      writer.doubles("/x", {rows, columns}, values);
      writer.doubles("/weight", {2}, {3.0, 0.0});
    });
  }

  // Runs with blocks of at most `block_rows` rows.
  run::RankTimes run_job(const config::JobConfig& job, std::int64_t block_rows, bool staged) const {
    const plan::BoundKernel kernel = plan::bind_kernel(job);
    std::vector<io::InputDataset> inputs;
    std::vector<io::DatasetInfo> datasets;
    for (const OperandInfo& operand : kernel.info->inputs) {
      const config::InputConfig& given = job.inputs.at(operand.name);
      inputs.emplace_back(comm(), given.file, given.dataset);
      datasets.push_back(inputs.back().info());
    }
    plan::Plan plan =
        plan::make_plan(job, kernel, datasets, {comm().size(), std::int64_t{1} << 30, staged});
    plan =
        plan::make_plan(job, kernel, datasets,
                        {comm().size(), plan.fixed_memory + block_rows * plan.row_memory, staged});
    steps_ = plan.steps;
    io::OutputFile file(comm(), job.output_file, io::IfExists::error);
    const std::vector<int> numbers = {
        file.create_dataset(plan.outputs[0].path, plan.outputs[0].stored, plan.outputs[0].shape)};
    const run::RankTimes times = run::Job(comm(), plan, inputs).run(file, numbers);
    file.commit();
    return times;
  }

  std::vector<double> result() const {
    const io::InputDataset y(comm(), path("out.h5"), "/y");
    std::vector<double> values(static_cast<std::size_t>(count(y.info().shape)));
    y.read_all(DType::f8, values.data());
    return values;
  }

  std::int64_t steps() const { return steps_; }

 private:
  mutable std::int64_t steps_ = 0;
};

struct Case {
  std::int64_t rows;
  std::int64_t block_rows;
  bool staged;
  const char* slice;
  std::int64_t first;  // of the rows that are taken
  std::int64_t taken;
};

class Blocks : public RunPlan, public testing::WithParamInterface<Case> {};

TEST_P(Blocks, RowsAndTheirGlobalNumbersArriveInPlace) {
  const Case& c = GetParam();
  constexpr std::int64_t columns = 3;
  make_input(c.rows, columns);
  const run::RankTimes times =
      run_job(job("label", {std::string("inputs.x.slice=") + c.slice}), c.block_rows, c.staged);
  EXPECT_EQ(times.rows, shard_of(c.taken, comm().size(), comm().rank()).size());
  EXPECT_GE(times.read, 0);
  EXPECT_GE(times.wait, 0);
  std::vector<double> expected;
  for (std::int64_t row = 0; row < c.taken; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const auto x = static_cast<double>((c.first + row) * columns + column);
      expected.push_back(3 * x + 1000.0 * static_cast<double>(row) +
                         1e7 * static_cast<double>(c.taken));
    }
  }
  EXPECT_EQ(result(), expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, Blocks,
    testing::Values(Case{23, 100, false, ":", 0, 23}, Case{23, 1, false, ":", 0, 23},
                    Case{23, 4, true, ":", 0, 23}, Case{23, 2, false, "5:-3", 5, 15},
                    Case{2, 1, false, ":", 0, 2},  // fewer rows than ranks
                    Case{1, 9, true, ":", 0, 1}, Case{7, 3, false, "3:3", 3, 0}));

// At the first, middle and last block, by the first and by the last rank.
TEST_F(RunPlan, AnErrorOfOneRankEndsTheLoopOnAll) {
  make_input(24, 1);
  for (const int failing : {0, comm().size() - 1}) {
    for (const int call : {0, 3, 24 / comm().size() - 1}) {
      calls = 0;
      fail_at_call = comm().rank() == failing ? call : -1;
      const auto start = std::chrono::steady_clock::now();
      try {
        run_job(job("fragile", {}), 1, false);
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::internal);
        EXPECT_TRUE(error.agreed());
        EXPECT_EQ(error.rank(), failing);
        EXPECT_THAT(error.what(), HasSubstr("the kernel broke"));
      }
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
      EXPECT_FALSE(std::filesystem::exists(path("out.h5")));
      EXPECT_FALSE(std::filesystem::exists(path("out.h5.part")));
      comm().barrier();
    }
  }
  fail_at_call = -1;
  run_job(job("fragile", {}), 1, false);
  EXPECT_EQ(steps(), (24 + comm().size() - 1) / comm().size());
  EXPECT_EQ(result().at(23), -23);
}

TEST_F(RunPlan, NoMemoryForABlockIsSaidByAll) {
  make_input(24, 1);
  const config::JobConfig config = job("fragile", {});
  const plan::BoundKernel kernel = plan::bind_kernel(config);
  std::vector<io::InputDataset> inputs;
  inputs.emplace_back(comm(), path("in.h5"), "/x");
  plan::Plan plan =
      plan::make_plan(config, kernel, {inputs[0].info()}, {comm().size(), 1000, false});
  if (comm().rank() == comm().size() - 1) plan.block_rows = std::int64_t{1} << 58;
  io::OutputFile file(comm(), path("out.h5"), io::IfExists::error);
  const std::vector<int> numbers = {file.create_dataset("/y", DType::f8, {24, 1})};
  EXPECT_TRUE(fails_with(ExitCode::internal, {"out of memory", "lower run.memory"},
                         [&] { run::Job(comm(), plan, inputs).run(file, numbers); }));
}

}  // namespace
}  // namespace kmap::test
