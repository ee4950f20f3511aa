// How long uniform numbers take. For every line on its input, `fresh` or `given` and a count n, it
// draws n floats into fresh memory, or into the same memory as before, and prints the seconds.

#include <kmap/kmap.hpp>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>

namespace {

class Bench {
 public:
  double run(const std::string& memory, std::int64_t n) {
    const auto key = kmap::random::key(++draws_);
    if (memory == "given" && static_cast<std::int64_t>(given_.size()) != n) {
      given_ = kmap::random::uniform<float>(key, kmap::random::shape(n));
    }
    const auto start = std::chrono::steady_clock::now();
    if (memory == "given") {
      kmap::random::uniform(key, kmap::random::into(given_));
    } else {
      kmap::random::uniform<float>(key, kmap::random::shape(n));
    }
    Kokkos::fence();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  Kokkos::View<float*> given_;
  std::int64_t draws_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const kmap::Runtime runtime(argc, argv);
  Bench bench;
  std::string memory;
  std::int64_t n = 0;
  while (std::cin >> memory >> n) std::cout << bench.run(memory, n) << std::endl;
}
