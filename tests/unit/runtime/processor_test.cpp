#include "runtime/processor.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kmap::test {
namespace {

using detail::feature;

std::string names(detail::FeatureSet set, std::size_t size = 256) {
  std::string text(size, 'x');
  detail::name_features(set, text.data(), size);
  return text.c_str();
}

TEST(MissingFeatures, AreThoseOfTheBuildAlone) {
  constexpr auto avx2 = feature("avx") | feature("avx2");
  EXPECT_EQ(detail::missing_features(avx2, avx2), 0u);
  EXPECT_EQ(detail::missing_features(0, avx2), 0u);
  EXPECT_EQ(detail::missing_features(avx2 | feature("avx512f"), avx2), feature("avx512f"));
  EXPECT_EQ(detail::missing_features(avx2, 0), avx2);
}

TEST(NameFeatures, ListsThem) {
  EXPECT_EQ(names(0), "");
  EXPECT_EQ(names(feature("avx2")), " avx2");
  EXPECT_EQ(names(feature("avx512f") | feature("sse3")), " sse3 avx512f");
  EXPECT_EQ(names(feature("avx512f") | feature("sse3"), 8), " sse3");
  EXPECT_EQ(names(feature("sse3"), 1), "");
}

TEST(BuiltFeatures, AreThoseOfThisMachine) {
  EXPECT_EQ(detail::missing_features(detail::built_features, detail::own_features()), 0u)
      << "this program runs";
#ifdef __AVX2__
  EXPECT_NE(detail::built_features & feature("avx2"), 0u);
#endif
}

}  // namespace
}  // namespace kmap::test
