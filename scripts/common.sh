# Sourced by the other scripts: messages, logged steps, jobs, the environment of MPI programs.
# shellcheck shell=bash

kmap_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kmap_logs=$kmap_root/build/log

say() { printf '%s\n' "$*"; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" > /dev/null 2>&1; }

# Prints the comment block at the head of a script: its help.
print_help() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$1"; }

# step NAME REMEDY COMMAND… runs a command with its output in a log file, shows the time it took, and on failure names the step,
# the log and the remedy. The log of a step is overwritten by the next run of the same step.
step() {
  local name=$1 remedy=$2 start=$SECONDS log
  shift 2
  log=$kmap_logs/${name//[^A-Za-z0-9]/-}.log
  mkdir -p "$kmap_logs"
  printf '  %s … ' "$name"
  if "$@" > "$log" 2>&1 < /dev/null; then
    printf 'done (%d s)\n' $((SECONDS - start))
    return 0
  fi
  printf 'FAILED\n'
  {
    printf '\nerror: the step "%s" failed. The end of its log, %s:\n' "$name" "$log"
    tail -n 15 "$log" | sed 's/^/    /'
    printf 'What to do: %s\n' "$remedy"
  } >&2
  return 1
}

# Jobs of one build: all cores on a large machine, but never more than the memory carries (Kokkos code takes about 1.5 GB a job).
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo 2> /dev/null || echo "$cores")
  [ "${memory:-0}" -ge 1 ] || memory=1
  [ "$memory" -lt "$cores" ] && cores=$memory
  printf '%s\n' "$cores"
}

# Configures a preset when that has not been done and builds targets of it: build_preset PRESET "CMAKE-OPTIONS" TARGET…
build_preset() {
  local preset=$1 options=$2 launcher=() targets=()
  shift 2
  for target in "$@"; do targets+=(--target "$target"); done
  have ninja || launcher+=(-G "Unix Makefiles")
  if have ccache; then launcher+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache); fi
  # shellcheck disable=SC2086 # the options are a list of words
  step "configure $preset" "read the log; ./scripts/setup.sh --check says what CMake finds" \
    cmake -S "$kmap_root" --preset "$preset" "${launcher[@]}" $options || return 1
  step "build $preset" "read the log for the first line that says 'error'" \
    cmake --build "$kmap_root/build/$preset" --parallel "$(build_jobs)" "${targets[@]}"
}

# MPI programs started by these scripts: quiet, allowed in containers and as root, with more ranks than cores where asked.
mpi_environment() {
  if [ "$(id -u)" = 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
  # Open MPI wants a remote shell even where all ranks are local; any program satisfies it.
  if ! have ssh && ! have rsh; then export OMPI_MCA_plm_rsh_agent=/bin/false PRTE_MCA_plm_ssh_agent=/bin/false; fi
  # All ranks are on this machine and talk through memory; looking for a network makes Open MPI 5 complain where there is none.
  export OMPI_MCA_btl="${OMPI_MCA_btl-^tcp}"
  export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
}

# The Python environment of the tests: clang-format, NumPy and h5py in the versions of requirements.txt. Without it some tests are left
# out, which a CI run (CI=true) does not accept.
kmap_python_folder=$kmap_root/build/venv

# make_python [FOLDER REQUIREMENTS]: a Python environment, that of the tests by default. Made once; made anew when the requirements or
# the Python change.
make_python() {
  local folder=${1-$kmap_python_folder} requirements=${2-$kmap_root/scripts/requirements.txt} key
  key=$(cksum < "$requirements")
  if [ -x "$folder/bin/python" ] && [ "$key" = "$(cat "$folder/.made-from" 2> /dev/null)" ] &&
    "$folder/bin/python" -c '' 2> /dev/null; then
    return 0
  fi
  rm -rf "$folder"
  if step "make Python environment" "is python3 with venv there, and can pip reach its package index?" \
    install_python "$folder" "$requirements"; then
    printf '%s\n' "$key" > "$folder/.made-from"
  else
    rm -rf "$folder"
    return 1
  fi
}

install_python() {
  python3 -m venv "$1" &&
    "$1/bin/python" -m pip install --disable-pip-version-check --no-input --only-binary=:all: -r "$2"
}

# bench_python builds the benchmark program, makes the Python environment of the comparisons, and has their runner called with all
# that is needed: bench_python OPTION…
bench_python() {
  local folder=$kmap_root/build/bench-venv
  say "kmap:"
  make_python "$folder" "$kmap_root/scripts/bench/requirements.txt" ||
    die "the comparisons need Python and its packages (scripts/bench/requirements.txt)"
  build_preset release "-DKMAP_BUILD_TESTS=ON" bench || exit 1
  mpi_environment
  "$folder/bin/python" "$kmap_root/scripts/bench/run.py" "$@"
}
