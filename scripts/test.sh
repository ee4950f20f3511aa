#!/usr/bin/env bash
# Does all set-up, builds kmap with warnings as errors, and runs every test.
#
#   ./scripts/test.sh [ctest options…]     such as -R mpi, -L unit, --rerun-failed
#   ./scripts/test.sh --preset debug …     another preset than release: debug, asan
#
# With CI=true in the environment, tests that cannot be made (no Python packages) are an error instead of being left out.
set -euo pipefail
. "$(dirname "$0")/common.sh"

preset=release
case ${1-} in
  --help | -h) print_help "$0" && exit 0 ;;
  --preset)
    [ $# -ge 2 ] || die "--preset wants a name"
    preset=$2
    shift 2
    ;;
esac

cd "$kmap_root"
./scripts/setup.sh --tests
say "kmap:"
if ! make_python; then
  [ "${CI-}" != true ] || die "with CI=true the tests that use Python must run"
  say "  The tests that check the format and open outputs with h5py are left out."
fi
build_preset "$preset" "-DKMAP_WERROR=ON -DKMAP_BUILD_TESTS=ON" || exit 1

# CTest's summary is the end of what is shown.
exec ctest --test-dir "$kmap_root/build/$preset" --output-on-failure --no-tests=error --parallel "$(build_jobs)" "$@"
