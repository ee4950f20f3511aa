// Runs benchmark cases on demand. Each line on the input of rank 0 is a request, answered by a
// line:
//
//   time CASE VARIANT TYPE SIZE…         seconds of one run: of the slowest rank, and where a run
//   is
//                                        short the mean of many
//   write FILE CASE VARIANT TYPE SIZE…   runs once and writes the result there; the answer is
//   `done` forget                               frees the data of all cases; `done` about ranks,
//   threads and versions, as JSON
//
// A variant that this machine does not have is answered with `absent: ` and why, a request that
// cannot be understood with `error: `.

#include "bench.hpp"
#include "kmap_build_info.hpp"

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

namespace kmap::bench {

namespace {

template <class Make>
void add(std::map<std::string, MakeVariants>& cases, const std::string& name, const Make& f4,
         const Make& f8) {
  cases[name + " f4"] = f4;
  cases[name + " f8"] = f8;
}

}  // namespace

std::map<std::string, MakeVariants> all_cases() {
  std::map<std::string, MakeVariants> cases;
  add(cases, "square", square<float>, square<double>);
  add(cases, "heavy", heavy<float>, heavy<double>);
  add(cases, "sine", sine<float>, sine<double>);
  add(cases, "cosine", cosine<float>, cosine<double>);
  add(cases, "lorenz", lorenz<float>, lorenz<double>);
  add(cases, "matvec", matvec<float>, matvec<double>);
  add(cases, "moments", moments<float>, moments<double>);
  add(cases, "row_layouts", row_layouts<float>, row_layouts<double>);
  add(cases, "matvec_layouts", matvec_layouts<float>, matvec_layouts<double>);
  add(cases, "sum", sum<float>, sum<double>);
  add(cases, "batch", batch<float>, batch<double>);
  cases["random f4"] = uniforms;
  return cases;
}

namespace {

/// Until rank 0 comes, the others sleep: another program is measured meanwhile.
void meet(const Communicator& comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(comm.get(), &request), "MPI_Ibarrier");
  for (int done = 0; done == 0;) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};

/// Threads that fell asleep between two requests are awake when the clock starts.
void wake_threads() {
  Kokkos::parallel_for("wake",
                       Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(
                           0, Kokkos::DefaultHostExecutionSpace().concurrency()),
                       Nothing{});
  Kokkos::fence();
}

/// Of one run. Short ones are repeated, as often as the shortest so far would need to take long
/// enough: a run that was interrupted does not pass for a long one.
double seconds_of(Variant& variant, const Communicator& comm) {
  using Clock = std::chrono::steady_clock;
  constexpr double enough = 200e-6;
  for (;;) {
    if (variant.prepare) variant.prepare();
    const auto runs = std::max(1LL, static_cast<long long>(std::ceil(enough / variant.shortest)));
    wake_threads();
    comm.barrier();
    const auto start = Clock::now();
    for (long long i = 0; i < runs; ++i) variant.run();
    Kokkos::fence();
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    const double total = static_cast<double>(comm.max(passed.count())) * 1e-9;
    const double each = std::max(total, 1e-9) / static_cast<double>(runs);
    variant.shortest = std::min(variant.shortest, each);
    if (variant.shortest * static_cast<double>(runs) >= enough / 2) return each;
  }
}

void write_result(const Variant& variant, const std::string& path, const Communicator& comm) {
  variant.clear();
  variant.run();
  Kokkos::fence();
  std::ofstream file(comm.is_root() ? path : "/dev/null", std::ios::binary);
  variant.write(file);
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string about(const Runtime& runtime) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  check_mpi(MPI_Get_library_version(library, &length), "MPI_Get_library_version");
  const std::string mpi(library, static_cast<std::size_t>(length));
  std::ostringstream out;
  out << "{\"ranks\": " << runtime.comm().size()
      << ", \"threads\": " << runtime.placement().threads;
  const auto text = [&](const char* name, const std::string& value) {
    out << ", \"" << name << "\": \"" << value << '"';
  };
  text("kmap", build_info::version);
  text("revision", build_info::git_revision);
  text("compiler", build_info::compiler);
  text("flags", build_info::flags);
  text("Kokkos", std::to_string(KOKKOS_VERSION / 10000) + "." +
                     std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
                     std::to_string(KOKKOS_VERSION % 100));
  text("MPI", mpi.substr(0, mpi.find_first_of(",\n")));
  out << '}';
  return out.str();
}

class Requests {
 public:
  explicit Requests(const Runtime& runtime) : runtime_(runtime) {}

  std::string answer(const std::string& request) {
    std::istringstream words(request);
    std::string what;
    words >> what;
    if (what == "about") return about(runtime_);
    if (what == "forget") {
      made_.clear();
      return "done";
    }
    std::string file;
    if (what == "write") words >> file;
    Variant& variant = find(words);
    if (!variant.absent.empty()) return "absent: " + variant.absent;
    if (what == "write") {
      write_result(variant, file, runtime_.comm());
      return "done";
    }
    if (what != "time") throw std::invalid_argument("no request " + what);
    std::ostringstream seconds;
    seconds << seconds_of(variant, runtime_.comm());
    return seconds.str();
  }

 private:
  /// The variant that the words name, with its data.
  Variant& find(std::istream& words) {
    std::string name;
    std::string variant;
    std::string type;
    words >> name >> variant >> type;
    Setting setting{{}, runtime_.comm()};
    std::string key = name + " " + type;
    const auto make = cases_.find(key);
    if (make == cases_.end()) throw std::invalid_argument("no case " + key);
    for (std::int64_t size = 0; words >> size;) {
      setting.sizes.push_back(size);
      key += " " + std::to_string(size);
    }
    auto found = made_.find(key);
    if (found == made_.end()) found = made_.emplace(key, make->second(setting)).first;
    return found->second.at(variant);
  }

  const Runtime& runtime_;
  std::map<std::string, MakeVariants> cases_ = all_cases();
  std::map<std::string, Variants> made_;
};

void serve(const Runtime& runtime) {
  Requests requests(runtime);
  const Communicator& comm = runtime.comm();
  for (;;) {
    std::string line;
    const bool more = !comm.is_root() || std::getline(std::cin, line);
    meet(comm);
    line = comm.broadcast(more ? line : std::string("end"));
    if (line == "end") return;
    std::string answer;
    try {
      answer = requests.answer(line);
    } catch (const std::invalid_argument& mistake) {  // the same on all ranks
      answer = std::string("error: ") + mistake.what();
    }
    if (comm.is_root()) std::cout << answer << std::endl;
  }
}

}  // namespace

}  // namespace kmap::bench

int main(int argc, char** argv) {
  const kmap::Runtime runtime(argc, argv);
  return kmap::guarded_main(runtime.comm(), [&] {
    kmap::bench::serve(runtime);
    return 0;
  });
}
