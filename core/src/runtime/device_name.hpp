#pragma once
// Which device of the machine a number stands for.

#include <string>

namespace kmap::detail {

// Its address on the bus: ranks may each see a device of their own as number 0, and different
// numbers may be the same device. Empty for -1 and where the backend does not say.
std::string device_name(int device);

}  // namespace kmap::detail
