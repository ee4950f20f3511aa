#include "collect/exchange.hpp"

#include "runtime/message_pieces.hpp"

#include <climits>

#include <cstring>
#include <numeric>

namespace kmap::detail {

namespace {

constexpr int tag = 1;

/// Requests under way, all of which are waited for, also where an error ends their making.
class Requests {
 public:
  Requests() = default;
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;
  ~Requests() {
    if (!requests_.empty()) {
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    }
  }

  MPI_Request* next() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  void wait() {
    const int code =
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
    check_mpi(code, "MPI_Waitall");
  }

 private:
  std::vector<MPI_Request> requests_;
};

}  // namespace

void exchange(const Communicator& comm, const std::byte* send, const std::vector<std::size_t>& sent,
              std::byte* receive, const std::vector<std::size_t>& received) {
  Requests requests;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const auto mine = static_cast<std::size_t>(comm.rank());
  std::size_t begin = 0;
  std::size_t own_receive = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == mine) {
      own_receive = begin;
    } else {
      for_each_piece(received[r], [&](std::size_t offset, int size) {
        check_mpi(MPI_Irecv(receive + begin + offset, size, MPI_BYTE, static_cast<int>(r), tag,
                            comm.get(), requests.next()),
                  "MPI_Irecv");
      });
    }
    begin += received[r];
  }
  begin = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == mine) {
      if (sent[r] > 0) std::memcpy(receive + own_receive, send + begin, sent[r]);
    } else {
      for_each_piece(sent[r], [&](std::size_t offset, int size) {
        check_mpi(MPI_Isend(send + begin + offset, size, MPI_BYTE, static_cast<int>(r), tag,
                            comm.get(), requests.next()),
                  "MPI_Isend");
      });
    }
    begin += sent[r];
  }
  requests.wait();
}

void gather_all(const Communicator& comm, const std::byte* mine,
                const std::vector<std::size_t>& sizes, std::byte* all) {
  const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  const auto rank = static_cast<std::size_t>(comm.rank());
  if (total <= static_cast<std::size_t>(INT_MAX)) {
    std::vector<int> counts(sizes.begin(), sizes.end());
    std::vector<int> starts(sizes.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, starts.begin() + 1);
    check_mpi(MPI_Allgatherv(mine, counts[rank], MPI_BYTE, all, counts.data(), starts.data(),
                             MPI_BYTE, comm.get()),
              "MPI_Allgatherv");
    return;
  }
  std::size_t begin = 0;
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    if (r == rank && sizes[r] > 0) std::memcpy(all + begin, mine, sizes[r]);
    comm.broadcast(all + begin, sizes[r], static_cast<int>(r));
    begin += sizes[r];
  }
}

}  // namespace kmap::detail
