#!/usr/bin/env python3
"""The comparisons go on without an engine that cannot run, and say which and why. Every engine is a stand-in; nothing is measured."""
import json
import os
import stat
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Answers as the benches do; bfloat16 ends with words on standard error, like a network that this processor cannot run.
BENCH = """#!{python}
import sys
if "bfloat16" in sys.argv:
    sys.exit("bf16 path needs the cpu support")
for line in sys.stdin:
    if line.startswith("views"):
        sys.exit("no such video")
    if "performer" in line:
        sys.exit("performer is not here")
    print("2.5 1048576" if {peak} else "2.5", flush=True)
"""


def program(folder, name, peak):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(BENCH.format(python=sys.executable, peak=peak))
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def run(folder, script, *arguments):
    out = os.path.join(folder, script + ".json")
    done = subprocess.run([sys.executable, os.path.join(HERE, script), *arguments, "--rounds", "2", "--out", out], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=os.path.join(folder, "modules")))
    if done.returncode != 0:
        sys.exit(f"{script} failed as a whole:\n{done.stderr}")
    with open(out) as file:
        return json.load(file), done.stdout


def expect(holds, what):
    if not holds:
        sys.exit(f"wrong: {what}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for module in ("timm", "torch"):
            os.makedirs(os.path.join(folder, "modules"), exist_ok=True)
            with open(os.path.join(folder, "modules", module + ".py"), "w") as file:
                file.write(f"raise ImportError('no {module} in this test')\n")

        result, table = run(folder, "rivals.py", "--bench", program(folder, "models", False), "--seconds", "0", "--threads", "1")
        engines = {row["engine"] for row in result["rows"]}
        expect(engines == {"plain", "planned", "planned_int8"}, f"rows of {engines}")
        why = {entry["engine"]: entry["why"] for entry in result["cannot_run"]}
        expect(why["planned_bf16"] == "bf16 path needs the cpu support (ended with exit code 1)", why)
        expect("no timm in this test" in why["timm"], why)
        expect("planned_bf16 cannot run: bf16 path" in table and "| 2.5 ms | 2.5 ms |" in table, table)

        result, table = run(folder, "rivals_attention.py", "--bench", program(folder, "attention", True), "--seconds", "0", "--threads", "1")
        expect(all(row["rival_milliseconds"] is None and row["speed"] is None for row in result["rows"]), result["rows"])
        expect({row["attention"] for row in result["rows"]} == {"softmax", "ra", "lara:samples=16", "lara:samples=49", "rfa:samples=16", "rfa:samples=64", "nystrom:samples=49"},
               result["rows"])
        expect("performer:samples=16 cannot run: performer is not here" in table and "no torch in this test" in table, table)
        expect("2.5 ms, 1.0 MiB" in table, table)

        program(folder, "build/tests/bench/bench_pipeline", False)
        program(folder, "build/app/decoder/attnscope-decoder", False)
        result, table = run(folder, "pipelines.py", folder, "--build", os.path.join(folder, "build"), "--video", "none.mp4", "--scratch", folder)
        expect(set(result["rounds"]) == {"load", "cached", "one", "many"} and result["ratios"]["load_vs_timm"] is None, result)
        expect("Attnscope, views cannot run: no such video" in table and "no timm in this test" in table, table)


if __name__ == "__main__":
    main()
