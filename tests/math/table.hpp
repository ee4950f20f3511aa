#pragma once
// What is claimed of each function, and where it is looked at.

#include "reference.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kmap::test {

using Interval = std::pair<double, double>;

/// Bounds are in units in the last place, those that kmap/math.hpp states.
struct UnaryClaim {
  std::string name;
  UnaryReference reference;
  double bound_f4;
  double bound_f8;
  /// Arguments are drawn from these uniformly, besides from all exponents.
  std::vector<Interval> intervals;
  /// And from the neighbourhood of these and their negatives.
  std::vector<double> points;
  /// And closest to the multiples of pi/2.
  bool periodic = false;
  /// So many from each interval.
  int samples = 10000;
};

struct BinaryClaim {
  std::string name;
  BinaryReference reference;
  double bound_f4;
  double bound_f8;
  /// Pairs are drawn from these uniformly, besides from all exponents.
  std::vector<std::pair<Interval, Interval>> rectangles;
};

const std::vector<UnaryClaim>& unary_claims();
const std::vector<BinaryClaim>& binary_claims();

template <class T>
double bound_of(const auto& claim) {
  return sizeof(T) == 4 ? claim.bound_f4 : claim.bound_f8;
}

/// Finds a claim by the name of the function.
template <class Claim>
const Claim* find_claim(const std::vector<Claim>& claims, const std::string& name) {
  for (const Claim& claim : claims) {
    if (claim.name == name) return &claim;
  }
  return nullptr;
}

/// Zeros, subnormals, powers of two and their neighbours, limits, infinities, NaN, integers.
template <class T>
std::vector<T> special_values();

template <class T>
std::vector<T> arguments_of(const UnaryClaim& claim);

/// The pairs, as two arrays: all pairs of special values, then others.
template <class T>
std::pair<std::vector<T>, std::vector<T>> arguments_of(const BinaryClaim& claim);

}  // namespace kmap::test
