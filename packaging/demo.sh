#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains the demo models of resources/demo/models from nothing: makes the demo data, trains each network with softmax, distils it
# into LARA and Performer, and writes half-precision checkpoints with their training logs. Two hours on two cores.
# shellcheck source=packaging/lib.sh
source "$(dirname "$0")/lib.sh"

usage() {
    cat <<'TEXT'
usage: packaging/demo.sh [--work FOLDER] [--only deit|pvt_v2|motionformer] [--install]

Data, full-precision checkpoints and what is needed to go on lie in FOLDER (build/demo). A script that was interrupted goes on
where it was. --install puts the results into resources/demo/models.
TEXT
}

WORK=$SOURCE_DIR/build/demo
ONLY="deit pvt_v2 motionformer"
INSTALL=no
while [ $# -gt 0 ]; do
    case $1 in
        --work) WORK=$2; shift ;;
        --only) ONLY=$2; shift ;;
        --install) INSTALL=yes ;;
        -h | --help) usage; exit 0 ;;
        *) die "there is no option $1; packaging/demo.sh --help explains them." ;;
    esac
    shift
done

CLI=${ATTNSCOPE_CLI:-$SOURCE_DIR/build/release/app/cli/attnscope-cli}
[ -x "$CLI" ] || die "$CLI is not built; run packaging/run.sh --build-only first."
MODELS=$SOURCE_DIR/resources/demo/models
mkdir -p "$WORK"

# The widths of these nets are small, so pictures are mixed little and cropped moderately: the data is distorted already.
LARA=lara:samples=49,proposal=mixed,beta=2
VIDEO_LARA=lara:samples=64
PERFORMER=performer:samples=128
RECIPE=(--batch-size 32 --drop-path 0 --warmup 1 --augment light)

recipe_of() {
    case $1 in
        deit | pvt_v2) printf '%s\n' "$WORK/data/scenes" --crop-scale 0.5,1 --rand-augment 1,5 ;;
        # A flip turns left into right, and a crop that moves is no crop: clips are taken as they are.
        motionformer) printf '%s\n' "$WORK/data/moves" --flip 0 --crop-scale 0.8,1 ;;
    esac
}

epochs_of() {
    case $1 in
        deit) echo 12 ;;
        pvt_v2) echo 14 ;;
        motionformer) echo 24 ;;
    esac
}

# train OUT ARGUMENTS…: begins, goes on, or finds it done.
train() {
    local out=$1 go=()
    shift
    [ ! -e "${out%.safetensors}.resume.safetensors" ] || go=(--resume)
    [ ! -e "$out" ] || [ ${#go[@]} -gt 0 ] || return 0
    say "train $(basename "$out")"
    "$CLI" train "$@" "${RECIPE[@]}" --out "$out" "${go[@]}"
}

if [ ! -e "$WORK/data/scenes" ] || [ ! -e "$WORK/data/moves" ]; then
    "$CLI" demo "$WORK/data" --overwrite
fi

for model in $ONLY; do
    mapfile -t recipe < <(recipe_of "$model")
    lara=$LARA
    [ "$model" != motionformer ] || lara=$VIDEO_LARA
    softmax=$WORK/$model.safetensors
    train "$softmax" "${recipe[@]}" --model "$MODELS/$model.json" --epochs "$(epochs_of "$model")" --lr 2e-3
    for form in lara performer; do
        spec=$lara
        [ $form = lara ] || spec=$PERFORMER
        train "$WORK/${model}_$form.safetensors" "${recipe[@]}" --init "$softmax" --distil-from "$softmax" --attention "$spec" \
            --epochs 6 --lr 1e-3 --warmup 0.5
    done
    [ "$INSTALL" = yes ] || continue
    for name in "$model" "${model}_lara" "${model}_performer"; do
        "$CLI" convert "$WORK/$name.safetensors" "$MODELS/$name.safetensors" --dtype float16 --overwrite
        cp "$WORK/$name.history.json" "$MODELS/$name.history.json"
    done
done
