#!/usr/bin/env bash
# Does all set-up, builds the `kmap` command, and runs three jobs: a square mapped over a vector, sin² + cos² mapped over a batch by
# two MPI ranks, and the spectrogram of a recording by two ranks. It ends with what to open next.
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
# A build folder that is there keeps its options; a new one needs no GoogleTest for this.
options=
[ -e build/release/CMakeCache.txt ] || options=-DKMAP_BUILD_TESTS=OFF
build_preset release "$options" kmap || exit 1
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
say
say "3. Two MPI ranks: the power spectral density of windows of one second of the recording inputs/strain.h5"
run mpirun -n 2 $kmap run configs/periodogram.yaml --overwrite

say
if have h5dump; then
  say "The values. The files also open with h5py, xarray or MATLAB."
  run h5dump -d /y configs/out/square.h5
  run h5dump -d /y -s 0,0 -c 2,6 configs/out/heavy_task.h5
  h5dump -d /y -y -w 1 -m %.17g configs/out/heavy_task.h5 | awk '
    /DATA \{/ { inside = 1; next }
    /\}/ { inside = 0 }
    inside { value = $1 + 0; if (count++ == 0 || value < least) least = value; if (value > most) most = value }
    END { printf "All of /y: %d values, the least %.17g, the greatest %.17g\n", count, least, most }'
  run h5dump -d /frequency -s 30 -c 6 configs/out/periodogram.h5
  run h5dump -d /power -s 10,30 -c 1,6 configs/out/periodogram.h5
else
  say "Look at the values with h5dump (HDF5's tools) or h5py: /y in configs/out/square.h5 and configs/out/heavy_task.h5,"
  say "/power and /frequency in configs/out/periodogram.h5"
fi

cat << END

What to open next:
  README.md                 how to use the library and the command, how to write a kernel
  configs/square.yaml       the first job; configs/heavy_task.yaml the second
  apps/square/kernel.cpp    its kernel: a folder like this and a config are all that a new one needs
  $kmap list   all kernels; $kmap describe lorenz shows one of them
  ./scripts/test.sh         runs every test
END
