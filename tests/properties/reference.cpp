#include "properties/reference.hpp"

namespace kmap::test::reference {

std::vector<CaseArray> run(const Case& c) { return Maps(c).run(); }

}  // namespace kmap::test::reference
