// math_every_float [name…]: the largest error of functions of one float, all of 2^32 arguments.
// Takes half a minute per function and processor.

#include "every_float.hpp"

#include <algorithm>
#include <cstdio>

int main(int argc, char** argv) {
  using namespace kmap::test;
  const std::vector<std::string> names(argv + 1, argv + argc);
  bool good = true;
  for (const UnaryClaim& claim : unary_claims()) {
    const bool wanted =
        names.empty() || std::find(names.begin(), names.end(), claim.name) != names.end();
    for (const Library& library : libraries()) {
      if (!wanted) break;
      const WorstFloat worst = worst_float(library, claim, 1);
      good = good && worst.error <= claim.bound_f4;
      std::printf("%-7s %-10s %.4f of %g at %a: %a\n", claim.name.c_str(), library.arch.c_str(),
                  worst.error, claim.bound_f4, static_cast<double>(worst.x),
                  static_cast<double>(worst.y));
      std::fflush(stdout);
    }
  }
  return good ? 0 : 1;
}
