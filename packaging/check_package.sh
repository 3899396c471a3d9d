#!/usr/bin/env bash
# Installs the packages into a bare system, uses and removes them. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/check_package.sh [deb] [tar] [gpu-check] [source]

Tries, each in a bare root of this system's release that mmdebstrap makes (kept in $(cache_dir)/roots, so that the next time is quick):
  deb      the packages in build/packages: installed, a comparison and the window run as an unprivileged user, removed without a trace
  tar      the archive in build/packages: unpacked into a folder of its own, without any library from the system but the C and C++ runtimes
  gpu-check  the archive for machines with a GPU: all its steps on this machine's CPU
  source   README's command for the source, packaging/run.sh --cli, on a copy of this checkout; takes as long as a build does
Without arguments, deb. Needs root, mmdebstrap and the package archive; where they are missing, it says so and checks nothing.
EOF
}

# What a bare root needs beyond what the package depends on, for the window's test: letters.
FONTS=fonts-dejavu-core
PACKAGES="$SOURCE_DIR/build/packages"
DEMO=share/attnscope/demo
ROOTS=$(cache_dir)/roots
STAND_IN_DRIVER=$SOURCE_DIR/build/release/tests/core/device/stand_in/driver
. /etc/os-release

# make_root NAME FOLDER PACKAGE,…: a bare root with these packages in the folder, from the archive that an earlier run left, or new.
make_root() {
    local name=$1 folder=$2 include=$3 kept mirror
    kept=$ROOTS/$name-$VERSION_CODENAME-$(printf %s "$include" | sha256sum | cut -c1-12).tar.zst
    for mirror in "/etc/apt/sources.list.d/$ID.sources" /etc/apt/sources.list; do
        [ ! -s "$mirror" ] || break
    done
    mkdir -p "$ROOTS"
    if [ -n "$(find "$kept" -mtime +30 2>/dev/null)" ] || [ ! -e "$kept" ]; then
        say "Making a bare $VERSION_CODENAME for the check ($name)"
        rm -f "$ROOTS/$name-"*
        mmdebstrap --quiet --mode=root --variant=minbase ${include:+--include="$include"} --dpkgopt=force-unsafe-io --aptopt='APT::Install-Recommends "false"' \
            "$VERSION_CODENAME" "$STAGE/$name.tar" "$mirror" >"$STAGE/log" 2>&1 || { tail -n 15 "$STAGE/log" >&2; say "The packages were not checked: mmdebstrap could not make a bare root; its last output is shown above."; exit 0; }
        zstd -q -3 -T0 --rm "$STAGE/$name.tar" -o "$kept"
    fi
    mkdir -p "$folder"
    tar -C "$folder" -xf "$kept"
    install -d -m 1777 "$folder/tmp"
}

# in_root FOLDER COMMAND: run in the root as nobody, who has a home but no display.
in_root() {
    unshare --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && exec chroot --userspec=65534:65534 "$0" /usr/bin/env -i HOME=/tmp/home LC_ALL=C.UTF-8 \
        PATH=/usr/bin:/bin LD_BIND_NOW=1 /bin/sh -ec "mkdir -p /tmp/home; cd /tmp; $1"' "$1" "$2"
}

# use_programs ROOT PREFIX: what a user does first. LD_BIND_NOW: a symbol that is missing is noticed.
use_programs() {
    local root=$1 prefix=$2 option shot
    in_root "$root" "$prefix/bin/attnscope-cli --version" | grep -q '^attnscope-cli [0-9]' || die "attnscope-cli --version failed."
    in_root "$root" "$prefix/bin/attnscope --help" | grep -q -- --screenshot || die "attnscope --help failed without a display."
    in_root "$root" "$prefix/bin/attnscope-cli compare $prefix/$DEMO/photos/cat.jpg --weights $prefix/$DEMO/models/deit.safetensors --attention softmax \
        --attention lara --seconds 0 --repetitions 3 --quiet --json -" >"$STAGE/compare.json" || die "attnscope-cli compare failed on the demo."
    python3 - "$STAGE/compare.json" <<'EOF' || die "attnscope-cli compare did not recognise the cat of the demo."
import json, sys
runs = json.load(open(sys.argv[1]))["inputs"][0]["runs"]
assert [run["top"][0]["label"] for run in runs] == ["cat", "cat"] and runs[1]["error"]["relative"] > 0
EOF
    in_root "$root" "QT_QPA_PLATFORM=offscreen timeout 60 $prefix/bin/attnscope $prefix/$DEMO/photos/cat.jpg --attention softmax --attention lara \
        --screenshot /tmp/window.png" || die "attnscope did not open its window."
    for option in $(in_root "$root" "$prefix/bin/attnscope --help" | grep -o '^  \(-., \)\?--[a-z-]*' | sed 's/.*--//'); do
        grep -q -- "$(sed 's/-/\\\\-/g' <<<"--$option")" "$SOURCE_DIR/packaging/desktop/attnscope.1.in" || die "The manual page of attnscope lacks --$option."
    done
    shot=$(stat -c %s "$root/tmp/window.png" 2>/dev/null || echo 0)
    [ "$shot" -gt 50000 ] || die "attnscope's window is empty: its screenshot has $shot bytes."
    # Without a driver, and with LibTorch's libraries for GPUs at hand, one sentence says what is missing.
    mkdir -p "$root/tmp/cuda/torch/lib" "$root/tmp/cuda/nvidia/cu13/lib"
    printf "__version__ = '%s+cu130'\ncuda = '13.0'\n" "$LIBTORCH_VERSION" >"$root/tmp/cuda/torch/version.py"
    touch "$root/tmp/cuda/torch/lib/libtorch_cuda.so" "$root/tmp/cuda/nvidia/cu13/lib/libcudart.so.13"
    chmod -R a+rX "$root/tmp/cuda"
    in_root "$root" "! ATTNSCOPE_LIBTORCH_CUDA=/tmp/cuda $prefix/bin/attnscope-cli compare $prefix/$DEMO/photos/cat.jpg --weights $prefix/$DEMO/models/deit.safetensors \
        --attention softmax --device cuda 2>/tmp/no-gpu.txt"
    [ "$(wc -l <"$root/tmp/no-gpu.txt")" -eq 1 ] && grep -q 'the NVIDIA driver is missing' "$root/tmp/no-gpu.txt" ||
        { cat "$root/tmp/no-gpu.txt" >&2; die "attnscope-cli --device cuda does not say in one sentence that the driver is missing."; }
    # With a driver, CUDA's real runtime comes before the stand-in.
    if [ -e "$STAND_IN_DRIVER/libcuda.so.1" ]; then
        mkdir -p "$root/tmp/driver"
        cp -L "$STAND_IN_DRIVER"/lib* "$root/tmp/driver"
        cp "$root$prefix"/lib/attnscope/no-cuda/* "$root/tmp/cuda/nvidia/cu13/lib"
        in_root "$root" "LD_LIBRARY_PATH=/tmp/driver ATTNSCOPE_LIBTORCH_CUDA=/tmp/cuda $prefix/bin/attnscope-cli gpu --json - " |
            python3 -c 'import json, sys; sys.exit(json.load(sys.stdin)["libtorch"]["runtime"] != "/tmp/cuda/nvidia/cu13/lib/libcudart.so.13")' ||
            die "The stand-in for CUDA's runtime was loaded where the real one is to be."
    fi
    in_root "$root" "$prefix/bin/attnscope-cli gpu" | grep -q 'libcuda.so.1' || die "attnscope-cli gpu does not say what is missing."
    say "The comparison and the window work"
}

files_of() { (cd "$1" && find . -path ./proc -prune -o -path ./tmp -prune -o -path ./var/cache -prune -o -path ./var/log -prune -o -path ./var/lib/dpkg -prune -o -print | LC_ALL=C sort); }

check_deb() {
    local debs=("$PACKAGES"/attnscope-cli_*.deb "$PACKAGES"/attnscope_*.deb) root=$STAGE/deb needs names
    [ -e "${debs[0]}" ] && [ -e "${debs[1]}" ] || die "There are no packages in build/packages: run packaging/package.sh deb first."
    [ ! -e "$(echo "$PACKAGES"/attnscope-cuda_*.deb)" ] || debs+=("$PACKAGES"/attnscope-cuda_*.deb)
    mapfile -t names < <(for deb in "${debs[@]}"; do dpkg-deb -f "$deb" Package; done)
    needs=$(for deb in "${debs[@]}"; do dpkg-deb -f "$deb" Depends | tr ',' '\n' | sed 's/(.*//; s/|.*//; s/ //g' | grep -v '^attnscope'; done | sort -u | paste -sd,)
    make_root deb "$root" "$needs"
    files_of "$root" >"$STAGE/before"
    say "Installing ${names[*]}"
    cp "${debs[@]}" "$root/tmp/"
    DEBIAN_FRONTEND=noninteractive chroot "$root" /bin/sh -c 'dpkg --force-unsafe-io -i /tmp/*.deb' >"$STAGE/log" 2>&1 || { cat "$STAGE/log" >&2; die "dpkg could not install the packages."; }
    use_programs "$root" /usr
    chroot "$root" dpkg -P "${names[@]}" >"$STAGE/log" 2>&1 || { cat "$STAGE/log" >&2; die "dpkg could not remove the packages."; }
    files_of "$root" >"$STAGE/after"
    diff "$STAGE/before" "$STAGE/after" >&2 || die "Removing the packages left (>) or took (<) these files."
    say "Installed, used and removed without a trace"
    if have lintian; then
        # --fast compresses in a way that only later releases of lintian know.
        lintian --allow-root --fail-on error,warning --suppress-tags malformed-deb-archive "${debs[@]}" >&2 || die "lintian has findings; they are shown above."
        say "lintian has no findings"
    fi
}

check_tar() {
    local archive=("$PACKAGES"/attnscope-*.tar.zst) root=$STAGE/tar
    [ -e "${archive[0]}" ] || die "There is no archive in build/packages: run packaging/package.sh tar first."
    make_root tar "$root" "$FONTS"
    say "Unpacking $(basename "${archive[0]}")"
    mkdir -p "$root/opt/any folder"
    tar -C "$root/opt/any folder" -xf "${archive[0]}"
    mv "$root/opt/any folder"/attnscope-* "$root/opt/any"
    use_programs "$root" /opt/any
}

# The archive for a machine with a GPU runs on this one's CPU, with its LibTorch, in at most five minutes.
check_gpu-check() {
    local archive=("$PACKAGES"/attnscope-*-gpu-check.tar.xz) root=$STAGE/gpu torch begin=$SECONDS
    [ -e "${archive[0]}" ] || die "There is no archive in build/packages: run packaging/package.sh gpu-check first."
    make_root gpu-check "$root" python3-minimal
    tar -C "$root/opt" -xf "${archive[0]}"
    torch=$(dirname "$(sed -n 's/^LibTorch_CPU_LIBRARY:FILEPATH=//p' "$SOURCE_DIR/build/release/CMakeCache.txt")")
    mkdir "$root/opt/torch" && cp -r "$torch" "$root/opt/torch/lib"
    chmod -R a+rX "$root/opt"
    in_root "$root" "ATTNSCOPE_LIBTORCH=/opt/torch bash /opt/attnscope-*/gpu-check.sh --device cpu /tmp/results" >&2 || die "gpu-check.sh --device cpu failed in a bare root."
    [ -s "$root/tmp/results/window-compare.png" ] && [ $((SECONDS - begin)) -le 300 ] || die "gpu-check.sh took $((SECONDS - begin)) s, or made no images of the window."
    say "gpu-check.sh --device cpu took $((SECONDS - begin)) s"
}

# In the place that it has here, with the objects of earlier builds, which ccache knows by their paths.
check_source() {
    local root=$STAGE/source place=$SOURCE_DIR cache objects name language=()
    cache=$(cache_dir)
    [ "$(readlink -f "$cache/ci/source")" != "$(readlink -f "$SOURCE_DIR")" ] || place=$cache/ci/source
    objects=$(ccache --get-config cache_dir 2>/dev/null || echo "$STAGE/objects")
    make_root source "$root" ca-certificates
    mkdir -p "$objects" "$root$objects" "$root$cache" "$root$(readlink -f "$SOURCE_DIR")"
    git -C "$SOURCE_DIR" archive HEAD | tar -C "$root$(readlink -f "$SOURCE_DIR")" -xf -
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    for name in LANG LC_ALL LC_CTYPE LC_MESSAGES; do  # which ccache takes into account
        [ -z "${!name+x}" ] || language+=("$name=${!name}")
    done
    unshare --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && mount --bind "$1" "$0$1" && mount --bind "$2" "$0$2" && exec chroot "$0" /usr/bin/env -i \
        HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "${@:4}" ATTNSCOPE_CACHE="$1" CCACHE_DIR="$2" ATTNSCOPE_WERROR=ON "$3/packaging/run.sh" --cli' \
        "$root" "$cache" "$objects" "$place" "${language[@]}" || die "packaging/run.sh --cli failed in a bare root."
    say "The source was built and run in a bare root"
}

CHECKS=()
for argument in "$@"; do
    case $argument in
        deb | tar | gpu-check | source) CHECKS+=("$argument") ;;
        -h | --help) usage && exit 0 ;;
        *) die "check_package.sh does not know $argument; packaging/check_package.sh --help explains it." ;;
    esac
done
[ ${#CHECKS[@]} -gt 0 ] || CHECKS=(deb)
for tool in mmdebstrap zstd unshare python3; do
    have "$tool" || { say "The packages were not checked: $tool is not installed."; exit 0; }
done
[ "$(id -u)" -eq 0 ] || { say "The packages were not checked: only root can enter a bare root."; exit 0; }
unshare --mount --pid --fork true 2>/dev/null || { say "The packages were not checked: this system lets nobody mount file systems."; exit 0; }
STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
for check in "${CHECKS[@]}"; do
    "check_$check"
done
