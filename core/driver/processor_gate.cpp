// Compiled for the oldest processor of the family, as processor.cpp is; see runtime/processor.hpp.

#include "runtime/processor.hpp"

#include <unistd.h>

namespace {

using namespace kmap::detail;

void say(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  while (length > 0) {
    const ssize_t written = write(STDERR_FILENO, text, length);
    if (written <= 0) return;
    text += written;
    length -= static_cast<std::size_t>(written);
  }
}

// Before main, and before the kernels register themselves: those already are compiled for the
// processor that the build was for. There are no ranks yet, so each says what it found; it may be
// one node among many.
[[gnu::constructor(101)]] void refuse_lesser_processor() {
  const FeatureSet missing = missing_features(built_features, own_features());
  if (missing == 0) return;
  char host[256] = "this machine";
  if (gethostname(host, sizeof host - 1) != 0) host[0] = '?';
  char names[512];
  name_features(missing, names, sizeof names);
  say("kmap: the processor of ");
  say(host);
  say(" lacks what this kmap was built for:");
  say(names);
  say("\n  remedy: build it with -DKMAP_ARCH=generic, or on a machine like this one\n");
  _exit(70);  // ExitCode::internal
}

}  // namespace
