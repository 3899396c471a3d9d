#!/usr/bin/env python3
"""Whole networks on the CPU: Attnscope beside what people use instead, interleaved, so that a noisy machine is noisy for all.

    python3 tests/bench/rivals.py --out today.json                run, write JSON and print the table of ratios
    python3 tests/bench/rivals.py --compare before.json today.json    what changed between two runs
    python3 tests/bench/rivals.py --table today.json               the table again, as Markdown

Needs a build of bench_models (build/release/tests/bench); timm, OpenVINO and NNCF are compared with where they are installed. An engine that
cannot run (bfloat16 on some processors) is named with its reason, and the others go on.
Weights are random: speed does not depend on them. Every engine is a process of its own that waits while others measure.
"""
import argparse
import json
import os
import platform
import statistics
import sys

from engines import CannotRun, Engine, Lacks, machine, script, told

CASES = [("deit_tiny_patch16_224", 1), ("deit_tiny_patch16_224", 8), ("deit_small_patch16_224", 1), ("deit_small_patch16_224", 8),
         ("pvt_v2_b1", 1), ("pvt_v2_b1", 8), ("vit_small_patch14_dinov2", 1), ("motionformer_224_16x4", 1)]
ENGINES = {"timm": "timm, PyTorch eager (Motionformer: as published, tests/bench/trajectory.py)", "openvino": "OpenVINO float32", "openvino_default": "OpenVINO as it comes (bfloat16)",
           "openvino_int8": "OpenVINO, weights int8", "plain": "Attnscope, as written", "planned": "Attnscope", "planned_bf16": "Attnscope, bfloat16",
           "planned_int8": "Attnscope, weights int8"}
FOREIGN = ("timm", "openvino", "openvino_default", "openvino_int8")


def rival(engine, model, batch, threads):
    """A worker: reads seconds from its input, answers with the median of milliseconds."""
    import time
    import timm
    import torch
    from trajectory import PublishedMotionformer

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    if model.startswith("motionformer"):
        network = PublishedMotionformer().eval()
        pictures = torch.randn(batch, *network.input_size)
    else:
        network = timm.create_model(model).eval()
        pictures = torch.randn(batch, *network.pretrained_cfg["input_size"])
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
        if engine == "openvino_int8":
            import nncf  # OpenVINO's own tool for it; INT8_ASYM of every layer is its default
            converted = nncf.compress_weights(converted)
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


def begin(engine, model, batch, threads, bench):
    if engine in FOREIGN:
        return Engine(script(__file__, "--worker", engine, "--model", model, "--batch", batch, "--threads", threads), ready="ready")
    dtype = "bfloat16" if engine == "planned_bf16" else "float32"
    return Engine([bench, model, str(batch), "native;weights=int8" if engine == "planned_int8" else "native", dtype, str(threads)])


def milliseconds(engine, worker, seconds):
    return float(worker.ask(str(seconds) if engine in FOREIGN else f"{engine.split('_')[0]} {seconds}")[0])


def rounds_of(model, batch, arguments, lacks):
    """Times of every engine that can run this network, interleaved."""
    workers, rounds = {}, {}

    def attempt(engine, action):
        try:
            return action()
        except CannotRun as why:
            lacks.add(engine, why, model=model, batch=batch)
            return None

    for engine in ENGINES:
        worker = attempt(engine, lambda: begin(engine, model, batch, arguments.threads, arguments.bench))
        if worker:
            workers[engine], rounds[engine] = worker, []
    for _ in range(arguments.rounds):
        for engine in list(rounds):
            time = attempt(engine, lambda: milliseconds(engine, workers[engine], arguments.seconds))
            if time is None:
                del rounds[engine]
            else:
                rounds[engine].append(time)
    for worker in workers.values():
        worker.stop()
    return rounds


def measure(arguments):
    result = {**machine(), "cores": os.cpu_count(), "threads": arguments.threads,
              "load": os.getloadavg()[0], "python": platform.python_version(), "rows": []}
    lacks = Lacks()
    for model, batch in (case for case in CASES if arguments.only in case[0]):
        rounds = rounds_of(model, batch, arguments, lacks)
        for engine, times in rounds.items():
            ratio = statistics.median(base / own for base, own in zip(rounds["timm"], times)) if "timm" in rounds else None
            result["rows"].append({"model": model, "batch": batch, "engine": engine, "milliseconds": statistics.median(times),
                                   "rounds": times, "speed_vs_timm": ratio})
            print(f"{model} batch {batch} {engine}: {statistics.median(times):.2f} ms{ratio_text(ratio, ', {:.2f}')}", file=sys.stderr)
    result["cannot_run"] = lacks.entries
    result["load_at_end"] = os.getloadavg()[0]
    return result


def ratio_text(ratio, form):
    """Nothing where timm, which all are compared with, could not run."""
    return "" if ratio is None else form.format(ratio)


def table(result):
    rows = {(r["model"], r["batch"], r["engine"]): r for r in result["rows"]}
    engines = [e for e in ENGINES if any(key[2] == e for key in rows)]
    lines = ["| network, batch | instruction set | " + " | ".join(ENGINES[e] for e in engines) + " |", "|---" * (len(engines) + 2) + "|"]
    for model, batch in CASES:
        cells = [rows.get((model, batch, e)) for e in engines]
        if any(cells):
            texts = [f"{c['milliseconds']:.1f} ms{ratio_text(c['speed_vs_timm'], ' ({:.2f})')}" if c else "–" for c in cells]
            lines.append(f"| {model}, {batch} | {result.get('kernels', '–')} | " + " | ".join(texts) + " |")
    return "\n".join(lines) + told(result)


def compare(before, after):
    old = {(r["model"], r["batch"], r["engine"]): r for r in before["rows"]}
    for row in after["rows"]:
        was = old.get((row["model"], row["batch"], row["engine"]))
        if was and None not in (was["speed_vs_timm"], row["speed_vs_timm"]):
            print(f"{row['model']} batch {row['batch']} {row['engine']}: {was['speed_vs_timm']:.2f} → {row['speed_vs_timm']:.2f} of timm's speed"
                  f" ({was['milliseconds']:.2f} → {row['milliseconds']:.2f} ms)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default=os.path.join(os.path.dirname(__file__), "../../build/release/tests/bench/bench_models"))
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="of measuring, for each engine and round")
    parser.add_argument("--only", default="", metavar="WORD", help="networks whose names contain it")
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
