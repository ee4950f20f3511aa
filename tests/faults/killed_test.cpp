// A rank that is gone: the job must end at once, not at the time limit.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <thread>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;

// The process of a rank of the job of that config, found by its words and environment; 0 if none.
pid_t find_rank(const std::string& config, int rank) {
  std::error_code ignored;
  for (fs::directory_iterator entry("/proc", ignored), end; entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string words = content_of(entry->path() / "cmdline");
    if (words.find(config) == std::string::npos) continue;
    const std::string environment = '\0' + content_of(entry->path() / "environ");
    for (const char* variable : {"OMPI_COMM_WORLD_RANK=", "PMIX_RANK=", "PMI_RANK="}) {
      const std::string wanted = '\0' + (variable + std::to_string(rank)) + '\0';
      if (environment.find(wanted) != std::string::npos) return std::stoi(name);
    }
  }
  return 0;
}

class Killed : public JobFolder {
 protected:
  Killed() {
    Hdf5Writer(path("states.h5")).doubles("/initial", {1000, 3}, counting(3000));
    // Minutes of work.
    write("slow.yaml",
          "kernel: lorenz\nparams: {steps: 10000000}\ninputs: {initial: states.h5:/initial}\n"
          "outputs: out.h5\nrun: {memory: 480}\n");
  }

  // Ends one rank of three by a signal when the output is being written, and waits for the job.
  CommandResult run_and_kill(int rank, int signal) const {
    const std::string config = path("slow.yaml").string();
    CommandResult result;
    std::thread job([&] { result = kmap(3, {"run", config}); });
    pid_t process = 0;
    for (int i = 0; i < 1000 && process == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (fs::exists(path("out.h5.part"))) process = find_rank(config, rank);
    }
    EXPECT_NE(process, 0) << "the rank was not found";
    const auto start = std::chrono::steady_clock::now();
    if (process != 0) ::kill(process, signal);
    job.join();
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    for (int other = 0; other < 3; ++other) EXPECT_EQ(find_rank(config, other), 0) << "still there";
    return result;
  }
};

TEST_F(Killed, TheJobEndsSoon) {
  for (const int rank : {0, 2}) {
    const CommandResult result = run_and_kill(rank, SIGKILL);
    EXPECT_FALSE(result.timed_out) << result;
    EXPECT_NE(result.exit_code, 0) << result;
    EXPECT_FALSE(fs::exists(path("out.h5")));
  }
}

// What a killed job leaves does not stand in the way of the next one.
TEST_F(Killed, TheNextRunReplacesWhatIsLeft) {
  write("out.h5.part", "left by a killed job");
  const CommandResult result = kmap(2, {"run", "slow.yaml", "--set", "params.steps=1"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_TRUE(fs::exists(path("out.h5")));
  EXPECT_FALSE(fs::exists(path("out.h5.part")));
}

}  // namespace
}  // namespace kmap::test
