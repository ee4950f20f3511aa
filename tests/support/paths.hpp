#pragma once
// Where tests find the command, the sources and MPI's launcher.

#include <filesystem>
#include <string>
#include <vector>

namespace kmap::test {

// The `kmap` command of this build.
std::filesystem::path kmap_command();

// The root of the sources: configs/, inputs/ and the data of the tests are under it.
std::filesystem::path source_dir();

// Real files that are not part of the sources: ../shared/data; an empty path where it is not there.
std::filesystem::path shared_data();

// {kmap, args…}
std::vector<std::string> kmap_words(const std::vector<std::string>& arguments);

// {mpirun, -n, ranks, kmap, args…}
std::vector<std::string> kmap_words(int ranks, const std::vector<std::string>& arguments);

}  // namespace kmap::test
