#!/usr/bin/env bash
# Makes system calls of the command line fail. See --help.
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<EOF
Usage: packaging/prove_faults.sh [--cli FILE] [--work FOLDER] [--only NAME]… [--points N] [--jobs N] [--sentences]

Runs evaluate, train, convert, export, report and merge on tiny data, each time with one system call that fails: short reads and writes,
EINTR, ENOSPC, EIO, EMFILE, ENOMEM, no threads, a clock that jumps, a process that is killed. Each command must complete with the result of
an undisturbed run, or end with one sentence, after which the next run gives that result. Then the power fails: the changes of a results
store are replayed up to each point, with all, none or some of what was not synchronised; each store must be sound and resumable.
Prints a line for each row of the table; exit code 1 when anything is wrong. Needs a C compiler and python3.
  --cli FILE     the program (build/release/app/cli/attnscope-cli)
  --work FOLDER  where a folder attnscope-faults is made anew (the folder for temporary files); runs that went wrong are left in it
  --only NAME    only one command: evaluate, evaluate-cache, evaluate-cached, evaluate-videos, train, convert, export, report, report-md, merge,
                 power-loss; may be repeated
  --points N     how many calls fail in each row, spread evenly over those of an undisturbed run (2; takes about five minutes on two cores)
  --jobs N       programs that run at the same time (2)
  --sentences    also print what refused commands said
EOF
}

CLI="$SOURCE_DIR/build/release/app/cli/attnscope-cli"
WORK=${TMPDIR:-/tmp}
OPTIONS=()
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage && exit 0 ;;
        --cli) CLI=$(realpath "${2:?}") && shift ;;
        --work) WORK=${2:?} && shift ;;
        --only | --points | --jobs) OPTIONS+=("$1" "${2:?}") && shift ;;
        --sentences) OPTIONS+=("$1") ;;
        *) die "$1 is not an option; --help lists them." ;;
    esac
    shift
done
[ -x "$CLI" ] || die "There is no program at $CLI; build it, or name it with --cli."
have cc || die "A C compiler (cc) is needed for the library that makes calls fail."
have python3 || die "python3 is needed."
exec python3 "$SOURCE_DIR/tests/faults/faults.py" --cli "$CLI" --work "$WORK" "${OPTIONS[@]}"
