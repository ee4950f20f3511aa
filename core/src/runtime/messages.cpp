#include "kmap/dist_array.hpp"

#include <algorithm>

namespace kmap::detail {

namespace {

constexpr std::size_t max_message = std::size_t{1} << 30;
constexpr int tag = 0;

// Calls action(offset, bytes) for pieces of at most 1 GiB.
template <class Action>
void for_each_piece(std::size_t bytes, const Action& action) {
  for (std::size_t done = 0; done < bytes; done += max_message) {
    action(done, static_cast<int>(std::min(max_message, bytes - done)));
  }
}

}  // namespace

void send_bytes(const Communicator& comm, const void* data, std::size_t bytes, int to) {
  const auto* begin = static_cast<const char*>(data);
  for_each_piece(bytes, [&](std::size_t offset, int size) {
    check_mpi(MPI_Send(begin + offset, size, MPI_BYTE, to, tag, comm.get()), "MPI_Send");
  });
}

void receive_bytes(const Communicator& comm, void* data, std::size_t bytes, int from) {
  auto* begin = static_cast<char*>(data);
  for_each_piece(bytes, [&](std::size_t offset, int size) {
    check_mpi(MPI_Recv(begin + offset, size, MPI_BYTE, from, tag, comm.get(), MPI_STATUS_IGNORE),
              "MPI_Recv");
  });
}

}  // namespace kmap::detail
