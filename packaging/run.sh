#!/usr/bin/env bash
# From a fresh checkout to attention backends side by side on a photograph, in a short and in a long sequence. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/run.sh [--cli] [--build-only] [FILE | OPTION]…

Installs what is missing, fetches LibTorch, builds Attnscope, and opens it with a demo photograph or the given files.
Without a display, or with --cli, the comparison is printed on the terminal, and without FILE and OPTION a second one at 1,028
tokens, which the window offers. The first run takes minutes, later ones seconds.

  --cli         compare on the command line, even where there is a display
  --build-only  stop before running anything

Everything else is passed on to attnscope, or to attnscope-cli compare.
Environment: ATTNSCOPE_CUDA=1|0 (build the kernels for NVIDIA GPUs; default: where nvidia-smi and nvcc are), ATTNSCOPE_LIBTORCH (an existing LibTorch),
ATTNSCOPE_CACHE (where LibTorch is kept; default: $(cache_dir)).
EOF
}

DEMO_PHOTO=resources/demo/photos/cat.jpg
# A small DeiT trained on crops of the demo photographs (docs/demo.md, packaging/demo.sh).
DEMO_COMPARISON=(--weights "$SOURCE_DIR/resources/demo/models/deit.safetensors"
                 --attention softmax --attention lara)
# The forms for weights that were trained with softmax (docs/decisions/0011-drop-in-forms.md).
for attention in lara:stretch=2,prefix_attention=rows performer:center=both,prefix_attention=exact,logz=tangent \
    rfa:center=both,prefix_attention=rows ra:prefix_attention=rows wildcat monarch tangent:iterations=6; do
    DEMO_COMPARISON+=(--attention "$attention")
done
# A plain vision transformer of 1,028 tokens, where approximations are faster than softmax. The window's demo reads the same list.
LONG_COMPARISON=(--weights "$SOURCE_DIR/resources/demo/models/vit.safetensors")
while read -r attention; do
    LONG_COMPARISON+=(--attention "$attention")
done <"$SOURCE_DIR/resources/demo/models/vit.attentions.txt"

# Whether any argument is a file; the demo photograph is for when none is.
names_a_file() {
    local argument
    for argument in "$@"; do
        [ ! -e "$argument" ] || return 0
    done
    return 1
}

# Whether the arguments choose what is compared.
chooses_comparison() {
    local argument
    for argument in "$@"; do
        case $argument in --model | --model=* | --weights | --weights=* | --attention | --attention=*) return 0 ;; esac
    done
    return 1
}

CALLER_DIR=$PWD
CLI=no
RUN=yes
ARGUMENTS=()
while [ $# -gt 0 ]; do
    case $1 in
        --cli) CLI=yes ;;
        --build-only) RUN=no ;;
        -h | --help) usage && exit 0 ;;
        *) ARGUMENTS+=("$1") ;;
    esac
    shift
done
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || CLI=yes

[ -n "${DISPLAY:-}" ] || [ -z "${WAYLAND_DISPLAY:-}" ] || OPTIONAL_PACKAGES+=(qt6-wayland)
install_packages "${BUILD_PACKAGES[@]}" "${APP_PACKAGES[@]}"
ensure_libtorch
build_preset release attnscope_package  # all that `cmake --install` installs
[ "$RUN" = yes ] || exit 0

PROGRAMS=$SOURCE_DIR/build/release/app
cd "$CALLER_DIR"
[ ${#ARGUMENTS[@]} -eq 0 ] && BOTH=yes || BOTH=no
names_a_file "${ARGUMENTS[@]}" || ARGUMENTS=("$SOURCE_DIR/$DEMO_PHOTO" "${ARGUMENTS[@]}")
chooses_comparison "${ARGUMENTS[@]}" || ARGUMENTS+=("${DEMO_COMPARISON[@]}")
if [ "$CLI" = no ]; then
    say "Starting Attnscope"
    exec "$PROGRAMS/attnscope/attnscope" "${ARGUMENTS[@]}"
fi
say "Comparing: attnscope-cli compare ${ARGUMENTS[*]}"
[ $BOTH = yes ] || exec "$PROGRAMS/cli/attnscope-cli" compare "${ARGUMENTS[@]}"
"$PROGRAMS/cli/attnscope-cli" compare "${ARGUMENTS[@]}"
ARGUMENTS=("$SOURCE_DIR/$DEMO_PHOTO" "${LONG_COMPARISON[@]}")
say "Comparing at 1,028 tokens: attnscope-cli compare ${ARGUMENTS[*]}"
exec "$PROGRAMS/cli/attnscope-cli" compare "${ARGUMENTS[@]}"
