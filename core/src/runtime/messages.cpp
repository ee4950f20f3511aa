#include "runtime/message_pieces.hpp"

#include "kmap/dist_array.hpp"

namespace kmap::detail {

namespace {

constexpr int tag = 0;

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
