#include "runtime/colour.hpp"

#include "unit/runtime/variables.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

TEST(Colours, AreForTerminals) {
  const auto plain = invented({{"TERM", "xterm"}});
  EXPECT_TRUE(detail::colours_allowed(true, plain));
  EXPECT_FALSE(detail::colours_allowed(false, plain));
}

TEST(Colours, AreForbiddenByVariables) {
  EXPECT_FALSE(detail::colours_allowed(true, invented({{"TERM", "xterm"}, {"NO_COLOR", "1"}})));
  EXPECT_TRUE(detail::colours_allowed(true, invented({{"TERM", "xterm"}, {"NO_COLOR", ""}})));
  EXPECT_FALSE(detail::colours_allowed(true, invented({{"TERM", "dumb"}})));
  EXPECT_FALSE(detail::colours_allowed(true, invented({})));
}

TEST(Colours, AreNotForThePseudoTerminalsOfMpirun) {
  EXPECT_FALSE(
      detail::colours_allowed(true, invented({{"TERM", "xterm"}, {"OMPI_COMM_WORLD_RANK", "0"}})));
}

TEST(ErrorText, ColoursItsLabelsAlone) {
  const std::string message = "what is wrong\n  remedy: do this";
  EXPECT_EQ(detail::error_text(message, "", false), "kmap: what is wrong\n  remedy: do this\n");
  EXPECT_EQ(detail::error_text(message, "[rank 1/2]", false),
            "kmap: [rank 1/2] what is wrong\n  remedy: do this\n");
  EXPECT_EQ(detail::error_text(message, "", true),
            "\x1b[1;31mkmap:\x1b[0m what is wrong\n  \x1b[1;32mremedy:\x1b[0m do this\n");
  EXPECT_EQ(detail::error_text("no remedy: none", "", true),
            "\x1b[1;31mkmap:\x1b[0m no remedy: none\n");
}

}  // namespace
}  // namespace kmap::test
