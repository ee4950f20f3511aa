#pragma once
// Owners of HDF5's handles, and its failures as exceptions that say what the library said.

#include "kmap/error.hpp"

#include <hdf5.h>

#include <string>
#include <type_traits>
#include <utility>

namespace kmap::io {

// Owns one HDF5 identifier. Close is the library's function that gives it back.
template <herr_t (*Close)(hid_t)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) noexcept : id_(id) {}
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      close();
      id_ = std::exchange(other.id_, H5I_INVALID_HID);
    }
    return *this;
  }

  hid_t get() const noexcept { return id_; }
  explicit operator bool() const noexcept { return id_ >= 0; }

  // For handles whose closing can fail and matters; the result is Close's.
  herr_t close() noexcept {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 ? 0 : Close(id);
  }

  // Gives up the identifier without closing it.
  hid_t release() noexcept { return std::exchange(id_, H5I_INVALID_HID); }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using FileHandle = Handle<&H5Fclose>;
using DatasetHandle = Handle<&H5Dclose>;
using SpaceHandle = Handle<&H5Sclose>;
using TypeHandle = Handle<&H5Tclose>;
using GroupHandle = Handle<&H5Gclose>;
using ObjectHandle = Handle<&H5Oclose>;
using AttributeHandle = Handle<&H5Aclose>;
using PropertyHandle = Handle<&H5Pclose>;

// Stops HDF5 from printing its errors, which become exceptions here.
void keep_hdf5_quiet() noexcept;

// Takes HDF5's error stack: the innermost description, which names the cause.
std::string hdf5_reason();
// All descriptions of it, innermost first, one per line.
std::string hdf5_full_reason();

// What an operation is about, to name it when it fails.
struct Place {
  std::string file;
  std::string dataset;                    // or empty
  ExitCode failure = ExitCode::io_error;  // of failing calls

  std::string name() const { return dataset.empty() ? file : file + ":" + dataset; }

  // `status` of a call of HDF5 if it succeeded. Otherwise throws "NAME: cannot DOING: reason".
  template <class Status>
  Status check(Status status, const char* doing) const {
    static_assert(std::is_signed_v<Status>);
    if (status < 0) fail(doing);
    return status;
  }

  [[noreturn]] void fail(const char* doing) const;
};

}  // namespace kmap::io
