#include "support/rank_listener.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace kmap::test {

namespace {

// How long a failed rank waits for the others. A test that lets ranks drift apart this far is
// stuck.
std::chrono::seconds patience() {
  const char* given = std::getenv("KMAP_TEST_PATIENCE");
  return std::chrono::seconds(given != nullptr ? std::atoi(given) : 20);
}

}  // namespace

RankListener::RankListener(MPI_Comm comm) {
  MPI_Comm_dup(comm, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

RankListener::~RankListener() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&comm_);
}

void RankListener::OnTestPartResult(const ::testing::TestPartResult& result) {
  if (!result.failed()) return;
  failures_ += "[rank " + std::to_string(rank_) + "/" + std::to_string(size_) + "] ";
  if (result.file_name() != nullptr) {
    failures_ +=
        std::string(result.file_name()) + ":" + std::to_string(result.line_number()) + ": ";
  }
  failures_ += std::string(result.message()) + "\n";
}

void RankListener::OnTestStart(const ::testing::TestInfo& test) {
  if (rank_ == 0) std::printf("[ RUN      ] %s.%s\n", test.test_suite_name(), test.name());
  std::fflush(stdout);
}

void RankListener::OnTestEnd(const ::testing::TestInfo& test) {
  meet();
  gather_and_print(std::string(test.test_suite_name()) + "." + test.name(),
                   test.result()->Skipped());
}

// A failure outside of a test (an environment's, a suite's set-up) is shown here.
void RankListener::OnTestProgramEnd(const ::testing::UnitTest& /*unit_test*/) {
  meet();
  int any = failures_.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm_);
  if (any != 0) gather_and_print("outside of the tests", false);
  if (rank_ != 0) return;
  std::printf("%d tests on %d ranks, %d skipped, %d failed\n", tests_, size_, skipped_,
              failed_tests_);
  for (const std::string& name : failed_names_) std::printf("[  FAILED  ] %s\n", name.c_str());
  std::fflush(stdout);
}

void RankListener::meet() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm_, &request);
  const auto start = std::chrono::steady_clock::now();
  int done = 0;
  while (true) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (!failures_.empty() && std::chrono::steady_clock::now() - start > patience()) {
      std::fprintf(stderr, "%s[rank %d/%d] other ranks are stuck since; the job is ended\n",
                   failures_.c_str(), rank_, size_);
      MPI_Abort(comm_, 1);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void RankListener::gather_and_print(const std::string& name, bool skipped) {
  const int length = static_cast<int>(failures_.size());
  std::vector<int> lengths(static_cast<std::size_t>(size_));
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm_);
  std::vector<int> offsets(static_cast<std::size_t>(size_));
  int total = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    offsets[i] = total;
    total += lengths[i];
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  MPI_Gatherv(failures_.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(),
              MPI_CHAR, 0, comm_);
  failures_.clear();

  ++tests_;
  if (total > 0) {
    ++failed_tests_;
    failed_names_.push_back(name);
  } else if (skipped) {
    ++skipped_;
  }
  if (rank_ != 0) return;
  const char* verdict = total > 0 ? "  FAILED  " : skipped ? "  SKIPPED " : "       OK ";
  std::printf("%s[%s] %s\n", all.c_str(), verdict, name.c_str());
  std::fflush(stdout);
}

}  // namespace kmap::test
