#!/usr/bin/env bash
# Tests the guarantees of docs/evaluate.md at full size. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/prove_evaluate.sh [--cli FILE] [--work FOLDER] [PROOF…]

Evaluates generated images with a tiny network and random attentions, interrupts the evaluation in various ways, and compares
everything but timings byte for byte. Exit code 1 when a guarantee does not hold. Proofs (all, unless some are named):
  kills     2,000 images, 100 SIGKILLs at random moments, each followed by --resume; 1, 2 and 4 workers in turn
  decoders  1,000 JPEGs while image decoders are killed at random: no sample may change or be lost
  shards    three shards, merged, compared with an unsharded run
  mpi       mpirun -n 3 compared with one process
  disk      a store on a 4 MiB file system that fills up, gets more space, and continues (needs root: mounts a tmpfs)
  many      50,000 tiny files, 250 of them broken in ten ways: counts, list and cost
Environment: KILLS, PICTURES (number of images) and MANY change the sizes, ROUNDS how often the cost of broken files is timed, PAUSE the
seconds between two kills of a decoder.
EOF
}

CLI="$SOURCE_DIR/build/release/app/cli/attnscope-cli"
WORK=${TMPDIR:-/tmp}/attnscope-proofs
PROOFS=()
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage && exit 0 ;;
        --cli) CLI=$(realpath "${2:?}") && shift ;;
        --work) WORK=${2:?} && shift ;;
        kills | decoders | shards | mpi | disk | many) PROOFS+=("$1") ;;
        *) die "$1 is neither an option nor a proof; --help lists them." ;;
    esac
    shift
done
[ ${#PROOFS[@]} -gt 0 ] || PROOFS=(kills decoders shards mpi disk many)
[ -x "$CLI" ] || die "There is no program at $CLI; build it, or name it with --cli."
PAUSE=${PAUSE:-0.3} KILLS=${KILLS:-100} PICTURES=${PICTURES:-2000} MANY=${MANY:-50000} ROUNDS=${ROUNDS:-3}
mkdir -p "$WORK"
export OMP_WAIT_POLICY=passive

cat >"$WORK/tiny.json" <<'EOF'
{"family": "deit", "img_size": 16, "patch_size": 4, "embed_dim": 12, "depth": 2, "num_heads": 3, "num_classes": 12, "mlp_ratio": 2,
 "qkv_bias": true, "ln_eps": 1e-6, "act": "gelu_erf", "attention": "softmax"}
EOF

# images FOLDER COUNT: random pixels in six class folders.
images() {
    local folder=$1 count=$2
    [ -e "$folder/made" ] && return
    rm -rf "$folder"
    mkdir -p "$folder"/c{0..5}
    perl -e 'my ($folder, $count) = @ARGV;
        srand(1);
        for my $i (0 .. $count - 1) {
            open my $f, ">", sprintf("%s/c%d/%06d.ppm", $folder, $i * 6 / $count, $i) or die $!;
            binmode $f;
            print $f "P6\n20 18\n255\n", pack("L*", map { int rand 2**32 } 1 .. 270);
        }' "$folder" "$count"
    touch "$folder/made"
}

ATTENTIONS="--attention softmax --attention performer:samples=8 --attention ra --attention lara:samples=4"

# evaluation DATA STORE OPTION…: in the background $! is the program itself, so that a signal reaches it.
evaluation() {
    local data=$1 store=$2
    shift 2
    if [ "$BASHPID" = "$$" ]; then
        (evaluation "$data" "$store" "$@")
        return
    fi
    # shellcheck disable=SC2086  # one word an option
    exec "$CLI" evaluate "$data" --model "$WORK/tiny.json" --weights untrained:1 $ATTENTIONS --batch-size 32 --threads 1 --device cpu --no-measuring --quiet --store "$store" "$@"
}

fresh() { rm -f "$1" "$1"-wal "$1"-shm; }

# results JSON: everything but timings, place and machine.
results() {
    grep -vE '"(images_per_second|samples_per_second|seconds|id|data|threads|device|shard)":' "$1"
}

same() {
    cmp -s <(results "$1") <(results "$2") || die "$3: results differ ($1, $2)."
    say "$3: the same bytes"
}

# whole DATA NAME: the uninterrupted run that others are compared with.
whole() {
    local status=0
    [ -s "$WORK/$2.json" ] && return
    fresh "$WORK/$2.sqlite"
    evaluation "$1" "$WORK/$2.sqlite" --workers 2 --json "$WORK/$2.json" >/dev/null 2>&1 || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || die "The undisturbed evaluation of $1 failed ($status)."
}

milliseconds() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }

prove_kills() {
    local store="$WORK/kills.sqlite" killed=0 turn=0 pid begin length workers=(1 2 4)
    images "$WORK/images" "$PICTURES"
    whole "$WORK/images" images
    fresh "$store"
    begin=$(milliseconds)
    evaluation "$WORK/images" "$WORK/length.sqlite" >/dev/null 2>&1
    length=$(($(milliseconds) - begin))
    fresh "$WORK/length.sqlite"
    while [ "$killed" -lt "$KILLS" ]; do
        # Restarted when it finishes before enough kills: its store must be the same each time.
        evaluation "$WORK/images" "$store" --resume --workers "${workers[turn++ % 3]}" >/dev/null 2>"$WORK/kills.log" &
        pid=$!
        sleep "$(awk -v seed="$turn" -v most="$length" 'BEGIN { srand(seed); printf "%.3f", (0.1 + rand() * 0.35) * most / 1000 }')"
        if kill -KILL "$pid" 2>/dev/null; then
            killed=$((killed + 1))
            wait "$pid" 2>/dev/null || true
        elif wait "$pid"; then
            evaluation "$WORK/images" "$store" --resume --json "$WORK/kills.json" >/dev/null 2>&1
            same "$WORK/images.json" "$WORK/kills.json" "finished after $killed kills"
            fresh "$store"
        else
            die "A resumed evaluation failed: $(cat "$WORK/kills.log")"
        fi
    done
    evaluation "$WORK/images" "$store" --resume --json "$WORK/kills.json" >/dev/null 2>&1 || die "The last resumption failed."
    same "$WORK/images.json" "$WORK/kills.json" "$killed kills"
}

prove_decoders() {
    local pid victims=0 victim
    [ -d "$WORK/scenes" ] || "$CLI" demo "$WORK/scenes" --only scenes --train 1 --val 167 --quiet >/dev/null
    whole "$WORK/scenes/scenes/val" scenes
    fresh "$WORK/decoders.sqlite"
    evaluation "$WORK/scenes/scenes/val" "$WORK/decoders.sqlite" --workers 4 --json "$WORK/decoders.json" >/dev/null 2>"$WORK/decoders.log" &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        victim=$(pgrep -P "$pid" -f attnscope-decoder | shuf -n 1) || true
        [ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null && victims=$((victims + 1))
        sleep "$PAUSE"
    done
    wait "$pid" || die "The evaluation did not survive its decoders: $(tail -n 1 "$WORK/decoders.log")"
    same "$WORK/scenes.json" "$WORK/decoders.json" "$victims decoders killed"
}

prove_shards() {
    local i
    images "$WORK/images" "$PICTURES"
    whole "$WORK/images" images
    fresh "$WORK/merged.sqlite"
    for i in 1 2 3; do
        fresh "$WORK/part$i.sqlite"
        evaluation "$WORK/images" "$WORK/part$i.sqlite" --shard "$i/3" >/dev/null 2>&1 || die "Part $i failed."
    done
    "$CLI" merge "$WORK/merged.sqlite" "$WORK"/part{1,2,3}.sqlite >/dev/null || die "The parts cannot be merged."
    # A complete evaluation is printed without being computed.
    evaluation "$WORK/images" "$WORK/merged.sqlite" --resume --json "$WORK/merged.json" >/dev/null 2>"$WORK/merged.log"
    grep -q 'have already been evaluated' "$WORK/merged.log" || die "The merged parts are not the whole."
    same "$WORK/images.json" "$WORK/merged.json" "three parts merged"
}

prove_mpi() {
    images "$WORK/images" "$PICTURES"
    whole "$WORK/images" images
    fresh "$WORK/mpi.sqlite"
    evaluation_together "$WORK/mpi.sqlite" || die "The processes failed."
    same "$WORK/images.json" "$WORK/mpi.json" "mpirun -n 3"
}

evaluation_together() {
    # shellcheck disable=SC2086  # one word an option
    mpirun -n 3 --allow-run-as-root --oversubscribe --mca plm isolated "$CLI" evaluate "$WORK/images" --model "$WORK/tiny.json" \
        --weights untrained:1 $ATTENTIONS --batch-size 32 --threads 1 --workers 1 --device cpu --no-measuring --quiet --store "$1" --json "$WORK/mpi.json" >/dev/null 2>&1
}

prove_disk() {
    local place="$WORK/small" pid
    images "$WORK/images" "$PICTURES"
    whole "$WORK/images" images
    mkdir -p "$place"
    mountpoint -q "$place" && umount "$place"
    mount -t tmpfs -o size=4m tmpfs "$place" || die "A small file system needs root."
    evaluation "$WORK/images" "$place/runs.sqlite" --json "$WORK/disk.json" >/dev/null 2>"$WORK/disk.log" &
    pid=$!
    for ((i = 0; i < 600; ++i)); do
        grep -q Paused "$WORK/disk.log" && break
        kill -0 "$pid" 2>/dev/null || break
        sleep "$PAUSE"
    done
    grep -q Paused "$WORK/disk.log" || die "It did not pause: $(cat "$WORK/disk.log")"
    say "paused: $(grep -m1 Paused "$WORK/disk.log")"
    mount -o remount,size=64m "$place"
    wait "$pid" || die "It did not go on: $(cat "$WORK/disk.log")"
    umount "$place"
    same "$WORK/images.json" "$WORK/disk.json" "full disk"
}

# middle NUMBER…: their median.
middle() { printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"; }

# timed FOLDER NAME: milliseconds of an evaluation, with its exit code in STATUS.
timed() {
    local begin
    fresh "$WORK/$2.sqlite"
    begin=$(milliseconds)
    STATUS=0
    evaluation "$1" "$WORK/$2.sqlite" --json "$WORK/$2.json" >/dev/null 2>&1 || STATUS=$?
    TOOK=$(($(milliseconds) - begin))
}

spoil() {
    local folder=$1 bad=0 i file
    : >"$WORK/bad.list"
    for ((i = 100; i < MANY; i += 200)); do
        file="$folder/c$((i * 6 / MANY))/$(printf %06d "$i").ppm"
        rm -f "$file"
        case $((bad++ % 10)) in
            0) : >"$file" ;;
            1) echo "not an image" >"$file" ;;
            2) printf 'P6\n20 18\n255\nshort' >"$file" ;;
            3) printf 'P6\n99999 99999\n255\n' >"$file" ;;
            4) printf '\x89PNG\r\n\x1a\n broken' >"$file" ;;
            5) printf '\xff\xd8\xff\xe0' >"$file" ;;
            6) head -c 128 /dev/zero >"$file" && printf 'DICM1' >>"$file" ;;
            7) printf 'RIFF\x10\x00\x00\x00WEBPVP8 ' >"$file" ;;
            8) printf '#EXTM3U\n/etc/passwd\n' >"$file" ;;
            9) printf 'BM' >"$file" ;;
        esac
        basename "$file" >>"$WORK/bad.list"
    done
}

prove_many() {
    local round bad listed samples clean=() dirty=() ATTENTIONS="--attention softmax"
    images "$WORK/good" "$MANY"
    rm -rf "$WORK/many"
    cp -a "$WORK/good" "$WORK/many"
    spoil "$WORK/many"
    bad=$(wc -l <"$WORK/bad.list")
    for ((round = 0; round < ROUNDS; ++round)); do
        timed "$WORK/good" good
        [ "$STATUS" -eq 0 ] || die "The exit code of the good ones is $STATUS."
        clean+=("$TOOK")
        timed "$WORK/many" many
        [ "$STATUS" -eq 3 ] || die "The exit code is $STATUS instead of 3."
        dirty+=("$TOOK")
    done
    samples=$(grep -m1 '"samples": ' <(sed -n '/"runs"/,$p' "$WORK/many.json") | tr -dc 0-9)
    listed=$(sed -n '/"unreadable": \[/,/\]/p' "$WORK/many.json" | grep -o '[0-9]\{6\}\.ppm' | head -n "$bad")
    [ "$((samples + bad))" -eq "$MANY" ] || die "$samples samples and $bad bad files are not $MANY."
    cmp -s <(echo "$listed") "$WORK/bad.list" || die "The list of unreadable files is not exact."
    say "$MANY files: $samples samples + $bad unreadable, list exact; medians of $ROUNDS interleaved rounds: $(middle "${clean[@]}") ms when all are readable, $(middle "${dirty[@]}") ms with the broken ones (${clean[*]}; ${dirty[*]})"
}

for proof in "${PROOFS[@]}"; do
    say "Proof: $proof"
    "prove_$proof"
done
