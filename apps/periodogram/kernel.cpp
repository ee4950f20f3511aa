#include <kmap/error.hpp>
#include <kmap/kernel.hpp>

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

enum class Taper { boxcar, hann, hamming, blackman };
enum class Detrend { none, constant, linear };
enum class Scaling { density, spectrum };

// ---- FFTW

/// FFTW's names for the two precisions.
template <class T>
struct Fftw;

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static Plan plan(const fftw_iodim64& line, double* in, Complex* out) {
    return fftw_plan_guru64_dft_r2c(1, &line, 0, nullptr, in, out, FFTW_ESTIMATE);
  }
  static void execute(Plan plan, double* in, Complex* out) { fftw_execute_dft_r2c(plan, in, out); }
  static void destroy(Plan plan) { fftw_destroy_plan(plan); }
  static void* allocate(std::size_t bytes) { return fftw_malloc(bytes); }
  static void free(void* memory) { fftw_free(memory); }
};

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static Plan plan(const fftwf_iodim64& line, float* in, Complex* out) {
    return fftwf_plan_guru64_dft_r2c(1, &line, 0, nullptr, in, out, FFTW_ESTIMATE);
  }
  static void execute(Plan plan, float* in, Complex* out) { fftwf_execute_dft_r2c(plan, in, out); }
  static void destroy(Plan plan) { fftwf_destroy_plan(plan); }
  static void* allocate(std::size_t bytes) { return fftwf_malloc(bytes); }
  static void free(void* memory) { fftwf_free(memory); }
};

/// Memory of the alignment that FFTW wants: plans may be used with any such.
template <class T, class Element>
class FftwArray {
 public:
  explicit FftwArray(std::int64_t size)
      : data_(static_cast<Element*>(
            Fftw<T>::allocate(static_cast<std::size_t>(size) * sizeof(Element)))) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  Element* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(Element* data) const { Fftw<T>::free(data); }
  };
  std::unique_ptr<Element[], Free> data_;
};

/// FFTW's planner has one state for the whole process.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

/// Where one thread works on one example at a time.
template <class T>
struct Workplace {
  explicit Workplace(std::int64_t length)
      : samples(static_cast<std::size_t>(length)), in(length), out(length / 2 + 1) {}
  std::vector<double> samples;
  FftwArray<T, T> in;
  FftwArray<T, typename Fftw<T>::Complex> out;
};

/// A transform of real examples of one length. Planned by rules, not by measuring, which would
/// choose another way of summation, and other bits, from process to process.
template <class T>
class Transform {
 public:
  explicit Transform(std::int64_t length) {
    const Workplace<T> place(length);
    const std::lock_guard lock(planner());
    plan_ = Fftw<T>::plan({static_cast<std::ptrdiff_t>(length), 1, 1}, place.in.data(),
                          place.out.data());
    if (plan_ == nullptr) {
      throw kmap::Error(
          kmap::ExitCode::internal,
          "periodogram: FFTW makes no plan for examples of " + std::to_string(length) + " values");
    }
  }
  ~Transform() {
    const std::lock_guard lock(planner());
    Fftw<T>::destroy(plan_);
  }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  void run(const Workplace<T>& place) const {
    Fftw<T>::execute(plan_, place.in.data(), place.out.data());
  }

 private:
  typename Fftw<T>::Plan plan_;
};

// ---- Tapers

/// Cosine sums Σ a_k cos(2π k i / n - k π) of period n, for spectral analysis (SciPy's
/// fftbins=True; F. J. Harris, On the Use of Windows for Harmonic Analysis, 1978).
std::vector<double> taper_values(Taper taper, std::int64_t length) {
  const std::vector<double> weights = taper == Taper::hann       ? std::vector{0.5, -0.5}
                                      : taper == Taper::hamming  ? std::vector{0.54, -0.46}
                                      : taper == Taper::blackman ? std::vector{0.42, -0.5, 0.08}
                                                                 : std::vector{1.0};
  constexpr double two_pi = 6.283185307179586476925286766559;
  std::vector<double> values(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) {
    const double angle = two_pi * (static_cast<double>(i) / static_cast<double>(length));
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      sum += weights[k] * std::cos(static_cast<double>(k) * angle);
    }
    values[static_cast<std::size_t>(i)] = sum;
  }
  return values;
}

/// All that examples of one length share.
template <class T>
struct Prepared {
  Prepared(std::int64_t length, Taper taper)
      : transform(length), weights(taper_values(taper, length)) {}
  Transform<T> transform;
  std::vector<double> weights;
};

/// Made once per length and taper and kept as long as the function object.
class PreparedLengths {
 public:
  template <class T>
  const Prepared<T>& get(std::int64_t length, Taper taper) {
    const std::lock_guard lock(mutex_);
    auto& made = of_type<T>()[{length, taper}];
    if (!made) made = std::make_unique<Prepared<T>>(length, taper);
    return *made;
  }

 private:
  template <class T>
  using Made = std::map<std::pair<std::int64_t, Taper>, std::unique_ptr<Prepared<T>>>;
  template <class T>
  Made<T>& of_type() {
    if constexpr (std::is_same_v<T, float>) {
      return floats_;
    } else {
      return doubles_;
    }
  }

  std::mutex mutex_;
  Made<float> floats_;
  Made<double> doubles_;
};

// ---- Trends

/// Σ at(i), in several running sums of fixed order: faster than one, and the same bits everywhere.
template <class At>
double sum(std::int64_t length, const At& at) {
  constexpr std::int64_t lanes = 8;
  double lane[lanes] = {};
  std::int64_t i = 0;
  for (; i + lanes <= length; i += lanes) {
    for (std::int64_t l = 0; l < lanes; ++l) lane[l] += at(i + l);
  }
  for (; i < length; ++i) lane[i % lanes] += at(i);
  double all = 0;
  for (const double part : lane) all += part;
  return all;
}

/// Subtracts the mean twice: the second time what rounding left of it, which beside a large offset
/// is much.
void subtract_mean(std::vector<double>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  for (int pass = 0; pass < 2; ++pass) {
    const double mean = sum(n, [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; }) /
                        static_cast<double>(n);
    for (double& value : x) value -= mean;
  }
}

/// Subtracts the line that fits best (least squares), likewise.
void subtract_line(std::vector<double>& x) {
  subtract_mean(x);
  const auto n = static_cast<std::int64_t>(x.size());
  const auto count = static_cast<double>(n);
  const double middle = (count - 1) / 2;
  const double squares = count * (count * count - 1) / 12;  // Σ (i - middle)²
  const auto from_middle = [&](std::int64_t i) { return static_cast<double>(i) - middle; };
  for (int pass = 0; pass < 2; ++pass) {
    const double slope =
        sum(n, [&](std::int64_t i) { return x[static_cast<std::size_t>(i)] * from_middle(i); }) /
        squares;
    for (std::int64_t i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] -= slope * from_middle(i);
  }
}

// ---- The kernel

/// The view itself where hosts reach it, otherwise a view of the same shape on the host.
template <class View>
auto on_host(const View& view) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                           typename View::memory_space>::accessible) {
    return view;
  } else {
    return Kokkos::create_mirror(Kokkos::HostSpace(), view);
  }
}

/// Power spectral density or power spectrum of each example, one-sided, as
/// scipy.signal.periodogram(x, fs, window, detrend=…, scaling=…) gives it.
struct Periodogram {
  using map_kind = kmap::per_block;

  double sample_rate = 1;
  Taper taper = Taper::boxcar;
  Detrend detrend = Detrend::constant;
  Scaling scaling = Scaling::density;
  std::shared_ptr<PreparedLengths> prepared = std::make_shared<PreparedLengths>();

  template <class Exec, class X, class Power>
  void operator()(const Exec& exec, const X& x, const Power& power) const {
    using T = typename Power::non_const_value_type;
    const auto here_x = on_host(x);
    const auto here_power = on_host(power);
    if constexpr (!std::is_same_v<decltype(here_x), const X>) Kokkos::deep_copy(exec, here_x, x);
    exec.fence("kmap:map:periodogram");
    map(here_x, here_power, prepared->get<T>(static_cast<std::int64_t>(x.extent(1)), taper));
    if constexpr (!std::is_same_v<decltype(here_power), const Power>) {
      Kokkos::deep_copy(exec, power, here_power);
    }
  }

  static std::int64_t bins(std::int64_t length) {
    if (length < 2) {
      throw kmap::ShapeError(
          "a periodogram needs examples of two or more values, not of " + std::to_string(length),
          "give input x whose last axis is time");
    }
    return length / 2 + 1;
  }

 private:
  /// Whole examples by each thread, in memory of its own.
  template <class X, class Power, class T>
  void map(const X& x, const Power& power, const Prepared<T>& ready) const {
    using Host = Kokkos::DefaultHostExecutionSpace;
    const Host host;
    const auto examples = static_cast<std::int64_t>(x.extent(0));
    const auto length = static_cast<std::int64_t>(x.extent(1));
    const auto workers = static_cast<int>(std::min<std::int64_t>(examples, host.concurrency()));
    std::vector<Workplace<T>> places;
    for (int w = 0; w < workers; ++w) places.emplace_back(length);
    const double scale = scale_of(ready.weights);
    Kokkos::parallel_for(
        "kmap:map:periodogram",
        Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>>(host, 0, workers),
        [&](std::int64_t w) {
          Workplace<T>& place = places[static_cast<std::size_t>(w)];
          const kmap::Range mine = kmap::shard_of(examples, workers, static_cast<int>(w));
          for (std::int64_t e = mine.begin; e < mine.end; ++e) {
            prepare(x, e, ready.weights, place);
            ready.transform.run(place);
            store(place, scale, power, e);
          }
        });
    host.fence("kmap:map:periodogram");
  }

  double scale_of(const std::vector<double>& weights) const {
    const auto n = static_cast<std::int64_t>(weights.size());
    const auto at = [&](std::int64_t i) { return weights[static_cast<std::size_t>(i)]; };
    if (scaling == Scaling::density) {
      return 1 / (sample_rate * sum(n, [&](std::int64_t i) { return at(i) * at(i); }));
    }
    const double total = sum(n, at);
    return 1 / (total * total);
  }

  /// Example e without its trend and tapered. In double precision up to here: beside a large offset
  /// floats would have few digits left for the rest.
  template <class X, class T>
  void prepare(const X& x, std::int64_t e, const std::vector<double>& weights,
               Workplace<T>& place) const {
    std::vector<double>& samples = place.samples;
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<double>(x(e, i));
    if (detrend == Detrend::constant) subtract_mean(samples);
    if (detrend == Detrend::linear) subtract_line(samples);
    T* in = place.in.data();
    for (std::size_t i = 0; i < samples.size(); ++i)
      in[i] = static_cast<T>(samples[i] * weights[i]);
  }

  /// |X|² of the bins. Those between zero and the Nyquist frequency stand for two of the two-sided
  /// spectrum; only an even length has a bin at the latter.
  template <class T, class Power>
  static void store(const Workplace<T>& place, double scale, const Power& power, std::int64_t e) {
    const auto length = static_cast<std::int64_t>(place.samples.size());
    for (std::int64_t f = 0; f <= length / 2; ++f) {
      const auto re = static_cast<double>(place.out.data()[f][0]);
      const auto im = static_cast<double>(place.out.data()[f][1]);
      const double sides = f == 0 || 2 * f == length ? 1 : 2;
      power(e, f) = static_cast<T>(sides * scale * (re * re + im * im));
    }
  }
};

KMAP_KERNEL(periodogram, Periodogram, "(t)->(f)",
            "power of each example by frequency, as scipy.signal.periodogram")
    .input<"x">(kmap::real, "samples at equal intervals")
    .output<"power">(kmap::real_of<"x">, "one-sided, t / 2 + 1 bins")
    .dim("f", [](const kmap::DimSizes& sizes,
                 const Periodogram&) { return Periodogram::bins(sizes.at("t")); })
    .coordinate("frequency", "f", "Hz", "of each bin: f / t times the sample rate",
                [](std::int64_t i, const kmap::DimSizes& sizes, const Periodogram& p) {
                  return static_cast<double>(i) * p.sample_rate /
                         static_cast<double>(sizes.at("t"));
                })
    .param("sample_rate", &Periodogram::sample_rate, "Hz", "samples per second", kmap::above(0))
    .param("taper", &Periodogram::taper, kmap::choices("boxcar", "hann", "hamming", "blackman"),
           "what the samples are multiplied by, of period t")
    .param("detrend", &Periodogram::detrend, kmap::choices("none", "constant", "linear"),
           "what is subtracted from each example: nothing, its mean, or the line that fits best")
    .param("scaling", &Periodogram::scaling, kmap::choices("density", "spectrum"),
           "power per Hz, or power of a sinusoid at its bin");

}  // namespace
