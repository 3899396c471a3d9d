#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole networks on the CPU: Attnscope beside what people use instead, in turns, so that a noisy machine is noisy for all.

    python3 tests/bench/rivals.py --out today.json                run, write JSON and print the table of ratios
    python3 tests/bench/rivals.py --compare before.json today.json    what changed between two runs
    python3 tests/bench/rivals.py --table today.json               the table again, as Markdown

Needs a build of bench_models (build/release/tests/bench), and timm; OpenVINO is compared with where it is installed.
Weights are random: speed does not depend on them. Every engine is a process of its own that waits while others measure.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys

CASES = [("deit_tiny_patch16_224", 1), ("deit_tiny_patch16_224", 8), ("deit_small_patch16_224", 1), ("deit_small_patch16_224", 8),
         ("pvt_v2_b1", 1), ("pvt_v2_b1", 8)]
ENGINES = {"timm": "timm, PyTorch eager", "openvino": "OpenVINO float32", "openvino_default": "OpenVINO as it comes (bfloat16)",
           "plain": "Attnscope, as written", "planned": "Attnscope", "planned_bf16": "Attnscope, bfloat16"}


def rival(engine, model, batch, threads):
    """A worker: reads seconds from its input, answers with the median of milliseconds."""
    import time
    import timm
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    network = timm.create_model(model).eval()
    pictures = torch.randn(batch, 3, 224, 224)
    if engine == "timm":
        def run():
            with torch.inference_mode():
                network(pictures)
    else:
        import openvino
        settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1}
        if engine == "openvino":
            settings["INFERENCE_PRECISION_HINT"] = "f32"
        with torch.no_grad():
            converted = openvino.convert_model(network, example_input=pictures, input=[list(pictures.shape)])
        request = openvino.Core().compile_model(converted, "CPU", settings).create_infer_request()
        array = pictures.numpy()

        def run():
            request.infer({0: array}, share_inputs=True)

    for _ in range(3):
        run()
    print("ready", flush=True)
    for line in sys.stdin:
        times, end = [], time.perf_counter() + float(line)
        while len(times) < 3 or time.perf_counter() < end:
            begin = time.perf_counter()
            run()
            times.append((time.perf_counter() - begin) * 1e3)
        print(statistics.median(times), flush=True)


class Worker:
    def __init__(self, command, ask):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.ask = ask

    def milliseconds(self, seconds):
        self.process.stdin.write(self.ask.format(seconds=seconds) + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def installed(module):
    import importlib.util
    return importlib.util.find_spec(module) is not None


def workers_of(model, batch, threads, bench):
    workers = {}
    for engine in ENGINES:
        if engine.startswith("openvino") and not installed("openvino"):
            continue
        if engine in ("timm", "openvino", "openvino_default"):
            command = [sys.executable, __file__, "--worker", engine, "--model", model, "--batch", str(batch), "--threads", str(threads)]
            worker = Worker(command, "{seconds}")
            if not any(line.strip() == "ready" for line in iter(worker.process.stdout.readline, "")):
                raise SystemExit(f"{engine} could not run {model}; is timm installed for {sys.executable}?")
            workers[engine] = worker
        else:
            dtype = "bfloat16" if engine == "planned_bf16" else "float32"
            workers[engine] = Worker([bench, model, str(batch), "native", dtype, str(threads)], engine.split("_")[0] + " {seconds}")
    return workers


def measure(arguments):
    result = {"machine": platform.processor() or platform.machine(), "cores": os.cpu_count(), "threads": arguments.threads,
              "load": os.getloadavg()[0], "python": platform.python_version(), "rows": []}
    for model, batch in CASES:
        workers = workers_of(model, batch, arguments.threads, arguments.bench)
        rounds = {engine: [] for engine in workers}
        for _ in range(arguments.rounds):
            for engine, worker in workers.items():
                rounds[engine].append(worker.milliseconds(arguments.seconds))
        for worker in workers.values():
            worker.stop()
        for engine, times in rounds.items():
            ratios = [base / own for base, own in zip(rounds["timm"], times)]
            result["rows"].append({"model": model, "batch": batch, "engine": engine, "milliseconds": statistics.median(times),
                                   "rounds": times, "speed_vs_timm": statistics.median(ratios)})
            print(f"{model} batch {batch} {engine}: {statistics.median(times):.2f} ms, {statistics.median(ratios):.2f}", file=sys.stderr)
    result["load_at_end"] = os.getloadavg()[0]
    return result


def table(result):
    rows = {(r["model"], r["batch"], r["engine"]): r for r in result["rows"]}
    engines = [e for e in ENGINES if any(key[2] == e for key in rows)]
    lines = ["| network, batch | " + " | ".join(ENGINES[e] for e in engines) + " |", "|---" * (len(engines) + 1) + "|"]
    for model, batch in CASES:
        cells = [rows.get((model, batch, e)) for e in engines]
        if any(cells):
            texts = [f"{c['milliseconds']:.1f} ms ({c['speed_vs_timm']:.2f})" if c else "–" for c in cells]
            lines.append(f"| {model}, {batch} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def compare(before, after):
    old = {(r["model"], r["batch"], r["engine"]): r for r in before["rows"]}
    for row in after["rows"]:
        was = old.get((row["model"], row["batch"], row["engine"]))
        if was:
            print(f"{row['model']} batch {row['batch']} {row['engine']}: {was['speed_vs_timm']:.2f} → {row['speed_vs_timm']:.2f} of timm's speed"
                  f" ({was['milliseconds']:.2f} → {row['milliseconds']:.2f} ms)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default=os.path.join(os.path.dirname(__file__), "../../build/release/tests/bench/bench_models"))
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="of measuring, for each engine and round")
    parser.add_argument("--out")
    parser.add_argument("--table", metavar="JSON")
    parser.add_argument("--compare", nargs=2, metavar="JSON")
    for hidden in ("--worker", "--model", "--batch"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        rival(arguments.worker, arguments.model, int(arguments.batch), arguments.threads)
    elif arguments.compare:
        compare(*(json.load(open(path)) for path in arguments.compare))
    elif arguments.table:
        print(table(json.load(open(arguments.table))))
    else:
        result = measure(arguments)
        if arguments.out:
            with open(arguments.out, "w") as file:
                json.dump(result, file, indent=1)
        print(table(result))


if __name__ == "__main__":
    main()
