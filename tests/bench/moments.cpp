// Mean, standard deviation, minimum and maximum of the rows of a matrix.

#include "bench.hpp"
#include "loops.hpp"

#include <kmap/kernel_info.hpp>

#include <tuple>

namespace kmap::bench {

namespace {

/// As one writes it down: two passes, sums from left to right.
struct PlainMoments {
  template <class T>
  KOKKOS_FUNCTION std::tuple<T, T, T, T> operator()(const Example<const T, 1>& x) const {
    const auto n = static_cast<T>(x.extent(0));
    T sum = 0;
    T least = x(0);
    T most = x(0);
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
      sum += x(i);
      least = x(i) < least ? x(i) : least;
      most = x(i) > most ? x(i) : most;
    }
    const T mean = sum / n;
    T squares = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) squares += (x(i) - mean) * (x(i) - mean);
    return {mean, kmap::sqrt(squares / n), least, most};
  }
};

/// The kernel `moments` of the command, on one block that holds all examples.
template <class T>
class MomentsKernel {
 public:
  MomentsKernel(const Array<T, 2>& x, const std::vector<Array<T, 1>>& outputs)
      : x_(x), outputs_(outputs) {
    const KernelInfo* kernel = find_kernel("moments");
    if (kernel == nullptr) throw std::runtime_error("the kernel moments is not linked in");
    params_ = kernel->make_params({});
    for (const KernelInstance& instance : kernel->instances) {
      if (instance.input_types == std::vector<DType>{dtype_of<T>}) instance_ = &instance;
    }
    const auto rows = static_cast<std::int64_t>(x.extent(0));
    const auto length = static_cast<std::int64_t>(x.extent(1));
    arguments_.params = params_.get();
    arguments_.inputs = {x.data()};
    arguments_.input_layouts = {packed_layout({rows}, {length})};
    for (const auto& output : outputs) {
      arguments_.outputs.push_back(output.data());
      arguments_.output_layouts.push_back(packed_layout({rows}, {}));
    }
    arguments_.levels.levels = {{"batch", rows}};
    arguments_.rows = {0, rows};
  }

  void operator()() const { instance_->run(arguments_); }

 private:
  Array<T, 2> x_;
  std::vector<Array<T, 1>> outputs_;
  std::shared_ptr<const void> params_;
  const KernelInstance* instance_ = nullptr;
  BlockArguments arguments_;
};

}  // namespace

template <class T>
Variants moments(const Setting& setting) {
  const std::int64_t n = setting.size(0);
  const std::int64_t length = setting.size(1);
  const auto x = make_input<T, 2>({n, length}, 1);
  std::vector<Array<T, 1>> y;
  for (int k = 0; k < 4; ++k) y.push_back(make_array<T, 1>({n}));
  const auto read = make_array<T, 1>({1});
  Variants v;
  v.given("kmap", MomentsKernel<T>(x, y), y[0], y[1], y[2], y[3]);
  v.given(
      "kmap_plain", [=] { vmap(PlainMoments{}).into(y[0], y[1], y[2], y[3])(x); }, y[0], y[1], y[2],
      y[3]);
  v.given("read", [=] { read(0) = read_loop(x.data(), n * length); }, read);
  return v;
}

template Variants moments<float>(const Setting&);
template Variants moments<double>(const Setting&);

}  // namespace kmap::bench
