#!/usr/bin/env bash
# Checks Attnscope on an NVIDIA GPU in ten minutes, from one archive. See --help.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=packaging/lib.sh
. "$HERE/lib.sh"

usage() {
    cat <<EOF
Usage: gpu-check.sh [--device cuda|cpu] [--data FOLDER] [--only STEP]… [FOLDER]

In the folder of the archive that packaging/package.sh gpu-check makes (programs, window, decoder and demo; not LibTorch): runs them on this machine's GPU. Needs
an NVIDIA driver, and torch $LIBTORCH_VERSION for CUDA 13 in python3 or where ATTNSCOPE_LIBTORCH names it (on a CPU, any torch $LIBTORCH_VERSION for Linux). Steps, in this order:
$(for step in "${STEPS[@]}"; do printf '  %-10s %s\n' "${step%%:*}" "${step#*:}"; done)
All output is kept in FOLDER (default: gpu-check-results), and what each step took is printed. Exit code 0: everything agreed.
  --device    cuda; cpu runs the same steps, on less, to try the archive
  --data      tests/data of the sources, for the step goldens, which is left out without it
  --only      these steps alone
EOF
}

STEPS=("found:the GPU, LibTorch and the kernels (attnscope-cli gpu)"
       "kernels:our own kernels against LibTorch's operators"
       "attention:attention alone: kernels, operators, fused softmax"
       "networks:passes of networks, as CUDA graphs and kernel by kernel"
       "goldens:golden values, and every attention, network and training against the CPU"
       "evaluate:2,000 images that are made here: images per second, and what bounds them"
       "window:the window on this device: Compare, Live and Layers, as images"
       "threads:passes on the CPU with 1, 2, 4, 8 and 16 threads")

# --- LibTorch --------------------------------------------------------------------------------------------------------

python_torch() {
    python3 - "$LIBTORCH_VERSION" 2>/dev/null <<'PYTHON'
import importlib.util, re, sys
place = importlib.util.find_spec("torch").submodule_search_locations[0]
version = re.search(r"__version__ = '([^'+]+)", open(place + "/version.py").read()).group(1)
print(place) if version == sys.argv[1] else sys.exit(1)
PYTHON
}

# The programs take it from there; NVIDIA's libraries are next to it.
use_libtorch() {
    local torch=${ATTNSCOPE_LIBTORCH:-}
    [ -n "$torch" ] || torch=$(python_torch) || die "There is no torch $LIBTORCH_VERSION in python3: pip install torch==$LIBTORCH_VERSION, or name one by ATTNSCOPE_LIBTORCH."
    [ -e "$torch/lib/libtorch_cpu.so" ] || die "$torch is not a LibTorch: lib/libtorch_cpu.so is expected in it."
    export LD_LIBRARY_PATH=$torch/lib:$(dirname "$torch")/nvidia/cu13/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    [ "$DEVICE" != cuda ] || export ATTNSCOPE_LIBTORCH_CUDA=${ATTNSCOPE_LIBTORCH_CUDA:-$torch}
}

# --- steps -----------------------------------------------------------------------------------------------------------

# Also on the terminal, without what passed.
shown() { tee "$RESULTS/$1" | { grep -v '^pass' || true; }; }

step_found() {
    "$CLI" gpu | shown found.txt
    "$CLI" gpu --json - >"$RESULTS/found.json"
    [ "$DEVICE" = cpu ] || python3 -c 'import json, sys; sys.exit(not json.load(open(sys.argv[1]))["works"])' "$RESULTS/found.json"
}

step_kernels() { "$PROGRAMS/kernel_check" "$DEVICE" | shown kernels.txt; }

step_attention() {
    local dtype
    if [ "$DEVICE" = cpu ]; then
        "$PROGRAMS/bench_kernels" cpu float32 196 1 | shown attention-float32.txt
        return
    fi
    for dtype in bfloat16 float32; do
        "$PROGRAMS/bench_kernels" cuda $dtype 3136 | shown attention-$dtype.txt
    done
}

step_networks() {
    local attention attentions=() image=$DEMO/photos/cat.jpg
    for attention in softmax performer rfa lara ra tangent monarch; do
        attentions+=(--attention "$attention")
        [ "$DEVICE" = cpu ] || echo "$attention $(echo planned 0.5 | "$PROGRAMS/bench_models" deit_small_patch16_224 128 "$attention" bfloat16 0 cuda) ms at batch size 128" |
            shown "networks-$attention.txt"
    done
    for attention in performer rfa lara ra; do attentions+=(--attention "$attention:kernel=plain"); done
    "$CLI" compare "$image" --model deit_tiny_patch16_224 --weights untrained "${attentions[@]}" --device "$DEVICE" --quiet --json "$RESULTS/networks.json" | shown networks.txt
    [ "$DEVICE" = cpu ] || "$CLI" compare "$image" --model deit_tiny_patch16_224 --weights untrained "${attentions[@]}" --device cuda --quiet --no-cuda-graphs --no-memory --no-error |
        shown networks-launched.txt
}

step_goldens() {
    [ -n "$DATA" ] || { say "Left out: --data names no tests/data"; return 0; }
    "$PROGRAMS/golden_runner" "$DATA" --device "$DEVICE" | shown goldens.txt
    # Torch's wheel brings NCCL as a Python package.
    ATTNSCOPE_NCCL=${ATTNSCOPE_NCCL:-$(find "$(dirname "${ATTNSCOPE_LIBTORCH_CUDA:-/nowhere/torch}")/nvidia" -name 'libnccl.so.2' 2>/dev/null | head -n 1)} \
        "$PROGRAMS/device_check" "$DATA" "$DEVICE" | shown devices.txt
}

step_evaluate() {
    local images=167 attentions=(--attention softmax --attention lara)
    [ "$DEVICE" = cuda ] || images=25
    # Of each of twelve classes.
    "$CLI" demo "$RESULTS/images" --only scenes --train 1 --val $images --overwrite --quiet >/dev/null
    "$CLI" evaluate "$RESULTS/images/scenes/val" --weights "$DEMO/models/deit.safetensors" "${attentions[@]}" --device "$DEVICE" --store "$RESULTS/evaluations.sqlite" |
        shown evaluate.txt
    rm -rf "$RESULTS/images"
}

step_window() {
    local screen settings=$RESULTS/window.ini video
    printf '[run]\ndevice=%s\n' "$([ "$DEVICE" = cuda ] && echo cuda:0 || echo cpu)" >"$settings"
    echo "<fontconfig><dir>$HERE/fonts</dir><cachedir>$RESULTS/fonts</cachedir></fontconfig>" >"$RESULTS/fonts.conf"
    export QT_QPA_PLATFORM=offscreen FONTCONFIG_FILE=$RESULTS/fonts.conf
    for screen in compare layers; do
        timeout 120 "$HERE/bin/attnscope" --settings "$settings" --screen $screen --demo --run --screenshot "$RESULTS/window-$screen.png"
    done
    "$CLI" demo "$RESULTS/moves" --only moves --train 1 --val 1 --overwrite --quiet >/dev/null
    video=$(find "$RESULTS/moves" -name '*.mp4' | sort | head -n 1)
    timeout 120 "$HERE/bin/attnscope" --settings "$settings" --screen live --weights "$DEMO/models/motionformer.safetensors" --attention softmax --attention lara "$video" \
        --after 8 --screenshot "$RESULTS/window-live.png"
    rm -rf "$RESULTS/moves"
}

step_threads() {
    local threads
    for threads in 1 2 4 8 16; do
        [ "$threads" -le "$(nproc)" ] || continue
        say "$threads threads"
        "$CLI" compare "$DEMO/photos/cat.jpg" --model deit_small_patch16_224 --weights untrained --attention softmax --attention lara --attention performer --device cpu \
            --threads "$threads" --no-memory --no-error --quiet --json "$RESULTS/threads-$threads.json" | shown "threads-$threads.txt"
    done
}

# --- main ------------------------------------------------------------------------------------------------------------

DEVICE=cuda
DATA=
ONLY=()
while [ $# -gt 0 ]; do
    case $1 in
        --device) DEVICE=${2:-} && shift ;;
        --data) DATA=$(cd "${2:-}" && pwd) && shift ;;
        --only) ONLY+=("${2:-}") && shift ;;
        -h | --help) usage && exit 0 ;;
        -*) die "gpu-check.sh has no option $1; --help lists them." ;;
        *) break ;;
    esac
    shift
done
[ "$DEVICE" = cuda ] || [ "$DEVICE" = cpu ] || die "--device is cuda or cpu, not $DEVICE."
CLI=$HERE/bin/attnscope-cli
PROGRAMS=$HERE/libexec/attnscope
DEMO=$HERE/share/attnscope/demo
[ -x "$CLI" ] || die "The programs are not next to this script: it runs in the folder of the archive that packaging/package.sh gpu-check makes."
have python3 || die "Python 3 is needed to find LibTorch."
use_libtorch
mkdir -p "${1:-gpu-check-results}"
RESULTS=$(cd "${1:-gpu-check-results}" && pwd)
export ATTNSCOPE_CUDA_LIBRARY=$HERE/lib/attnscope/libattnscope-cuda.so

FAILED=()
BEGIN=$SECONDS
for step in "${STEPS[@]}"; do
    name=${step%%:*}
    [ ${#ONLY[@]} -eq 0 ] || [[ " ${ONLY[*]} " == *" $name "* ]] || continue
    say "$name: ${step#*:}"
    begin=$SECONDS
    set +e  # errors end the step
    (set -e && "step_$name")
    [ $? -eq 0 ] || FAILED+=("$name")
    set -e
    say "$name took $((SECONDS - begin)) s"
done
say "All of it took $((SECONDS - BEGIN)) s; it is in $RESULTS"
[ ${#FAILED[@]} -eq 0 ] || die "This failed, as is shown above: ${FAILED[*]}"
