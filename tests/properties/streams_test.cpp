// Reductions and pbroadcast over the distributed axis take the operands of each run as it is done:
// the bits are those of the tree, whatever the runs, and little is kept.

#include "properties/random_case.hpp"
#include "properties/reference.hpp"
#include "support/runtime.hpp"

#include "kmap/collectives.hpp"
#include "kmap/detail/collective_session.hpp"
#include "kmap/detail/launch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace kmap::test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Session = detail::CollectiveSession<Kokkos::HostSpace>;
using Names = detail::NameList<detail::CharsOf<detail::FixedString{"i"}>,
                               detail::CharsOf<detail::FixedString{"j"}>>;

const Communicator& comm() { return runtime().comm(); }

template <detail::FixedString... Axis>
struct Sum {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return psum<Axis...>(c, x);
  }
};

// Operands of two elements, two at a time.
struct JointMeans {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    const auto [mean, most] = pmean<"i">(c, std::tuple{vec<double, 2>{x, 2 * x}, 4 * x});
    return mean[0] + (mean[1] - 2 * mean[0]) + (most - 4 * mean[0]);
  }
};

struct Greatest {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return pmax<"i">(c, x);
  }
};

struct First {
  std::int64_t source;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return pbroadcast<"i">(c, x, source);
  }
};

struct BothFirst {
  std::int64_t source;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return pbroadcast<"j", "i">(c, x, source);
  }
};

// x of shape (n, m), both mapped, the first axis over the ranks.
class Array {
 public:
  Array(Random& random, std::int64_t n, std::int64_t m) : n_(n), m_(m) {
    for (std::int64_t e = 0; e < n * m; ++e) {
      values_.push_back(std::ldexp(random.real(), static_cast<int>(random.between(-20, 20))));
    }
    rows_ = shard_of(n, comm().size(), comm().rank());
    space_.add(rows_.size(), rows_.begin, n);
    space_.add(m);
  }

  double at(std::int64_t i, std::int64_t j) const {
    return values_[static_cast<std::size_t>(i * m_ + j)];
  }
  std::int64_t rows() const { return n_; }
  std::int64_t columns() const { return m_; }
  Session session() const { return Session(space_, {"i", "j"}, &comm()); }

  // What f gives on this rank, its collectives recorded in runs of `run_bytes` of operands.
  template <class F>
  std::vector<double> map(const F& f, std::int64_t run_bytes) const {
    std::vector<double> results(static_cast<std::size_t>(space_.count()));
    const auto place = [&]<class T>(T* data) {
      detail::Operand<T, 0> operand;
      operand.data = data;
      operand.batch[0] = m_;
      operand.batch[1] = 1;
      return operand;
    };
    const auto in = place(values_.data() + rows_.begin * m_);
    const auto out = place(results.data());
    const detail::ExampleBody<F, Names, std::tuple<detail::Operand<const double, 0>>,
                              std::tuple<detail::Operand<double, 0>>>
        body{f, space_, {in}, {out}};
    const Exec exec;
    Session session = this->session();
    for (;;) {
      if (space_.count() > 0) {
        detail::launch_one(exec, "probe", body.with(detail::ProbePass{{session.prober()}}), 0);
      }
      session.share_probe();
      if (!session.found()) break;
      session.begin_recording(run_bytes);
      detail::record_examples<Exec, 2>(exec, "record", body, 0, session,
                                       [&] { EXPECT_EQ(session.first_bad(), -1); });
      session.combine_recorded();
    }
    detail::launch<Exec, 2>(exec, "last", body.with(detail::FinalPass{session.known()}));
    return results;
  }

  // Expects wanted(i, j), to the bit, at runs of one row, of some and of all.
  template <class F>
  void expect(const F& f, const std::function<double(std::int64_t, std::int64_t)>& wanted) const {
    for (const std::int64_t run_bytes : {std::int64_t{1}, 200 * m_, 9000 * m_, INT64_MAX}) {
      const std::vector<double> got = map(f, run_bytes);
      for (std::int64_t e = 0; e < space_.count(); ++e) {
        ASSERT_EQ(got[static_cast<std::size_t>(e)], wanted(rows_.begin + e / m_, e % m_))
            << n_ << " x " << m_ << ", runs of " << run_bytes << " bytes, example " << e;
      }
    }
  }

 private:
  std::int64_t n_;
  std::int64_t m_;
  std::vector<double> values_;
  Range rows_;
  detail::IterationSpace space_;
};

std::vector<std::int64_t> lengths() { return {1, 3, 33, 1023, 1024, 1025, 2048, 2600, 5000}; }

TEST(Streams, SumsOfColumnsFollowTheTree) {
  Random random(21);
  for (const std::int64_t n : lengths()) {
    for (const std::int64_t m : {1, 3}) {
      const Array x(random, n, m);
      std::vector<double> sums;
      for (std::int64_t j = 0; j < m; ++j) {
        std::vector<double> column;
        for (std::int64_t i = 0; i < n; ++i) column.push_back(x.at(i, j));
        sums.push_back(reference::tree_sum(column));
      }
      const auto sum = [&](std::int64_t, std::int64_t j) {
        return sums[static_cast<std::size_t>(j)];
      };
      x.expect(Sum<"i">{}, sum);
      x.expect(JointMeans{},
               [&](std::int64_t i, std::int64_t j) { return sum(i, j) / static_cast<double>(n); });
    }
  }
}

TEST(Streams, SumsOverBothAxesFollowTheTree) {
  Random random(22);
  for (const std::int64_t n : {1, 7, 200, 400}) {
    for (const std::int64_t m : {1, 5, 16}) {
      const Array x(random, n, m);
      std::vector<double> all;
      for (std::int64_t e = 0; e < n * m; ++e) all.push_back(x.at(e / m, e % m));
      const double sum = reference::tree_sum(all);
      x.expect(Sum<"i", "j">{}, [&](std::int64_t, std::int64_t) { return sum; });
      x.expect(Sum<"j", "i">{}, [&](std::int64_t, std::int64_t) { return sum; });
    }
  }
}

// The inner axis alone is not streamed: operands of all examples are kept.
TEST(Streams, SumsOfRows) {
  Random random(23);
  const Array x(random, 9, 1500);
  x.expect(Sum<"j">{}, [&](std::int64_t i, std::int64_t) {
    std::vector<double> row;
    for (std::int64_t j = 0; j < 1500; ++j) row.push_back(x.at(i, j));
    return reference::tree_sum(row);
  });
}

TEST(Streams, GreatestAndOneOfAll) {
  Random random(24);
  for (const std::int64_t n : {2, 1025, 3000}) {
    const std::int64_t m = 2;
    const Array x(random, n, m);
    x.expect(Greatest{}, [&](std::int64_t, std::int64_t j) {
      double greatest = x.at(0, j);
      for (std::int64_t i = 1; i < n; ++i) greatest = std::max(greatest, x.at(i, j));
      return greatest;
    });
    for (const std::int64_t source : {std::int64_t{0}, n / 2, n - 1}) {
      x.expect(First{source}, [&](std::int64_t, std::int64_t j) { return x.at(source, j); });
      x.expect(BothFirst{n + source}, [&](std::int64_t, std::int64_t) { return x.at(source, 1); });
    }
  }
}

// ---- Memory

// What a session says of f before it records anything.
template <class F>
std::vector<detail::CollectiveNeed> needs_of(const F& f, std::int64_t n) {
  detail::IterationSpace space;
  const Range rows = shard_of(n, comm().size(), comm().rank());
  space.add(rows.size(), rows.begin, n);
  space.add(1);
  double x = 1;
  double y = 0;
  detail::Operand<const double, 0> in;  // every example is x
  in.data = &x;
  detail::Operand<double, 0> out;
  out.data = &y;
  const detail::ExampleBody<F, Names, std::tuple<detail::Operand<const double, 0>>,
                            std::tuple<detail::Operand<double, 0>>>
      body{f, space, {in}, {out}};
  Session session(space, {"i", "j"}, &comm());
  if (space.count() > 0) {
    detail::launch_one(Exec(), "probe", body.with(detail::ProbePass{{session.prober()}}), 0);
  }
  session.share_probe();
  return session.needs();
}

constexpr std::int64_t million = 1'000'000;

TEST(Needs, OfASumAreALeafAndTheSumsOfLeaves) {
  const auto needs = needs_of(Sum<"i">{}, million);
  ASSERT_EQ(needs.size(), 1U);
  EXPECT_EQ(needs[0].number, 1U);
  EXPECT_EQ(needs[0].call, "psum over axis \"i\" of f8 with shape () for 1000000 examples");
  EXPECT_EQ(needs[0].least_run, 8);
  EXPECT_EQ(needs[0].run, std::min(million / comm().size() * 8, std::int64_t{2} << 20));
  // A leaf at each end of the shard, and the sums of some 977 leaves over all ranks.
  EXPECT_LE(needs[0].recording, (2 * 1024 + 977) * 8);
  EXPECT_GE(needs[0].recording, (1024 + 977 / comm().size()) * 8);
  // Besides, the sums of all leaves on every rank, and the operands of a leaf to and fro.
  EXPECT_LE(needs[0].combining, (2 * 1024 + 977 + 977 + 3 * 1024) * 8);
}

struct SumThenGather {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    const auto sums = psum<"i">(c, std::tuple{x, vec<float, 3>{}});
    const auto all = all_gather<"i">(c, vec<double, 3>{x, x, std::get<0>(sums)});
    return ppermute<"i">(c, all(0, 0), ring(1));
  }
};

TEST(Needs, OfAllCollectivesAreKnownFromTheFirst) {
  const auto needs = needs_of(SumThenGather{}, million);
  ASSERT_EQ(needs.size(), 3U);
  EXPECT_EQ(needs[0].call,
            "psum over axis \"i\" of f8 with shape () and 1 more for 1000000 examples");
  EXPECT_EQ(needs[1].number, 3U);
  EXPECT_EQ(needs[1].call, "all_gather over axis \"i\" of f8 with shape (3,) for 1000000 examples");
  const std::int64_t sums = 8 + 12;
  const std::int64_t mine = shard_of(million, comm().size(), comm().rank()).size();
  const std::int64_t copies = comm().size() > 1 ? 2 : 1;  // what arrives is put in its place
  EXPECT_EQ(needs[1].recording, sums + 24 * mine);
  EXPECT_EQ(needs[1].combining, sums + copies * (24 * mine + 24 * million));
  EXPECT_EQ(needs[1].run, 0);
  EXPECT_EQ(needs[2].recording, sums + 24 * million + 8 * mine);
  EXPECT_EQ(needs[2].combining, sums + 24 * million + copies * 16 * mine);
}

}  // namespace
}  // namespace kmap::test
