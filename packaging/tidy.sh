#!/usr/bin/env bash
# Runs clang-tidy over the product. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

BUILD="$SOURCE_DIR/build/tidy"
PIN="$SOURCE_DIR/packaging/clang-tools.txt"
VERSION=$(sed -n 's/^clang-tidy==\([^ ]*\).*/\1/p' "$PIN")
FORMAT_VERSION=$(sed -n 's/^clang-format==\([^ ]*\).*/\1/p' "$PIN")
TIDY="$(cache_dir)/clang-tidy-$VERSION/clang_tidy/data/bin/clang-tidy"
FORMAT="$(cache_dir)/clang-format-$FORMAT_VERSION/clang_format/data/bin/clang-format"
JOBS=$(nproc 2>/dev/null || echo 2)

usage() {
    cat <<EOF
Usage: packaging/tidy.sh [PATTERN]
       packaging/tidy.sh --format

Lists the files of core, models, ui, app and tests that clang-format $FORMAT_VERSION would lay out differently (--format lays them out, and ends there), then
runs clang-tidy $VERSION (both downloaded with pip, as LibTorch is) with the checks of .clang-tidy over core, models, ui and app, each group of
sources that is compiled together at once, and prints what it finds; the exit code is then 1. A group that was without findings is not looked at again until one of its files or the
checks change. With a pattern (of grep -E) only groups whose path matches, for example packaging/tidy.sh core/lab.
EOF
}

case "${1:-}" in -h | --help) usage && exit 0 ;; esac

# fetch NAME VERSION
fetch() {
    local wheel
    say "Downloading $1 $2"
    have_pip || install_packages python3 python3-pip
    wheel=$(mktemp -d)
    grep -E "^$1==" "$PIN" >"$wheel/pin.txt"
    python3 -m pip download --quiet --no-deps --require-hashes --only-binary :all: --disable-pip-version-check --dest "$wheel" -r "$wheel/pin.txt" ||
        die "$1 $2 could not be downloaded: check the network and pip's package index."
    python3 -m zipfile -e "$wheel"/*.whl "$wheel/unpacked"
    chmod +x "$wheel"/unpacked/*/data/bin/*
    mv "$wheel/unpacked" "$(cache_dir)/$1-$2"
    rm -rf "$wheel"
}
[ -x "$FORMAT" ] || fetch clang-format "$FORMAT_VERSION"
# clang_format --dry-run|-i: over all C++ and CUDA files of the tree.
clang_format() {
    find "$SOURCE_DIR"/{core,models,ui,app,tests} -regex '.*\.\(cpp\|h\|cu\|cuh\)' -print0 | xargs -0 -n 50 -P "$JOBS" "$FORMAT" --Werror "$@"
}
case "${1:-}" in --format) clang_format -i && exit 0 ;; esac
say "Running clang-format $FORMAT_VERSION"
clang_format --dry-run 2>&1 | sed -n "s,^$SOURCE_DIR/\([^:]*\):.*,\1,p" | sort -u | grep . && die "These files are laid out differently: packaging/tidy.sh --format mends them."

have clang++ || install_packages clang
[ -x "$TIDY" ] || fetch clang-tidy "$VERSION"

# Its own configuration: what GCC has precompiled, clang cannot read. Nothing is built.
ensure_libtorch
cmake --preset release -S "$SOURCE_DIR" -B "$BUILD" -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DATTNSCOPE_WERROR=OFF >"$BUILD.log" 2>&1 || { tail -n 15 "$BUILD.log" >&2; die "cmake failed."; }
PASSED="$(cache_dir)/tidy"
mkdir -p "$PASSED"

# The sources of a group with all of ours that they include, and the checks, as one number.
fingerprint() {
    {
        cat "$SOURCE_DIR/.clang-tidy" "$PIN"
        clang++ -MM -MG -w -std=c++20 -I"$SOURCE_DIR" -I"$BUILD/generated" -DATTNSCOPE_MEDIA "$1" 2>/dev/null | tr -s ' \\\n' '\n' \
            | grep "^$SOURCE_DIR" | sort -u | while read -r file; do [ ! -f "$file" ] || cat "$file"; done
    } | sha256sum | cut -d' ' -f1
}

check() {
    local mark found
    mark="$PASSED/$(fingerprint "$1")"
    [ ! -e "$mark" ] || return 0
    found=$("$TIDY" -p "$BUILD" --quiet "$1" 2>/dev/null | sed "s,$SOURCE_DIR/,,")
    [ -z "$found" ] || { printf '%s\n' "$found" && return 1; }
    touch "$mark"
}
export -f fingerprint check
export SOURCE_DIR BUILD TIDY PASSED PIN

say "Running clang-tidy $VERSION"
SOURCES=$(grep -o '"file": "[^"]*"' "$BUILD/compile_commands.json" | cut -d'"' -f4 | grep -E '/(core|models|ui|app)/' \
    | grep -vE '/tests/|mocs_compilation|qrc_' | grep -E "${1:-.}") || die "No source's path matches ${1:-.}."
printf '%s\n' "$SOURCES" | while read -r file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done \
    | xargs -0 -r -n 1 -P "$JOBS" bash -c 'check "$1"' _ || die "clang-tidy has findings; they are shown above."
say "clang-tidy has no findings"
