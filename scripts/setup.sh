#!/usr/bin/env bash
# Gets everything that building kmap needs.
#
#   ./scripts/setup.sh [--tests] [--yes]     find the dependencies, or install them on Debian 12 or 13
#   ./scripts/setup.sh --check [--tests]     only report what CMake finds; exit status 0 when all is there, else 1
#   ./scripts/setup.sh --undo                remove the package source and the pins that this script added
#   ./scripts/setup.sh --help
#
#   --tests   also what the tests need: GoogleTest, and Python for the checks of the outputs with h5py
#   --yes     do not ask before changing the system (without a terminal it never asks)
#
# Where CMake already finds all dependencies (a cluster with modules or Spack; Kokkos_ROOT, CMAKE_PREFIX_PATH and the like are
# respected) nothing is changed. On Debian, Kokkos comes from Debian's own `sid` release, which is added as a package source with
# everything but Kokkos held back; on Debian 12, Kokkos also needs Debian 13's C library.
set -euo pipefail
. "$(dirname "$0")/common.sh"

source_file=/etc/apt/sources.list.d/kmap.sources
pins_file=/etc/apt/preferences.d/kmap.pref
probe_build=$kmap_root/build/probe

packages=(g++ cmake ninja-build libopenmpi-dev openmpi-bin libhdf5-openmpi-dev libyaml-cpp-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev libfftw3-dev libkokkos-dev hdf5-tools)
test_packages=(libgtest-dev libgmock-dev libmpfr-dev python3-venv)
# What Debian 12 takes from Debian 13, and nothing else: the C library and what must go with it.
libc_packages="libc6 libc6-dev libc6-dbg libc-bin libc-dev-bin libc-devtools libc-l10n locales libstdc++6 gcc-14-base base-files
 dpkg-dev libdpkg-perl"

tests=no
yes=no
mode=install
for argument in "$@"; do
  case $argument in
    --tests) tests=yes ;;
    --yes) yes=yes ;;
    --check) mode=check ;;
    --undo) mode=undo ;;
    --help | -h) print_help "$0" && exit 0 ;;
    *) die "unknown option '$argument'; see ./scripts/setup.sh --help" ;;
  esac
done
[ "$tests" = no ] || packages+=("${test_packages[@]}")

# ---- What is there already -------------------------------------------------------------------------------------------------

# All that a found answer depends on, besides the files found.
probe_key() {
  printf '%s\n' "$tests" "$PATH" "${CC-}" "${CXX-}" "${CMAKE_PREFIX_PATH-}" "${CMAKE_TOOLCHAIN_FILE-}" "${LD_LIBRARY_PATH-}"
  env | grep -E '^[A-Za-z0-9_]+_(ROOT|DIR|HOME)=' | sort || true
  cksum "$kmap_root"/core/cmake/KmapDependencies.cmake "$kmap_root"/core/cmake/KmapMpiMatch.cmake \
    "$kmap_root"/core/cmake/FindFFTW3.cmake "$kmap_root"/core/cmake/probe/CMakeLists.txt "$kmap_root"/scripts/setup.sh
}

# The last positive answer still holds when nothing in the key changed and every file found is there, unchanged since.
probe_is_fresh() {
  local file
  [ -s "$probe_build/files" ] && [ -s "$probe_build/key" ] || return 1
  [ "$(probe_key)" = "$(cat "$probe_build/key")" ] || return 1
  while IFS= read -r file; do
    [ -e "$file" ] && [ ! "$file" -nt "$probe_build/files" ] || return 1
  done < "$probe_build/files"
}

# Asks CMake, in a build folder of its own. Leaves its words in build/log/probe.log.
probe() {
  if probe_is_fresh; then return 0; fi
  have cmake || return 1
  mkdir -p "$kmap_logs"
  rm -rf "$probe_build"
  local generator=() options=()
  if have ninja; then generator=(-G Ninja); fi
  if [ "$tests" = yes ]; then options=(-DKMAP_BUILD_TESTS=ON); fi
  cmake -S "$kmap_root/core/cmake/probe" -B "$probe_build" "${generator[@]}" "${options[@]}" \
    > "$kmap_logs/probe.log" 2>&1 || { rm -f "$probe_build/files"; return 1; }
  probe_key > "$probe_build/key"
}

# Python with venv is wanted by the tests only, and only installed where packages are installed anyway.
python_missing() { [ "$tests" = yes ] && ! python3 -c 'import ensurepip, venv' > /dev/null 2>&1; }

# MPFR likewise.
mpfr_missing() { [ "$tests" = yes ] && ! grep -q '/mpfr\.h$' "$probe_build/files"; }

say_found() {
  say "All dependencies are there; nothing to install. CMake finds:"
  sed 's/^/  /' "$probe_build/summary"
}

say_missing() {
  local words
  if ! have cmake; then
    say "CMake is not installed."
    return
  fi
  # kmap's own sentence where there is one, otherwise the first error of CMake's.
  words=$(awk '/^ *kmap: / { found = 1 } found && /^ *$/ { exit } found { sub(/^ *(kmap: )?/, ""); print }' "$kmap_logs/probe.log")
  [ -n "$words" ] || words=$(grep -A 12 'CMake Error' "$kmap_logs/probe.log" | head -n 12 || true)
  say "CMake does not find all dependencies: $words"
  say "  (all that it says: $kmap_logs/probe.log)"
}

# ---- Other systems ---------------------------------------------------------------------------------------------------------

say_needs() {
  cat << END
kmap needs these, found by CMake:
  a C++20 compiler (GCC 12 or newer, Clang 16 or newer)    CMake 3.25 or newer, and Ninja or Make
  Kokkos 4.5 or newer, with a host backend (OpenMP)        an MPI library with MPI 3.1 or newer (Open MPI, MPICH, Cray MPICH)
  HDF5 1.10 or newer, built parallel with that MPI         yaml-cpp 0.7, CLI11 2.1, fmt 9 and
  FFTW 3 in double and single precision                    nlohmann-json 3.11, or newer$([ "$tests" = no ] ||
    printf '\n  GoogleTest 1.12 or newer                                 Python 3.11 or newer with venv (some tests)\n  MPFR (some tests)')
How to point CMake at them:
  modules or Spack   load kokkos, hdf5 +mpi, yaml-cpp, cli11, fmt, nlohmann-json, fftw and their MPI; Kokkos_ROOT,
                     HDF5_ROOT, FFTW3_ROOT and CMAKE_PREFIX_PATH are respected by this script too
  your own builds    export CMAKE_PREFIX_PATH=/prefix/of/one:/prefix/of/another   and mpicxx first in PATH
  no Kokkos at all   cmake --preset release -DKMAP_FETCH_KOKKOS=ON builds the upstream release along with kmap (needs
                     internet; FETCHCONTENT_SOURCE_DIR_KOKKOS=/its/sources uses a local copy)
Then run ./scripts/setup.sh --check.
END
}

# ---- Debian ----------------------------------------------------------------------------------------------------------------

as_root() {
  if [ "$(id -u)" = 0 ]; then
    env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l "$@"
  fi
}

# Another package manager at work is waited for.
apt_get() { as_root apt-get -q -y -o DPkg::Lock::Timeout=120 "$@"; }

# The Debian release that this machine lives on: the newest whose packages apt takes by itself (priority 500). The files in /etc
# name the wrong one once the C library of a newer release is there. Empty when it is not Debian 12 or 13.
debian_release() {
  local codenames
  have apt-cache || return 0
  codenames=$(LC_ALL=C apt-cache policy | awk '
    $1 ~ /^[0-9]+$/ { priority = $1 }
    $1 == "release" && priority >= 500 && /(^|,)o=Debian,/ && match($0, /n=[a-z]+/) { print substr($0, RSTART + 2, RLENGTH - 2) }' |
    sort -u)
  case " $(echo $codenames) " in
    *" sid "* | *" forky "*) ;;
    *" trixie "*) echo trixie ;;
    *" bookworm "*) echo bookworm ;;
  esac
}

# On a machine whose package lists were never read, apt knows only the names in its sources.
debian_release_in_sources() {
  local names
  have apt-get || return 0
  names=$(apt-get indextargets --format '$(RELEASE)' 'Created-By: Packages' 2> /dev/null | sort -u)
  case " $(echo $names) " in
    *" trixie "*) echo trixie ;;
    *" bookworm "*) echo bookworm ;;
  esac
}

# The archive that this machine takes Debian from, as apt knows it: its address, and the file and line that say so.
debian_archive() {
  local release=$1
  apt-get indextargets --format '$(REPO_URI) $(SOURCESENTRY)' 'Created-By: Packages' "Codename: $release" 2> /dev/null | head -n 1
}

# The keyring named for that archive in the apt configuration; none where apt's general ones are used.
debian_keyring() {
  local file=${1%:*} line=${1##*:} key
  case $file in
    *.sources) key=$(sed -n 's/^[Ss]igned-[Bb]y:[[:space:]]*\(\/.*\)$/\1/p' "$file" | head -n 1) ;;
    *) key=$(sed -n "${line}s/.*signed-by=\([^] ]*\).*/\1/p" "$file") ;;
  esac
  if [ -z "$key" ] && [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] && ! ls /etc/apt/trusted.gpg.d/* > /dev/null 2>&1; then
    key=/usr/share/keyrings/debian-archive-keyring.gpg
  fi
  printf '%s\n' "$key"
}

write_root_file() { as_root tee "$1" > /dev/null; }

add_source() {
  local release=$1 archive entry key suites="sid"
  read -r archive entry <<< "$(debian_archive "$release")"
  [ -n "$archive" ] || { echo "apt knows no archive of Debian $release"; return 1; }
  key=$(debian_keyring "$entry")
  [ "$release" = trixie ] || suites="sid trixie"
  {
    echo "# Added by kmap's scripts/setup.sh for Kokkos; ./scripts/setup.sh --undo removes it. $pins_file holds the rest back."
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nTargets: Packages\nCheck-Valid-Until: no\n' "$archive" "$suites"
    [ -z "$key" ] || printf 'Signed-By: %s\n' "$key"
  } | write_root_file "$source_file"
  {
    echo "# Added by kmap's scripts/setup.sh: of these releases nothing is taken by itself, except what is named here."
    printf '\nPackage: *\nPin: release o=Debian, n=sid\nPin-Priority: 50\n'
    printf '\nPackage: libkokkos*\nPin: release o=Debian, n=sid\nPin-Priority: 600\n'
    if [ "$release" = bookworm ]; then
      printf '\nPackage: *\nPin: release o=Debian, n=trixie\nPin-Priority: 60\n'
      printf '\nPackage: %s\nPin: release o=Debian, n=trixie\nPin-Priority: 600\n' "$(echo $libc_packages)"
    fi
  } | write_root_file "$pins_file"
  chmod_readable
}

chmod_readable() { as_root chmod 644 "$source_file" "$pins_file"; }

remove_source() { as_root rm -f "$source_file" "$pins_file"; }

update_lists() {
  apt_get update
  # The whole of apt-cache's words are read: with a reader that stops early, pipefail would see a broken pipe.
  [ "${1-}" != kokkos ] || LC_ALL=C apt-cache policy libkokkos-dev | grep 'Candidate: [0-9]'
}

# Nothing may be removed for kmap: apt then stops before it changes anything.
install_packages() {
  as_root dpkg --configure -a && # what an interrupted installation left behind
    apt_get install --no-install-recommends --no-remove -o Dpkg::Options::=--force-confold "$@"
}

# Debian's Kokkos package names two archives in its CMake files that it does not contain. They have no code; empty ones do.
empty_archives() {
  local folder
  folder=$(dirname "$(dpkg -L libkokkos-dev | grep '/libkokkoscore\.so$')")
  printf '%s\n' "$folder/libkokkosalgorithms.a" "$folder/libkokkossimd.a"
}

make_empty_archives() {
  local archive
  for archive in $(empty_archives); do
    [ -e "$archive" ] || as_root ar rcs "$archive"
  done
}

say_changes() {
  say "This will change the system:"
  say "  - install with apt, without recommended packages, what is missing of:"
  say "      ${packages[*]}"
  if [ "$1" = bookworm ]; then
    say "  - add Debian's releases sid (for Kokkos) and trixie (for the C library that Kokkos needs) as a package source:"
    say "      $source_file"
    say "  - hold back everything of them except these, by the pins in $pins_file:"
    say "      from sid: libkokkos*"
    printf '      from trixie: %s\n' "$(echo $libc_packages | fold -s -w 96 | sed 's/ *$//; 2,$s/^/                   /')"
    say "  - so UPGRADE THE C LIBRARY of this Debian 12 to Debian 13's. Programs go on to work, but it stays upgraded"
    say "    (--undo removes the source and the pins, not the library), and /etc/debian_version then says 13."
  else
    say "  - add Debian's release sid as a package source, for Kokkos:  $source_file"
    say "  - hold back everything of it except libkokkos*, by the pins in  $pins_file"
  fi
  say "  - put two empty archives beside Kokkos' library, which its CMake files name and Debian's package omits"
}

agree() {
  local answer
  [ "$yes" = no ] && [ -t 0 ] && [ -t 1 ] || return 0
  read -r -p "Go on? [y/N] " answer
  case $answer in [yY] | [yY]es) return 0 ;; *) die "nothing was changed" ;; esac
}

# A source and pins that this run added are taken away again when it does not get to its end, be it by an interrupt.
added=no
clean_up() { [ "$added" = no ] || remove_source; }

install_on_debian() {
  local release=$1
  if [ "$(id -u)" != 0 ] && ! have sudo; then
    die "packages must be installed, which needs root or sudo. Run this script as root, or see ./scripts/setup.sh --help"
  fi
  say_changes "$release"
  agree
  [ "$(id -u)" = 0 ] || sudo -v || die "sudo refused; run this script as root"
  trap clean_up EXIT
  trap 'exit 130' INT TERM
  step "read package lists" "check the network and apt's sources, then run this script again" update_lists || exit 1
  if [ ! -e "$source_file" ] || [ ! -e "$pins_file" ]; then
    added=yes
    step "add package source" "see the log, then run this script again" add_source "$release" || exit 1
  fi
  step "read package lists with Kokkos" "check the network, then run this script again; a package source that this run added is \
removed again" update_lists kokkos || exit 1
  step "install packages" "see the log, then run this script again; a package source that this run added is removed again. If apt \
wanted to remove packages, they conflict with those needed: remove them yourself, or use a Kokkos of your own (--help)" \
    install_packages "${packages[@]}" || exit 1
  step "complete Kokkos' package" "see the log, then run this script again" make_empty_archives || exit 1
  added=no
}

undo() {
  local archive
  if [ ! -e "$source_file" ] && [ ! -e "$pins_file" ]; then
    say "There is no package source of kmap's here."
  else
    step "remove package source" "remove $source_file and $pins_file as root" remove_source
  fi
  if dpkg -L libkokkos-dev > /dev/null 2>&1; then
    for archive in $(empty_archives); do
      # An empty archive is its eight-byte heading; one that belongs to a package is not ours.
      if [ -e "$archive" ] && [ "$(stat -c %s "$archive")" = 8 ] && ! dpkg -S "$archive" > /dev/null 2>&1; then
        as_root rm -f "$archive"
        say "  removed $archive"
      fi
    done
  fi
  rm -rf "$probe_build"
  step "read package lists" "run apt-get update as root" update_lists
  say "The packages stay. To remove Kokkos: apt-get remove libkokkos-dev. On Debian 12 the C library stays Debian 13's."
}

# ---- What was asked --------------------------------------------------------------------------------------------------------

case $mode in
  undo)
    undo
    exit 0
    ;;
  check)
    if probe; then
      say_found
      if python_missing; then say "Python 3 with venv is missing; the tests that open the outputs with h5py will be skipped."; fi
      if mpfr_missing; then say "MPFR is missing; the tests of mathematical functions will be left out."; fi
      exit 0
    fi
    say_missing
    exit 1
    ;;
esac

if probe; then
  say_found
  if [ -n "$(debian_release)" ] && { [ "$(id -u)" = 0 ] || have sudo; }; then
    if python_missing; then
      say "Python's venv, for some tests, is missing:"
      step "install python3-venv" "see the log, then run this script again" install_packages python3-venv || exit 1
    fi
    if mpfr_missing; then
      say "MPFR, for some tests, is missing:"
      step "install libmpfr-dev" "see the log, then run this script again" install_packages libmpfr-dev || exit 1
    fi
  fi
  exit 0
fi
say_missing
release=$(debian_release)
[ -n "$release" ] || release=$(debian_release_in_sources)
if [ -z "$release" ]; then
  say "This is neither Debian 12 nor Debian 13, so nothing is installed here."
  say_needs
  exit 1
fi
start=$SECONDS
install_on_debian "$release"
if ! probe; then
  say_missing
  die "everything was installed, but CMake does not find it all. Is another MPI, HDF5 or compiler first in PATH?"
fi
say "Everything is installed ($((SECONDS - start)) s). CMake finds:"
sed 's/^/  /' "$probe_build/summary"
