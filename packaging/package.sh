#!/usr/bin/env bash
# From a checkout to packages. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PACKAGES="$SOURCE_DIR/build/packages"
usage() {
    cat <<EOF
Usage: packaging/package.sh [--fast] [--no-build] [deb] [tar] [gpu-check]

Builds Attnscope and packages it into build/packages:
  attnscope-cli_VERSION_amd64.deb           the command line, with LibTorch; for the system that it was built on
  attnscope_VERSION_amd64.deb               the window
  attnscope-cuda_VERSION_amd64.deb          kernels for NVIDIA GPUs, where there is a CUDA compiler (nvcc)
  attnscope-VERSION-linux-x86_64.tar.zst    both with the libraries that they need; runs from any folder on Debian 12,
                                            Ubuntu 24.04 and later
  attnscope-VERSION-gpu-check.tar.xz        the programs without LibTorch, and packaging/gpu-check.sh, for a machine with a GPU
Without deb, tar and gpu-check, the first two kinds.

  --fast      compress little: for tests
  --no-build  package what build/release contains
Environment: ATTNSCOPE_LIBTORCH, ATTNSCOPE_CACHE as for packaging/run.sh; ATTNSCOPE_MAINTAINER, name and address in the
packages; SOURCE_DATE_EPOCH (default: the time of the last commit).
EOF
}

FAST=no
BUILD=yes
KINDS=()
for argument in "$@"; do
    case $argument in
        --fast) FAST=yes ;;
        --no-build) BUILD=no ;;
        deb | tar | gpu-check) KINDS+=("$argument") ;;
        -h | --help) usage && exit 0 ;;
        *) die "package.sh does not know $argument; packaging/package.sh --help explains it." ;;
    esac
done
[ ${#KINDS[@]} -gt 0 ] || KINDS=(deb tar)

# qt6-wayland: its plug-ins are bundled, so that the window runs without X.
[[ " ${KINDS[*]} " != *" tar "* ]] || APP_PACKAGES+=(patchelf zstd qt6-wayland)
[[ " ${KINDS[*]} " != *" gpu-check "* ]] || APP_PACKAGES+=(patchelf zstd fonts-dejavu-core)
install_packages "${BUILD_PACKAGES[@]}" "${APP_PACKAGES[@]}" dpkg-dev
if [ $BUILD = yes ]; then
    ensure_libtorch
    if [ -n "$(nvcc_path)" ]; then
        # For all GPUs from compute capability 8.0 on; others take LibTorch's operators.
        export ATTNSCOPE_CUDA=${ATTNSCOPE_CUDA:-1} ATTNSCOPE_CUDA_ARCHITECTURES=${ATTNSCOPE_CUDA_ARCHITECTURES:-80-real;86-real;89-real;90-real;100-real;120}
    fi
    build_preset release attnscope_package
fi
cd "$SOURCE_DIR"
VERSION=$(sed -n 's/^project(attnscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
MAINTAINER=${ATTNSCOPE_MAINTAINER:-Attnscope maintainers <maintainers@attnscope.invalid>}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
mkdir -p "$PACKAGES"

# install_component COMPONENT FOLDER PREFIX: cmake --install, stripped; every file is readable and none writable by others.
install_component() {
    DESTDIR=$2 cmake --install build/release --prefix "$3" --component "$1" --strip >/dev/null || die "cmake --install of the component $1 failed."
    chmod -R u+rwX,go+rX,go-w "$2"
}

# Programs and shared libraries below a folder.
binaries_in() { find "$1" -type f \( -perm -u+x -o -name '*.so*' \) -exec sh -c 'head -c 4 "$1" | grep -q ELF' _ {} \; -print; }

# --- Debian packages ---------------------------------------------------------------------------------------------------

# depends_of ROOT EXCLUDED…: what the programs in it need, as dpkg knows it. Libraries that come along have no package.
depends_of() {
    local root=$1 work binaries
    work=$(mktemp -d -p "$STAGE")
    mkdir "$work/debian"
    printf 'Source: attnscope\n\nPackage: attnscope\nArchitecture: any\n' >"$work/debian/control"
    mapfile -t binaries < <(binaries_in "$root" | grep -vE "/lib/attnscope/libattnscope_mpi.so$")
    (cd "$work" && dpkg-shlibdeps -O --ignore-missing-info -xlibgomp1 -S"$root" -S"$STAGE/cli" -l"$STAGE/cli/usr/lib/attnscope" "${binaries[@]}" 2>"$work/log") |
        sed -n 's/^shlibs:Depends=//p' || { cat "$work/log" >&2; die "dpkg-shlibdeps failed."; }
}

# make_deb NAME ROOT: what is common to both packages, and the package itself. Standard input: its fields without version and sizes.
make_deb() {
    local name=$1 root=$2 doc=$2/usr/share/doc/$1 compression=(-Zxz)
    [ $FAST = no ] || compression=(-Zzstd -z3)
    mkdir -p "$doc" "$root/DEBIAN" "$root/usr/share/lintian/overrides"
    cp packaging/debian/copyright "$doc/copyright"
    printf 'attnscope (%s) unstable; urgency=medium\n\n  * See the history of the source.\n\n -- %s  %s\n' "$VERSION" "$MAINTAINER" \
        "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"
    cp "packaging/debian/$name.lintian-overrides" "$root/usr/share/lintian/overrides/$name"
    ! [ -d "$root/usr/share/man" ] || gzip -9n "$root"/usr/share/man/man1/*.1
    find "$root" -type d -exec chmod 755 {} +
    find "$root/usr" -type f -exec chmod 644 {} +
    chmod 755 "$root"/usr/bin/* "$root"/usr/libexec/attnscope/* "$root"/usr/share/attnscope/packaging/fetch_libtorch.sh 2>/dev/null || true
    (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    {
        printf 'Package: %s\nVersion: %s\nSection: science\nPriority: optional\nArchitecture: %s\nMaintainer: %s\nInstalled-Size: %s\n' "$name" "$VERSION" \
            "$(dpkg --print-architecture)" "$MAINTAINER" "$(du -sk --apparent-size "$root/usr" | cut -f1)"
        cat
    } >"$root/DEBIAN/control"
    dpkg-deb --root-owner-group "${compression[@]}" --build "$root" "$PACKAGES" >/dev/null || die "dpkg-deb could not build $name."
}

make_debs() {
    local window_needs
    say "Packaging for $(. /etc/os-release && echo "$PRETTY_NAME")"
    install_component cli "$STAGE/cli" /usr
    install_component desktop "$STAGE/desktop" /usr
    # Debian's own ways: licence texts are in `copyright`, completions of zsh and fish in vendors' folders.
    local doc=$STAGE/cli/usr/share/doc
    mkdir -p "$doc/attnscope-cli"
    mv "$doc/attnscope/NOTICE" "$doc/attnscope-cli/NOTICE"
    cat "$doc"/attnscope/LICENSES/torch-*/{LICENSE,NOTICE} | gzip -9n >"$doc/attnscope-cli/libtorch-notices.gz"
    rm -r "$doc/attnscope"
    mkdir -p "$STAGE/cli/usr/share/zsh/vendor-completions"
    mv "$STAGE"/cli/usr/share/zsh/site-functions/* "$STAGE/cli/usr/share/zsh/vendor-completions"
    rmdir "$STAGE/cli/usr/share/zsh/site-functions"
    window_needs=$(depends_of "$STAGE/desktop")
    make_deb attnscope-cli "$STAGE/cli" <<EOF
Depends: $(depends_of "$STAGE/cli")
Suggests: attnscope (= $VERSION), openmpi-bin
Description: attention methods of vision transformers side by side (command line)
 Attnscope runs vision transformers with interchangeable attention mechanisms
 and shows, side by side, what replacing softmax attention with an efficient one
 costs in accuracy and saves in latency and memory.
 .
 This package contains the command line, the engine, LibTorch for the CPU and
 small demo models.
EOF
    make_deb attnscope "$STAGE/desktop" <<EOF
Depends: attnscope-cli (= $VERSION), qt6-qpa-plugins, fonts-inter | fonts-dejavu-core, $window_needs
Recommends: qt6-translations-l10n, qt6-wayland
Description: attention methods of vision transformers side by side
 Attnscope runs vision transformers with interchangeable attention mechanisms
 and shows, side by side, what replacing softmax attention with an efficient one
 costs in accuracy and saves in latency and memory.
 .
 This package contains the desktop program.
EOF
    if grep -q '^ATTNSCOPE_CUDA:BOOL=ON' build/release/CMakeCache.txt; then
        install_component cuda "$STAGE/cuda" /usr
        make_deb attnscope-cuda "$STAGE/cuda" <<EOF
Depends: attnscope-cli (= $VERSION), $(depends_of "$STAGE/cuda")
Enhances: attnscope-cli
Description: attention methods of vision transformers side by side (GPU kernels)
 Attnscope runs vision transformers with interchangeable attention mechanisms
 and shows, side by side, what replacing softmax attention with an efficient one
 costs in accuracy and saves in latency and memory.
 .
 This package contains its own kernels for NVIDIA GPUs. The driver and LibTorch's
 libraries for CUDA are needed too (attnscope-cli gpu).
EOF
    else
        rm -f "$PACKAGES"/attnscope-cuda_*.deb
    fi
    rm -rf "$STAGE/cli" "$STAGE/desktop" "$STAGE/cuda"
}

# --- the archive that brings its libraries -------------------------------------------------------------------------------

# What every system has in a version of its own that the rest of it relies on: the C and C++ runtimes.
SYSTEM_LIBRARIES='^(ld-linux-x86-64|lib(c|m|dl|pthread|rt|util|resolv|gcc_s|stdc\+\+|nsl|anl))\.so'
QT_PLUGINS=(platforms/libqxcb.so platforms/libqoffscreen.so 'platforms/libqwayland-*.so' 'wayland-shell-integration/*.so' 'wayland-decoration-client/*.so'
            imageformats/libqsvg.so iconengines/libqsvgicon.so platforminputcontexts/libibusplatforminputcontextplugin.so
            platforminputcontexts/libcomposeplatforminputcontextplugin.so)

# The package of a library. Packages that are older than the merge of /lib and /usr/lib know it by the shorter path.
package_of() {
    local real
    real=$(readlink -f "$1")
    { dpkg-query -S "$real" 2>/dev/null || dpkg-query -S "${real#/usr}" 2>/dev/null || true; } | head -1 | cut -d: -f1
}

# collect_libraries ROOT: Qt's plug-ins, and every library that the programs in it need, with its licence.
collect_libraries() {
    local root=$1 plugins lib=$1/lib/attnscope pattern file package
    plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || echo "/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/qt6/plugins")
    for pattern in "${QT_PLUGINS[@]}"; do
        for file in "$plugins"/$pattern; do
            [ -e "$file" ] || { warn "there is no Qt plug-in $pattern here, so that the archive lacks it"; continue; }
            install -D -m 644 "$file" "$lib/plugins/${file#"$plugins"/}"
        done
    done
    # Qt looks for its plug-ins where this file, next to the program, says.
    printf '[Paths]\nPrefix = ..\nPlugins = lib/attnscope/plugins\n' >"$root/bin/qt.conf"
    binaries_in "$root" | grep -vE 'libattnscope(_mpi|-cuda)' | xargs -n 1 ldd | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | grep -v "^$root" |
        grep -vF "${LD_LIBRARY_PATH:-$root}/" >"$STAGE/libraries"
    ! binaries_in "$root" | grep -v libattnscope-cuda | xargs -n 1 ldd | grep 'not found' || die "These libraries are not installed here."
    mkdir -p "$root/share/doc/attnscope/bundled"
    while read -r file; do
        [[ ! $(basename "$file") =~ $SYSTEM_LIBRARIES ]] || continue
        install -m 644 "$file" "$lib/"
        package=$(package_of "$file")
        [ -n "$package" ] || die "$file is of no package, so that its licence is unknown."
        cp -L "/usr/share/doc/$package/copyright" "$root/share/doc/attnscope/bundled/$package.copyright"
        dpkg-query -W -f '${Package} ${Version} (source: ${source:Package} ${source:Version})\n' "$package" | head -1
    done <"$STAGE/libraries" | sort -u >"$STAGE/bundled.txt"
    mv "$STAGE/bundled.txt" "$root/share/doc/attnscope/bundled/README"
    # What those refer to as /usr/share/common-licenses is not on every system: the texts of the GPL and LGPL come along.
    cp -L /usr/share/common-licenses/{GPL,LGPL}-[0-9]* "$root/share/doc/attnscope/bundled/"
    # Each finds the others next to itself. Programs have their paths already.
    find "$lib" -maxdepth 1 -name '*.so*' ! -name 'libtorch*' ! -name 'libc10*' ! -name 'libgomp*' ! -name 'libattnscope-cuda*' -print0 | xargs -0 -n 16 patchelf --set-rpath '$ORIGIN'
    find "$lib/plugins" -name '*.so' -print0 | xargs -0 patchelf --set-rpath '$ORIGIN/../..'
}

# compress NAME LEVEL…: the folder of that name as build/packages/NAME.tar.zst.
compress() {
    local name=$1 level=("${@:2}")
    [ $FAST = no ] || level=(-3)
    find "$STAGE/$name" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    say "Compressing $name.tar.zst"
    tar -C "$STAGE" --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" | zstd -q -T0 "${level[@]}" -f -o "$PACKAGES/$name.tar.zst"
}

make_tar() {
    local name=attnscope-$VERSION-linux-x86_64 component
    say "Collecting the libraries of $name"
    for component in cli desktop cuda; do
        install_component $component "$STAGE/$name" /
    done
    collect_libraries "$STAGE/$name"
    compress "$name" -16 --long=27
}

# --- the archive for gpu-check.sh ----------------------------------------------------------------------------------------

# Libraries that others here are linked with and that a check of GPUs never calls: formats of maps and hospitals, linear algebra, encoders, codecs of
# voices, networks, displays; languages.
UNCALLED='^lib(icudata|gdal|gdcm[A-Za-z]*|lapack|blas|x265|codec2|rsvg-2|SvtAv1Enc|rav1e|aom|openmpt|shine|theora(enc|dec)?|twolame|mp3lame|xvidcore|bluray|rabbitmq|srt-gnutls|ssh-gcrypt|zmq|chromaprint|gme|jxl|jxl_threads|vpx|mfx|gnutls|va|va-drm|va-x11|vdpau|X11|OpenCL|drm|speex|opus|vorbis(enc)?|gsm|soxr|cups|gssapi_krb5)\.so'

# stand_in LIBRARY: puts one in its place that has the functions which the other binaries refer to, under their versions; each returns 0.
stand_in() {
    local library=$1 name
    name=$(basename "$library")
    nm -D --defined-only "$library" | awk 'NR == FNR { referred[$1]; next } NF == 3 && $3 !~ /[^@]@[^@]/ { split($3, part, "@@"); if (part[1] in referred) print part[1], part[2] }' "$STAGE/referred" - | sort -u >"$STAGE/functions"
    awk '{ printf "__asm__(\".globl %s\\n.type %s,@function\\n%s: xor %%eax,%%eax\\nret\\n\");\n", $1, $1, $1 }' "$STAGE/functions" >"$STAGE/stand_in.c"
    nm -D "$library" | awk '$2 == "A" && NF == 3 { print $3 " {};" }' | sort -u >"$STAGE/versions"  # of which some binaries ask for one alone
    awk 'NF == 2 { of[$2] = of[$2] " " $1 ";" } END { for (v in of) print v " { global:" of[v] " };" }' "$STAGE/functions" >"$STAGE/stand_in.map"
    awk 'NR == FNR { has[$1]; next } !($1 in has)' "$STAGE/stand_in.map" "$STAGE/versions" >>"$STAGE/stand_in.map"
    [ -s "$STAGE/stand_in.map" ] && set -- -Wl,--version-script="$STAGE/stand_in.map" || set --
    gcc -shared -fPIC -o "$library" -Wl,-soname,"$name" "$@" "$STAGE/stand_in.c" || die "No stand-in for $name could be built."
}

make_gpu_check() {
    local name=attnscope-$VERSION-gpu-check root component library
    say "Collecting what $name takes"
    root=$STAGE/$name
    for component in cli desktop cuda; do
        install_component $component "$root" /
    done
    rm -rf "$root"/lib/attnscope/{libtorch*,libc10*,libgomp*,no-cuda,libattnscope_mpi.so} "$root/share/man" "$root/share/attnscope/docs" "$root/share/icons"
    install -s build/release/tests/golden/{kernel_check,device_check,golden_runner} build/release/tests/bench/{bench_kernels,bench_models} "$root/libexec/attnscope"
    for library in "$root"/libexec/attnscope/{kernel_check,device_check,golden_runner,bench_kernels,bench_models}; do
        patchelf --force-rpath --set-rpath '$ORIGIN/../../lib/attnscope' "$library"
    done
    install packaging/gpu-check.sh packaging/lib.sh "$root"
    QT_PLUGINS=(platforms/libqoffscreen.so imageformats/libqsvg.so iconengines/libqsvgicon.so)
    # LibTorch is here while the rest is looked for, and does not come along.
    LD_LIBRARY_PATH=$(dirname "$(sed -n 's/^LibTorch_CPU_LIBRARY:FILEPATH=//p' build/release/CMakeCache.txt)") collect_libraries "$root"
    binaries_in "$root" | xargs -n 1 nm -D --undefined-only 2>/dev/null | awk '{ sub("@.*", "", $2); print $2 }' | sort -u >"$STAGE/referred"
    while read -r library; do
        stand_in "$library"
    done < <(find "$root/lib/attnscope" -maxdepth 1 -name '*.so*' | grep -E "/${UNCALLED#^}")
    drop_unused "$root"
    mkdir -p "$root/fonts"
    cp /usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold}.ttf "$root/fonts" 2>/dev/null || warn "there are no DejaVu fonts here, so that the window has none"
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    say "Compressing $name.tar.xz"
    tar -C "$STAGE" --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" | xz -T0 "$([ $FAST = yes ] && echo -1 || echo -9)" >"$PACKAGES/$name.tar.xz"
}

# drop_unused ROOT: libraries that nothing needs any more.
drop_unused() {
    local root=$1 dropped=yes library
    while [ $dropped = yes ]; do
        dropped=no
        binaries_in "$root" | xargs -n 1 readelf -d 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u >"$STAGE/needed"
        for library in "$root"/lib/attnscope/*.so*; do
            [[ $library == */libattnscope-cuda.so ]] || grep -qxF "$(basename "$library")" "$STAGE/needed" || { rm "$library" && dropped=yes; }
        done
    done
}

for kind in "${KINDS[@]}"; do
    case $kind in
        deb) make_debs ;;
        tar) make_tar ;;
        gpu-check) make_gpu_check ;;
    esac
done
say "In build/packages:"
(cd "$PACKAGES" && ls -l --block-size=KB -- *"$VERSION"*) >&2
