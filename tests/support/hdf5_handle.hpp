#pragma once
// HDF5 identifiers in tests, which look at files without the library that is tested.

#include <hdf5.h>

#include <stdexcept>
#include <string>

namespace kmap::test {

/// What a call has returned, unless that says that it failed.
template <class Status>
Status must(Status status, const std::string& what) {
  if (status < 0) throw std::runtime_error("HDF5: " + what);
  return status;
}

/// Any HDF5 identifier, closed at the end.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, const std::string& what) : id_(must(id, what)) {}
  ~Hdf5Handle() { H5Idec_ref(id_); }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  // NOLINTNEXTLINE(google-explicit-constructor): used as the identifier that it owns
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
};

}  // namespace kmap::test
