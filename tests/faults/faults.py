#!/usr/bin/env python3
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
import time

from fault_table import COMMANDS, EVALUATION, HELPERS, TABLE, TINY, WEIGHTS

# What differs between two undisturbed runs: times, and numbers that are drawn once for each run.
VOLATILE = {"images_per_second", "samples_per_second", "seconds", "id", "started"}
EXIT_UNREADABLE = 3
# What a program may say besides its last sentence: which samples and attentions it goes on without. The last one is LibTorch's.
# A folder that cannot be opened, and an image that cannot be opened for lack of descriptors or memory, are no notices: they end the command.
NOTICE = re.compile(r"attnscope-cli: (?!.*: (cannot be opened \(|it cannot be read now,)).*(/demo/(scenes|moves)/.*\.|The other attentions continue\.|more unreadable samples are listed .*\.|"
                    r" Paused; .*)$|Error in cpuinfo: ")
# Faults that pass: a sample that could not be opened for one of them is not one that cannot be read.
PASSING = re.compile(r"open:(EMFILE|ENOMEM):")
# What a program prints that ends where nobody intended it.
CRASH = re.compile(r"terminate called|what\(\)|Aborted|Assertion|Exception raised from|basic_\w+buf|runtime error:|\bframe #")


class Wrong(Exception):
    """A guarantee does not hold."""


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
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-fno-delete-null-pointer-checks", "-o", self.library, source], check=True)
        (self.data / "tiny.json").write_text(json.dumps(TINY))
        shutil.copy(demo / "deit.safetensors", self.data / "weights.safetensors")
        shutil.copy(demo / "motionformer.safetensors", self.data / "video.safetensors")
        self.make(["demo", "demo", "--train", "2", "--val", "2", "--quiet"])
        time.sleep(2)  # images that have just changed are not cached
        for store, shard in ("runs", "1/1"), ("part1", "1/2"), ("part2", "2/2"):
            self.make(["evaluate", "DATA/demo/scenes/val", *WEIGHTS, *EVALUATION, "--shard", shard, "--store", store + ".sqlite",
                       "--cache", "crops"])

    def make(self, arguments):
        run = self.run(arguments, self.data)
        if run.returncode != 0:
            sys.exit(f"error: the data for the tests cannot be made: {run.stderr.strip()}")

    def folder(self, command):
        """A new one with the inputs of a command. Which layers oneDNN computes is measured once, for all: it changes results by rounding."""
        folder = self.work / "runs" / str(next(self.numbers))
        folder.mkdir(parents=True)
        for name in [*command.inputs, "cache"]:
            if (self.data / name).is_dir():
                shutil.copytree(self.data / name, folder / name)
            elif name in command.inputs:
                shutil.copy(self.data / name, folder / name)
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
        lines = (folder / "counts").read_text().splitlines()
        shutil.rmtree(folder)
        return {line.split()[0]: int(line.split()[1]) for line in lines}


def steady(value):
    """JSON without what differs between undisturbed runs."""
    if isinstance(value, dict):
        return {key: steady(inner) for key, inner in value.items() if key not in VOLATILE}
    return [steady(inner) for inner in value] if isinstance(value, list) else value


def file_bytes(path):
    """The bytes of a file, of all files of a folder, or of JSON without its times; None where there is none."""
    if path.is_dir():
        return {inner.name: file_bytes(inner) for inner in path.iterdir() if inner.suffix != ".part"}  # that of a killed process
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


def require_ended(bench, command, folder, expected):
    """An evaluation in which an attention ended, and says so: the others' numbers are the same, and a new evaluation has them all."""
    found, whole = (json.loads(content)["runs"] for content in (file_bytes(folder / "result.json"), expected["result.json"]))
    if any(run != other for run, other in zip(found, whole) if "failure" not in run):
        raise Wrong("numbers of the attentions that did not end changed")
    again = bench.run(command.arguments, folder)
    if again.returncode != 0 or json.loads(file_bytes(folder / "result.json"))["runs"] != whole:
        raise Wrong("a new evaluation does not have the attention that ended")


def said(run, usual):
    """The lines on standard error that an undisturbed run does not have, without notices."""
    return [line for line in run.stderr.split("\n") if line.strip() and line not in usual and not NOTICE.match(line)]


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
    if run.returncode == EXIT_UNREADABLE and PASSING.match(fault):
        raise Wrong(f"it goes on without what it could not open: {run.stderr.strip()}")
    if run.returncode == 0:
        require_same(results(command, folder), expected, "after a fault that it reports as done")
        outcome = "completed"
    elif run.returncode == EXIT_UNREADABLE and command.stores:
        require_listed(command, folder, expected)
        outcome = "listed"
    elif "The other attentions continue." in run.stderr and not said(run, usual):
        require_ended(bench, command, folder, expected)
        outcome = "listed"
    elif run.returncode == EXIT_UNREADABLE and "/demo/" in run.stderr:
        complete_after(bench, command, folder, expected)
        outcome = "listed"  # a training went on without a sample, and says so
    else:
        if not killed:
            require_sentence(run, usual)
            bench.sentences.append(f"{fault}  {said(run, usual)[0]}")
            left = [path.name for path in folder.rglob("*.part")]
            if left and ":unlink:" not in f":{fault}":
                raise Wrong(f"it leaves {', '.join(left)}")
        for name in command.files[:1]:  # the result; others of a training grow with every epoch
            content = file_bytes(folder / name)
            # A training writes its result after every epoch: it must be a whole file.
            if content not in (None, expected[name]) and (
                    command.arguments[0] != "train" or bench.run(["inspect", name], folder).returncode != 0):
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
    if run.returncode == 1 and "a new one tries it." in run.stderr:
        return require_ended(bench, command, folder, expected)  # one attention had ended before the evaluation did
    if run.returncode != 0:
        raise Wrong(f"the next run ended with {run.returncode}: {run.stderr.strip()}")
    # A resumed training reports the epochs of this run alone.
    require_same(results(command, folder, result_json=command.arguments[0] != "train"), {
        name: content for name, content in expected.items() if (command.arguments[0], name) != ("train", "result.json")}, "after the next run")


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
    except (Wrong, sqlite3.Error, OSError, ValueError) as problem:  # such as a result that is not JSON
        return f"{label}: {problem}"


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
KEPT = {"everything": lambda chance: True, "nothing": lambda chance: False,
        "a random part": lambda chance: chance.random() < 0.5, "everything, last write torn": lambda chance: True}


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
            if position > synchronised.get(name, -1) and not KEPT[kept](chance):
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
    written = {}  # batches after each change, as the program knows it
    for kept in KEPT:
        chance = random.Random(1)
        replayed, wrong = {}, []
        chosen = set(spread(1, len(changes), 10 * points))
        for position in range(1, len(changes) + 1):
            files = after_power_loss(changes[:position], kept, chance)
            if "runs.sqlite" not in files:
                continue
            folder = bench.folder(command)
            write_files(folder, files)
            try:
                batches = stored_batches(folder) or 0
                # One batch may be in the making, but none when the program has ended.
                if batches < written.setdefault(position, batches) - (1 if position < len(changes) else 0):
                    raise Wrong(f"{written[position] - batches} batches are lost that had been stored")
            except (Wrong, sqlite3.Error) as problem:
                wrong.append(f"after change {position} of {len(changes)}: {problem}")
            shutil.rmtree(folder)
            if position in chosen:
                replayed[position] = files
        outcomes = [pool.submit(guarded, lose_power, f"power lost after change {position} of {len(changes)}", bench, command, files, expected)
                    for position, files in replayed.items()]
        table.add("power-loss", f"after {len(changes)} changes, kept {kept}", wrong + [outcome.result() for outcome in outcomes])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", type=pathlib.Path, required=True, help="the program to test")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="where a folder attnscope-faults is made")
    parser.add_argument("--only", action="append", choices=[*TABLE, "power-loss"], help="only the rows of this command; may be repeated")
    parser.add_argument("--points", type=int, default=2, help="calls that fail in each row, spread evenly (default: 2)")
    parser.add_argument("--jobs", type=int, default=2, help="programs that run at the same time (default: 2)")
    parser.add_argument("--sentences", action="store_true", help="also print what the refused commands said")
    given = parser.parse_args()
    bench = Bench(given.cli.resolve(), given.work.resolve() / "attnscope-faults")
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
