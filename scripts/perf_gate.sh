#!/usr/bin/env bash
# Checks the speed before a release: those comparisons of ./scripts/bench.sh whose ratios are steady, each with a margin of 10 % for
# noise; one that fails is measured up to three times. Exit status 1 where one stays behind. It is no part of the tests.
#
#   ./scripts/perf_gate.sh               15 turns each
#   ./scripts/perf_gate.sh --quick       5 turns each
#   ./scripts/perf_gate.sh --only TEXT   only comparisons with TEXT in their name
#   ./scripts/perf_gate.sh --output DIR  where gate.json goes (build/bench-results)
set -euo pipefail
. "$(dirname "$0")/common.sh"

case ${1-} in --help | -h) print_help "$0" && exit 0 ;; esac

"$kmap_root/scripts/setup.sh" --tests
bench_python --gate "$@"
