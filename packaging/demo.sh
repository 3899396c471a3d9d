#!/usr/bin/env bash
# Trains the demo models of resources/demo/models from scratch: renders the demo data, trains each network with softmax, distils it
# into LARA and Performer, and writes half-precision checkpoints with their training logs. docs/demo.md says how long that takes.
# shellcheck source=packaging/lib.sh
source "$(dirname "$0")/lib.sh"

usage() {
    cat <<'TEXT'
usage: packaging/demo.sh [--work FOLDER] [--only deit|pvt_v2|motionformer|vit] [--install]

Data, full-precision checkpoints and the state of unfinished trainings are kept in FOLDER (build/demo). An interrupted run
continues where it stopped. --install copies the results to resources/demo/models.
TEXT
}

WORK=$SOURCE_DIR/build/demo
ONLY="deit pvt_v2 motionformer vit"
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
WORK=$(realpath "$WORK")  # links inside point at it

# These networks are small, so images are hardly mixed and only moderately cropped: the data are already distorted.
LARA=lara:samples=49,proposal=mixed,beta=2
VIDEO_LARA=lara:samples=16
PERFORMER=performer:samples=128
RECIPE=(--drop-path 0)

recipe_of() {
    case $1 in
        deit | pvt_v2) printf '%s\n' "$WORK/data/scenes" --batch-size 32 --augment light --crop-scale 0.5,1 --rand-augment 1,5 ;;
        vit) printf '%s\n' "$WORK/data/scenes" --batch-size 32 --augment light --rand-augment 1,5 ;;
        # A flip turns left into right, and crops change speeds, so clips are not augmented.
        motionformer) printf '%s\n' "$WORK/moves" --batch-size 32 --augment none ;;
    esac
}

epochs_of() {
    case $1 in
        deit) echo 12 ;;
        pvt_v2) echo 30 ;;
        motionformer) echo 8 ;;
        vit) echo 1 ;;
    esac
}

# The attentions that a network is distilled into. That of 1,028 tokens shows what attentions do to weights trained with softmax.
forms_of() {
    case $1 in
        vit) echo ;;
        *) echo lara performer ;;
    esac
}

# train OUT ARGUMENTS…: starts the training, resumes it, or finds it finished.
train() {
    local out=$1 go=()
    shift
    [ ! -e "${out%.safetensors}.resume.safetensors" ] || go=(--resume)
    [ ! -e "$out" ] || [ ${#go[@]} -gt 0 ] || return 0
    say "train $(basename "$out")"
    "$CLI" train "${RECIPE[@]}" "$@" --out "$out" "${go[@]}"
}

# Rotations and zooms only: their motion depends on the position in the image, which a network does not learn while it also learns pans.
turns_folder() {
    local split class
    for split in train val; do
        mkdir -p "$WORK/turns/$split"
        for class in rotate-left rotate-right zoom-in zoom-out; do
            ln -sfn "$WORK/moves/$split/$class" "$WORK/turns/$split/$class"
        done
    done
}

# The weights that the last training of a Motionformer starts from: it learns pans first, then rotations and zooms, then all together.
prepare_motionformer() {
    [ -e "$WORK/moves" ] || { "$CLI" demo "$WORK/moves.new" --only moves --train 500 && mv "$WORK/moves.new/moves" "$WORK/moves"; }
    turns_folder
    train "$WORK/motionformer_pans.safetensors" "$WORK/moves" --model "$MODELS/motionformer.json" --augment none --epochs 4 \
        --lr 1e-3 --batch-size 16 --warmup 0.5
    train "$WORK/motionformer_turns.safetensors" "$WORK/turns" --init "$WORK/motionformer_pans.safetensors" --augment none --epochs 14 \
        --lr 1e-3 --batch-size 32 --warmup 0.5 --label-smoothing 0
}

# The plain vision transformer learns the scenes at half the size, with a quarter of the tokens, before it is fine-tuned at its own size.
# There a patch shows half as much of the scene, so that small crops belong to the first training.
prepare_vit() {
    train "$WORK/vit_112.safetensors" "${recipe[@]}" --crop-scale 0.25,1 --model "$MODELS/vit.json" --image-size 112 --epochs 8 --lr 2e-3 \
        --warmup 0.5
}

# The network that a softmax training starts from, and its learning rate.
beginning_of() {
    case $1 in
        deit | pvt_v2) printf '%s\n' --model "$MODELS/$1.json" --lr 2e-3 --warmup 1 ;;
        motionformer) printf '%s\n' --init "$WORK/motionformer_turns.safetensors" --lr 1e-3 --warmup 0.5 ;;
        vit) printf '%s\n' --init "$WORK/vit_112.safetensors" --image-size 224 --crop-scale 0.5,1 --limit 1600 --lr 5e-4 --warmup 0.1 ;;
    esac
}

if [ ! -e "$WORK/data/scenes" ]; then
    "$CLI" demo "$WORK/data" --only scenes --overwrite
fi

for model in $ONLY; do
    mapfile -t recipe < <(recipe_of "$model")
    read -r -a forms < <(forms_of "$model")
    lara=$LARA
    [ "$model" != motionformer ] || lara=$VIDEO_LARA
    softmax=$WORK/$model.safetensors
    [ "$model" != motionformer ] || prepare_motionformer
    [ "$model" != vit ] || prepare_vit
    mapfile -t beginning < <(beginning_of "$model")
    train "$softmax" "${recipe[@]}" "${beginning[@]}" --epochs "$(epochs_of "$model")"
    for form in "${forms[@]}"; do
        spec=$lara
        [ $form = lara ] || spec=$PERFORMER
        train "$WORK/${model}_$form.safetensors" "${recipe[@]}" --init "$softmax" --distil-from "$softmax" --attention "$spec" \
            --epochs 6 --lr 1e-3 --warmup 0.5
    done
    # The baseline: what single frames reveal of the movement, which is next to nothing.
    [ "$model" != motionformer ] || train "$WORK/single_frame.safetensors" "${recipe[@]}" --model "$MODELS/single_frame.json" \
        --epochs 6 --lr 1e-3 --warmup 0.5
    [ "$INSTALL" = yes ] || continue
    for name in "$model" "${forms[@]/#/${model}_}"; do
        "$CLI" convert "$WORK/$name.safetensors" "$MODELS/$name.safetensors" --dtype float16 --overwrite
        sed "s|$WORK/||g" "$WORK/$name.history.json" >"$MODELS/$name.history.json"
    done
done
