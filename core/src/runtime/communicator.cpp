#include "kmap/communicator.hpp"

#include "runtime/message_pieces.hpp"

#include <climits>

#include <algorithm>
#include <array>

namespace kmap {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  throw RuntimeError(std::string(call) + " failed: " + std::string(text.data(), length));
}

Communicator::Communicator(MPI_Comm other) {
  check_mpi(MPI_Comm_dup(other, &comm_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

Communicator::~Communicator() { release(); }

Communicator::Communicator(Communicator&& other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)), rank_(other.rank_), size_(other.size_) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  if (this != &other) {
    release();
    comm_ = std::exchange(other.comm_, MPI_COMM_NULL);
    rank_ = other.rank_;
    size_ = other.size_;
  }
  return *this;
}

void Communicator::release() noexcept {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

Communicator Communicator::split_by_node() const {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
            "MPI_Comm_split_type");
  Communicator result(node);
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  return result;
}

namespace {

std::string list_of(const std::vector<int>& ranks) {
  std::string text = "{";
  for (const int rank : ranks) text += (text.size() > 1 ? ", " : "") + std::to_string(rank);
  return text + "}";
}

// The place of `rank` in the list, or -1.
int place_in(const std::vector<int>& ranks, int rank) {
  const auto found = std::find(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() ? -1 : static_cast<int>(found - ranks.begin());
}

void check_selection(const std::vector<int>& ranks, int size) {
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const bool exists = ranks[i] >= 0 && ranks[i] < size;
    if (exists && place_in(ranks, ranks[i]) == static_cast<int>(i)) continue;
    throw RuntimeError("cannot select ranks " + list_of(ranks) + ": rank " +
                           std::to_string(ranks[i]) +
                           (exists ? " is listed twice" : " does not exist") + ", there are " +
                           std::to_string(size) + " ranks",
                       "list different ranks from 0 to " + std::to_string(size - 1));
  }
}

// MPI would hang or fail somewhere later where ranks ask for different things.
void check_same_selection(const Communicator& comm, const std::vector<int>& ranks) {
  const std::string mine = list_of(ranks);
  const std::string wanted = comm.broadcast(mine);
  agreed(comm, [&] {
    if (mine == wanted) return;
    throw RuntimeError("cannot select ranks: rank " + std::to_string(comm.rank()) + " gives " +
                           mine + ", rank 0 gives " + wanted,
                       "give the same list on all ranks");
  });
}

}  // namespace

std::optional<Communicator> Communicator::select(const std::vector<int>& ranks) const {
  check_same_selection(*this, ranks);
  check_selection(ranks, size_);
  const int place = place_in(ranks, rank_);
  MPI_Comm selected = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(comm_, place < 0 ? MPI_UNDEFINED : 0, place, &selected),
            "MPI_Comm_split");
  if (place < 0) return std::nullopt;
  std::optional<Communicator> result(std::in_place, selected);
  check_mpi(MPI_Comm_free(&selected), "MPI_Comm_free");
  return result;
}

void Communicator::barrier() const { check_mpi(MPI_Barrier(comm_), "MPI_Barrier"); }

void Communicator::broadcast(void* data, std::size_t bytes, int root) const {
  auto* begin = static_cast<char*>(data);
  detail::for_each_piece(bytes, [&](std::size_t offset, int size) {
    check_mpi(MPI_Bcast(begin + offset, size, MPI_BYTE, root, comm_), "MPI_Bcast");
  });
}

std::string Communicator::broadcast(const std::string& text, int root) const {
  std::size_t size = text.size();
  broadcast(&size, sizeof size, root);
  std::string result = rank_ == root ? text : std::string(size, '\0');
  broadcast(result.data(), size, root);
  return result;
}

long long Communicator::max(long long value) const {
  long long result = 0;
  check_mpi(MPI_Allreduce(&value, &result, 1, MPI_LONG_LONG, MPI_MAX, comm_), "MPI_Allreduce");
  return result;
}

long long Communicator::sum(long long value) const {
  long long result = 0;
  check_mpi(MPI_Allreduce(&value, &result, 1, MPI_LONG_LONG, MPI_SUM, comm_), "MPI_Allreduce");
  return result;
}

namespace detail {

Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.code(), error.what(), dynamic_cast<const ShapeError*>(&error) != nullptr};
  } catch (const std::bad_alloc&) {
    return {ExitCode::internal,
            "out of memory\n  remedy: lower run.memory, or use fewer ranks on a node"};
  } catch (const std::exception& error) {
    return {ExitCode::internal, error.what()};
  } catch (...) {
    return {ExitCode::internal, "an exception of unknown type"};
  }
}

void agree(const Communicator& comm, const std::optional<Failure>& mine) {
  int failing = mine ? comm.rank() : INT_MAX;
  int first = INT_MAX;
  check_mpi(MPI_Allreduce(&failing, &first, 1, MPI_INT, MPI_MIN, comm.get()), "MPI_Allreduce");
  if (first == INT_MAX) return;
  std::array<int, 2> kind = {mine ? static_cast<int>(mine->code) : 0,
                             mine && mine->is_shape_error ? 1 : 0};
  comm.broadcast(kind.data(), sizeof kind, first);
  const std::string message = comm.broadcast(mine ? mine->message : std::string(), first);
  if (kind[1] != 0) throw ShapeError::agreed_by_all(message, first);
  throw Error::agreed_by_all(static_cast<ExitCode>(kind[0]), message, first);
}

}  // namespace detail

}  // namespace kmap
