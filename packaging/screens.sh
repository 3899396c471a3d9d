#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Saves an image of every screen of the window, filled from the demo, light and dark, at 1280x800 and 1024x640, without a display.
#
#     packaging/screens.sh [OPTIONS] [SCREEN...]
#       --build DIR    where the programs were built; default build/release
#       --out DIR      where the images go; default build/screens
#       --language L   of the window: en (the default), de or zh_CN
#       --docs         also replaces the images of docs/images that show a whole window
#
# Nothing of the user's is read or written: settings, results and demo data are in a temporary folder.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

BUILD=$SOURCE_DIR/build/release OUT=$SOURCE_DIR/build/screens DOCS=0 LANGUAGE_SHOWN=en
SCREENS=()
while [ $# -gt 0 ]; do
    case $1 in
        --build) BUILD=$(realpath "$2"); shift 2 ;;
        --out) OUT=$2; shift 2 ;;
        --language) LANGUAGE_SHOWN=$2; shift 2 ;;
        --docs) DOCS=1; shift ;;
        -h | --help) sed -n '3,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
        -*) die "Unknown option $1; see packaging/screens.sh --help." ;;
        *) SCREENS+=("$1"); shift ;;
    esac
done
# Results shows what Batch has stored, so it comes after it.
[ ${#SCREENS[@]} -gt 0 ] || SCREENS=(compare live layers batch results scale train neighbours)
WINDOW=$BUILD/app/attnscope/attnscope CLI=$BUILD/app/cli/attnscope-cli
[ -x "$WINDOW" ] && [ -x "$CLI" ] || die "$BUILD has no programs; build them with: packaging/run.sh --build-only, or name the folder with --build."

STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
mkdir -p "$OUT" "$STAGE/run"
chmod 700 "$STAGE/run"
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
export XDG_CONFIG_HOME=$STAGE/config XDG_DATA_HOME=$STAGE/data XDG_CACHE_HOME=$STAGE/cache XDG_RUNTIME_DIR=$STAGE/run
DEMO=$SOURCE_DIR/resources/demo

# shoot SCREEN ARGUMENTS...: measured once, saved in both themes and both sizes.
shoot() {
    local screen=$1
    shift
    say "$screen"
    timeout 900 "$WINDOW" --language "$LANGUAGE_SHOWN" --screen "$screen" "$@" --screenshot "$OUT/$screen.png" \
        --theme light --theme dark --size 1280x800 --size 1024x640 || die "The screen $screen could not be saved."
}

for screen in "${SCREENS[@]}"; do
    attentions=(--attention softmax --attention performer --attention lara)
    case $screen in
        compare) shoot compare "$DEMO/photos/cat.jpg" "${attentions[@]}" ;;
        live)
            "$CLI" demo "$STAGE/demo" --only moves --train 1 --val 1 --quiet >/dev/null
            video=$(find "$STAGE/demo/moves/val" -type f | sort | head -1)
            shoot live "$video" --weights "$DEMO/models/motionformer.safetensors" "${attentions[@]}" --after 8 ;;
        layers) shoot layers "$DEMO/photos/cat.jpg" "${attentions[@]}" ;;
        batch) shoot batch --demo --run "${attentions[@]}" ;;
        results)
            [ -e "$XDG_DATA_HOME/attnscope/results.sqlite" ] || "$CLI" demo "$STAGE/scenes" --only scenes --train 1 --val 10 --quiet >/dev/null
            [ -e "$XDG_DATA_HOME/attnscope/results.sqlite" ] || "$CLI" evaluate "$STAGE/scenes/scenes" --weights "$DEMO/models/deit.safetensors" \
                "${attentions[@]}" --quiet >/dev/null
            shoot results ;;
        scale) shoot scale --run "${attentions[@]}" ;;
        # Two epochs, once the demo's images are written.
        train) shoot train --demo --run --after 30 ;;
        neighbours) shoot neighbours --demo --run "${attentions[@]}" ;;
        *) die "Unknown screen $screen; the screens are compare, live, layers, batch, results, scale, train and neighbours." ;;
    esac
done

if [ "$DOCS" = 1 ]; then
    for screen in compare layers; do
        for theme in light dark; do
            [ ! -e "$OUT/$screen-$theme-1280x800.png" ] || cp "$OUT/$screen-$theme-1280x800.png" "$SOURCE_DIR/docs/images/$screen-$theme.png"
        done
    done
    for screen in live batch results scale train neighbours; do
        [ ! -e "$OUT/$screen-light-1024x640.png" ] || cp "$OUT/$screen-light-1024x640.png" "$SOURCE_DIR/docs/images/$screen-light.png"
    done
fi
say "The images are in $OUT"
