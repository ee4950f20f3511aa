#pragma once
/// \file
/// The whole library for programs: vmap, pmap, map, distributed arrays, the runtime. Kernels of
/// jobs include kmap/kernel.hpp instead.

#include "kmap/collectives.hpp"
#include "kmap/computed.hpp"
#include "kmap/context.hpp"
#include "kmap/dist_array.hpp"
#include "kmap/example.hpp"
#include "kmap/map.hpp"
#include "kmap/math.hpp"
#include "kmap/pmap.hpp"
#include "kmap/random.hpp"
#include "kmap/runtime.hpp"
#include "kmap/vmap.hpp"
