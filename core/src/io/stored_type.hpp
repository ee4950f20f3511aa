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

// The memory type for reading it as its `dtype`: native, with the member names of the file; bool is
// a byte that may be other than 0 and 1.
TypeHandle memory_type_for(const StoredType& stored);

}  // namespace kmap::io
