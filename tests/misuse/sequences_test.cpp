// Examples that differ in the collectives they call: within a rank, or between ranks alone.

#include "misuse.hpp"

#include "kmap/vmap.hpp"

#include <algorithm>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

enum class Change { none, operation, type, shape, rank, groups, fewer, more };

// Every example calls psum twice, the second time in groups; those in [from, to) do not.
struct Sequence {
  Change change;
  std::int64_t from;
  std::int64_t to;
  AxisIndexGroups groups = AxisIndexGroups({{0, 1, 2, 3}, {4, 5, 6, 7}});
  AxisIndexGroups others = AxisIndexGroups({{0, 2, 4, 6}, {1, 3, 5, 7}});

  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    const std::int64_t i = axis_index<"i">(c);
    const double sum = psum<"i">(c, x);
    const bool is_changed = from <= i && i < to;
    switch (is_changed ? change : Change::none) {
      case Change::none:
        return change == Change::shape ? psum<"i">(c, vec<double, 2>{{sum, x}}, groups)(0)
                                       : psum<"i">(c, sum, groups);
      case Change::operation:
        return pmax<"i">(c, sum, groups);
      case Change::type:
        return psum<"i">(c, static_cast<float>(sum), groups);
      case Change::shape:
        return psum<"i">(c, vec<double, 3>{{sum, x, x}}, groups)(0);
      case Change::rank:
        return psum<"i">(c, vec<double, 1>{{sum}}, groups)(0);
      case Change::groups:
        return psum<"i">(c, sum, others);
      case Change::fewer:
        return sum;
      case Change::more:
        return psum<"i">(c, psum<"i">(c, sum, groups));
    }
    return 0;
  }
};

// How the changed examples call the collective at which they differ, and how the others do.
struct Texts {
  int number;
  std::string changed;
  std::string usual;
};
Texts texts_of(Change change) {
  const auto psum_of = [](const std::string& what) { return "psum over axis \"i\" of " + what; };
  const std::string usual = psum_of("f8 with shape ()");
  switch (change) {
    case Change::operation:
      return {2, "pmax over axis \"i\" of f8 with shape ()", usual};
    case Change::type:
      return {2, psum_of("f4 with shape ()"), usual};
    case Change::shape:
      return {2, psum_of("f8 with shape (3,)"), psum_of("f8 with shape (2,)")};
    case Change::rank:
      return {2, psum_of("f8 with shape (1,)"), usual};
    case Change::fewer:
      return {2, "no further collective", usual};
    case Change::more:
      return {3, usual, "no further collective"};
    default:
      return {2, usual, usual};
  }
}

std::string example(std::int64_t i) { return "example (i = " + std::to_string(i) + ") "; }

// The error when the examples [from, to) of n are changed and `ranks` share them.
std::string expected_text(Change change, std::int64_t from, std::int64_t to, std::int64_t n,
                          int ranks) {
  const Texts texts = texts_of(change);
  const auto calls = [&](std::int64_t i) {
    return "calls " + (from <= i && i < to ? texts.changed : texts.usual);
  };
  const auto differs = [&](std::int64_t i) { return from <= i && i < to; };
  const std::string number = "collective " + std::to_string(texts.number) + " differs ";
  // First the ranks compare their first examples, then each its own.
  for (int r = 1; r < ranks; ++r) {
    const std::int64_t first = shard_of(n, ranks, r).begin;
    if (differs(first) != differs(0)) {
      return number + "between ranks: " + example(first) + "on rank " + std::to_string(r) + " " +
             calls(first) + ", the first example on rank 0 " + calls(0);
    }
  }
  for (int r = 0; r < ranks; ++r) {
    const Range shard = shard_of(n, ranks, r);
    for (std::int64_t i = shard.begin; i < shard.end; ++i) {
      if (differs(i) != differs(shard.begin)) {
        return number + "among examples: " + example(i) + calls(i) + ", " + example(shard.begin) +
               calls(shard.begin);
      }
    }
  }
  return "no error";
}

constexpr std::int64_t n = 8;

void expect_sequence_refused(Change change, std::int64_t from, std::int64_t to) {
  const Sequence f{change, from, to};
  const auto x = from_one<1>({n});
  const auto says = [&](int ranks) {
    return AllOf(HasSubstr(expected_text(change, from, to, n, ranks)),
                 HasSubstr("remedy: all examples must call the same collectives"));
  };
  EXPECT_THAT(refused([&] { vmap(f, axis_name<"i">)(x); }), says(1));
  const auto shards = scatter(comm(), x);
  EXPECT_THAT(refused([&] { pmap(f, axis_name<"i">)(shards); }), says(comm().size()));
  // The same function without the change.
  const auto y = gather(pmap(Sequence{Change::none, 1, 0}, axis_name<"i">)(shards));
  if (comm().is_root()) {
    EXPECT_EQ(y(0), 4 * 36);
  }
}

void check_change(Change change) {
  for (const std::int64_t i : {0, 1, 3, 4, 7}) expect_sequence_refused(change, i, i + 1);
  // The lowest is named; and all that differ may be a whole rank's.
  expect_sequence_refused(change, 5, 8);
  if (comm().size() > 1) {
    for (int r = 0; r < comm().size(); ++r) {
      const Range shard = shard_of(n, comm().size(), r);
      expect_sequence_refused(change, shard.begin, shard.end);
    }
  }
}

TEST(Sequences, OtherOperation) { check_change(Change::operation); }
TEST(Sequences, OtherType) { check_change(Change::type); }
TEST(Sequences, OtherExtents) { check_change(Change::shape); }
TEST(Sequences, OtherRank) { check_change(Change::rank); }
TEST(Sequences, OtherGroups) { check_change(Change::groups); }
TEST(Sequences, Fewer) { check_change(Change::fewer); }
TEST(Sequences, More) { check_change(Change::more); }

TEST(Sequences, OtherGroupsAreSaidToBeArguments) {
  const auto x = scatter(comm(), from_one<1>({n}));
  EXPECT_THAT(refused([&] { pmap(Sequence{Change::groups, 5, 8}, axis_name<"i">)(x); }),
              HasSubstr("f8 with shape () with other arguments"));
}

// Options that are numbers: source, dimension.
struct OtherSource {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return pbroadcast<"i">(c, x, axis_index<"i">(c) == 6 ? 1 : 0);
  }
};

TEST(Sequences, OtherArguments) {
  const auto x = scatter(comm(), from_one<1>({n}));
  EXPECT_THAT(refused([&] { pmap(OtherSource{}, axis_name<"i">)(x); }),
              AllOf(HasSubstr("collective 1 differs"), HasSubstr("example (i = 6)"),
                    HasSubstr("with other arguments")));
}

// Two axes: both indices are named, and the axis over which the collective is.
struct OtherAxis {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    const bool is_changed = axis_index<"i">(c) == 1 && axis_index<"j">(c) == 2;
    return is_changed ? psum<"j">(c, x) : psum<"i">(c, x);
  }
};

TEST(Sequences, OtherAxis) {
  const auto x = from_one<2>({2, 3});
  const auto f = vmap(OtherAxis{}, axis_name<"j">);
  EXPECT_THAT(refused([&] { vmap(f, axis_name<"i">)(x); }),
              HasSubstr("collective 1 differs among examples: example (i = 1, j = 2) calls psum "
                        "over axis \"j\" of f8 with shape (), example (i = 0, j = 0) calls psum "
                        "over axis \"i\""));
  const std::string first = comm().size() > 1 ? "example (i = 1, j = 0)" : "example (i = 0, j = 0)";
  EXPECT_THAT(refused([&] { pmap(f, axis_name<"i">)(scatter(comm(), x)); }),
              AllOf(HasSubstr("example (i = 1, j = 2) calls psum over axis \"j\""),
                    HasSubstr(first + " calls psum over axis \"i\"")));
}

// A joint call of other length, and the parts of one in their order.
struct OtherParts {
  bool is_longer;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    if (axis_index<"i">(c) != 3) return std::get<0>(psum<"i">(c, std::tuple{x, 1, 1}));
    if (is_longer) return std::get<0>(psum<"i">(c, std::tuple{x, 1, 1, x}));
    return std::get<0>(psum<"i">(c, std::tuple{x, 1, 1.0F}));
  }
};

TEST(Sequences, OtherPartsOfATuple) {
  const auto x = scatter(comm(), from_one<1>({n}));
  EXPECT_THAT(refused([&] { pmap(OtherParts{false}, axis_name<"i">)(x); }),
              AllOf(HasSubstr("collective 3 differs"), HasSubstr("example (i = 3)"),
                    HasSubstr("of f4 with shape ()"), HasSubstr("of i4 with shape ()")));
  EXPECT_THAT(refused([&] { pmap(OtherParts{true}, axis_name<"i">)(x); }),
              AllOf(HasSubstr("collective 4 differs"), HasSubstr("example (i = 3)"),
                    HasSubstr("no further collective")));
}

}  // namespace
}  // namespace kmap::test
