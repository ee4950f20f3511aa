#pragma once
// Examples that lie interleaved in memory (columns of a row-major matrix), made contiguous a few at
// a time: one by one, each would fetch whole cache lines for single elements, and again for the
// next.

#include "kmap/detail/operand.hpp"
#include "kmap/detail/stream.hpp"
#include "kmap/detail/transpose.hpp"
#include "kmap/example.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap::detail {

/// Copies of the inputs of `length` examples at a time, in a thread's own memory.
template <class Body, class Ins = decltype(Body::ins)>
class Tiles;

template <class Body, class... In>
class Tiles<Body, std::tuple<In...>> {
  using Sequence = std::index_sequence_for<In...>;

 public:
  /// Examples per tile: eight cache lines of the smallest elements.
  static constexpr std::int64_t length = [] {
    std::size_t smallest = cache_line;
    ((In::rank > 0 ? smallest = std::min(smallest, sizeof(typename In::value_type)) : 0), ...);
    return static_cast<std::int64_t>(8 * cache_line / smallest);
  }();

  /// True if some input of `body`, this one or what it is a line of, gains by it when it is mapped
  /// along the level `last`.
  template <class Whole>
  static bool pay(const Whole& body, int last) {
    return std::apply([&](const auto&... in) { return (pays(in, last) || ...); }, body.ins);
  }

  /// `body` with the inputs that gain copied, for `count` (at most `length`) examples from `at` on;
  /// these are then its examples from 0 on.
  Body fill(const Body& body, typename Body::Offsets& at, int last, std::int64_t count) {
    Body tiled = body;
    fill_all(tiled, at, last, count, Sequence{});
    return tiled;
  }

 private:
  // Smaller ones are loaded element by element anyway, and vectorised over examples as they lie;
  // larger ones would not stay in the cache.
  static constexpr std::int64_t least_elements = 32;
  static constexpr std::int64_t most_bytes = std::int64_t{256} << 10;

  template <class T, int Rank, int Levels>
  static std::int64_t elements(const Operand<T, Rank, true, Levels>& in) {
    std::int64_t n = 1;
    for (int d = 0; d < Rank; ++d) n *= in.extents[d];
    return n;
  }

  template <class T, int Rank, int Levels>
  static bool pays(const Operand<T, Rank, true, Levels>& in, int last) {
    if constexpr (Rank == 0) {
      return false;
    } else {
      const std::int64_t n = elements(in);
      const auto bytes = static_cast<std::int64_t>(sizeof(T));
      if (n < least_elements || n * bytes * length > most_bytes) return false;
      // Neighbours share cache lines, elements of one example do not.
      if (in.batch[last] * bytes >= static_cast<std::int64_t>(cache_line)) return false;
      for (int d = 0; d < Rank; ++d) {
        if (in.extents[d] > 1 && in.strides[d] <= in.batch[last]) return false;
      }
      return true;
    }
  }
  template <class Other>
  static bool pays(const Other&, int) {
    return false;
  }

  template <std::size_t... I>
  void fill_all(Body& tiled, typename Body::Offsets& at, int last, std::int64_t count,
                std::index_sequence<I...>) {
    (fill_one(std::get<I>(tiled.ins), std::get<I>(memory_), at.in[static_cast<int>(I)], last,
              count),
     ...);
  }

  template <class T, int Rank, int Levels, class Memory>
    requires(Rank > 0)
  static void fill_one(Operand<T, Rank, true, Levels>& in, Memory& memory, std::int64_t& offset,
                       int last, std::int64_t count) {
    if (!pays(in, last)) return;
    using Value = std::remove_const_t<T>;
    constexpr auto line = static_cast<std::int64_t>(cache_line / sizeof(T));
    // An odd number of lines, so that the examples do not compete for the same places of the cache.
    const std::int64_t step = ((elements(in) + line - 1) / line | 1) * line;
    if (!memory)
      memory = std::make_unique_for_overwrite<Value[]>(static_cast<std::size_t>(step * length));
    copy_rows(in, in.data + offset, memory.get(), in.batch[last], step, count,
              std::make_index_sequence<static_cast<std::size_t>(Rank - 1)>{});
    in.data = memory.get();
    in.batch[last] = step;
    std::int64_t stride = 1;
    for (int d = Rank - 1; d >= 0; --d) {
      in.strides[d] = stride;
      stride *= in.extents[d];
    }
    offset = 0;
  }
  // By rows of the example, its last dimension.
  template <class T, int Rank, int Levels, std::size_t... D>
  static void copy_rows(const Operand<T, Rank, true, Levels>& in, T* from,
                        std::remove_const_t<T>* to, std::int64_t between, std::int64_t step,
                        std::int64_t count, std::index_sequence<D...>) {
    const Extents<Rank - 1> outer = {{in.extents[static_cast<int>(D)]...}};
    const Example<T, Rank - 1> heads(from, outer, {{in.strides[static_cast<int>(D)]...}});
    const std::int64_t row = in.extents[Rank - 1];
    for_each_index<Rank - 1>(outer, [&](auto... index) {
      copy_row(&heads(index...), in.strides[Rank - 1], row, to, between, step, count);
      to += row;
    });
  }

  template <class T>
  static void copy_row(T* from, std::int64_t stride, std::int64_t row, std::remove_const_t<T>* to,
                       std::int64_t between, std::int64_t step, std::int64_t count) {
    if constexpr (transposes<T>) {
      if (between == 1 && count % transposed == 0) {
        const std::int64_t whole = row / transposed * transposed;
        for (std::int64_t e = 0; e < whole; e += transposed) {
          for (std::int64_t j = 0; j < count; j += transposed) {
            transpose_block(from + e * stride + j, stride, to + e + j * step, step);
          }
        }
        from += whole * stride;
        to += whole;
        row -= whole;
      }
    }
    for (std::int64_t e = 0; e < row; ++e) {
      for (std::int64_t j = 0; j < count; ++j) to[e + j * step] = from[e * stride + j * between];
    }
  }

  template <class Other, class Memory>
  static void fill_one(Other&, Memory&, std::int64_t&, int, std::int64_t) {}

  std::tuple<std::unique_ptr<typename In::value_type[]>...> memory_;
};

}  // namespace kmap::detail
