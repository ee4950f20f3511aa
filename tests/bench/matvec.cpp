// A 16 x 16 matrix times a vector, both another one for every example.

#include "bench.hpp"
#include "functions.hpp"
#include "loops.hpp"

namespace kmap::bench {

namespace {

template <class T>
void raw_matvec(const T* a, const T* x, T* y, std::int64_t n) {
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < n; ++e) {
    for (int i = 0; i < 16; ++i) {
      T sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int j = 0; j < 16; ++j) sum += a[256 * e + 16 * i + j] * x[16 * e + j];
      y[16 * e + i] = sum;
    }
  }
}

}  // namespace

template <class T>
Variants matvec(const Setting& setting) {
  const std::int64_t n = setting.size(0);
  const auto a = make_input<T, 3>({n, 16, 16}, 1);
  const auto x = make_input<T, 2>({n, 16}, 1);
  const auto y = make_array<T, 2>({n, 16});
  Variants v;
  v.given("kmap", [=] { vmap(MatVec16{}).into(y)(a, x); }, y);
  v.given("kmap_any_size", [=] { vmap(MatVec{}).into(y)(a, x); }, y);
  v.given("raw", [=] { raw_matvec(a.data(), x.data(), y.data(), n); }, y);
  // As many bytes as the product moves, half of them read and half of them written.
  const std::int64_t half = n * (256 + 16 + 16) / 2;
  const auto from = make_input<T, 1>({half}, 1);
  const auto to = make_array<T, 1>({half});
  v.given("copy", [=] { copy_loop(from.data(), to.data(), half); }, to);
  return v;
}

template Variants matvec<float>(const Setting&);
template Variants matvec<double>(const Setting&);

}  // namespace kmap::bench
