#include "runtime/nearest.hpp"

#include <gtest/gtest.h>

namespace kmap::detail {
namespace {

using Names = std::vector<std::string>;

TEST(Nearest, FindsTypingMistakes) {
  const Names keys = {"file", "dataset", "slice", "in_axis", "dtype"};
  EXPECT_EQ(nearest("slize", keys), "slice");
  EXPECT_EQ(nearest("datset", keys), "dataset");
  EXPECT_EQ(nearest("flie", keys), "file") << "neighbours swapped";
  EXPECT_EQ(nearest("DType", keys), "dtype") << "case";
  EXPECT_EQ(nearest("files", keys), "file");
  EXPECT_EQ(nearest("axis", keys), "");
  EXPECT_EQ(nearest("data", keys), "dataset") << "the beginning";
  EXPECT_EQ(nearest("in_axes", keys), "in_axis");
}

TEST(Nearest, GivesNothingIfNothingIsNear) {
  EXPECT_EQ(nearest("compression", {"path", "dtype"}), "");
  EXPECT_EQ(nearest("", {"path"}), "");
  EXPECT_EQ(nearest("x", {"y"}), "") << "no letter is left";
  EXPECT_EQ(nearest("path", {}), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), {std::string(100000, 'a')}), "") << "too long";
  EXPECT_EQ(nearest("path", {"", "path"}), "path");
}

TEST(Nearest, SortsByDistanceAndKeepsTheirOrder) {
  EXPECT_EQ(nearest_names("moment", {"comment", "moments", "momentum", "heavy_task"}),
            (Names{"moments", "comment", "momentum"}));
  EXPECT_EQ(nearest_names("xa", {"xb", "xc", "xd", "xe"}, 2), (Names{"xb", "xc"}));
}

}  // namespace
}  // namespace kmap::detail
