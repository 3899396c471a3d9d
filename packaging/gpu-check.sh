#!/usr/bin/env bash
# Checks the engine on an NVIDIA GPU: builds it, runs goldens and kernels on CUDA, measures them. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/gpu-check.sh [--no-build] [--checks] [--measurements] [FOLDER]

For a machine with an NVIDIA GPU. Builds the engine (preset engine-cuda: no Qt, no OpenCV) in build/engine-cuda (the log says how many
registers each CUDA kernel takes), runs the golden values on CUDA, through our own kernels where they apply, and compares the kernels with LibTorch's
operators, and every attention, small networks and training with the CPU; measures attention alone (kernels, operators, fused softmax),
deit_small_patch16_224 at batch 128, and deit_tiny_patch16_224 on the CPU and on CUDA, and prints tables.
All output is kept in FOLDER (default: build/engine-cuda/gpu-check). Exit code 0: everything agreed.
  --no-build  runs what is in build/engine-cuda, which may come from a machine without a GPU (preset engine-cuda, ATTNSCOPE_CUDA=1)
  --checks, --measurements  only these

Requirements: a C++20 compiler, CMake 3.25, Python 3, a CUDA toolkit of LibTorch's major version (nvcc; CUDA_HOME or /usr/local/cuda).
LibTorch: ATTNSCOPE_LIBTORCH, Torch_DIR or CMAKE_PREFIX_PATH; else python3's own torch $LIBTORCH_VERSION; else it is fetched (2.5 GB).
nlohmann/json, CLI11, toml++, SQLite and SQLiteCpp: the system's, or unpacked under .deps/usr:
  apt-get download nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libsqlite3-dev libsqlitecpp-dev && for f in *.deb; do dpkg -x "\$f" .deps; done
EOF
}

MODEL=deit_tiny_patch16_224
NETWORK_ATTENTIONS=(softmax performer rfa lara ra)
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
    if ATTNSCOPE_LIBTORCH=$(python_torch); then
        export ATTNSCOPE_LIBTORCH
        return 0
    fi
    unset ATTNSCOPE_LIBTORCH
    ensure_libtorch
    [ -d "$(fetched_libtorch cuda)" ] || "$SOURCE_DIR/packaging/fetch_libtorch.sh" --cuda
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

BUILT=no CHECK=yes MEASURE=yes
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage && exit 0 ;;
        --no-build) BUILT=yes ;;
        --checks) MEASURE=no ;;
        --measurements) CHECK=no ;;
        -*) die "gpu-check.sh has no option $1; --help lists them." ;;
        *) break ;;
    esac
    shift
done
BUILD=$SOURCE_DIR/build/engine-cuda
PROGRAMS=(golden_runner kernel_check device_check bench_kernels bench_models attnscope-cli attnscope-cuda)
RESULTS=${1:-$BUILD/gpu-check}

{ have nvidia-smi && nvidia-smi -L >&2; } || die "No NVIDIA GPU: nvidia-smi does not answer."
[ $BUILT = yes ] || [ -n "$(nvcc_path)" ] || die "No CUDA compiler (nvcc), so the CUDA kernels cannot be built: install a CUDA toolkit, or set CUDA_HOME."
have python3 || die "Python 3 is needed to make the input and to print the table."
use_unpacked_headers
choose_libtorch
if [ $BUILT = yes ]; then
    # Built where LibTorch lay elsewhere; NVIDIA's libraries are beside it as Python's packages.
    export LD_LIBRARY_PATH=$ATTNSCOPE_LIBTORCH/lib:$(dirname "$ATTNSCOPE_LIBTORCH")/nvidia/cu13/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
else
    ATTNSCOPE_CUDA=1 build_preset engine-cuda "${PROGRAMS[@]}"
fi
export ATTNSCOPE_CUDA_LIBRARY=$BUILD/app/lib/attnscope/libattnscope-cuda.so
mkdir -p "$RESULTS"
RESULTS=$(cd "$RESULTS" && pwd)

FAILED=()
check() {
    say "$1"
    "${@:2}" | tee "$RESULTS/$(basename "$2").txt" | { grep -v '^pass' || true; } || FAILED+=("$1")
}
if [ $CHECK = yes ]; then
    check "Golden values on CUDA, through our own kernels where they apply" "$BUILD/tests/golden/golden_runner" "$SOURCE_DIR/tests/data" --device cuda
    check "Our own kernels on CUDA against LibTorch's operators" "$BUILD/tests/golden/kernel_check" cuda
    # Torch's wheel brings NCCL as a Python package.
    nccl=$(find "$(dirname "${ATTNSCOPE_LIBTORCH:-/nowhere/torch}")/nvidia" -name 'libnccl.so.2' 2>/dev/null | head -n 1)
    export ATTNSCOPE_NCCL=${ATTNSCOPE_NCCL:-${nccl:-libnccl.so.2}}
    check "Every attention, networks and training on CUDA against the CPU" "$BUILD/tests/golden/device_check" "$SOURCE_DIR/tests/data" cuda
fi
if [ $MEASURE = yes ]; then
    for dtype in bfloat16 float32; do
        say "Attentions alone, $dtype"
        "$BUILD/tests/bench/bench_kernels" cuda "$dtype" 3136 | tee "$RESULTS/attention-$dtype.txt"
    done
    say "deit_small_patch16_224 at batch 128, bfloat16: milliseconds a pass"
    for attention in "${NETWORK_ATTENTIONS[@]}"; do
        printf '%s %s\n' "$attention" "$(echo planned 0.5 | "$BUILD/tests/bench/bench_models" deit_small_patch16_224 128 "$attention" bfloat16 0 cuda)"
    done | tee "$RESULTS/networks.txt"
    write_input "$RESULTS/input.safetensors"
    say "Measuring on the CPU"
    measure cpu cpu
    say "Measuring on CUDA: passes as CUDA graphs, and kernels launched one by one"
    measure cuda cuda
    measure cuda launched --no-cuda-graphs --no-memory --no-error
    print_table
fi
[ ${#FAILED[@]} -eq 0 ] || die "This differs, as is listed above: $(printf '%s; ' "${FAILED[@]}")"
