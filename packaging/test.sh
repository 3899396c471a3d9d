#!/usr/bin/env bash
# From a fresh checkout to a tested build. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/test.sh [CTEST OPTION]…

Installs what is missing, fetches LibTorch, builds everything and runs the tests. Options go to ctest, for example
  packaging/test.sh -R attention     tests whose name contains "attention"
  packaging/test.sh -L unit          tests with the label unit (golden ui cli export threads bench)
With ATTNSCOPE_TEST_WHEEL=1 the Python wheel is built and tested afterwards (packaging/wheel.sh --check).
Environment: ATTNSCOPE_CUDA, ATTNSCOPE_LIBTORCH, ATTNSCOPE_CACHE as for packaging/run.sh.
EOF
}

case "${1:-}" in -h | --help) usage && exit 0 ;; esac

install_packages "${BUILD_PACKAGES[@]}" "${APP_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
ensure_libtorch
build_preset release
[ -n "$(nvcc_path)" ] || say "There is no CUDA compiler (nvcc), so the CUDA kernels were not compiled; their source is tested on an emulated device"
ensure_export_python
say "Testing"
cd "$SOURCE_DIR"
ctest --preset release "$@" || exit
if [ -n "${ATTNSCOPE_TEST_WHEEL:-}" ]; then
    exec bash packaging/wheel.sh --check
fi
say "The Python wheel was not tested: with ATTNSCOPE_TEST_WHEEL=1 it is built and installed beside torch in an empty environment (3 GB to download)"
