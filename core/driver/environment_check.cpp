#include "environment_check.hpp"

#include <cstdlib>

namespace kmap::driver {

std::string wrong_kokkos_variable(const std::string& name, int least,
                                  const detail::GetVariable& get) {
  constexpr long long most = 1 << 20;
  const std::optional<std::string> value = get(name);
  if (!value) return "";
  const long long number = detail::parse_count(*value).value_or(-1);
  if (number >= least && number <= most) return "";
  return name + "=" + *value + ": expected a number of at least " + std::to_string(least);
}

std::string take_wrong_kokkos_variables() {
  std::string wrong;
  constexpr struct {
    const char* name;
    int least;
  } variables[] = {{"KOKKOS_NUM_THREADS", 1}, {"KOKKOS_DEVICE_ID", 0}};
  for (const auto& variable : variables) {
    const std::string text =
        wrong_kokkos_variable(variable.name, variable.least, detail::own_variable);
    if (text.empty()) continue;
    if (wrong.empty()) wrong = text;
    unsetenv(variable.name);
  }
  return wrong;
}

}  // namespace kmap::driver
