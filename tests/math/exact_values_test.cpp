// What holds exactly, whatever the errors elsewhere.

#include "libraries.hpp"
#include "table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace kmap::test {
namespace {

template <class T>
class ExactValues : public testing::Test {
 protected:
  using Limits = std::numeric_limits<T>;
  static constexpr int least_exponent = Limits::min_exponent - Limits::digits;

  // Calls check(function) with that of each library.
  template <class Check>
  void unary(const std::string& name, const Check& check) {
    for (const Library& library : libraries()) {
      SCOPED_TRACE(library.arch + " " + name);
      const auto functions = library.functions.template unary<T>();
      check(std::find_if(functions.begin(), functions.end(), [&](const auto& f) {
              return f.name == name;
            })->one);
    }
  }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(ExactValues, Types);

TYPED_TEST(ExactValues, PowersOfTwo) {
  this->unary("exp2", [](auto exp2) {
    for (int n = TestFixture::least_exponent; n < TestFixture::Limits::max_exponent; ++n) {
      EXPECT_EQ(exp2(static_cast<TypeParam>(n)), std::ldexp(TypeParam(1), n)) << n;
    }
  });
  this->unary("log2", [](auto log2) {
    for (int n = TestFixture::least_exponent; n < TestFixture::Limits::max_exponent; ++n) {
      EXPECT_EQ(log2(std::ldexp(TypeParam(1), n)), static_cast<TypeParam>(n)) << n;
    }
  });
}

TYPED_TEST(ExactValues, AtZeroAndOne) {
  for (const char* name : {"exp", "exp2", "cosh", "erfc"}) {
    this->unary(name, [](auto f) {
      EXPECT_EQ(f(TypeParam(0)), TypeParam(1));
      EXPECT_EQ(f(TypeParam(-0.0)), TypeParam(1));
    });
  }
  for (const char* name : {"log", "log2", "log10"}) {
    this->unary(name, [](auto f) {
      EXPECT_EQ(f(TypeParam(1)), TypeParam(0));
      EXPECT_FALSE(std::signbit(f(TypeParam(1))));
    });
  }
  for (const char* name : {"expm1", "log1p", "sinh", "tanh"}) {
    this->unary(name, [](auto f) {
      const TypeParam tiny = std::numeric_limits<TypeParam>::denorm_min();
      EXPECT_EQ(f(tiny), tiny);
      EXPECT_EQ(f(-tiny), -tiny);
    });
  }
}

TYPED_TEST(ExactValues, StayWithinTheirLimits) {
  for (const char* name : {"tanh", "erf"}) {
    this->unary(name, [&](auto f) {
      for (const TypeParam x : arguments_of<TypeParam>(*find_claim(unary_claims(), name))) {
        ASSERT_FALSE(std::fabs(f(x)) > 1) << x;
      }
    });
  }
}

}  // namespace
}  // namespace kmap::test
