#!/usr/bin/env python3
"""Changes the sources in small ways, one at a time, and counts the changes that no test notices; packaging/prove_tests.sh runs it."""
import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import math
import os
import pathlib
import pickle
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import mutants

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACCEPTED = pathlib.Path(__file__).with_name("accepted.txt")
HEADER = "tests/mutation/mutation.h"
INCLUDE = f'#include "{HEADER}"  // '.encode()
MEMORY = 6 << 30
# Programs of tests below the command line, and those that they start.
TARGETS = ("tests_plain", "tests_torch", "tests_threads", "tests_media", "tests_store", "golden_runner", "kernel_check", "attnscope-decoder",
           "attnscope-video-decoder", "attnscope-torchscript")


def write(path, content):
    """Leaves a file that is the same alone, so that it is not compiled again."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def tracked_files():
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True,
                           capture_output=True, text=True).stdout.split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def find(work, options):
    """The finder of an earlier run where nothing has changed since: reading all sources takes minutes."""
    code = hashlib.sha256(repr((options.folder, sorted(mutants.instructions()))).encode())
    for name in tracked_files():
        if name.startswith(("core/", "tests/mutation/mutants.py")):
            code.update(name.encode() + (ROOT / name).read_bytes())
    kept = work / f"mutants-{code.hexdigest()[:16]}"
    if kept.exists():
        return pickle.loads(kept.read_bytes())
    finder = mutants.find(ROOT, options.compile_commands, options.folder)
    kept.write_bytes(pickle.dumps(finder))
    return finder


def write_sources(work, finder, without):
    changed = {source.name: INCLUDE + source.written(without) for source in finder.sources.values() if source and source.edits}
    if "avx512f" not in mutants.instructions():
        changed[HEADER] = b"#define ATTNSCOPE_LACKS_AVX512\n" + (ROOT / HEADER).read_bytes()
    for name in tracked_files():
        write(work / "source" / name, changed.get(name) or (ROOT / name).read_bytes())
        shutil.copymode(ROOT / name, work / "source" / name)


def uncompiled_lines(work, output):
    """FILE:LINE of changed sources that the compiler's errors name."""
    found = set()
    for block in re.split(r"\n(?=\S*FAILED: )", output):
        if "error:" in block:
            found.update(f"{file}:{line}" for file, line in re.findall(rf"{re.escape(str(work / 'source'))}/([^:\s]+):(\d+)", block))
    return found


def build(work, options):
    """Writes and compiles the sources with a sample of each folder's mutants, without those that do not compile. Returns the sample, in random order."""
    finder = find(work, options)
    chosen = {}
    for folder in options.folder:
        inside = [m for m in finder.mutants if m.file.startswith(folder + "/")]
        print(f"{folder}: {len(inside)} mutants, {sum(not m.here for m in inside)} of them only in code for other processors", flush=True)
        chosen[folder] = [m for m in inside if m.here and (not options.only or {m.file, f"{m.file}:{m.line}"} & set(options.only))]
        random.Random(options.seed).shuffle(chosen[folder])
    dropped_file, tree = work / "dropped.txt", work / "build"
    dropped = set(dropped_file.read_text().splitlines()) if dropped_file.exists() else set()
    while True:
        sample = []
        for order in chosen.values():
            sample += [m for m in order if f"{m.file}:{m.line}" not in dropped][:options.sample]
        random.Random(options.seed).shuffle(sample)
        write_sources(work, finder, {m.number for m in finder.mutants} - {m.number for m in sample})
        if not (tree / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "release", "-S", work / "source", "-B", tree, "-DATTNSCOPE_UI=OFF",
                            "-DCMAKE_CXX_FLAGS=-w -Wno-narrowing", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"],
                           cwd=work / "source", check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(["cmake", "--build", tree, "-j", str(options.jobs), "--target", *(options.target or TARGETS), "--", "-k", "0"], capture_output=True, text=True)
        if done.returncode == 0:
            return sample
        lines = {f"{m.file}:{m.line}" for m in sample} & uncompiled_lines(work, done.stdout + done.stderr)
        if not lines:
            sys.exit(f"error: the changed sources do not compile:\n{(done.stdout + done.stderr)[-3000:]}")
        print(f"{len(lines)} lines do not compile when they are changed; they stay as they are", flush=True)
        dropped |= lines
        dropped_file.write_text("\n".join(sorted(dropped)))


@dataclasses.dataclass
class Test:
    name: str
    command: list
    environment: dict
    seconds: float = 0
    reached: frozenset = frozenset()

    def run(self, variables, limit):
        """Whether it passed within `limit` seconds, in a folder of its own."""
        with tempfile.TemporaryDirectory(prefix="attnscope-mutation-") as folder:
            os.chmod(folder, 0o755)  # some tests become another user
            environment = {**os.environ, **self.environment, **variables, "TMPDIR": folder, "HOME": folder, "XDG_CACHE_HOME": folder,
                           "OMP_NUM_THREADS": "2", "QTEST_DISABLE_STACK_DUMP": "1"}
            process = subprocess.Popen(self.command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))
            try:
                return process.wait(limit) == 0
            except subprocess.TimeoutExpired:
                return False
            finally:
                try:
                    os.killpg(process.pid, 9)
                except ProcessLookupError:
                    pass
                process.wait()


def list_tests(work, pattern):
    described = subprocess.run(["ctest", "--test-dir", work / "build", "--show-only=json-v1"], check=True, capture_output=True, text=True)
    tests = []
    for test in json.loads(described.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if "command" in test and pathlib.Path(test["command"][0]).exists() and re.search(pattern, test["name"]) and not {"bench", "slow"} & set(properties.get("LABELS", [])):
            tests.append(Test(test["name"], test["command"], dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", []))))
    return tests


def look(test):
    """What a test reaches, and how long it takes, without a change."""
    with tempfile.NamedTemporaryFile() as file:
        begin = time.monotonic()
        passed = test.run({"ATTNSCOPE_MUTANTS_REACHED": file.name}, 900)
        reached = frozenset(map(int, pathlib.Path(file.name).read_text().split()))
    return dataclasses.replace(test, seconds=time.monotonic() - begin, reached=reached) if passed else None


def killer(mutant, tests):
    """The name of the first test that fails, None where none does, "" where none reaches it."""
    reaching = sorted((t for t in tests if mutant.number in t.reached), key=lambda t: t.seconds)
    for test in reaching:
        if not test.run({"ATTNSCOPE_MUTANT": str(mutant.number)}, 10 + 5 * test.seconds):
            return test.name
    return None if reaching else ""


def line_of(mutant):
    return (ROOT / mutant.file).read_text().splitlines()[mutant.line - 1].strip()


def accepted():
    """The reasons of survivors that are listed, by file, text of the line and change."""
    rows = [line.split(" | ") for line in ACCEPTED.read_text().splitlines() if line and not line.startswith("#")]
    return {(file, text.strip(), change): reason for file, change, text, reason in rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compile-commands", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--folder", action="append", required=True)
    parser.add_argument("--target", action="append")
    parser.add_argument("--only", action="append")
    parser.add_argument("--tests", default=".")
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.work = options.work.resolve()  # as the compiler names it

    sample = build(options.work, options)
    tests = list_tests(options.work, options.tests)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        looked = list(pool.map(look, tests))
        for test, seen in zip(tests, looked):
            if seen is None:
                print(f"{test.name} fails without a change and is left out")
        tests = [test for test in looked if test and test.reached]
        print(f"{len(tests)} tests reach {len(frozenset().union(*(t.reached for t in tests)))} of {len(sample)} mutants", flush=True)
        reasons = accepted()
        killed, survivors, drawn = collections.Counter(), collections.Counter(), len(sample)
        sample = [m for m in sample if (m.file, line_of(m), m.change) not in reasons]
        for judged, (mutant, by) in enumerate(zip(sample, pool.map(lambda m: killer(m, tests), sample))):
            if judged % 25 == 0 and judged:
                print(f"{judged} of {len(sample)}: {killed.total()} killed, {survivors.total()} not", flush=True)
            folder = next(f for f in options.folder if mutant.file.startswith(f + "/"))
            if by:
                killed[folder] += 1
            else:
                survivors[folder] += 1
                print(f"{'not reached' if by == '' else 'survived'}: {mutant}: {line_of(mutant)}", flush=True)
    enough = True
    for folder in options.folder:
        counted = killed[folder] + survivors[folder]
        share = killed[folder] / counted if counted else 1
        error = 1.96 * math.sqrt(share * (1 - share) / counted) if counted else 0
        enough = enough and share >= 0.9
        print(f"{folder}: {killed[folder]} of {counted} mutants killed, {100 * share:.1f} % (± {100 * error:.1f})")
    print(f"{drawn - len(sample)} of those in accepted.txt left out")
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
