#!/usr/bin/env bash
# Builds and runs the fuzzers of all parsers. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

RUNS=500000
JOBS=$(nproc 2>/dev/null || echo 2)
KEEP=0
KEPT_BYTES=131072
BUILD="$SOURCE_DIR/build/fuzz"

# Target, longest input, by what its number of inputs is divided, folders of seeds under tests/: the slowest first, so that all cores finish at about the same time.
TARGETS=(
    "store 256 100 fuzz/corpus/store"
    "descriptions 1024 1 fuzz/corpus/descriptions"
    "records 2048 1 fuzz/corpus/records"
    "torch_legacy 2600 1 data/checkpoints data/torch_files"
    "pickle 2000 1 fuzz/corpus/pickle"
    "torch_zip 3000 1 data/checkpoints data/torch_files"
    "safetensors 1024 1 data/checkpoints data/torch_files"
    "parquet 4096 2 data/parquet"
    "image_validator 4096 1 data/preprocess/images fuzz/corpus/image_validator"
    "video_validator 8192 1 data/preprocess/videos"
    "stored_values 1024 1 fuzz/corpus/stored_values"
    "exif 512 1 fuzz/corpus/exif"
    "spec 128 1 fuzz/corpus/spec"
    "yaml 1024 1 fuzz/corpus/yaml"
    "lists 1024 1 fuzz/corpus/lists"
    "packed 4096 10 fuzz/corpus/packed"
    "archive 512 1 fuzz/corpus/archive"
    "video_protocol 512 1 fuzz/corpus/video_protocol"
)

usage() {
    cat <<EOF
Usage: packaging/fuzz.sh [--runs N] [--target NAME]… [--jobs N] [--corpus FOLDER] [--keep]

Builds the fuzz targets with clang (preset fuzz: no LibTorch, no Qt), seeds a corpus from tests/, gives every target N inputs
under the address and undefined-behaviour sanitizers, and prints the throughput. Findings are kept in build/fuzz/findings; the
exit code is then 1.
  --runs N         inputs for each target ($RUNS); a hundredth of them for store, whose inputs are files that SQLite opens,
                   and a tenth for packed
  --target NAME    only this target (repeatable): $(for row in "${TARGETS[@]}"; do printf '%s ' "${row%% *}"; done)
  --jobs N         targets at a time ($JOBS)
  --corpus FOLDER  where inputs that reach new code are kept; the next run starts from them (build/fuzz/corpus)
  --keep           afterwards packs the fewest inputs that reach the same code as tests/fuzz/corpus/NAME.tar.xz, for every
                   checkout to start from, where they take at most $((KEPT_BYTES / 1024)) KiB
EOF
}

CORPUS="$BUILD/corpus"
CHOSEN=()
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage && exit 0 ;;
        --runs) RUNS=${2:-} && shift ;;
        --target) CHOSEN+=("${2:-}") && shift ;;
        --jobs) JOBS=${2:-} && shift ;;
        --corpus) CORPUS=$(realpath -m "${2:-}") && shift ;;
        --keep) KEEP=1 ;;
        *) die "fuzz.sh has no option $1; --help lists them." ;;
    esac
    shift
done
for number in "$RUNS" "$JOBS"; do
    [[ $number =~ ^[1-9][0-9]*$ ]] || die "\`$number\` is not a valid count; --runs and --jobs take a number of at least 1."
done

chosen() {
    local name
    [ ${#CHOSEN[@]} -gt 0 ] || return 0
    for name in "${CHOSEN[@]}"; do
        [ "$name" != "$1" ] || return 0
    done
    return 1
}

# Copies the seeds that are short enough: libFuzzer would truncate the others, and a truncated file is useless.
seed_corpus() {
    local name=$1 longest=$2 kept="$SOURCE_DIR/tests/fuzz/corpus/$1.tar.xz" folder
    shift 3
    mkdir -p "$CORPUS/$name" "$BUILD/seeds/$name"
    [ ! -f "$kept" ] || tar -xJf "$kept" -C "$BUILD/seeds/$name"
    for folder in "$@"; do
        find "$SOURCE_DIR/tests/$folder" -maxdepth 1 -type f -size "-$((longest + 1))c" ! -name '*.json' \
            -exec cp -t "$BUILD/seeds/$name" {} +
    done
}

# Prints one line: target, inputs, seconds, inputs a second, what was found.
# Inputs are chosen evenly: to weigh them by how rare their branches are (-entropic=1) costs a tenth of the rate.
fuzz_one() {
    local name=$1 longest=$2 runs=$(((RUNS + $3 - 1) / $3)) log="$BUILD/logs/$1.log" begin inputs seconds found=none status=0
    begin=$EPOCHREALTIME
    "$BUILD/tests/fuzz/fuzz_$name" -runs="$runs" -max_len="$longest" -entropic=0 -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=128 \
        -print_final_stats=1 -dict="$SOURCE_DIR/tests/fuzz/dictionaries/$name.dict" \
        -artifact_prefix="$BUILD/findings/$name-" "$CORPUS/$name" "$BUILD/seeds/$name" >"$log" 2>&1 </dev/null || status=$?
    seconds=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    [ "$status" -eq 0 ] || found=$(grep -m1 -E '^SUMMARY|runtime error|deadly signal' "$log" || echo "exit code $status, see $log")
    printf '%-14s %10s inputs %8s s %8s inputs/s  findings: %s\n' "$name" "${inputs:-?}" "$seconds" \
        "$(awk -v n="${inputs:-0}" -v s="$seconds" 'BEGIN { printf "%d", n / (s > 0 ? s : 1) }')" "$found"
    [ "$status" -eq 0 ]
}

# Prints one line: target, inputs that are kept, bytes.
keep_one() {
    local name=$1 kept="$SOURCE_DIR/tests/fuzz/corpus/$1.tar.xz" fewest="$BUILD/kept/$1" bytes
    rm -rf "$fewest" && mkdir -p "$fewest"
    "$BUILD/tests/fuzz/fuzz_$name" -merge=1 -max_len="$2" "$fewest" "$CORPUS/$name" "$BUILD/seeds/$name" >"$BUILD/logs/$name.merge.log" 2>&1 ||
        die "The inputs of $name could not be merged; see $BUILD/logs/$name.merge.log."
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -cf - -C "$fewest" . | xz -9e >"$fewest.tar.xz"
    bytes=$(stat -c %s "$fewest.tar.xz")
    printf '%-14s %10s inputs are kept in %8s bytes\n' "$name" "$(find "$fewest" -type f | wc -l)" "$bytes"
    if [ "$bytes" -le "$KEPT_BYTES" ]; then
        mv "$fewest.tar.xz" "$kept"
    else
        echo "That is too much for the sources: they stay in $fewest."
    fi
}

have clang++ || install_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
build_preset fuzz
mkdir -p "$BUILD/logs" "$BUILD/findings"
selected=()
for row in "${TARGETS[@]}"; do
    read -r -a parts <<<"$row"
    chosen "${parts[0]}" || continue
    seed_corpus "${parts[@]}"
    selected+=("${parts[*]:0:3}")
done
[ ${#selected[@]} -gt 0 ] || die "There is no target called ${CHOSEN[*]}; --help lists them."
say "Fuzzing ${#selected[@]} targets with $RUNS inputs each, $JOBS at a time"
# An input lives for microseconds, so that the sanitizer need not remember long what was freed, nor who allocated it (a finding, run again, tells).
export ASAN_OPTIONS=malloc_context_size=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64
export -f fuzz_one
export BUILD RUNS CORPUS
printf '%s\n' "${selected[@]}" | xargs -P "$JOBS" -L 1 bash -c 'fuzz_one "$@"' fuzz_one ||
    die "A fuzzer found something: its input is in $BUILD/findings, its report in $BUILD/logs."
[ "$KEEP" -eq 0 ] || for row in "${selected[@]}"; do
    read -r -a parts <<<"$row"
    keep_one "${parts[@]}"
done
