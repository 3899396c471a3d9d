#!/usr/bin/env bash
# Downloads the pinned LibTorch with pip and unpacks what Attnscope needs of it. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/fetch_libtorch.sh [--cuda | --headers] [--dest FOLDER]

Downloads LibTorch $LIBTORCH_VERSION for the CPU with pip and unpacks it: 545 MB to download, 525 MB unpacked. An existing folder is left alone. The
wheels are pinned in libtorch-cpu.txt, libtorch-cuda.txt and libtorch-cuda-headers.txt next to this script, and checked against their sha256.

  --cuda         what programs load where there is an NVIDIA GPU (attnscope-cli gpu install): 2.5 GB to download, 3.2 GB unpacked. A
                 run that was interrupted goes on with the wheels that it lacks
  --headers      CUDA's headers, for libattnscope-cuda.so: 4 MB
  --dest FOLDER  where to; default: $(fetched_libtorch cpu)
                 (…-cuda and …-cuda-headers). For another folder set ATTNSCOPE_LIBTORCH=FOLDER when building, or
                 ATTNSCOPE_LIBTORCH_CUDA=FOLDER when running.
EOF
}

# Disk space in MB at the worst moment: pip keeps two copies of a wheel for a moment, and one wheel is fetched at a time.
declare -A SPACE_MB=([cpu]=1300 [cuda]=4300 [cuda-headers]=100)
# Only the platform tags of the pinned wheels.
PLATFORMS=(manylinux_2_28 manylinux_2_27 manylinux_2_25 manylinux_2_18 manylinux_2_17 manylinux2014
           manylinux_2_12 manylinux2010 manylinux_2_5 manylinux1)

# --- checks before anything is downloaded -----------------------------------------------------------------

check_system() {
    local system machine glibc
    system=$(uname -s) machine=$(uname -m)
    [ "$system" = Linux ] ||
        die "The LibTorch that this script fetches is for Linux, and this is $system: give one by ATTNSCOPE_LIBTORCH."
    [ "$machine" = x86_64 ] ||
        die "The LibTorch that this script fetches is for x86_64, and this machine is $machine: give one by ATTNSCOPE_LIBTORCH."
    glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ print $2 }') || true
    if [ -z "$glibc" ] || [ "$(printf '2.28\n%s\n' "$glibc" | sort -V | head -n 1)" != 2.28 ]; then
        die "LibTorch $LIBTORCH_VERSION needs glibc 2.28 or later, and this system has ${glibc:-another C library}."
    fi
}

# Sets PYTHON to one that has pip; Debian's own may have it where another python3 comes first.
find_pip() {
    for PYTHON in python3 /usr/bin/python3; do
        "$PYTHON" -m pip --version >/dev/null 2>&1 && return 0
    done
    die "Python 3 with pip is needed to download LibTorch: install python3-pip."
}

free_mb() { df -Pk "$1" | awk 'NR == 2 { print int($4 / 1000) }'; }

check_space() {
    local free needed=${SPACE_MB[$SET]}
    free=$(free_mb "$1")
    [ ! -d "$STAGING" ] || needed=$((needed - $(du -sm "$STAGING" | cut -f 1)))
    [ "$free" -ge "$needed" ] ||
        die "$1 has $free MB free, and fetching LibTorch needs $needed MB: free some, or set ATTNSCOPE_CACHE to a folder on a larger disk."
}

# --- download and unpack ---------------------------------------------------------------------------------------------

# Prints the amount downloaded so far every 15 s where there is no terminal for pip's progress bar.
heartbeat() {
    exec 9>&-
    trap 'kill $!; exit 0' TERM
    while sleep 15 & wait $!; do
        printf '    %s MB so far\n' "$(du -sm "$STAGING/tmp" 2>/dev/null | cut -f 1)" >&2
    done
}

HEARTBEAT=""
stop_heartbeat() {
    [ -n "$HEARTBEAT" ] || return 0
    kill "$HEARTBEAT" 2>/dev/null || true
    wait "$HEARTBEAT" 2>/dev/null || true
    HEARTBEAT=""
}

PIP_LOG=""
run_pip() {
    local arguments=(--no-deps --require-hashes --only-binary :all: --python-version 3.11 --implementation cp
                     --abi cp311 --abi abi3 --abi none --no-cache-dir --no-input --disable-pip-version-check --retries 3)
    local platform
    for platform in "${PLATFORMS[@]}"; do
        arguments+=(--platform "${platform}_x86_64")
    done
    # Temporary files go to the disk whose space was checked, not to /tmp, which is often small. Errors are kept in a
    # variable, since a full disk would swallow a log; the progress bar comes on standard output.
    { PIP_LOG=$(TMPDIR=$STAGING/tmp "$PYTHON" -m pip download "${arguments[@]}" --dest "$STAGING/wheels" "$@" 2>&1 >&3); } 3>&2
}

die_of_full_disk() {
    die "The disk that holds $(dirname "$STAGING") is full: free ${SPACE_MB[$SET]} MB, or set ATTNSCOPE_CACHE to a folder on a larger disk."
}

# Turns pip's pages into one sentence.
explain_pip_failure() {
    if grep -q 'DO NOT MATCH THE HASHES' <<<"$PIP_LOG"; then
        die "$1: what pip downloaded does not have the sha256 pinned in $(basename "$PINS"); it was deleted. Try again; if the error persists, check the network and the package index."
    elif grep -qiE 'no space left|errno 28|quota exceeded' <<<"$PIP_LOG"; then
        die_of_full_disk
    elif grep -q 'CERTIFICATE_VERIFY_FAILED' <<<"$PIP_LOG"; then
        die "$1 could not be downloaded: pip does not trust the certificate of its package index (pip config set global.cert FILE)."
    elif grep -qiE 'NewConnectionError|NameResolution|Temporary failure|Max retries|ConnectTimeout|ReadTimeout|Read timed out|Connection(Reset|Error|.*aborted|.*broken)|ProxyError|unreachable|IncompleteRead' <<<"$PIP_LOG"; then
        die "$1 could not be downloaded: no network, or pip's package index cannot be reached."
    elif grep -q 'No matching distribution' <<<"$PIP_LOG"; then
        die "$1 could not be downloaded: pip's package index does not have it."
    fi
    tail -n 5 <<<"$PIP_LOG" >&2
    die "$1 could not be downloaded; pip's last output is shown above."
}

download() {
    local pin=$1 name=$2 status=0
    printf '%s\n' "$pin" >"$STAGING/requirement.txt"
    rm -rf "$STAGING/tmp" "$STAGING/wheels"
    mkdir -p "$STAGING/tmp" "$STAGING/wheels"
    if [ -t 2 ]; then
        run_pip --progress-bar on -r "$STAGING/requirement.txt" || status=$?
    else
        heartbeat &
        HEARTBEAT=$!
        run_pip --quiet -r "$STAGING/requirement.txt" || status=$?
        stop_heartbeat
    fi
    [ "$status" -eq 0 ] || explain_pip_failure "$name"
}

unpack() {
    local wheel status=0
    for wheel in "$STAGING"/wheels/*.whl; do
        "$PYTHON" "$HERE/unpack_wheel.py" "$SET" "$wheel" "$STAGING/unpacked" || status=$?
    done
    case $status in
        0) ;;
        28) die_of_full_disk ;;
        *) die "$(basename "$wheel") could not be unpacked; the reason is shown above." ;;
    esac
    rm -rf "$STAGING/wheels"
}

fetch_all() {
    local pins pin name number=0
    mapfile -t pins < <(grep -vE '^(#|$)' "$PINS")
    for pin in "${pins[@]}"; do
        name=${pin%% *}
        number=$((number + 1))
        [ ! -e "$STAGING/done/$name" ] || continue
        say "[$number/${#pins[@]}] Downloading ${name/==/ }"
        download "$pin" "$name"
        unpack
        touch "$STAGING/done/$name"
    done
}

# --- main ------------------------------------------------------------------------------------------------------------

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SET=cpu
DEST=""
while [ $# -gt 0 ]; do
    case $1 in
        --cuda) SET=cuda ;;
        --headers) SET=cuda-headers ;;
        --dest)
            [ $# -ge 2 ] || die "--dest takes a folder."
            DEST=$2
            shift
            ;;
        -h | --help) usage && exit 0 ;;
        *) die "fetch_libtorch.sh has no option $1; it takes --cuda, --headers and --dest FOLDER." ;;
    esac
    shift
done
DEST=${DEST:-$(fetched_libtorch "$SET")}
PINS=$HERE/libtorch-$SET.txt
STAGING=$DEST.part

[ ! -d "$DEST" ] || { say "LibTorch is already there: $DEST" && exit 0; }
check_system
find_pip
PARENT=$(dirname "$DEST")
mkdir -p "$PARENT" 2>/dev/null || die "$PARENT cannot be created: set ATTNSCOPE_CACHE to a folder of yours."
[ -w "$PARENT" ] || die "$PARENT cannot be written: set ATTNSCOPE_CACHE to a folder of yours."

# One at a time: a second run waits, and then finds the folder.
exec 9>"$DEST.lock"
if ! flock --nonblock 9; then
    say "Another run is fetching LibTorch; waiting for it"
    flock 9
fi
[ ! -d "$DEST" ] || { say "LibTorch is already there: $DEST" && exit 0; }

trap 'stop_heartbeat; rm -rf "$STAGING/tmp" "$STAGING/wheels"' EXIT
trap 'exit 130' INT TERM
rm -rf "$STAGING/tmp" "$STAGING/wheels"  # left over by a run that was killed
check_space "$PARENT"
mkdir -p "$STAGING/done"
say "Fetching LibTorch $LIBTORCH_VERSION ($SET) into $DEST"
fetch_all
mv "$STAGING/unpacked" "$DEST"
rm -rf "$DEST.lock" "$STAGING"
say "LibTorch is ready: $DEST ($(du -sm "$DEST" | cut -f 1) MB)"
