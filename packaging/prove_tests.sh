#!/usr/bin/env bash
# Mutation testing of the core. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

WORK="$SOURCE_DIR/build/mutation"
FOLDERS=(core/attention core/kernels core/store core/evaluate core/measure)
usage() {
    cat <<EOF
Usage: packaging/prove_tests.sh [--folder FOLDER]… [--target TARGET]… [--only FILE[:LINE]]… [--tests PATTERN] [OPTION]…

Changes one operator, condition or statement of the core at a time (a mutant) and runs the tests that come by it, the fastest first: one of them
should fail. The sample's mutants are compiled at once, each behind its number, and an environment variable chooses the one that is alive. Prints those
that no test notices, and the share of those that are; exit code 1 below nine in ten. tests/mutation/accepted.txt lists survivors that have a reason.
  --folder FOLDER  only this folder (repeatable): ${FOLDERS[*]}
  --target TARGET  only this program of tests, for example tests_store (repeatable; all below the command line)
  --only FILE      only mutants of this file, or with FILE:LINE of this line, as printed for survivors (repeatable)
  --tests PATTERN  only tests whose names match
  --sample N       so many mutants of each folder, drawn at random (50; about a minute for three on two cores)
  --seed N         which (1)
  --jobs N         tests at a time (all cores)
  --work FOLDER    where changed sources are written and built, a quarter of an hour the first time ($WORK)
EOF
}

CHOSEN=() OPTIONS=()
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage && exit 0 ;;
        --folder) CHOSEN+=("${2:?}") && shift ;;
        --work) WORK=$(realpath -m "${2:?}") && shift ;;
        --target | --only | --sample | --seed | --tests | --jobs) OPTIONS+=("$1" "${2:?}") && shift ;;
        *) die "$1 is not an option; --help lists them." ;;
    esac
    shift
done
[ ${#CHOSEN[@]} -gt 0 ] || CHOSEN=("${FOLDERS[@]}")
for folder in "${CHOSEN[@]}"; do
    OPTIONS+=(--folder "$folder")
done

install_packages "${BUILD_PACKAGES[@]}" "${APP_PACKAGES[@]}" "${TEST_PACKAGES[@]}" 'python3-clang-15|python3-clang-18' 'libclang-common-15-dev|libclang-common-18-dev'
ensure_libtorch
mkdir -p "$WORK"
# Only to know how each source is compiled: libclang reads what clang would.
cmake --preset release -S "$SOURCE_DIR" -B "$WORK/commands" -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DATTNSCOPE_UI=OFF \
    -DATTNSCOPE_WERROR=OFF >"$WORK/commands.log" 2>&1 || { tail -n 15 "$WORK/commands.log" >&2; die "cmake failed."; }
# Debian's libclang belongs to Debian's own Python.
exec /usr/bin/python3 "$SOURCE_DIR/tests/mutation/mutation.py" --compile-commands "$WORK/commands/compile_commands.json" --work "$WORK" "${OPTIONS[@]}"
