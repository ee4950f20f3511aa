#!/usr/bin/env bash
# Does all set-up, builds the `kmap` command, and runs the two jobs of the tutorial: a square mapped over a vector, and
# sin² + cos² mapped over a batch by two MPI ranks. It ends with what to open next.
set -euo pipefail
. "$(dirname "$0")/common.sh"

case ${1-} in
  "") ;;
  --help | -h) print_help "$0" && exit 0 ;;
  *) die "unknown option '$1'; see ./scripts/demo.sh --help" ;;
esac

cd "$kmap_root"
./scripts/setup.sh
say "kmap:"
build_preset release "" kmap || exit 1
mpi_environment

# Shows a command as a user would type it, and runs it.
run() {
  printf '\n$ %s\n' "$*"
  "$@"
}
kmap=build/release/kmap

say
say "1. One process: x squared, for the vector 1 … 5 of inputs/tutorial.h5"
run $kmap run configs/square.yaml --overwrite
say
say "2. Two MPI ranks: sin²x + cos²x, for the 10 x 1000 batch 0 … 9999 of inputs/tutorial.h5; every value is 1"
run mpirun -n 2 $kmap run configs/heavy_task.yaml --overwrite
