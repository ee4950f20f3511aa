#include "support/command.hpp"
#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kmap::test {
namespace {

using testing::HasSubstr;

TEST(LesserProcessor, IsRefusedBeforeAnythingElse) {
  const CommandResult result = run_command({PROGRAM});
  EXPECT_EQ(result.exit_code, 70) << result;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("lacks what this kmap was built for:"));
  EXPECT_THAT(result.err, testing::AnyOf(HasSubstr(" fma4"), HasSubstr(" avx512vbmi2")));
  EXPECT_THAT(result.err, HasSubstr("\n  remedy: build it with -DKMAP_ARCH=generic"));
}

}  // namespace
}  // namespace kmap::test
