#pragma once
/// \file
/// Errors of kmap: one base class that carries the exit code of the command, and a type per kind of
/// misuse. Messages say what is wrong and where (file, key, line, dataset, axis, rank); the remedy
/// is a part of its own, so that a program can show it apart.

#include <stdexcept>
#include <string>
#include <utility>

namespace kmap {

/// Exit codes of the `kmap` command: those of sysexits.h, so that scripts can tell the kinds apart.
enum class ExitCode : int {
  ok = 0,
  usage = 64,          ///< wrong command line
  bad_data = 65,       ///< an input that cannot be used: shape, type, content
  no_input = 66,       ///< an input file or dataset that is missing or unreadable
  internal = 70,       ///< a fault of kmap itself, of MPI or of Kokkos
  cannot_create = 73,  ///< an output that exists or cannot be made
  io_error = 74,       ///< reading or writing failed midway
  stopped = 75,        ///< stopped early, can be resumed
  bad_config = 78      ///< a mistake in the run config
};

/// Base of all exceptions that kmap throws on purpose.
class Error : public std::runtime_error {
 public:
  /// `message`: what is wrong and where. `remedy`: what the reader can do about it, or empty.
  Error(ExitCode code, const std::string& message, const std::string& remedy = {})
      : std::runtime_error(remedy.empty() ? message : message + "\n  remedy: " + remedy),
        code_(code) {}

  ExitCode code() const noexcept { return code_; }

  /// True if every rank of the communicator throws this same error at the same place, so that all
  /// can leave in order. An error that is not agreed must end the job by MPI_Abort.
  bool agreed() const noexcept { return agreed_; }

  /// The rank where an agreed error arose, or -1 if the error concerns all ranks alike.
  int rank() const noexcept { return rank_; }

  /// The same error, marked as thrown by all ranks.
  static Error agreed_by_all(ExitCode code, const std::string& full_message, int rank) {
    Error error(code, full_message);
    error.mark_agreed(rank);
    return error;
  }

 protected:
  void mark_agreed(int rank) {
    agreed_ = true;
    rank_ = rank;
  }

 private:
  ExitCode code_;
  bool agreed_ = false;
  int rank_ = -1;
};

/// Shapes or axes that do not fit: of arguments to each other, to the function or to the outputs.
class ShapeError : public Error {
 public:
  explicit ShapeError(const std::string& message, const std::string& remedy = {})
      : Error(ExitCode::bad_data, message, remedy) {}

  /// The same error, marked as thrown by all ranks.
  static ShapeError agreed_by_all(const std::string& full_message, int rank) {
    ShapeError error(full_message);
    error.mark_agreed(rank);
    return error;
  }
};

/// A mistake in the run config or in an option that stands for a part of it.
class ConfigError : public Error {
 public:
  explicit ConfigError(const std::string& message, const std::string& remedy = {})
      : Error(ExitCode::bad_config, message, remedy) {}
};

/// A failing call of MPI, or a wrong set-up of ranks and devices.
class RuntimeError : public Error {
 public:
  explicit RuntimeError(const std::string& message, const std::string& remedy = {})
      : Error(ExitCode::internal, message, remedy) {}
};

}  // namespace kmap
