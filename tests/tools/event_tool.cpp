// A tool for Kokkos: each launch, region and allocation as a line of the file events.PROCESS in the
// folder KMAP_TEST_EVENTS.
//
//   push NAME | pop | for NUMBER NAME | reduce NUMBER NAME | scan NUMBER NAME | end NUMBER |
//   allocate NAME

#include <impl/Kokkos_Profiling_C_Interface.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

// Flushed after each line: what was seen stays if the program is killed.
std::FILE* file() {
  static std::FILE* const opened = [] {
    const char* folder = std::getenv("KMAP_TEST_EVENTS");
    const std::string path =
        std::string(folder == nullptr ? "." : folder) + "/events." + std::to_string(getpid());
    std::FILE* made = std::fopen(path.c_str(), "w");
    if (made == nullptr) {
      std::perror(path.c_str());
      std::abort();
    }
    std::setvbuf(made, nullptr, _IOLBF, BUFSIZ);
    return made;
  }();
  return opened;
}

void begin(const char* kind, const char* name, std::uint64_t* number) {
  static std::uint64_t launches = 0;
  *number = ++launches;
  std::fprintf(file(), "%s %llu %s\n", kind, static_cast<unsigned long long>(*number), name);
}

void end(std::uint64_t number) {
  std::fprintf(file(), "end %llu\n", static_cast<unsigned long long>(number));
}

}  // namespace

extern "C" {

void kokkosp_begin_parallel_for(const char* name, std::uint32_t, std::uint64_t* number) {
  begin("for", name, number);
}
void kokkosp_begin_parallel_reduce(const char* name, std::uint32_t, std::uint64_t* number) {
  begin("reduce", name, number);
}
void kokkosp_begin_parallel_scan(const char* name, std::uint32_t, std::uint64_t* number) {
  begin("scan", name, number);
}
void kokkosp_end_parallel_for(std::uint64_t number) { end(number); }
void kokkosp_end_parallel_reduce(std::uint64_t number) { end(number); }
void kokkosp_end_parallel_scan(std::uint64_t number) { end(number); }

void kokkosp_push_profile_region(const char* name) { std::fprintf(file(), "push %s\n", name); }
void kokkosp_pop_profile_region() { std::fprintf(file(), "pop\n"); }

void kokkosp_allocate_data(Kokkos_Profiling_SpaceHandle, const char* name, const void*,
                           std::uint64_t) {
  std::fprintf(file(), "allocate %s\n", name);
}

}  // extern "C"
