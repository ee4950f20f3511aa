#pragma once
// Where this rank runs, for the doctor and for the warnings of a run.

#include "report/diagnosis.hpp"

#include "kmap/runtime.hpp"

namespace kmap::driver {

report::RankFacts own_facts(const Runtime& runtime);

}  // namespace kmap::driver
