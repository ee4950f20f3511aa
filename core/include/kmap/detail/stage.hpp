#pragma once
// A block of results in a thread's own memory, on its way to the outputs.

#include "kmap/detail/call.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/stream.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap::detail {

/// Examples per block: what is done once per block then takes no time, and a block of results stays
/// in the first cache.
inline constexpr std::int64_t block_length = 1024;

/// The same for results that go past the caches: so few that memory and processor take turns often,
/// and each goes on with the one's work while the other is at the next's.
inline constexpr std::int64_t stream_length = 256;

/// True if stores of T may change any variable, by the rules of the language.
template <class T>
inline constexpr bool is_byte = sizeof(T) == 1 && !std::is_same_v<T, bool>;

template <class Body, class Outs = decltype(Body::outs)>
class StageFor;

/// For functions that return scalars; others write to their outputs themselves.
template <class Body, class... Out>
class StageFor<Body, std::tuple<Out...>> {
  using Sequence = std::index_sequence_for<Out...>;
  // Below this the outputs may be wanted from a cache soon.
  static constexpr std::int64_t least_bytes = std::int64_t{32} << 20;

 public:
  /// Whether results can take this way: unit strides are for the caller to check.
  static constexpr bool possible = Body::template CallOf<>::form == Form::returns &&
                                   sizeof...(Out) > 0 && ((Out::rank == 0) && ...);
  /// Stores of bytes would make the compiler forget what it knows of the loop.
  static constexpr bool always = possible && (is_byte<typename Out::value_type> || ...);

  /// Whether so many examples in all are worth it.
  static bool pays([[maybe_unused]] std::int64_t examples) {
    if constexpr (!possible || !can_stream) return false;
    constexpr auto bytes = static_cast<std::int64_t>((sizeof(typename Out::value_type) + ... + 0));
    return examples >= least_bytes / bytes;
  }

  /// `body` with its outputs here.
  Body instead_of(const Body& body) {
    Body staged = body;
    if constexpr (possible) set_outputs(staged, Sequence{});
    return staged;
  }

  /// Length of the block that begins `done` examples after `start`: such that the next one begins a
  /// cache line of the first output.
  std::int64_t block(const Body& body, const typename Body::Offsets& start, std::int64_t done,
                     bool streams) const {
    if constexpr (possible) {
      const auto* next = std::get<0>(body.outs).data + start.out[0] + done;
      const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(next) %
                                                  cache_line / sizeof(*next));
      return (streams ? stream_length : block_length) - past;
    } else {
      return block_length;
    }
  }

  /// Copies a block of `length` results to the outputs, `done` examples after `start`.
  void flush(const Body& body, const typename Body::Offsets& start, std::int64_t done,
             std::int64_t length, bool streams) const {
    if constexpr (possible) {
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        (flush_one < K == 0 > (std::get<K>(results_),
                               std::get<K>(body.outs).data + start.out[static_cast<int>(K)] + done,
                               length, streams, Next{body, start, done + length}),
         ...);
      }(Sequence{});
    }
  }

 private:
  template <class T>
  struct alignas(cache_line) Block {
    T value[block_length];
    Block() {}  // NOLINT: nothing is read that was not written
  };

  template <std::size_t... K>
  void set_outputs(Body& staged, std::index_sequence<K...>) {
    ((std::get<K>(staged.outs).data = std::get<K>(results_).value), ...);
  }

  /// The inputs of the examples that follow: memory would be idle in one direction while results go
  /// out, so these come in at the same time.
  struct Next {
    const Body& body;
    const typename Body::Offsets& start;
    std::int64_t first;

    /// Those of `count` examples, `skipped` after the first.
    void prefetch_examples(std::int64_t skipped, std::int64_t count) const {
      int i = 0;
      std::apply([&](const auto&... in) { (one(in, start.in[i++], skipped, count), ...); },
                 body.ins);
    }

   private:
    template <class T, int Levels>
    void one(const Operand<T, 0, true, Levels>& in, std::int64_t offset, std::int64_t skipped,
             std::int64_t count) const {
      const auto elements = static_cast<std::uintptr_t>(offset + first + skipped);
      prefetch(reinterpret_cast<std::uintptr_t>(in.data) + elements * sizeof(T),
               static_cast<std::size_t>(count) * sizeof(T));
    }
    template <class Other>
    void one(const Other&, std::int64_t, std::int64_t, std::int64_t) const {}
  };

  template <bool Prefetches, class T>
  static void flush_one(const Block<T>& from, T* to, std::int64_t length, bool streams,
                        const Next& next) {
    const std::size_t bytes = static_cast<std::size_t>(length) * sizeof(T);
    if (streams) {
      stream(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from.value),
             bytes, [&](std::size_t at) {
               constexpr auto per_line = static_cast<std::int64_t>(cache_line / sizeof(T));
               if constexpr (Prefetches) {
                 next.prefetch_examples(static_cast<std::int64_t>(at / sizeof(T)), per_line);
               }
             });
    } else {
      std::memcpy(static_cast<void*>(to), from.value, bytes);
    }
  }

  struct Nothing {
    Nothing() {}  // NOLINT: as Block
  };
  std::conditional_t<possible, std::tuple<Block<typename Out::value_type>...>, Nothing> results_;
};

}  // namespace kmap::detail
