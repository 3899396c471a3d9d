#!/usr/bin/env bash
# All tests under the sanitizers. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PART=1 PARTS=1 QUICK=no
# The preset asan leaves out the check of virtual tables: it asks a pipe whether memory is there, which decoder processes may not open.
# Programs of tests without LibTorch.
QUICK_GROUPS=(tests_plain tests_media tests_store)
usage() {
    cat <<EOF
Usage: packaging/sanitize.sh [--quick] [--part I/N] [address] [thread] [-- CTEST OPTION…]

Builds and runs the tests under sanitizers, both unless one is named:
  address   addresses, leaks and undefined behaviour, all tests (preset asan; on two cores the build takes an hour, the tests two)
  thread    races between threads, in what runs without LibTorch, which is not built for that (preset tsan; minutes)
  --quick   under \`address\` only the tests that need no LibTorch: kernels, readers of files, decoders, stores (minutes)
  --part I/N  of the tests under \`address\` only every N-th, from the I-th on: N nights see all of them
EOF
}

KINDS=()
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage && exit 0 ;;
        --quick) QUICK=yes ;;
        --part)
            [[ ${2:-} =~ ^([1-9][0-9]*)/([1-9][0-9]*)$ ]] || die "--part takes I/N, for example 1/4."
            PART=${BASH_REMATCH[1]} PARTS=${BASH_REMATCH[2]}
            [ "$PART" -le "$PARTS" ] || die "There is no part $PART of $PARTS."
            shift ;;
        address | thread) KINDS+=("$1") ;;
        --) shift && break ;;
        *) die "sanitize.sh has no option $1; --help lists them." ;;
    esac
    shift
done
[ ${#KINDS[@]} -gt 0 ] || KINDS=(thread address)

install_packages "${BUILD_PACKAGES[@]}" "${APP_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
ensure_libtorch
cd "$SOURCE_DIR"
failed=()
for kind in "${KINDS[@]}"; do
    if [ "$kind" = thread ]; then
        build_preset tsan tests_threads
        ctest --preset tsan "$@" || failed+=(thread)
    elif [ $QUICK = yes ]; then
        build_preset asan "${QUICK_GROUPS[@]}"
        ctest --preset asan -L "^($(IFS='|' && echo "${QUICK_GROUPS[*]}"))$" "$@" || failed+=(address)
    else
        build_preset asan
        say "Tests under the address sanitizer, part $PART of $PARTS"
        ctest --preset asan -I "$PART,,$PARTS" "$@" || failed+=(address)
    fi
done
[ ${#failed[@]} -eq 0 ] || die "Tests failed under: ${failed[*]}. Their output is above, and in build/*/Testing/Temporary/LastTest.log."
