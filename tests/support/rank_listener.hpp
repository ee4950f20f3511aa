#pragma once
// Shows the failures of all ranks through rank 0.

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <vector>

namespace kmap::test {

// Replaces GoogleTest's printer when there are several ranks: rank 0 alone prints, one line a test
// and every failure as
// `[rank i/N] file:line: message`. The ranks meet after every test. A rank with a failure that
// waits for the others in vain (they are stuck in a collective call that it left) prints its
// failures itself and ends the job.
class RankListener : public ::testing::EmptyTestEventListener {
 public:
  explicit RankListener(MPI_Comm comm);
  ~RankListener() override;

  // Whether any rank failed so far; equal on all ranks.
  bool any_failure() const { return failed_tests_ > 0; }

  void OnTestPartResult(const ::testing::TestPartResult& result) override;
  void OnTestStart(const ::testing::TestInfo& test) override;
  void OnTestEnd(const ::testing::TestInfo& test) override;
  void OnTestProgramEnd(const ::testing::UnitTest& unit_test) override;

 private:
  void meet();
  void gather_and_print(const std::string& name, bool skipped);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::string failures_;  // of this rank, since the last meeting
  int tests_ = 0;
  int skipped_ = 0;
  int failed_tests_ = 0;
  std::vector<std::string> failed_names_;
};

}  // namespace kmap::test
