#pragma once

#include "functions.hpp"

#include <memory>
#include <string>
#include <vector>

namespace kmap::test {

/// The functions as compiled for one processor.
struct Library {
  std::string arch;
  Functions functions;
};

/// All that this machine can run, loaded for as long as the program runs.
const std::vector<Library>& libraries();

}  // namespace kmap::test
