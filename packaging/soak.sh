#!/usr/bin/env bash
# Lets the window and an evaluation run for long. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/soak.sh [--minutes N] [--build DIR] [--idle] [window] [live] [evaluate]

Runs each of these, all three unless some are named, for N minutes (60) beside one process that keeps a core busy, and prints what it takes:
  window    goes through Compare, Layers, Batch, Scale and Live of the window again and again, with other images, themes and sizes
  live      plays a video in a loop in the Live screen
  evaluate  one \`attnscope-cli evaluate\` on a list that names the same images again and again
Exit code 1 if after ten minutes memory grows by more than 1 MiB per 10 minutes, if files or threads increase, or if the event loop stands
still for more than 100 ms. No display is needed, and nothing of the user's is read or written.
  --build DIR  where the programs were built; otherwise build/release is built first
  --idle       without the busy process
EOF
}

MINUTES=60 BUILD="" BUSY=yes
KINDS=()
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage && exit 0 ;;
        --minutes) MINUTES=${2:?} && shift ;;
        --build) BUILD=$(realpath "${2:?}") && shift ;;
        --idle) BUSY=no ;;
        window | live | evaluate) KINDS+=("$1") ;;
        *) die "soak.sh has no option $1; --help lists them." ;;
    esac
    shift
done
[[ $MINUTES =~ ^[1-9][0-9]*$ ]] || die "--minutes takes a number of minutes, for example 60."
[ ${#KINDS[@]} -gt 0 ] || KINDS=(window live evaluate)

if [ -z "$BUILD" ]; then
    install_packages "${BUILD_PACKAGES[@]}" "${APP_PACKAGES[@]}"
    ensure_libtorch
    build_preset release soak_window soak_live soak_command attnscope-cli attnscope-decoder attnscope-video-decoder
    BUILD=$SOURCE_DIR/build/release
fi
CLI=$BUILD/app/cli/attnscope-cli SOAK=$BUILD/tests/ui/soak
for program in "$CLI" "$SOAK/soak_window"; do
    [ -x "$program" ] || die "$BUILD has no programs for this; leave out --build to have them built."
done

STAGE=$(mktemp -d)
BUSY_PID=""
# shellcheck disable=SC2329
clean_up() {
    [ -z "$BUSY_PID" ] || kill "$BUSY_PID" 2>/dev/null || true
    rm -rf "$STAGE"
}
trap clean_up EXIT
mkdir -m 700 "$STAGE/run"
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
export XDG_CONFIG_HOME=$STAGE/config XDG_DATA_HOME=$STAGE/data XDG_CACHE_HOME=$STAGE/cache XDG_RUNTIME_DIR=$STAGE/run
# Programs of the tests lie nowhere near the decoders.
ATTNSCOPE_DECODER=$(find "$BUILD" -type f -name attnscope-decoder | head -1)
ATTNSCOPE_VIDEO_DECODER=$(find "$BUILD" -type f -name attnscope-video-decoder | head -1)
export ATTNSCOPE_DECODER ATTNSCOPE_VIDEO_DECODER

say "Writing demo images and videos"
"$CLI" demo "$STAGE/demo" --only scenes --train 1 --val 4 --quiet >/dev/null
"$CLI" demo "$STAGE/videos" --only moves --train 1 --val 1 --quiet >/dev/null
VIDEO=$(find "$STAGE/videos/moves/val" -type f | sort | head -1)
SCENES=$STAGE/demo/scenes/val
MODEL=$SOURCE_DIR/resources/demo/models/deit.safetensors

# More lines than an evaluation gets through: no machine is expected to predict so many images per second.
FASTEST=400
write_list() {
    (cd "$SCENES" && find . -name '*.*' -type f | sort) | awk -v lines=$((FASTEST * 60 * MINUTES)) '
        { path[NR - 1] = substr($0, 3); class[NR - 1] = path[NR - 1]; sub("/.*", "", class[NR - 1]) }
        END { for (i = 0; i < lines; ++i) print path[i % NR], class[i % NR] }' >"$SCENES/../images.part"
    mv "$SCENES/../images.part" "$SCENES/images.txt"
}

if [ "$BUSY" = yes ]; then
    yes >/dev/null &
    BUSY_PID=$!
fi

failed=()
for kind in "${KINDS[@]}"; do
    say "$kind, $MINUTES minutes"
    case $kind in
        window) "$SOAK/soak_window" "$MINUTES" "$VIDEO" "$SCENES" || failed+=("$kind") ;;
        live) "$SOAK/soak_live" "$MINUTES" "$VIDEO" || failed+=("$kind") ;;
        evaluate)
            write_list
            "$SOAK/soak_command" "$MINUTES" "$CLI" evaluate "$SCENES/images.txt" --weights "$MODEL" --attention softmax --attention lara \
                --store "$STAGE/results.sqlite" --quiet || failed+=("$kind") ;;
    esac
done
[ ${#failed[@]} -eq 0 ] || die "Beyond the limits: ${failed[*]}."
