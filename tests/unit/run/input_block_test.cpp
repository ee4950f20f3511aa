// Rows of the batch against the meaning of in_axis, window and slice, value by value: whatever the
// shape, the axis and the blocks.

#include "run/input_block.hpp"

#include "config/load.hpp"
#include "mpi/io/fixture.hpp"
#include "plan/bind_kernel.hpp"

#include "kmap/kernel.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace kmap::test {
namespace {

/// Sees every example whole, whatever its shape.
struct Whole {
  KOKKOS_FUNCTION double operator()(const Example<const double, 1>& x) const { return x(0); }
};
KMAP_KERNEL(whole, Whole, "(...)->()", "for the tests")
    .input<"x">(type<double>)
    .output<"y">(type<double>);

/// Works on numbers, a block at a time: has one stride for all examples.
struct Flat {
  using map_kind = per_block;
  template <class Exec, class X, class Y>
  void operator()(const Exec& /*exec*/, const X& x, const Y& y) const {
    for (std::size_t i = 0; i < x.extent(0); ++i) y(i) = x(i);
  }
};
KMAP_KERNEL(flat, Flat, "()->()", "for the tests")
    .input<"x">(type<double>)
    .output<"y">(type<double>);

struct Case {
  Shape shape;
  int axis = 0;
  std::int64_t window = 0, stride = 0;  // 0: none
  std::string slice;
};

std::string yaml(const Case& tested) {
  std::string text = fmt::format("file: in.h5, dataset: /x, in_axis: {}", tested.axis);
  if (tested.window > 0) {
    text += fmt::format(", window: {{size: {}, stride: {}}}", tested.window, tested.stride);
  }
  if (!tested.slice.empty()) text += ", slice: \"" + tested.slice + "\"";
  return text;
}

std::int64_t wrap(std::int64_t at, std::int64_t low, std::int64_t high, std::int64_t n) {
  if (at < 0) at += n;
  return std::min(std::max(at, low), high);
}

// The indices of range(n)[slice], step by step.
std::vector<std::int64_t> indices(const std::string& slice, std::int64_t n) {
  std::vector<std::string> parts(1);
  for (const char c : slice) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  parts.resize(3);
  const std::int64_t step = parts[2].empty() ? 1 : std::stoll(parts[2]);
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  std::int64_t start = step > 0 ? low : high, stop = step > 0 ? high : low;
  if (!parts[0].empty()) start = wrap(std::stoll(parts[0]), low, high, n);
  if (!parts[1].empty()) stop = wrap(std::stoll(parts[1]), low, high, n);
  std::vector<std::int64_t> found;
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step) found.push_back(i);
  return found;
}

// Value at an index of x is the index itself in row-major order.
std::vector<double> expected_row(const Case& tested, std::int64_t index) {
  const Shape& shape = tested.shape;
  const auto axis = static_cast<std::size_t>(
      tested.axis < 0 ? tested.axis + static_cast<int>(shape.size()) : tested.axis);
  const std::int64_t length = tested.window > 0 ? tested.window : 1;
  const std::int64_t begin = tested.window > 0 ? index * tested.stride : index;
  std::vector<double> values;
  for (std::int64_t at = 0; at < count(shape); ++at) {
    std::int64_t inner = 1;
    for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
    const std::int64_t place = at / inner % shape[axis];
    if (place >= begin && place < begin + length) values.push_back(static_cast<double>(at));
  }
  return values;
}

class Rows : public SharedFiles {
 protected:
  void make(const Shape& shape) const {
    on_rank_0([&] {
      std::vector<double> values(static_cast<std::size_t>(count(shape)));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
      Hdf5Writer(path("in.h5")).doubles("/x", shape, values);
    });
  }

  plan::Plan plan_of(const Case& tested, const std::string& kernel,
                     const io::InputDataset& dataset) const {
    const config::JobConfig job = config::parse(
        "kernel: " + kernel + "\ninputs: {x: {" + yaml(tested) + "}}\noutputs: out.h5\n",
        path("job.yaml"), {});
    return plan::make_plan(job, plan::bind_kernel(job), {dataset.info()},
                           {1, std::int64_t{1} << 30, false});
  }

  void expect_rows(const Case& tested, const std::string& kernel) const {
    SCOPED_TRACE(to_string(tested.shape) + " " + yaml(tested) + " " + kernel);
    const io::InputDataset dataset(comm(), path("in.h5"), "/x", tested.axis);
    const plan::Plan plan = plan_of(tested, kernel, dataset);
    const plan::InputPlan& input = plan.inputs.at(0);
    const auto axis = static_cast<std::size_t>(
        tested.axis < 0 ? tested.axis + static_cast<int>(tested.shape.size()) : tested.axis);
    const std::int64_t length = tested.shape[axis];
    const std::int64_t examples =
        tested.window == 0
            ? length
            : (length < tested.window ? 0 : (length - tested.window) / tested.stride + 1);
    const std::vector<std::int64_t> chosen = indices(tested.slice, examples);
    ASSERT_EQ(plan.rows, static_cast<std::int64_t>(chosen.size()));
    constexpr std::int64_t most = 3;
    run::InputBlock block(input, dataset, most, true);
    for (std::int64_t begin = 0; begin < plan.rows; begin += most) {
      const Range rows = {begin, std::min(plan.rows, begin + most)};
      block.read(rows);
      block.to_device();
      const auto elements = input.row_bytes / static_cast<std::int64_t>(sizeof(double));
      const std::int64_t stride = input.row_stride();
      for (std::int64_t row = begin; row < rows.end; ++row) {
        const double* first = static_cast<const double*>(block.data()) + (row - begin) * stride;
        const std::vector<double> found(first, first + elements);
        ASSERT_EQ(found, expected_row(tested, chosen[static_cast<std::size_t>(row)])) << row;
      }
    }
  }
};

TEST_F(Rows, AreThoseOfTheConfig) {
  const std::vector<Shape> shapes = {{1}, {9}, {40}, {7, 5}, {5, 7, 3}, {3, 4, 2, 6}, {70, 50}};
  const std::vector<std::string> slices = {"",    "::2",    "::-1", "1:-1",
                                           "-3:", "5:1:-2", "4:4",  "2:3"};
  const std::vector<std::pair<std::int64_t, std::int64_t>> windows = {{0, 0}, {1, 1}, {3, 1},
                                                                      {3, 3}, {2, 5}, {4, 2}};
  for (const Shape& shape : shapes) {
    make(shape);
    for (int axis = -static_cast<int>(shape.size()); axis < static_cast<int>(shape.size());
         ++axis) {
      const std::int64_t length =
          shape[static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(shape.size()) : axis)];
      for (const auto& [size, stride] : windows) {
        if (size > length) continue;
        for (const std::string& slice : slices) {
          expect_rows({shape, axis, size, stride, slice}, "whole");
          if (HasFatalFailure()) return;
        }
      }
      for (const std::string& slice : slices) {
        expect_rows({shape, axis, 0, 0, slice}, "flat");
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Rows that lie far apart are read one by one; what is between them is not.
TEST_F(Rows, FarApartAreReadAlone) {
  const Shape shape = {9, 3000};
  make(shape);
  expect_rows({shape, 0, 0, 0, "::4"}, "whole");
  expect_rows({shape, 0, 0, 0, "::-4"}, "whole");
  const io::InputDataset dataset(comm(), path("in.h5"), "/x", 0);
  const plan::Plan plan = plan_of({shape, 0, 0, 0, "::4"}, "whole", dataset);
  EXPECT_EQ(plan.inputs[0].access, plan::Access::row_by_row);
  EXPECT_EQ(plan.inputs[0].whole_bytes, 3 * 3000 * 8);
}

// A window's neighbours share what they have in common: a block holds the signal once.
TEST_F(Rows, OfWindowsHoldTheSignalOnce) {
  const Shape shape = {1000};
  make(shape);
  const io::InputDataset dataset(comm(), path("in.h5"), "/x", 0);
  const plan::Plan plan = plan_of({shape, 0, 100, 10, ""}, "whole", dataset);
  const plan::InputPlan& input = plan.inputs.at(0);
  EXPECT_EQ(plan.rows, 91);
  EXPECT_EQ(input.access, plan::Access::in_place);
  EXPECT_EQ(input.block_bytes(91), 1000 * 8);
  EXPECT_EQ(input.whole_bytes, 1000 * 8);
  EXPECT_EQ(plan.row_memory, 10 * 8 + 8);
  EXPECT_EQ(plan.fixed_memory, 90 * 8);
}

}  // namespace
}  // namespace kmap::test
