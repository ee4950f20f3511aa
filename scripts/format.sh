#!/usr/bin/env bash
# Formats the C++ sources with the clang-format that the tests check with (see requirements.txt).
#
#   ./scripts/format.sh             format all sources
#   ./scripts/format.sh FILE…       format these
#   ./scripts/format.sh --check     change nothing; exit status 1 and a diff if something is not formatted
set -euo pipefail
. "$(dirname "$0")/common.sh"

check=no
files=()
for argument in "$@"; do
  case $argument in
    --help | -h) print_help "$0" && exit 0 ;;
    --check) check=yes ;;
    -*) die "unknown option '$argument'; see ./scripts/format.sh --help" ;;
    *) files+=("$argument") ;;
  esac
done
make_python || exit 1

if [ ${#files[@]} = 0 ]; then
  mapfile -d '' -t files < <(cd "$kmap_root" && find core apps tests -type f \( -name '*.cpp' -o -name '*.hpp' \) -print0 | sort -z)
  cd "$kmap_root"
fi
[ ${#files[@]} -gt 0 ] || exit 0
if [ "$check" = no ]; then
  "$kmap_python_folder/bin/clang-format" -i "${files[@]}"
elif ! "$kmap_python_folder/bin/clang-format" --dry-run --Werror "${files[@]}" 2> /dev/null; then
  for file in "${files[@]}"; do
    "$kmap_python_folder/bin/clang-format" "$file" | diff -u --label "$file" --label "$file, formatted" "$file" - || true
  done
  die "not formatted; ./scripts/format.sh does it"
fi
