// Who started this process, by invented environments.

#include "runtime/launcher.hpp"

#include "unit/runtime/variables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace kmap::test {
namespace {

using Variables = std::map<std::string, std::string>;

struct Case {
  const char* name;
  Variables variables;
  std::string variable;  // that tells of several processes, or empty
  long long processes;
};

void PrintTo(const Case& tested, std::ostream* stream) { *stream << tested.name; }

class FindLaunch : public testing::TestWithParam<Case> {};

TEST_P(FindLaunch, Says) {
  const auto launch = detail::find_launch(invented(GetParam().variables));
  if (GetParam().variable.empty()) {
    EXPECT_FALSE(launch) << launch->variable;
    return;
  }
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->variable, GetParam().variable);
  EXPECT_EQ(launch->processes, GetParam().processes);
}

const Variables srun = {
    {"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}};

Variables with(Variables variables, const Variables& more) {
  for (const auto& [name, value] : more) variables[name] = value;
  return variables;
}

INSTANTIATE_TEST_SUITE_P(
    All, FindLaunch,
    testing::Values(
        Case{"Nothing", {}, "", 0},
        Case{"OpenMpi", {{"OMPI_COMM_WORLD_SIZE", "3"}}, "OMPI_COMM_WORLD_SIZE=3", 3},
        Case{"OpenMpiAlone", {{"OMPI_COMM_WORLD_SIZE", "1"}, {"PMIX_RANK", "0"}}, "", 0},
        Case{"Hydra", {{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}, "PMI_SIZE=2", 2},
        Case{"HydraOfTheNode", {{"MPI_LOCALNRANKS", "8"}}, "MPI_LOCALNRANKS=8", 8},
        Case{"Mvapich", {{"MV2_COMM_WORLD_SIZE", "5"}}, "MV2_COMM_WORLD_SIZE=5", 5},
        Case{"NoNumber", {{"PMI_SIZE", "many"}, {"MPI_LOCALNRANKS", "-2"}}, "", 0},
        Case{"PmixRank", {{"PMIX_RANK", "3"}}, "PMIX_RANK=3", 4},
        Case{"PmixRankZero", {{"PMIX_RANK", "0"}}, "", 0},
        Case{"Srun", srun, "SLURM_STEP_NUM_TASKS=4", 4},
        Case{"SrunOfOneInALargerJob",
             with(srun, {{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_NTASKS", "4"}}), "", 0},
        Case{"OldSrun",
             {{"SLURM_STEPID", "0"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}},
             "SLURM_NTASKS=4",
             4},
        Case{"BatchScript", {{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}}, "", 0},
        Case{"BatchStepByName",
             {{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_ID", "batch"}},
             "",
             0},
        Case{"BatchStepByNumber",
             {{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_ID", "4294967291"}},
             "",
             0},
        Case{"InteractiveStep",
             {{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_ID", "4294967290"}},
             "",
             0},
        Case{"MpirunOfOneInAStep", with(srun, {{"OMPI_COMM_WORLD_SIZE", "1"}}), "", 0}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(IsLaunched, ByMpirunAndSrunOnly) {
  EXPECT_FALSE(detail::is_launched(invented({})));
  EXPECT_FALSE(detail::is_launched(invented({{"PMIX_RANK", "0"}})))
      << "a singleton of Open MPI sets it for itself";
  EXPECT_FALSE(detail::is_launched(invented({{"SLURM_PROCID", "0"}}))) << "a batch script";
  EXPECT_TRUE(detail::is_launched(invented({{"OMPI_COMM_WORLD_RANK", "0"}})));
  EXPECT_TRUE(detail::is_launched(invented({{"PMI_RANK", "0"}})));
  EXPECT_TRUE(detail::is_launched(invented(srun)));
}

TEST(WrongLaunch, NamesTheVariableAndTheMpi) {
  const auto wrong = detail::wrong_launch({"PMI_SIZE=2", 2}, "Open MPI v5");
  EXPECT_THAT(wrong.message, testing::HasSubstr("PMI_SIZE=2 says that at least 2 were started"));
  EXPECT_THAT(wrong.message, testing::HasSubstr("Open MPI v5"));
  EXPECT_THAT(wrong.remedy, testing::HasSubstr("srun --mpi=pmix"));
}

TEST(ParseCount, TakesWholeNumbersOnly) {
  EXPECT_EQ(detail::parse_count("0"), 0);
  EXPECT_EQ(detail::parse_count("4294967291"), 4294967291);
  for (const char* text :
       {"", "-1", "-0", "+1", " 1", "1 ", "1x", "x", "1.5", "99999999999999999999"})
    EXPECT_EQ(detail::parse_count(text), std::nullopt) << text;
}

}  // namespace
}  // namespace kmap::test
