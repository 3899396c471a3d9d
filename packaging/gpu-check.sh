#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the engine on an NVIDIA GPU: builds it, runs goldens and kernels on CUDA, measures them. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/gpu-check.sh [FOLDER]

For a machine with an NVIDIA GPU. Builds the engine (preset engine-cuda: no Qt, no OpenCV) in build/engine-cuda (the log says how many
registers each CUDA kernel takes), runs the golden values on CUDA, through our own kernels where they apply, and compares the kernels with LibTorch's
operators; measures attention alone (kernels, operators, fused softmax) and in deit_tiny_patch16_224 on the CPU and on CUDA, and prints tables.
All output is kept in FOLDER (default: build/engine-cuda/gpu-check). Exit code 0: everything agreed.
This script has not been run on a GPU yet, so nothing that needs one has been tested.

Requirements: a C++20 compiler, CMake 3.25, Python 3, a CUDA toolkit of LibTorch's major version (nvcc; CUDA_HOME or /usr/local/cuda).
LibTorch: ATTNSCOPE_LIBTORCH, Torch_DIR or CMAKE_PREFIX_PATH; else python3's own torch $LIBTORCH_VERSION; else it is fetched (2.5 GB).
Header-only nlohmann/json and CLI11: the system's, or unpacked under .deps/usr:
  apt-get download nlohmann-json3-dev libcli11-dev && for f in *.deb; do dpkg -x "\$f" .deps; done
EOF
}

MODEL=deit_tiny_patch16_224
ATTENTIONS=(softmax performer performer:kernel=plain rfa rfa:kernel=plain ra ra:kernel=plain lara lara:kernel=plain)

# The folder of python3's torch where that is the pinned version with CUDA.
python_torch() {
    python3 - "$LIBTORCH_VERSION" 2>/dev/null <<'PYTHON'
import sys, torch
if torch.__version__.split("+")[0] != sys.argv[1] or torch.version.cuda is None:
    sys.exit(1)
print(torch.__path__[0])
PYTHON
}

choose_libtorch() {
    local status=0
    given_libtorch >/dev/null || status=$?
    [ "$status" -ne 2 ] || exit 1
    [ "$status" -ne 0 ] || return 0
    if ! [ -d "$(fetched_libtorch cuda)" ] && ATTNSCOPE_LIBTORCH=$(python_torch); then
        export ATTNSCOPE_LIBTORCH
        return 0
    fi
    unset ATTNSCOPE_LIBTORCH
    ensure_libtorch cuda
}

# Where header-only libraries were unpacked, on machines without a package manager.
use_unpacked_headers() {
    [ ! -d "$SOURCE_DIR/.deps/usr" ] || export CMAKE_PREFIX_PATH=$SOURCE_DIR/.deps/usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
}

# A synthetic image, the same everywhere, as a safetensors file: no image decoder is needed.
write_input() {
    python3 - "$1" <<'PYTHON'
import array, json, math, sys
side = 224
values = array.array("f", (math.sin(0.05 * x * (c + 1)) + math.cos(0.07 * y) * math.sin(0.003 * x * y)
                           for c in range(3) for y in range(side) for x in range(side)))
if sys.byteorder != "little":
    values.byteswap()
data = values.tobytes()
header = json.dumps({"input": {"dtype": "F32", "shape": [1, 3, side, side], "data_offsets": [0, len(data)]}}).encode()
header += b" " * (-len(header) % 8)
with open(sys.argv[1], "wb") as out:
    out.write(len(header).to_bytes(8, "little") + header + data)
PYTHON
}

# Of a device, into a file of that name; further options are compare's.
measure() {
    local device=$1 name=$2 attention arguments=("${@:3}")
    for attention in "${ATTENTIONS[@]}"; do
        arguments+=(--attention "$attention")
    done
    "$BUILD/app/cli/attnscope-cli" compare "$RESULTS/input.safetensors" --model "$MODEL" --weights untrained "${arguments[@]}" \
        --device "$device" --json "$RESULTS/$name.json" >&2 || die "compare failed on $device; the reason is shown above."
}

# Compares CPU and CUDA; "launched" are passes whose kernels are launched one by one, "graph" passes that are launched as a whole. Fails when a
# backend's approximation error differs by more than a tenth: the noise is the same on both (it is drawn by counter, not by the device), so the
# errors may differ only by rounding.
print_table() {
    python3 - "$RESULTS/cpu.json" "$RESULTS/cuda.json" "$RESULTS/launched.json" <<'PYTHON'
import json, sys
cpu, cuda, launched = (json.load(open(path)) for path in sys.argv[1:])
print(f"{cuda['model']['name']}, untrained weights, one input; CPU: {cpu['device'].get('description', cpu['device'])}; "
      f"CUDA: {cuda['device'].get('description', cuda['device'])}")
print(f"{'attention':<26}{'CPU ms':>10}{'launched':>10}{'graph ms':>10}{'CPU/graph':>10}{'p95/p05':>9}{'CUDA MiB':>10}{'error CPU':>11}{'error CUDA':>11}")
disagree, unrecorded = [], []
for a, b, c in zip(*(report["inputs"][0]["runs"] for report in (cpu, cuda, launched))):
    ms, gpu = a["latency_ms"], b["latency_ms"]
    unrecorded += [f"{b['attention']}: {note}" for note in b.get("notes", []) if "could not be recorded" in note]
    error, gpu_error = a["error"]["relative"], b["error"]["relative"]
    print(f"{b['attention']:<26}{ms['median']:>10.2f}{c['latency_ms']['median']:>10.3f}{gpu['median']:>10.3f}{ms['median'] / gpu['median']:>10.1f}"
          f"{gpu['p95'] / gpu['p05']:>9.2f}{b['memory_bytes']['peak'] / 2**20:>10.1f}{error:>11.4f}{gpu_error:>11.4f}")
    if abs(error - gpu_error) > 0.1 * max(error, 1e-4):
        disagree.append(b["attention"])
print(*unrecorded, sep="\n")
if disagree:
    sys.exit(f"error: the approximation error differs between CPU and CUDA for {', '.join(disagree)}.")
PYTHON
}

case "${1:-}" in -h | --help) usage && exit 0 ;; esac
BUILD=$SOURCE_DIR/build/engine-cuda
RESULTS=${1:-$BUILD/gpu-check}

{ have nvidia-smi && nvidia-smi -L >&2; } || die "No NVIDIA GPU: nvidia-smi does not answer."
[ -n "$(nvcc_path)" ] || die "No CUDA compiler (nvcc), so the CUDA kernels cannot be built: install a CUDA toolkit, or set CUDA_HOME."
have python3 || die "Python 3 is needed to make the input and to print the table."
use_unpacked_headers
choose_libtorch
build_preset engine-cuda golden_runner kernel_check bench_kernels attnscope-cli
mkdir -p "$RESULTS"
RESULTS=$(cd "$RESULTS" && pwd)

say "Golden values on CUDA, through our own kernels where they apply"
GOLDENS=passed
"$BUILD/tests/golden/golden_runner" "$SOURCE_DIR/tests/data" --device cuda || GOLDENS=failed
say "Our own kernels on CUDA against LibTorch's operators"
KERNELS=passed
"$BUILD/tests/golden/kernel_check" cuda || KERNELS=failed
for dtype in bfloat16 float32; do
    say "Attentions alone, $dtype"
    "$BUILD/tests/bench/bench_kernels" cuda "$dtype" | tee "$RESULTS/attention-$dtype.txt"
done
write_input "$RESULTS/input.safetensors"
say "Measuring on the CPU"
measure cpu cpu
say "Measuring on CUDA: passes as CUDA graphs, and kernels launched one by one"
measure cuda cuda
measure cuda launched --no-cuda-graphs --no-memory --no-error
print_table
[ "$GOLDENS" = passed ] || die "Golden values differ on CUDA; the list is shown above."
[ "$KERNELS" = passed ] || die "Our own kernels differ from the operators on CUDA; the list is shown above."
