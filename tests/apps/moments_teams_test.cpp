// moments by teams of several members, which Kokkos makes on devices but not of itself on hosts:
// the bits are those of one member.

#include "kmap/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

// The function object alone: its declaration compiles it for no type.
#undef KMAP_KERNEL
#define KMAP_KERNEL(name, F, signature, doc)    \
  [[maybe_unused]] static const auto declared = \
      ::kmap::detail::declare_kernel<F, signature>(#name, doc)
#include "../../apps/moments/kernel.cpp"

namespace kmap::test {
namespace {

using Results = std::tuple<double, double, double, double>;
using Policy = Kokkos::TeamPolicy<>;
using Values = Kokkos::View<double*>;

struct OneTeam {
  Moments moments;
  Values x;
  std::int64_t stride;
  Kokkos::View<double[4]> results;

  KOKKOS_FUNCTION Example<const double, 1> example() const {
    const auto n = static_cast<std::int64_t>(x.extent(0)) / stride;
    return {x.data(), {{n}}, {{stride}}};
  }
  KOKKOS_FUNCTION void operator()(const Policy::member_type& team) const {
    const Results found = moments(team, example());
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      results(0) = std::get<0>(found);
      results(1) = std::get<1>(found);
      results(2) = std::get<2>(found);
      results(3) = std::get<3>(found);
    });
  }
};

/// Of every stride-th value.
std::vector<double> moments_by(int members, const Values& x, std::int64_t stride = 1) {
  const OneTeam body{{}, x, stride, Kokkos::View<double[4]>("results")};
  const auto scratch = static_cast<int>(body.moments.scratch_bytes(body.example()));
  Policy policy(1, members);
  Kokkos::parallel_for(policy.set_scratch_size(1, Kokkos::PerTeam(scratch)), body);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), body.results);
  return {host.data(), host.data() + 4};
}

struct Fill {
  Values x;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = 1e6 + Kokkos::sin(i * 0.37) * i; }
};

TEST(MomentsTeams, OfAnySizeGiveTheSameBits) {
  for (const int n : {1, 1000, 1025, 5000, 100'003}) {
    const Values x("x", static_cast<std::size_t>(n));
    Kokkos::parallel_for(n, Fill{x});
    const std::vector<double> one = moments_by(1, x);
    EXPECT_LT(std::abs(one[0] - 1e6), n);
    for (const int members : {2, 3, 4}) {
      EXPECT_EQ(moments_by(members, x), one) << n << " values, " << members << " members";
    }
  }
}

struct FillCancelling {
  Values x;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = i % 2 == 0 ? 1e16 : 2 - 1e16; }
};

// The careful way.
TEST(MomentsTeams, OfAnySizeGiveTheSameBitsWhereValuesCancel) {
  for (const int n : {1000, 5000}) {
    const Values x("x", static_cast<std::size_t>(n));
    Kokkos::parallel_for(n, FillCancelling{x});
    const std::vector<double> one = moments_by(1, x);
    EXPECT_EQ(one[0], 1);
    for (const int members : {2, 4}) EXPECT_EQ(moments_by(members, x), one) << n << " values";
  }
}

struct Spread {
  Values x;
  Values wide;
  std::int64_t stride;
  KOKKOS_FUNCTION void operator()(int i) const {
    const std::int64_t from = i / stride;
    wide(i) = i % stride == 0 ? x(from) : 1e300;
  }
};

TEST(MomentsTeams, OfStridedValuesGiveTheSameBits) {
  for (const int n : {1, 3, 16, 17, 100, 1024, 2500}) {
    const Values x("x", static_cast<std::size_t>(n));
    Kokkos::parallel_for(n, Fill{x});
    for (const int stride : {2, 3, 7}) {
      const Values wide("wide", static_cast<std::size_t>(n * stride));
      Kokkos::parallel_for(n * stride, Spread{x, wide, stride});
      EXPECT_EQ(moments_by(1, wide, stride), moments_by(1, x)) << n << " values, stride " << stride;
    }
  }
}

}  // namespace
}  // namespace kmap::test
