// Which type an input is read as: NumPy's safe conversions, and integers to f8 for real kernels.

#include "plan/choose_type.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace kmap::test {
namespace {

using plan::choose_type;
using plan::is_safe;
using Types = std::vector<DType>;

constexpr DType all[] = {DType::boolean, DType::i1, DType::i2, DType::i4, DType::i8,
                         DType::u1,      DType::u2, DType::u4, DType::u8, DType::f4,
                         DType::f8,      DType::c8, DType::c16};

// A row for each type that is converted, a column for each that it becomes, in the order of `all`.
constexpr std::string_view safe[] = {
    "1 1111 1111 01 01",  // bool
    "0 1111 0000 01 01",  // i1
    "0 0111 0000 01 01",  // i2
    "0 0011 0000 01 01",  // i4
    "0 0001 0000 01 01",  // i8: beyond 2^53 it is rounded, as NumPy does
    "0 0111 1111 01 01",  // u1
    "0 0011 0111 01 01",  // u2
    "0 0001 0011 01 01",  // u4
    "0 0000 0001 01 01",  // u8
    "0 0000 0000 11 11",  // f4
    "0 0000 0000 01 01",  // f8
    "0 0000 0000 00 11",  // c8
    "0 0000 0000 00 01",  // c16
};

TEST(IsSafe, ForAllPairsOfTypes) {
  for (std::size_t from = 0; from < std::size(all); ++from) {
    std::string found;
    for (std::size_t to = 0; to < std::size(all); ++to) {
      if (to == 1 || to == 5 || to == 9 || to == 11) found += ' ';
      found += is_safe(all[from], all[to]) ? '1' : '0';
    }
    EXPECT_EQ(found, safe[from]) << "from " << name(all[from]);
  }
}

const Types real = {DType::f4, DType::f8};
const Types integer = {DType::i1, DType::i2, DType::i4, DType::i8,
                       DType::u1, DType::u2, DType::u4, DType::u8};
const Types number = {DType::c16, DType::c8, DType::f8, DType::f4, DType::u8, DType::u4,
                      DType::u2,  DType::u1, DType::i8, DType::i4, DType::i2, DType::i1};

TEST(ChooseType, OneOfTheTypesStaysWhatItIs) {
  for (const DType type : number) EXPECT_EQ(choose_type({type}, number), type) << name(type);
}

TEST(ChooseType, IntegersBecomeDoubleForARealKernel) {
  for (const DType type : integer) EXPECT_EQ(choose_type({type}, real), DType::f8) << name(type);
  EXPECT_EQ(choose_type({DType::boolean}, real), DType::f8);
  EXPECT_EQ(choose_type({DType::f4}, real), DType::f4);
}

struct Promotion {
  Types stored;
  DType chosen;
};

// As NumPy's result_type; f4 with an integer is the one of f8's precision, which holds it.
TEST(ChooseType, PromotesAsNumPy) {
  const Promotion promotions[] = {
      {{DType::i1, DType::u1}, DType::i2},     {{DType::i2, DType::u1}, DType::i2},
      {{DType::i4, DType::u4}, DType::i8},     {{DType::i8, DType::u8}, DType::f8},
      {{DType::u1, DType::u4}, DType::u4},     {{DType::boolean}, DType::i1},
      {{DType::i4, DType::f4}, DType::f8},     {{DType::f4, DType::f8}, DType::f8},
      {{DType::f4, DType::c8}, DType::c8},     {{DType::f8, DType::c8}, DType::c16},
      {{DType::i4, DType::c8}, DType::c16},    {{DType::i1, DType::i2, DType::i8}, DType::i8},
      {{DType::boolean, DType::u8}, DType::u8}};
  for (const auto& [stored, chosen] : promotions) {
    EXPECT_EQ(choose_type(stored, number), chosen) << name(stored.front()) << " …";
  }
}

TEST(ChooseType, NothingIfAValueCouldBeLost) {
  EXPECT_EQ(choose_type({DType::c8}, real), std::nullopt);
  EXPECT_EQ(choose_type({DType::f4}, integer), std::nullopt);
  EXPECT_EQ(choose_type({DType::u8, DType::i1}, integer), std::nullopt);
  EXPECT_EQ(choose_type({DType::f8}, {DType::f4}), std::nullopt);
  EXPECT_EQ(choose_type({DType::i1}, {DType::boolean}), std::nullopt);
  EXPECT_EQ(choose_type({DType::i1}, {}), std::nullopt);
}

}  // namespace
}  // namespace kmap::test
