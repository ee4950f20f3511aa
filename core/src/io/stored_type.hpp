#pragma once
// Types as they are stored in files, and the memory types that HDF5 converts them to.

#include "io/handles.hpp"

#include "kmap/dtype.hpp"

#include <string>

namespace kmap::io {

struct StoredType {
  DType dtype;            // the memory type that holds every value
  std::string text;       // for people: "big-endian i4"
  std::string real_name;  // of a complex type, the members of its compound
  std::string imag_name;
};

// What a stored type is. Throws Error(bad_data) naming a type that is no number.
StoredType describe_type(hid_t type, const Place& place);

// The type that outputs are stored as: native; bool and complex as h5py and others know them.
TypeHandle native_type(DType type);

// The memory type for reading `stored` as `type`: as native_type, but bool is one unsigned byte,
// and the members of complex types have the names that they have in the file.
TypeHandle memory_type_for(const StoredType& stored, DType type);

}  // namespace kmap::io
