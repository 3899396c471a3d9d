# shellcheck shell=bash
# Functions shared by the scripts of this folder. Sourced, never run.

set -euo pipefail

LIBTORCH_VERSION=2.11.0
SOURCE_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export LIBTORCH_VERSION SOURCE_DIR

# Announces the next step on standard error, so that standard output stays the program's; with the time since ATTNSCOPE_BEGIN (seconds
# since the epoch), where that is set.
say() {
    local elapsed=""
    if [ -n "${ATTNSCOPE_BEGIN:-}" ]; then
        local seconds=$(($(date +%s) - ATTNSCOPE_BEGIN))
        printf -v elapsed '[%d:%02d] ' $((seconds / 60)) $((seconds % 60))
    fi
    printf '==> %s%s\n' "$elapsed" "$*" >&2
}
warn() { printf 'warning: %s\n' "$*" >&2; }

# Ends the script with one sentence.
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# The folder for downloads that every checkout uses; packaging/cmake/FindLibTorch.cmake looks there too.
cache_dir() { printf '%s\n' "${ATTNSCOPE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/attnscope}"; }

# Whether the kernels for NVIDIA GPUs are built: requested by ATTNSCOPE_CUDA=1, ruled out by ATTNSCOPE_CUDA=0, otherwise whether there are a GPU and
# a CUDA compiler.
want_cuda_kernels() {
    case ${ATTNSCOPE_CUDA:-} in
        1 | ON | on | true | yes) return 0 ;;
        0 | OFF | off | false | no) return 1 ;;
        "") [ -n "$(nvcc_path)" ] && have nvidia-smi && nvidia-smi -L 2>/dev/null | grep -q '^GPU ' ;;
        *) die "ATTNSCOPE_CUDA=$ATTNSCOPE_CUDA is neither 1 (the kernels for GPUs are built) nor 0." ;;
    esac
}

# The CUDA compiler that packaging/cmake/CudaKernels.cmake finds, or nothing.
nvcc_path() {
    local folder
    for folder in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
        [ -n "$folder" ] && [ -x "$folder/bin/nvcc" ] && { echo "$folder/bin/nvcc"; return 0; }
    done
    command -v nvcc || true
}

# Jobs for a build: one per core, but no more than fit into memory; a file that includes LibTorch takes up to 1.5 GiB.
build_jobs() {
    local cores fitting
    cores=$(nproc 2>/dev/null || echo 2)
    fitting=$(awk '/^MemAvailable:/ { print int($2 / 1572864) }' /proc/meminfo 2>/dev/null || echo "$cores")
    [ "$fitting" -ge 1 ] || fitting=1
    echo $((cores < fitting ? cores : fitting))
}

# --- the system's packages -------------------------------------------------------------------------------------------

# Names after a bar are the names of the same package in other releases.
# shellcheck disable=SC2034
BUILD_PACKAGES=(build-essential cmake ninja-build ccache nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libfmt-dev libsqlite3-dev libsqlitecpp-dev)
# shellcheck disable=SC2034
APP_PACKAGES=(qt6-base-dev 'qt6-svg-dev|libqt6svg6-dev' qt6-tools-dev qt6-l10n-tools libopencv-core-dev libopencv-imgcodecs-dev
              'libjpeg62-turbo-dev|libjpeg-turbo8-dev' libtiff-dev libarchive-dev zlib1g-dev libsnappy-dev libzstd-dev
              libavformat-dev libavcodec-dev libavutil-dev libswscale-dev)
# Tests that need one of these say so and are skipped without it; packaging/fuzz.sh needs clang.
# shellcheck disable=SC2034
TEST_PACKAGES=(strace clang ffmpeg)
# Optional: nothing fails without them. MPI is for training and evaluating with several processes.
OPTIONAL_PACKAGES=(fonts-inter libopenmpi-dev openmpi-bin)

package_installed() {
    dpkg-query -W -f='${Status}\n' "$1" 2>/dev/null | grep -q '^install ok installed$'
}

# Whether any of the names in "a|b" is installed.
requirement_met() {
    local name
    for name in ${1//|/ }; do
        package_installed "$name" && return 0
    done
    return 1
}

# The first name in "a|b" that apt can install, or nothing.
installable_name() {
    local name
    for name in ${1//|/ }; do
        if [ -n "$(apt-cache --quiet=2 show --no-all-versions "$name" 2>/dev/null)" ]; then
            echo "$name"
            return 0
        fi
    done
    return 1
}

missing_requirements() {
    local requirement
    for requirement in "$@"; do
        requirement_met "$requirement" || echo "$requirement"
    done
}

# Runs a command as root.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# Ends with one sentence unless commands can be run as root; $1 says why they are needed.
need_root_or_sudo() {
    [ "$(id -u)" -eq 0 ] && return 0
    have sudo || die "$1 needs root, and there is no sudo: run this as root once, or install by hand: ${*:2}."
    # With a terminal sudo may ask for the password; without one it must not.
    if ! [ -t 0 ] && ! sudo -n true 2>/dev/null; then
        die "$1 needs root, and sudo asks for a password that nobody can type here: install by hand: ${*:2}."
    fi
}

# Runs apt-get quietly. Fails with what it printed in APT_LOG.
APT_LOG=""
apt_get() {
    APT_LOG=$(as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        "$@" 2>&1 </dev/null)
}

update_package_lists() {
    say "Updating the package lists"
    apt_get update || explain_apt_failure "The package lists could not be updated"
}

# Summarises apt's output in one sentence. $1: what failed.
explain_apt_failure() {
    if grep -qiE 'no space left|not have enough free space' <<<"$APT_LOG"; then
        die "$1: the disk is full."
    elif grep -qE 'Temporary failure resolving|Could not (resolve|connect)|Unable to connect|unreachable|timed out' <<<"$APT_LOG"; then
        die "$1: no network, or the package archive cannot be reached."
    elif grep -q 'Could not get lock' <<<"$APT_LOG"; then
        die "$1: another program has been installing packages for five minutes; try again when it is done."
    fi
    tail -n 15 <<<"$APT_LOG" >&2
    die "$1; apt-get's last output is shown above."
}

# The names that apt would install for the given requirements, one per line; fails at the first that has none.
installable_names() {
    local requirement
    for requirement in "$@"; do
        installable_name "$requirement" || return 1
    done
}

# Installs missing requirements through apt. On other systems it lists what is needed, and the build continues with what
# CMake finds.
install_packages() {
    if ! have apt-get || ! have dpkg-query; then
        say "apt is not available, so nothing is installed; required are a C++20 compiler, CMake 3.25, Ninja, nlohmann/json, CLI11, toml++, fmt," \
            "Qt 6.4 (base, svg), OpenCV 4 (core, imgcodecs), libjpeg-turbo, libtiff 4, libarchive 3, zlib, snappy, zstd, FFmpeg 5 (avformat, avcodec, avutil, swscale), SQLite 3, SQLiteCpp 3 and Python 3 with pip."
        return 0
    fi
    local missing optional names
    mapfile -t missing < <(missing_requirements "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    need_root_or_sudo "Installing packages" "${missing[@]%%|*}"
    if ! names=$(installable_names "${missing[@]}"); then
        update_package_lists
        names=$(installable_names "${missing[@]}") || {
            # apt-get update treats an unreachable archive as a mere warning.
            ! grep -q 'Failed to fetch' <<<"$APT_LOG" || explain_apt_failure "The package lists could not be updated"
            die "This system's archive lacks one of these packages, which Debian 12 and Ubuntu 24.04 (universe) have: ${missing[*]%%|*}."
        }
    fi
    mapfile -t names <<<"$names"
    mapfile -t optional < <(missing_requirements "${OPTIONAL_PACKAGES[@]}")
    for optional in "${optional[@]}"; do
        installable_name "$optional" >/dev/null && names+=("$optional")
    done
    say "Installing ${#names[@]} packages: ${names[*]}"
    local install=(install -y --no-install-recommends "${names[@]}")
    if ! apt_get "${install[@]}"; then
        update_package_lists  # they may be older than the archive
        apt_get "${install[@]}" || explain_apt_failure "Packages could not be installed"
    fi
}

# --- LibTorch --------------------------------------------------------------------------------------------------------

is_libtorch() { [ -e "$1/include/ATen/ATen.h" ] && [ -e "$1/lib/libtorch_cpu.so" ]; }

# Prints the LibTorch that the environment names, in the order of packaging/cmake/FindLibTorch.cmake. Exit code 1: it names none,
# 2: what it names is not a LibTorch (reported on standard error).
given_libtorch() {
    local given prefix candidate prefixes
    for given in "${ATTNSCOPE_LIBTORCH:-}" "${Torch_DIR:-}" "${Torch_ROOT:-}"; do
        [ -n "$given" ] || continue
        for candidate in "$given" "$given/torch" "$given/../../.."; do
            is_libtorch "$candidate" && { echo "$candidate"; return 0; }
        done
        (die "$given is not a LibTorch: include/ATen/ATen.h and lib/libtorch_cpu.so are expected in it.") || return 2
    done
    IFS=: read -r -a prefixes <<<"${CMAKE_PREFIX_PATH:-}"
    for prefix in "${prefixes[@]}"; do
        for candidate in "$prefix" "$prefix/torch"; do
            [ -n "$prefix" ] && is_libtorch "$candidate" && { echo "$candidate"; return 0; }
        done
    done
    return 1
}

# The folder that fetch_libtorch.sh fills: fetched_libtorch cpu|cuda|cuda-headers.
fetched_libtorch() { echo "$(cache_dir)/libtorch-$LIBTORCH_VERSION-$1"; }

have_pip() { python3 -m pip --version >/dev/null 2>&1; }

# CUDA's headers, for libattnscope-cuda.so, where no toolkit has them. Nothing else needs them.
ensure_cuda_headers() {
    [ -z "$(nvcc_path)" ] && [ ! -d "$(fetched_libtorch cuda-headers)" ] || return 0
    { have_pip && "$SOURCE_DIR/packaging/fetch_libtorch.sh" --headers; } ||
        warn "CUDA's headers could not be fetched, so passes on GPUs are not recorded as CUDA graphs."
}

# Makes sure that there is a LibTorch: the given one, the one downloaded before, or a new download.
ensure_libtorch() {
    local given status=0
    given=$(given_libtorch) || status=$?
    case $status in
        0) say "LibTorch: $given (given, so nothing is downloaded)" && ensure_cuda_headers && return 0 ;;
        2) exit 1 ;;
    esac
    if [ ! -d "$(fetched_libtorch cpu)" ]; then
        have_pip || install_packages python3 python3-pip
        "$SOURCE_DIR/packaging/fetch_libtorch.sh"
    fi
    ensure_cuda_headers
}

# --- building --------------------------------------------------------------------------------------------------------

# A Python with the programs that exported networks are tried in, in the cache; without one these tests are skipped, and say so.
ensure_export_python() {
    local folder packages=(onnx==1.23.2 onnxruntime==1.32.0 openvino==2026.4.1 numpy==2.4.6)
    folder=$(cache_dir)/export-python
    if ! "$folder/bin/python" -c 'import onnx, onnxruntime, openvino, numpy' 2>/dev/null; then
        say "Installing ${packages[*]} into $folder, for tests of exported networks"
        { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet "${packages[@]}"; } >&2 2>/dev/null ||
            { warn "pip could not install ${packages[*]}, so exported networks are not tried in other programs."; return 0; }
    fi
    export ATTNSCOPE_EXPORT_PYTHON=$folder/bin/python
}

# Configures a preset and builds it, or only the given targets. build_preset PRESET [TARGET]…
build_preset() {
    local preset=$1 settings=()
    shift
    cd "$SOURCE_DIR"
    have cmake || die "CMake 3.25 or later is needed to build Attnscope."
    # The presets use Ninja; without it, make works as well.
    have ninja || settings+=(-G "Unix Makefiles")
    if want_cuda_kernels; then settings+=(-DATTNSCOPE_CUDA=ON ${ATTNSCOPE_CUDA_ARCHITECTURES:+"-DATTNSCOPE_CUDA_ARCHITECTURES=$ATTNSCOPE_CUDA_ARCHITECTURES"}); else settings+=(-DATTNSCOPE_CUDA=OFF); fi
    [ -z "${ATTNSCOPE_WERROR:-}" ] || settings+=("-DATTNSCOPE_WERROR=$ATTNSCOPE_WERROR")
    say "Configuring build/$preset"
    cmake --preset "$preset" "${settings[@]}" >/dev/null ||
        die "CMake could not configure build/$preset; the reason is shown above."
    say "Building build/$preset (minutes the first time, seconds later)"
    cmake --build --preset "$preset" --parallel "$(build_jobs)" ${1:+--target "$@"} >&2 ||
        die "The build in build/$preset failed; the first error above says where."
}
