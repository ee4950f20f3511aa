#!/usr/bin/env bash
# Does all set-up, builds the benchmark program, and measures kmap beside raw loops, Kokkos, JAX, NumPy, numexpr and Numba, in turns.
# Prints a table of goals and what was measured; writes bench.json (every sample, the machine, versions) and the plots.
#
#   ./scripts/bench.sh                   15 turns of everything; a machine that does nothing else gives figures that mean something
#   ./scripts/bench.sh --quick           5 turns and smaller plots: under 4 minutes once everything is set up
#   ./scripts/bench.sh --only TEXT       only comparisons with TEXT in their name, without plots: --only "square f8"
#   ./scripts/bench.sh --output DIR      where the results go (build/bench-results)
#   ./scripts/bench.sh --update-docs     also puts the figures into docs/performance.md and the plots into docs/images
#
# Further options: --pairs N turns, --threads N. See docs/performance.md.
set -euo pipefail
. "$(dirname "$0")/common.sh"

case ${1-} in --help | -h) print_help "$0" && exit 0 ;; esac

"$kmap_root/scripts/setup.sh" --tests
bench_python "$@"
