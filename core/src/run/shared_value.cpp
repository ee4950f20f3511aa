#include "run/shared_value.hpp"

#include "kmap/error.hpp"

#include <fmt/format.h>

#include <cstring>

namespace kmap::run {

namespace {

[[noreturn]] void refuse(const plan::OutputPlan& output, const std::string& who) {
  throw ShapeError(
      fmt::format("output {} is stored once for all examples, but {} differs from the first",
                  output.name, who),
      fmt::format("give it an axis: outputs.datasets.{}.out_axis, or out_axes of the vmap",
                  output.name));
}

}  // namespace

void require_alike(const plan::OutputPlan& output, const std::byte* values, std::int64_t copies,
                   std::int64_t bytes) {
  for (std::int64_t i = 1; i < copies; ++i) {
    if (std::memcmp(values, values + i * bytes, static_cast<std::size_t>(bytes)) == 0) continue;
    refuse(output, fmt::format("that of example {} of a block", i));
  }
}

void SharedValue::take(const std::byte* value, std::int64_t bytes) {
  if (value_.empty()) {
    value_.assign(value, value + bytes);
  } else if (std::memcmp(value_.data(), value, static_cast<std::size_t>(bytes)) != 0) {
    refuse(*output_, "that of another block");
  }
}

void SharedValue::agree(const Communicator& comm) {
  auto size = static_cast<std::int64_t>(value_.size());
  comm.broadcast(&size, sizeof size);
  std::vector<std::byte> first(static_cast<std::size_t>(size));
  if (comm.is_root()) first = value_;
  comm.broadcast(first.data(), first.size());
  agreed(comm, [&] {
    const bool has_value = !value_.empty();  // not without examples
    if (has_value && value_ != first) refuse(*output_, "that of another rank");
  });
  value_ = std::move(first);
}

}  // namespace kmap::run
