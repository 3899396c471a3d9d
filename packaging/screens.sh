#!/usr/bin/env bash
# Saves an image of every screen of the window, filled from the demo, light and dark, at 1280x800 and 1024x640, without a display.
#
#     packaging/screens.sh [OPTIONS] [SCREEN...]
#       --build DIR    where the programs were built; default build/release
#       --out DIR      where the images go; default build/screens
#       --language L   of the window: en (the default), de or zh_CN
#       --docs         also replaces the images of docs/images that show a whole window, and notes of which window they are
#       --check        only says which of those show another window than this one: more than a tenth of a screen's texts is new
#
# Nothing of the user's is read or written: settings, results and demo data are in a temporary folder.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

BUILD=$SOURCE_DIR/build/release OUT=$SOURCE_DIR/build/screens DOCS=0 CHECK=0 LANGUAGE_SHOWN=en
SCREENS=()
while [ $# -gt 0 ]; do
    case $1 in
        --build) BUILD=$(realpath "$2"); shift 2 ;;
        --out) OUT=$2; shift 2 ;;
        --language) LANGUAGE_SHOWN=$2; shift 2 ;;
        --docs) DOCS=1; shift ;;
        --check) CHECK=1; shift ;;
        -h | --help) sed -n '3,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
        -*) die "Unknown option $1; see packaging/screens.sh --help." ;;
        *) SCREENS+=("$1"); shift ;;
    esac
done

# Images of the documents, the screen that each shows, and the numbers of the texts that its sources had then.
IMAGES=$SOURCE_DIR/docs/images NOTED=$SOURCE_DIR/docs/images/screens.txt
# texts_of SCREEN: a number for each text in its sources.
texts_of() {
    local text
    export LC_ALL=C.UTF-8
    grep -rhoE '\btr\("([^"\\]|\\.)+"' "$SOURCE_DIR/ui/$1" | sort -u | while IFS= read -r text; do cksum <<<"$text"; done | cut -d' ' -f1 | sort
}
if [ "$CHECK" = 1 ]; then
    aged=0
    for image in "$IMAGES"/*-light.png "$IMAGES"/*-dark.png; do
        read -r screen numbers < <(sed -n "s/^$(basename "$image") //p" "$NOTED") || true
        [ -n "${screen:-}" ] || die "${image#"$SOURCE_DIR/"} is not in docs/images/screens.txt; packaging/screens.sh --docs makes both."
        now=$(texts_of "$screen")
        all=$(wc -l <<<"$now") new=$(comm -13 <(tr ' ' '\n' <<<"$numbers") - <<<"$now" | wc -l)
        [ $((10 * new)) -le "$all" ] || { echo "${image#"$SOURCE_DIR/"}: $new of $all texts of $screen are newer; make it again with packaging/screens.sh --docs"; aged=1; }
    done
    exit $aged
fi
# Results shows what Batch has stored, so it comes after it.
[ ${#SCREENS[@]} -gt 0 ] || SCREENS=(compare features live layers batch results scale train neighbours)
WINDOW=$BUILD/app/attnscope/attnscope CLI=$BUILD/app/cli/attnscope-cli
[ -x "$WINDOW" ] && [ -x "$CLI" ] || die "$BUILD has no programs; build them with: packaging/run.sh --build-only, or name the folder with --build."

STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
mkdir -p "$OUT" "$STAGE/run"
chmod 700 "$STAGE/run"
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
export XDG_CONFIG_HOME=$STAGE/config XDG_DATA_HOME=$STAGE/data XDG_CACHE_HOME=$STAGE/cache XDG_RUNTIME_DIR=$STAGE/run
DEMO=$SOURCE_DIR/resources/demo

# shoot NAME[:SCREEN] ARGUMENTS...: measured once, saved in both themes and both sizes.
shoot() {
    local name=${1%%:*} screen=${1##*:}
    shift
    say "$name"
    timeout 900 "$WINDOW" --language "$LANGUAGE_SHOWN" --screen "$screen" "$@" --screenshot "$OUT/$name.png" \
        --theme light --theme dark --size 1280x800 --size 1024x640 || die "The screen $screen could not be saved."
}

for screen in "${SCREENS[@]}"; do
    attentions=(--attention softmax --attention performer --attention lara)
    case $screen in
        compare)  # the softmax network, the swap, and the network that was trained for it
            shoot compare "$DEMO/photos/cat.jpg" --weights "$DEMO/models/deit.safetensors" --weights "$DEMO/models/deit_lara.safetensors" \
                --attention softmax --attention lara --attention 'lara:proposal=mixed,beta=2;checkpoint=2' ;;
        features)
            printf '[compare]\nform=features\n' >"$STAGE/features.ini"
            shoot features:compare "$DEMO/photos/cat.jpg" --settings "$STAGE/features.ini" --weights "$DEMO/models/deit.safetensors" "${attentions[@]}" ;;
        live)
            "$CLI" demo "$STAGE/demo" --only moves --train 1 --val 1 --quiet >/dev/null
            video=$(find "$STAGE/demo/moves/val" -type f | sort | head -1)
            shoot live "$video" --weights "$DEMO/models/motionformer.safetensors" --weights "$DEMO/models/motionformer_lara.safetensors" \
                --attention softmax --attention lara:samples=16 --attention 'lara:samples=16;checkpoint=2' --after 8 ;;
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
        *) die "Unknown screen $screen; the screens are compare, features, live, layers, batch, results, scale, train and neighbours." ;;
    esac
done

# note NAME-THEME SCREEN SIZE: into the documents, with what its screen says.
note() {
    local saved=$OUT/$1-$3.png
    [ -e "$saved" ] || return 0
    cp "$saved" "$IMAGES/$1.png"
    { grep -sv "^$1.png " "$NOTED" || true; echo "$1.png $2 $(texts_of "$2" | tr '\n' ' ')"; } | sort >"$STAGE/noted"
    cp "$STAGE/noted" "$NOTED"
}
if [ "$DOCS" = 1 ]; then
    for screen in compare layers; do
        for theme in light dark; do note "$screen-$theme" "$screen" 1280x800; done
    done
    note features-light compare 1280x800
    for screen in live batch results scale train neighbours; do note "$screen-light" "$screen" 1024x640; done
fi
say "The images are in $OUT"
