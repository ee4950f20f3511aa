#include "io/pieces.hpp"

#include <gtest/gtest.h>

namespace kmap::io {
namespace {

// The pieces follow each other in memory, stay within the limit and cover the rows.
void expect_sound(const std::vector<Piece>& pieces, const Shape& shape, Range rows,
                  std::int64_t element_bytes, std::int64_t limit) {
  std::int64_t offset = 0;
  for (const Piece& piece : pieces) {
    EXPECT_EQ(piece.offset, offset);
    EXPECT_EQ(piece.count, count(piece.extent));
    EXPECT_GT(piece.count, 0);
    EXPECT_LE(piece.count * element_bytes, std::max(limit, element_bytes));
    // Where the piece begins, as a place in row-major memory.
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      place = place * shape[axis] + piece.begin[axis] - (axis == 0 ? rows.begin : 0);
    }
    EXPECT_EQ(place, offset);
    offset += piece.count;
  }
  EXPECT_EQ(offset, rows.size() * count(Shape(shape.begin() + 1, shape.end())));
}

TEST(CutRows, SmallRangeIsOnePiece) {
  const auto pieces = cut_rows({10, 3}, {2, 7}, 8, {}, 1000);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0], (Piece{{2, 0}, {5, 3}, 0, 15}));
}

TEST(CutRows, NoRowsAndNoElementsAreNoPieces) {
  EXPECT_TRUE(cut_rows({10, 3}, {4, 4}, 8, {}, 1000).empty());
  EXPECT_TRUE(cut_rows({10, 0}, {0, 10}, 8, {}, 1000).empty());
  EXPECT_TRUE(cut_rows({0}, {0, 0}, 8, {}, 1000).empty());
}

TEST(CutRows, ScalarIsOneElement) {
  const auto pieces = cut_rows({}, {0, 1}, 8, {}, 1000);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0], (Piece{{}, {}, 0, 1}));
}

TEST(CutRows, CutsBetweenRows) {
  const auto pieces = cut_rows({10, 3}, {0, 10}, 8, {}, 4 * 24 + 5);
  expect_sound(pieces, {10, 3}, {0, 10}, 8, 4 * 24 + 5);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[2], (Piece{{8, 0}, {2, 3}, 24, 6}));
}

TEST(CutRows, CutsRowsThatAreTooLong) {
  for (const std::int64_t limit : {8, 16, 40, 100, 160, 400, 1000, 5000}) {
    expect_sound(cut_rows({3, 4, 5}, {1, 3}, 8, {}, limit), {3, 4, 5}, {1, 3}, 8, limit);
    expect_sound(cut_rows({7}, {0, 7}, 8, {}, limit), {7}, {0, 7}, 8, limit);
    expect_sound(cut_rows({2, 1, 1, 9, 2}, {0, 2}, 8, {}, limit), {2, 1, 1, 9, 2}, {0, 2}, 8,
                 limit);
  }
}

TEST(CutRows, OneElementIsNeverCut) {
  const auto pieces = cut_rows({3, 2}, {0, 3}, 16, {}, 1);
  expect_sound(pieces, {3, 2}, {0, 3}, 16, 1);
  EXPECT_EQ(pieces.size(), 6u);
}

TEST(CutRows, PrefersTheEndsOfChunks) {
  const auto pieces = cut_rows({100, 2}, {5, 100}, 8, {16, 2}, 40 * 16);
  expect_sound(pieces, {100, 2}, {5, 100}, 8, 40 * 16);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].extent[0], 27);  // to row 32
  EXPECT_EQ(pieces[1].extent[0], 32);  // to row 64
}

TEST(CutRows, ChunksLongerThanPiecesAreCut) {
  const auto pieces = cut_rows({100}, {0, 100}, 8, {64}, 80);
  expect_sound(pieces, {100}, {0, 100}, 8, 80);
}

TEST(CutRows, SixtyFourBitSizes) {
  const Shape shape = {std::int64_t{1} << 33, 4};
  const auto pieces = cut_rows(shape, {0, shape[0]}, 8, {}, max_bytes_per_call);
  EXPECT_EQ(pieces.size(), std::size_t{1} << 8);
  expect_sound(pieces, shape, {0, shape[0]}, 8, max_bytes_per_call);
}

}  // namespace
}  // namespace kmap::io
