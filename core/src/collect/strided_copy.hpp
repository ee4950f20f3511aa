#pragma once
// Copies of strided arrays, many at once, as Kokkos kernels.

#include "kmap/detail/operand.hpp"
#include "kmap/detail/replay.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace kmap::detail {

/// One dimension of what is copied or reduced, with its strides in elements.
struct CopyDim {
  std::int64_t extent;
  std::int64_t in;
  std::int64_t out;
};

/// Dimensions, outermost first; at most those of all levels and of one example.
inline constexpr int max_copy_dims = max_levels + max_core_rank;

struct CopyDims {
  int count = 0;
  CopyDim dims[max_copy_dims] = {};

  /// Neighbours that are one line in both arrays become one, ones of extent 1 none; the last one
  /// (of extent 1 if none is left) is kept apart as the inner loop.
  explicit CopyDims(const std::vector<CopyDim>& all) {
    for (const CopyDim& dim : all) {
      if (dim.extent == 1) continue;
      if (count > 0) {
        CopyDim& last = dims[count - 1];
        if (last.in == dim.in * dim.extent && last.out == dim.out * dim.extent) {
          last = {last.extent * dim.extent, dim.in, dim.out};
          continue;
        }
      }
      dims[count++] = dim;
    }
    if (count == 0) dims[count++] = {1, 1, 1};
  }

  KOKKOS_FUNCTION const CopyDim& inner() const { return dims[count - 1]; }
  std::int64_t outer_count() const {
    std::int64_t n = 1;
    for (int d = 0; d + 1 < count; ++d) n *= dims[d].extent;
    return n;
  }
  /// Offsets of line `i` of the outer dimensions.
  KOKKOS_FUNCTION void locate(std::int64_t i, std::int64_t& in, std::int64_t& out) const {
    for (int d = count - 2; d >= 0; --d) {
      const std::int64_t quotient = i / dims[d].extent;
      const std::int64_t index = i - quotient * dims[d].extent;
      in += index * dims[d].in;
      out += index * dims[d].out;
      i = quotient;
    }
  }
};

/// Pieces of host work behind a function pointer, so that Kokkos' launch is compiled once for all.
struct HostPieces {
  const void* kernel;
  void (*run)(const void* kernel, std::int64_t begin, std::int64_t end);
  std::int64_t tasks;
  std::int64_t piece;
  void operator()(std::int64_t i) const {
    const std::int64_t begin = i * piece;
    run(kernel, begin, begin + piece < tasks ? begin + piece : tasks);
  }
};

void run_pieces(const char* label, const HostPieces& pieces);

/// Runs kernel(task) for all tasks, and waits.
template <class Space, class Kernel>
void run_tasks(const char* label, std::int64_t tasks, const Kernel& kernel) {
  if (tasks == 0) return;
  if constexpr (std::is_same_v<Space, Kokkos::HostSpace>) {
    const auto run = [](const void* all, std::int64_t begin, std::int64_t end) {
      const Kernel local = *static_cast<const Kernel*>(all);
      for (std::int64_t task = begin; task < end; ++task) local(task);
    };
    run_pieces(label, {&kernel, run, tasks, 0});
  } else {
    using Exec = typename Space::execution_space;
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, tasks), kernel);
    Exec().fence(label);
  }
}

template <class Space, class T>
using Words = Kokkos::View<const T*, Space>;

/// A table in memory of `Space`; on a host the vector itself, which has to outlive it.
template <class Space, class T>
Words<Space, T> to_space(const std::vector<T>& values) {
  if constexpr (std::is_same_v<Space, Kokkos::HostSpace>) {
    return Words<Space, T>(values.data(), values.size());
  } else {
    const Kokkos::View<T*, Space> words(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:table"), values.size());
    Kokkos::deep_copy(words, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                                 values.data(), values.size()));
    return words;
  }
}

/// Entry e: the array of `dims` at in_offsets[e] goes to out_offsets[e]; zeros where in is
/// negative.
template <class Word, class Space>
struct StridedCopy {
  const Word* in;
  Word* out;
  Words<Space, std::int64_t> in_offsets;
  Words<Space, std::int64_t> out_offsets;
  CopyDims dims;
  std::int64_t lines;  // per entry

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t entry = lines == 1 ? task : task / lines;
    const CopyDim& inner = dims.inner();
    std::int64_t from = in_offsets(entry);
    std::int64_t to = out_offsets(entry);
    const bool empty = from < 0;
    dims.locate(task - entry * lines, from, to);
    for (std::int64_t i = 0; i < inner.extent; ++i) {
      out[to + i * inner.out] = empty ? Word{} : in[from + i * inner.in];
    }
  }
};

struct Word16 {
  std::uint64_t part[2];
};

template <class Word, class Space>
void copy_words(const void* in, void* out, const std::vector<std::int64_t>& in_offsets,
                const std::vector<std::int64_t>& out_offsets, const CopyDims& dims) {
  const std::int64_t lines = dims.outer_count();
  const auto entries = static_cast<std::int64_t>(in_offsets.size());
  const StridedCopy<Word, Space> copy{static_cast<const Word*>(in),
                                      static_cast<Word*>(out),
                                      to_space<Space>(in_offsets),
                                      to_space<Space>(out_offsets),
                                      dims,
                                      lines};
  if (dims.inner().extent == 0) return;
  run_tasks<Space>("kmap:collect:copy", entries * lines, copy);
}

/// The same for elements of `size` bytes.
template <class Space>
void strided_copy(std::size_t size, const void* in, void* out,
                  const std::vector<std::int64_t>& in_offsets,
                  const std::vector<std::int64_t>& out_offsets, const CopyDims& dims) {
  const auto copy = [&]<class Word>(Word) {
    copy_words<Word, Space>(in, out, in_offsets, out_offsets, dims);
  };
  switch (size) {
    case 1:
      return copy(std::uint8_t{});
    case 2:
      return copy(std::uint16_t{});
    case 4:
      return copy(std::uint32_t{});
    case 8:
      return copy(std::uint64_t{});
    default:
      return copy(Word16{});
  }
}

}  // namespace kmap::detail
