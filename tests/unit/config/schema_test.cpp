// The schema agrees with itself.

#include "config/schema.hpp"

#include "config/check_scalar.hpp"
#include "config/node.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace kmap::config {
namespace {

bool is_scalar(const Key& key) {
  return key.kind != Kind::map && key.kind != Kind::named && key.kind != Kind::list;
}

void check(const Key& key, const std::string& path) {
  EXPECT_TRUE(key.doc.ends_with(".")) << path << " has a sentence that explains it";
  EXPECT_EQ(key.kind == Kind::map, !key.keys.empty()) << path;
  EXPECT_EQ(key.kind == Kind::named || key.kind == Kind::list, key.each != nullptr) << path;
  EXPECT_EQ(key.kind == Kind::choice, !key.choices.empty()) << path;
  EXPECT_TRUE(!key.required || key.default_value.empty()) << path;
  EXPECT_TRUE(key.short_form == ShortForm::none || !key.example.empty()) << path;
  for (const std::string_view value : {key.default_value, key.example}) {
    if (value.empty() || !is_scalar(key)) continue;
    EXPECT_EQ(wrong_with(key, scalar_node(std::string(value), false, {})), "") << path << value;
  }
  std::set<std::string_view> names;
  for (const Key& inner : key.keys) {
    EXPECT_TRUE(names.insert(inner.name).second) << path << inner.name << " is there twice";
    EXPECT_EQ(find_key(key, inner.name), &inner);
    check(inner, path + "." + std::string(inner.name));
  }
  if (key.each != nullptr) check(*key.each, path + ".NAME");
}

TEST(Schema, AgreesWithItself) { check(schema(), ""); }

TEST(Schema, FindsKeys) {
  const Key* inputs = find_key(schema(), "inputs");
  ASSERT_NE(inputs, nullptr);
  const Key* input = find_key(*inputs, "any name");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(find_key(*input, "slice")->kind, Kind::slice);
  EXPECT_EQ(find_key(*find_key(*input, "window"), "stride")->kind, Kind::count);
  EXPECT_EQ(find_key(*input, "resample"), nullptr) << "only what is implemented";
  EXPECT_EQ(find_key(*find_key(*input, "slice"), "start"), nullptr);
}

}  // namespace
}  // namespace kmap::config
