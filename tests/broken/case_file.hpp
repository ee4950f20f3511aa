#pragma once
// One row of the tables of broken jobs: NAME.yaml, and NAME.txt beside it, which says how to run it
// and what comes out:
//
//   exit 78                      the exit code
//   command run                  or dry-run; validate without this line
//   set KEY=VALUE                for --set; also env NAME=VALUE, unset NAME, and plugin for the
//   kernels
//                                of the plug-in of these tests
//   folder NAME                  made before; also copy FROM TO, symlink TO NAME, hardlink TO NAME
//   and
//                                mode OCTAL NAME
//   user nobody                  who runs it, if the tests run as root; others run it as themselves
//   disk OPTIONS NAME            a file system of its own, of tmpfs with these options, on that
//   folder
//
//   after an empty line, the text on standard error; with exit 0, that on standard output for
//   validate, and none on standard error
//
// {folder} stands for the folder that the job is in, {...} for words of HDF5 or of the system,
// within one line.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kmap::test {

struct Case {
  using Words = std::vector<std::string>;

  std::string name;
  std::filesystem::path folder;  // with the files that the job needs
  int exit_code = -1;
  std::string command = "validate";
  Words options;  // the words of --set
  std::map<std::string, std::string> environment;
  Words unset;
  bool plugin = false;
  std::vector<Words> steps;  // folder, copy, symlink, hardlink, mode
  bool as_nobody = false;
  Words disk;  // options and folder, or empty
  std::string text;
};

// Throws std::runtime_error if the file says what no case can.
Case read_case(const std::filesystem::path& text_file);

// Of all NAME.txt in the folder, by name.
std::vector<Case> cases_in(const std::filesystem::path& folder);

// Whether the text is the expected one, {...} in that standing for any text within a line.
bool matches(const std::string& expected, const std::string& text);

std::string replace_all(std::string text, const std::string& what, const std::string& by);

}  // namespace kmap::test
