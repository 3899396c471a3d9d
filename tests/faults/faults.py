#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes system calls of attnscope-cli fail, one at a time, and checks what comes of it; packaging/prove_faults.sh runs it.

After a fault a command either completes with the result of an undisturbed run, or ends with one sentence, and then the same command
without a fault gives that result. Samples that could not be read may be missing from an evaluation if it lists them (exit code 3)."""
import argparse
import concurrent.futures
import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys

TINY = {"family": "deit", "img_size": 16, "patch_size": 4, "embed_dim": 12, "depth": 2, "num_heads": 3, "num_classes": 12, "mlp_ratio": 2,
        "qkv_bias": True, "ln_eps": 1e-6, "act": "gelu_erf", "attention": "softmax"}
# What differs between two undisturbed runs: times, and numbers that are drawn once for each run.
VOLATILE = {"images_per_second", "samples_per_second", "seconds", "id", "started"}
EXIT_UNREADABLE = 3
# What a program prints that ends where nobody intended it.
CRASH = re.compile(r"terminate called|what\(\)|Aborted|Assertion|Exception raised from|std::|basic_\w+buf|runtime error:|\bframe #")


class Wrong(Exception):
    """A guarantee does not hold."""


@dataclasses.dataclass
class Command:
    """`arguments` are given in a folder of its own for every run; DATA in them stands for the common data."""
    arguments: list
    inputs: list = dataclasses.field(default_factory=list)   # copied from DATA into that folder
    files: list = dataclasses.field(default_factory=list)    # results that must be the same bytes
    stores: list = dataclasses.field(default_factory=list)   # results stores that must have the same predictions
    continued: str = ""                                      # how the command is given again: --resume, or --overwrite where needed


EVALUATION = ("--attention softmax --attention performer:samples=16 --batch-size 4 --threads 1 --workers 1 --device cpu --no-measuring"
              " --quiet").split()
WEIGHTS = ["--weights", "DATA/weights.safetensors"]
JSON = ["--json", "result.json"]
COMMANDS = {
    "evaluate": Command(["evaluate", "DATA/demo/scenes/val", *WEIGHTS, *EVALUATION, "--store", "runs.sqlite", *JSON], stores=["runs.sqlite"],
                        continued="--resume"),
    "evaluate-cache": Command(["evaluate", "DATA/demo/scenes/val", *WEIGHTS, *EVALUATION, "--store", "runs.sqlite", "--cache", "crops", *JSON],
                              stores=["runs.sqlite"], continued="--resume"),
    "evaluate-videos": Command(["evaluate", "DATA/demo/moves/val", "--weights", "DATA/video.safetensors", *EVALUATION, "--limit", "6",
                                "--views", "1x1", "--store", "runs.sqlite", *JSON], stores=["runs.sqlite"], continued="--resume"),
    "train": Command(["train", "DATA/demo/scenes", "--model", "DATA/tiny.json", "--attention", "performer:samples=8", "--out", "out.safetensors",
                      "--epochs", "3", "--warmup", "1", "--batch-size", "8", "--threads", "1", "--workers", "1", "--device", "cpu",
                      "--quiet", "--store", "runs.sqlite", *JSON], files=["out.safetensors", "out.best.safetensors", "out.history.json"],
                     continued="--resume"),
    "convert": Command(["convert", "DATA/weights.safetensors", "out.safetensors", *JSON], files=["out.safetensors"],
                       continued="--overwrite"),
    "export": Command(["export", *WEIGHTS, "--attention", "performer:samples=16", "--out", "out.onnx", "--threads", "1", *JSON],
                      files=["out.onnx"], continued="--overwrite"),
    "report": Command(["report", "runs.sqlite", "--out", "out.html", *JSON], inputs=["runs.sqlite"], files=["out.html"]),
    "report-md": Command(["report", "runs.sqlite", "--out", "out.md"], inputs=["runs.sqlite"], files=["out.md", "out-figures"]),
    "merge": Command(["merge", "merged.sqlite", "part1.sqlite", "part2.sqlite", *JSON], inputs=["part1.sqlite", "part2.sqlite"],
                     stores=["merged.sqlite"]),
}

# Faults of each command: KIND:ERROR[+], then patterns of the files that it is tried on ("": everything, where calls have no file).
CALLS_ON_STORE = ["read:SHORT", "read:EINTR", "read:EIO", "write:SHORT", "write:EINTR", "write:ENOSPC", "write:EIO", "write:EIO+", "write:KILL",
                  "sync:EIO", "sync:KILL", "truncate:ENOSPC", "truncate:EIO", "open:EMFILE", "open:EIO", "unlink:EIO", "map:ENOMEM"]
CALLS_ON_OUTPUT = ["write:SHORT", "write:EINTR", "write:ENOSPC", "write:EIO", "write:KILL", "sync:EIO", "rename:EIO", "rename:KILL",
                   "open:EMFILE", "open:EACCES"]
CALLS_ON_INPUT = ["read:SHORT", "read:EINTR", "read:EIO", "open:EMFILE", "open:ENOMEM"]
CALLS_ON_ANYTHING = ["allocate:ENOMEM", "allocate:ENOMEM+", "map:ENOMEM", "thread:EAGAIN", "clock:+86400", "clock:-86400", "open:EMFILE+"]
TABLE = {
    "evaluate": {"runs.sqlite": CALLS_ON_STORE, "weights.safetensors": CALLS_ON_INPUT, "/scenes/": CALLS_ON_INPUT + ["read:EIO+"],
                 "result.json": CALLS_ON_OUTPUT, "linear_layers.json": ["read:EIO", "write:ENOSPC"], "": CALLS_ON_ANYTHING,
                 "attnscope-decoder": ["read:KILL"]},
    "evaluate-cache": {"crops": CALLS_ON_OUTPUT + CALLS_ON_INPUT + ["truncate:ENOSPC"]},
    "evaluate-videos": {"/moves/": CALLS_ON_INPUT, "attnscope-video-decoder": ["read:KILL"]},
    "train": {"runs.sqlite": ["write:ENOSPC", "write:EIO", "write:KILL", "sync:EIO", "read:EIO", "open:EMFILE"], "/scenes/": CALLS_ON_INPUT,
              "out.": CALLS_ON_OUTPUT + ["read:EIO", "unlink:EIO"], "result.json": ["write:ENOSPC"], "": CALLS_ON_ANYTHING},
    "convert": {"weights.safetensors": CALLS_ON_INPUT, "out.safetensors": CALLS_ON_OUTPUT, "": CALLS_ON_ANYTHING},
    "export": {"weights.safetensors": CALLS_ON_INPUT, "out.onnx": CALLS_ON_OUTPUT, "": CALLS_ON_ANYTHING},
    "report": {"runs.sqlite": CALLS_ON_INPUT + ["map:ENOMEM"], "out.": CALLS_ON_OUTPUT, "": CALLS_ON_ANYTHING},
    "report-md": {"out": CALLS_ON_OUTPUT},
    "merge": {"merged.sqlite": CALLS_ON_STORE, "part": CALLS_ON_INPUT, "result.json": ["write:ENOSPC"], "": CALLS_ON_ANYTHING},
}
HELPERS = ("attnscope-decoder", "attnscope-video-decoder")  # in the place of a pattern: faults in these programs


class Bench:
    """Where commands run: a folder with common data, the library and the program."""

    def __init__(self, program, work):
        self.program, self.work, self.data = program, work, work / "data"
        self.library = work / "fault_injector.so"
        self.sentences = []
        self.numbers = itertools.count()  # of the folders of runs

    def prepare(self):
        source = pathlib.Path(__file__).with_name("fault_injector.c")
        demo = source.parents[2] / "resources/demo/models"
        shutil.rmtree(self.work, ignore_errors=True)
        self.data.mkdir(parents=True)
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", self.library, source], check=True)
        (self.data / "tiny.json").write_text(json.dumps(TINY))
        shutil.copy(demo / "deit.safetensors", self.data / "weights.safetensors")
        shutil.copy(demo / "motionformer.safetensors", self.data / "video.safetensors")
        self.make(["demo", "demo", "--train", "2", "--val", "2", "--quiet"])
        for store, shard in ("runs", "1/1"), ("part1", "1/2"), ("part2", "2/2"):
            self.make(["evaluate", "DATA/demo/scenes/val", *WEIGHTS, *EVALUATION, "--shard", shard, "--store", store + ".sqlite"])

    def make(self, arguments):
        run = self.run(arguments, self.data)
        if run.returncode != 0:
            sys.exit(f"error: the data for the tests cannot be made: {run.stderr.strip()}")

    def folder(self, command):
        """A new one with the inputs of a command. Which layers oneDNN computes is measured once, for all: it changes results by rounding."""
        folder = self.work / "runs" / str(next(self.numbers))
        folder.mkdir(parents=True)
        for name in command.inputs:
            shutil.copy(self.data / name, folder / name)
        if (self.data / "cache").exists():
            shutil.copytree(self.data / "cache", folder / "cache")
        return folder

    def run(self, arguments, folder, fault="", **settings):
        """Settings are the library's other variables, without their prefix ATTNSCOPE_FAULT_."""
        environment = {**os.environ, "HOME": str(folder), "TMPDIR": str(folder), "XDG_CACHE_HOME": str(folder / "cache"),
                       "XDG_DATA_HOME": str(folder / "share"), "OMP_WAIT_POLICY": "passive"}
        if fault:
            environment |= {"LD_PRELOAD": str(self.library), "ATTNSCOPE_FAULT": fault}
            environment |= {"ATTNSCOPE_FAULT_" + name.upper(): str(value) for name, value in settings.items()}
        given = [self.program] + [argument.replace("DATA", str(self.data)) for argument in arguments]
        try:
            return subprocess.run(given, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=120)
        except subprocess.TimeoutExpired:
            raise Wrong("it does not end") from None

    def counts(self, command, pattern, program):
        """How often an undisturbed run calls what can fail."""
        folder = self.folder(command)
        self.run(command.arguments, folder, f"none:none:0:{pattern}", counts=folder / "counts", program=program)
        lines = (folder / "counts").read_text().split("\n") if (folder / "counts").exists() else []
        shutil.rmtree(folder)
        return {line.split()[0]: int(line.split()[1]) for line in lines if line}


def steady(value):
    """JSON without what differs between undisturbed runs."""
    if isinstance(value, dict):
        return {key: steady(inner) for key, inner in value.items() if key not in VOLATILE}
    return [steady(inner) for inner in value] if isinstance(value, list) else value


def file_bytes(path):
    """The bytes of a file, of all files of a folder, or of JSON without its times; None where there is none."""
    if path.is_dir():
        return {inner.name: file_bytes(inner) for inner in path.iterdir()}
    if not path.exists():
        return None
    return json.dumps(steady(json.loads(path.read_text()))).encode() if path.suffix == ".json" else path.read_bytes()


def predictions(store):
    """All predictions of a store, to the last bit, and the samples that could not be read."""
    with contextlib.closing(sqlite3.connect(store)) as database:
        answers = database.execute("SELECT position, sample, label, rank, answer, probability, rest FROM answer JOIN run ON run.id = run"
                                   " ORDER BY evaluation, position, sample").fetchall()
        unreadable = {row[0] for row in database.execute("SELECT sample FROM unreadable")}
        if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise Wrong(f"{store} is damaged")
    return answers, unreadable


def results(command, folder, *, result_json=True):
    found = {name: file_bytes(folder / name) for name in command.files}
    if result_json and "result.json" in command.arguments:
        found["result.json"] = file_bytes(folder / "result.json")
    for name in command.stores:
        found[name] = predictions(folder / name)
    return found


def require_same(found, expected, when):
    for name, content in expected.items():
        if found.get(name) != content:
            raise Wrong(f"{when}, {name} differs from that of an undisturbed run" if found.get(name) else f"{when}, there is no {name}")


def require_listed(command, folder, expected):
    """An evaluation that could not read some samples: all other predictions are the same, and the missing samples are listed."""
    for name in command.stores:
        found, missing = predictions(folder / name)
        whole = [row for row in expected[name][0] if row[1] not in missing]
        if not missing or [row for row in found if row[1] not in missing] != whole:
            raise Wrong("other predictions than those of unreadable samples changed")
        listed = json.loads((folder / "result.json").read_text())["runs"]
        if any(len(run["unreadable"]) != len(missing) for run in listed):
            raise Wrong("the list of unreadable samples is not exact")


def said(run, usual):
    """The lines on standard error that an undisturbed run does not have."""
    return [line for line in run.stderr.split("\n") if line.strip() and line not in usual]


def require_sentence(run, usual):
    lines = said(run, usual)
    if run.returncode < 0 or run.returncode not in (1, 2):
        raise Wrong(f"it ended with {run.returncode}: {' / '.join(lines)}")
    if len(lines) != 1 or not lines[0].startswith("attnscope-cli: ") or not lines[0].endswith("."):
        raise Wrong(f"{len(lines)} lines instead of one sentence: {' / '.join(lines)}")


def try_fault(bench, command, fault, program, expected, usual):
    """What one fault led to: "completed", "listed" (exit code 3) or "refused", after which the next run gave the whole result."""
    folder = bench.folder(command)
    run = bench.run(command.arguments, folder, fault, program=program)
    killed = ":KILL:" in fault and program == "attnscope-commands" and run.returncode == -9
    if CRASH.search(run.stderr):
        raise Wrong(f"it crashed: {' / '.join(said(run, usual))}")
    if run.returncode == 0:
        require_same(results(command, folder), expected, "after a fault that it reports as done")
        outcome = "completed"
    elif run.returncode == EXIT_UNREADABLE and command.stores:
        require_listed(command, folder, expected)
        outcome = "listed"
    else:
        if not killed:
            require_sentence(run, usual)
            bench.sentences.append(f"{fault}  {said(run, usual)[0]}")
            left = [path.name for path in folder.rglob("*.part")]
            if left and ":unlink:" not in f":{fault}":
                raise Wrong(f"it leaves {', '.join(left)}")
        for name in command.files[:1]:  # the result; others of a training grow with every epoch
            if file_bytes(folder / name) not in (None, expected[name]):
                raise Wrong(f"{name} is half-written")
        complete_after(bench, command, folder, expected)
        outcome = "refused"
    shutil.rmtree(folder)
    return outcome


def complete_after(bench, command, folder, expected):
    """Gives the command again, as its sentence says; its results must be those of an undisturbed run."""
    more = [command.continued] if command.continued else []
    if command.continued == "--overwrite" and not (folder / command.files[0]).exists():
        more = []
    if command.arguments[0] == "train" and not (folder / "out.resume.safetensors").exists():
        more = ["--overwrite"]  # it ended before its first epoch, or after its last one
    run = bench.run(command.arguments + more, folder)
    if run.returncode != 0:
        raise Wrong(f"the next run ended with {run.returncode}: {run.stderr.strip()}")
    # A resumed training reports the epochs of this run alone.
    require_same(results(command, folder, result_json=command.arguments[0] != "train"), {
        name: content for name, content in expected.items() if command.arguments[0] != "train" or name != "result.json"}, "after the next run")


def spread(first, last, points):
    """Up to so many numbers from the first to the last one, evenly."""
    if last - first < points:
        return list(range(first, last + 1))
    # The middle of equal parts, so that one point is not always the first call.
    return sorted({first + int((last - first + 1) * (2 * i + 1) / (2 * points)) for i in range(points)})


class Table:
    """Prints a line for each row, and counts what is wrong."""

    def __init__(self):
        self.wrong = self.total = 0
        print(f"{'command':16}{'fault':50}{'points':>7}{'completed':>10}{'refused':>8}{'listed':>7}{'wrong':>6}", flush=True)

    def add(self, name, fault, outcomes):
        """Outcomes are words, or what was wrong with which fault."""
        wrong = [text for text in outcomes if text not in ("completed", "refused", "listed")]
        print(f"{name:16}{fault:50}{len(outcomes):7}{outcomes.count('completed'):10}{outcomes.count('refused'):8}"
              f"{outcomes.count('listed'):7}{len(wrong):6}", flush=True)
        for text in wrong:
            print(f"    {text}", flush=True)
        self.wrong += len(wrong)
        self.total += len(outcomes)


def guarded(action, label, *arguments):
    try:
        return action(*arguments)
    except Wrong as wrong:
        return f"{label}: {wrong}"


def test_command(bench, pool, table, name, points):
    command = COMMANDS[name]
    folder = bench.folder(command)
    undisturbed = bench.run(command.arguments, folder)
    if undisturbed.returncode != 0:
        sys.exit(f"error: {name} fails without a fault: {undisturbed.stderr.strip()}")
    expected, usual = results(command, folder), set(undisturbed.stderr.split("\n"))
    for pattern, faults in TABLE[name].items():
        helper = pattern in HELPERS
        program = pattern if helper else "attnscope-commands"
        suffix = "" if helper or not pattern else f":{pattern}"
        calls = {} if helper else bench.counts(command, pattern, program)
        rows = []
        for fault in faults:
            kind, error = fault.split(":")
            # A decoder that dies at every first message cannot read anything; at its second or a later one it has read something.
            first, last = (2, 4) if helper else (1, calls.get(kind, 0))
            onward = "+" if error.endswith("+") and kind != "clock" else ""
            told = [f"{kind}:{error.rstrip('+')}:{number}{onward}{suffix}" for number in spread(first, last, points)]
            rows.append((f"{fault} {pattern}", [pool.submit(guarded, try_fault, f"ATTNSCOPE_FAULT={text}", bench, command, text, program,
                                                            expected, usual) for text in told]))
        for row, outcomes in rows:
            table.add(name, row, [outcome.result() for outcome in outcomes])


# --- power loss ------------------------------------------------------------------------------------------------------

# What a disk may have kept of what was not synchronised when the power failed.
KEPT = {"everything": lambda chance, last: True, "nothing": lambda chance, last: False,
        "a random part": lambda chance, last: chance.random() < 0.5, "everything, the last write torn": lambda chance, last: True}


def read_log(log):
    """Changes as (kind, offset, bytes, file name), in their order; shared memory is lost with the power, whatever it was."""
    content, at, changes = log.read_bytes(), 0, []
    while at < len(content):
        end = content.index(b"\n", at)
        kind, offset, length, path = content[at:end].decode().split(" ", 3)
        at = end + 1 + int(length)
        name = os.path.basename(path)
        if not name.endswith(("-shm", ".part")):
            changes.append((kind, int(offset), content[end + 1:at], name))
    return changes


def after_power_loss(changes, kept, chance):
    """The files as of the end of `changes`: what was synchronised, and of the rest what `kept` says."""
    synchronised = {name: position for position, (kind, _, _, name) in enumerate(changes) if kind == "sync"}
    files = {}
    for position, (kind, offset, content, name) in enumerate(changes):
        last = position == len(changes) - 1
        if kind == "unlink":
            files.pop(name, None)
        elif kind == "rename":
            files[os.path.basename(content.decode())] = files.pop(name)
        elif kind in ("create", "truncate", "write"):
            file = files.setdefault(name, bytearray())
            if position > synchronised.get(name, -1) and not KEPT[kept](chance, last):
                continue
            if kind == "truncate":
                file[offset:] = bytes(max(0, offset - len(file)))
            if kind == "write":
                if last and kept.endswith("torn"):
                    content = content[:len(content) // 2]
                file.extend(bytes(max(0, offset - len(file))))
                file[offset:offset + len(content)] = content
    return files


def stored_batches(folder):
    """How many batches a store has, after SQLite has recovered it; None where it has no tables yet."""
    with contextlib.closing(sqlite3.connect(folder / "runs.sqlite")) as database:
        if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise Wrong("the store is damaged")
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_schema")}
        return database.execute("SELECT count(*) FROM batch").fetchone()[0] if "batch" in tables else None


def write_files(folder, files):
    for name, content in files.items():
        (folder / name).write_bytes(content)


def lose_power(bench, command, files, expected):
    """The replayed store must be readable, and the evaluation resumable to the same result."""
    folder = bench.folder(command)
    write_files(folder, files)
    report = bench.run(["report", "runs.sqlite"], folder)
    # A store in which no evaluation had begun has nothing to report, which a sentence says.
    if report.returncode != 0:
        require_sentence(report, set())
        if stored_batches(folder):
            raise Wrong(f"the store cannot be read: {report.stderr.strip()}")
    complete_after(bench, command, folder, expected)
    shutil.rmtree(folder)
    return "completed"


def test_power_loss(bench, pool, table, points):
    command = COMMANDS["evaluate"]
    folder = bench.folder(command)
    bench.run(command.arguments, folder, "none:none:0:runs.sqlite", log=folder / "log")
    expected, changes = results(command, folder), read_log(folder / "log")
    for kept in KEPT:
        chance = random.Random(1)
        replayed, wrong, durable = {}, [], 0
        chosen = set(spread(1, len(changes), 10 * points))
        for position in range(1, len(changes) + 1):
            files = after_power_loss(changes[:position], kept, chance)
            if "runs.sqlite" not in files:
                continue
            folder = bench.folder(command)
            write_files(folder, files)
            try:
                batches = stored_batches(folder) or 0
                if batches < durable:
                    raise Wrong(f"{durable - batches} batches are lost that had been stored")
                durable = batches if kept == "nothing" else durable
            except (Wrong, sqlite3.Error) as problem:
                wrong.append(f"after change {position} of {len(changes)}: {problem}")
            shutil.rmtree(folder)
            if position in chosen:
                replayed[position] = files
        outcomes = [pool.submit(guarded, lose_power, f"power lost after change {position} of {len(changes)}", bench, command, files, expected)
                    for position, files in replayed.items()]
        table.add("power-loss", f"of {len(changes)} changes, kept {kept}", wrong + [outcome.result() for outcome in outcomes])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", type=pathlib.Path, required=True, help="the program to test")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for the tests' files, which is emptied first")
    parser.add_argument("--only", action="append", choices=[*TABLE, "power-loss"], help="only the rows of this command; may be repeated")
    parser.add_argument("--points", type=int, default=2, help="calls that fail in each row, spread evenly (default: 2)")
    parser.add_argument("--jobs", type=int, default=2, help="programs that run at the same time (default: 2)")
    parser.add_argument("--sentences", action="store_true", help="also print what the refused commands said")
    given = parser.parse_args()
    bench = Bench(given.cli.resolve(), given.work.resolve())
    bench.prepare()
    table = Table()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for name in given.only or [*TABLE, "power-loss"]:
            if name == "power-loss":
                test_power_loss(bench, pool, table, given.points)
            else:
                test_command(bench, pool, table, name, given.points)
    for sentence in bench.sentences if given.sentences else []:
        print(sentence)
    print(f"{table.total} faults, {table.wrong} wrong")
    sys.exit(1 if table.wrong else 0)


if __name__ == "__main__":
    main()
