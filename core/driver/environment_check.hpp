#pragma once
// Environment variables that must be right before anything is started.

#include "runtime/environment.hpp"

#include "kmap/communicator.hpp"

#include <string>

namespace kmap::driver {

// Kokkos ends the program by abort() if these are no numbers. Takes such variables out of the
// environment and returns what is wrong with them, or "".
std::string take_wrong_kokkos_variables();

// What is wrong with the value of a variable of Kokkos', or "".
std::string wrong_kokkos_variable(const std::string& name, int least,
                                  const detail::GetVariable& get);

}  // namespace kmap::driver
