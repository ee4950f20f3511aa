#pragma once
/// \file
/// An MPI communicator that is owned, checked, and able to bring errors of one rank to all.

#include "kmap/error.hpp"

#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kmap {

/// Throws RuntimeError if an MPI call failed. `call` is its name, for the message.
void check_mpi(int code, const char* call);

/// Owns a duplicate of an MPI communicator, so that kmap's messages never meet those of other
/// libraries. Its errors are returned, not fatal. Movable; must die before MPI_Finalize.
class Communicator {
 public:
  /// Duplicates `other`. Collective over it.
  explicit Communicator(MPI_Comm other);
  ~Communicator();
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  MPI_Comm get() const noexcept { return comm_; }
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  bool is_root() const noexcept { return rank_ == 0; }

  /// The ranks that share this rank's memory (its node). Collective.
  Communicator split_by_node() const;

  /// Some of the ranks, in the given order: a communicator whose rank i is `ranks[i]` of this one,
  /// or nothing on ranks that are not listed. `ranks` is the same on all ranks. Collective; a rank
  /// that is listed twice or does not exist is an Error on all ranks.
  std::optional<Communicator> select(const std::vector<int>& ranks) const;

  void barrier() const;
  /// Bytes of `root` to all. Collective; `bytes` must agree, any size.
  void broadcast(void* data, std::size_t bytes, int root = 0) const;
  /// The text of `root`, on every rank. Collective.
  std::string broadcast(const std::string& text, int root = 0) const;
  /// Collective.
  long long max(long long value) const;
  long long sum(long long value) const;

 private:
  void release() noexcept;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

namespace detail {

/// What one rank brings to an agreement: nothing, or the error that it caught.
struct Failure {
  ExitCode code;
  std::string message;
  bool is_shape_error = false;  ///< the agreed error is a ShapeError again
};

/// The failure that the exception being handled stands for. Call only in a catch block.
Failure current_failure();

/// Returns if no rank failed; otherwise all ranks throw the failure of the lowest rank that has
/// one. Collective.
void agree(const Communicator& comm, const std::optional<Failure>& mine);

}  // namespace detail

/// Runs `work` on every rank. If it throws on any of them, every rank throws one and the same
/// agreed Error (that of the lowest failing rank). `work` must not be left waiting by a rank that
/// threw: collective calls inside it have to be reached or not by all. Collective.
template <std::invocable Work>
auto agreed(const Communicator& comm, Work&& work) {
  using Result = std::invoke_result_t<Work>;
  std::optional<detail::Failure> failure;
  if constexpr (std::is_void_v<Result>) {
    try {
      work();
    } catch (...) {
      failure = detail::current_failure();
    }
    detail::agree(comm, failure);
  } else {
    std::optional<Result> result;
    try {
      result.emplace(work());
    } catch (...) {
      failure = detail::current_failure();
    }
    detail::agree(comm, failure);
    return std::move(*result);
  }
}

/// Runs `work` on rank 0 alone and gives its text to every rank; an exception there becomes the
/// same agreed Error everywhere. For what only one rank should do: look at files, read the config.
/// Collective.
template <std::invocable Work>
std::string on_root(const Communicator& comm, Work&& work) {
  std::string text;
  agreed(comm, [&] {
    if (!comm.is_root()) return;
    if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
      work();
    } else {
      text = work();
    }
  });
  return comm.broadcast(text);
}

}  // namespace kmap
