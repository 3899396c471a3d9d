#!/usr/bin/env python3
"""What an evaluation does beside the network: Attnscope beside timm's loader, in turns, so that a noisy machine is noisy for all.

    python3 tests/bench/pipelines.py FOLDER --video clip.mp4 --out today.json     FOLDER: class folders of JPEGs
    python3 tests/bench/pipelines.py --table today.json                           the table again, as Markdown

Needs a build of bench_pipeline and attnscope-decoder (build/release); timm is compared with where it is installed. Every engine is a
process of its own that waits while others measure; each round asks all of them once. Ratios are medians of the rounds' ratios.
"""
import argparse
import json
import os
import platform
import shutil
import statistics
import sys
import tempfile

from engines import CannotRun, Engine, Lacks, machine, script, told

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/release")


def timm_loader(folder, workers):
    """A worker: for each line of its input loads all pictures once as timm's validation does; answers with milliseconds."""
    import time
    import timm
    import torch
    from timm.data import create_dataset, create_loader, resolve_data_config

    torch.set_num_threads(1)
    data = resolve_data_config({}, model=timm.create_model("deit_tiny_patch16_224"))
    names = ("input_size", "interpolation", "mean", "std", "crop_pct")
    dataset = create_dataset("", root=folder)
    print("ready", timm.__version__, torch.__version__, flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        loader = create_loader(dataset, batch_size=32, use_prefetcher=False, num_workers=workers, device=torch.device("cpu"),
                               **{name: data[name] for name in names})
        for pictures, _ in loader:
            pictures.shape
        print((time.perf_counter() - begin) * 1e3, flush=True)


def decoder_of(build):
    for folder, _, files in os.walk(os.path.join(build, "app")):
        if "attnscope-decoder" in files:
            return os.path.join(folder, "attnscope-decoder")
    raise SystemExit("attnscope-decoder was not built")


def measure(arguments):
    cache = tempfile.mkdtemp(prefix="attnscope-cache-", dir=arguments.scratch)
    environment = dict(os.environ, ATTNSCOPE_DECODER=decoder_of(arguments.build))
    command = [os.path.join(arguments.build, "tests/bench/bench_pipeline"), "--workers", str(arguments.workers), "--cache", cache]
    if arguments.video:
        command += ["--video", arguments.video]
    lacks, engines = Lacks(), {}
    starts = {"Attnscope": lambda: Engine(command + [arguments.folder], environment),
              "timm": lambda: Engine(script(__file__, arguments.folder, "--worker", "--workers", arguments.workers), ready="ready")}
    for name, start in starts.items():
        try:
            engines[name] = start()
        except CannotRun as why:
            lacks.add(name, why)
    versions = engines["timm"].greeting.split()[1:] if "timm" in engines else [None, None]
    pictures = sum(len(files) for _, _, files in os.walk(arguments.folder))
    result = {**machine(), "cores": os.cpu_count(), "workers": arguments.workers,
              "load": os.getloadavg()[0], "python": platform.python_version(), "timm": versions[0], "torch": versions[1],
              "pictures": pictures, "attentions": arguments.attentions}
    asked = {"timm": ("timm", ""), "load": ("Attnscope", "load"), "cached": ("Attnscope", "cached"), "one": ("Attnscope", "attentions 1"),
             "many": ("Attnscope", f"attentions {arguments.attentions}")}
    if arguments.video:
        asked["views"] = ("Attnscope", "views")
    rounds = {name: [] for name, (engine, _) in asked.items() if engine in engines}
    try:
        for number in range(-1, arguments.rounds):
            for name in [name for name in rounds if number >= 0 or name in ("load", "cached")]:  # which fill caches first
                engine, line = asked[name]
                try:
                    time = float(engines[engine].ask(line)[0])
                except CannotRun as why:
                    lacks.add(f"{engine}, {line or 'loading'}", why)
                    del rounds[name]
                    engines[engine].stop()
                    engines[engine] = starts[engine]()  # for what else it is asked
                    continue
                if number >= 0:
                    rounds[name].append(time)
            if number >= 0:
                print(f"round {number + 1}: " + ", ".join(f"{name} {times[-1]:.0f} ms" for name, times in rounds.items() if times), file=sys.stderr)
        for engine in engines.values():
            engine.stop()
    finally:
        shutil.rmtree(cache)
    rounds = {name: times for name, times in rounds.items() if times}
    result.update(load_at_end=os.getloadavg()[0], rounds=rounds, milliseconds={n: statistics.median(t) for n, t in rounds.items()})

    def ratio(above, below):
        both = above in rounds and below in rounds
        return statistics.median(a / b for a, b in zip(rounds[above], rounds[below])) if both else None

    result["ratios"] = {"load_vs_timm": ratio("timm", "load"), "cached_vs_load": ratio("load", "cached"), "many_vs_one": ratio("many", "one")}
    result["cannot_run"] = lacks.entries
    return result


def table(result):
    pictures, times, ratios = result["pictures"], result["milliseconds"], result["ratios"]

    def rate(name):
        return f"{pictures / times[name] * 1e3:,.0f} pictures/s"

    def against(name, form):
        return "" if ratios[name] is None else form.format(ratios[name])

    rows = [("timm", lambda: f"| loading, timm {result['timm']} | {rate('timm')} | |"),
            ("load", lambda: f"| loading | {rate('load')} | {against('load_vs_timm', '{:.2f} times timm’s')} |"),
            ("cached", lambda: f"| loading again, with --cache | {rate('cached')} | {against('cached_vs_load', '{:.1f} times the first')} |"),
            ("many", lambda: f"| loading for {result['attentions']} attentions in one evaluation | {times['many']:.0f} ms of the threads |"
                             f" {against('many_vs_one', '{:.3f} of that for one')} |"),
            ("views", lambda: f"| 30 views of a video | {times['views']:.0f} ms | |")]
    lines = [f"| {pictures} pictures, {result['workers']} workers | | |", "|---|---|---|"] + [row() for name, row in rows if name in times]
    return "\n".join(lines + [f"\nload average {result['load']:.1f} at the start, {result['load_at_end']:.1f} at the end"]) + told(result)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--build", default=BUILD, help="the build folder")
    parser.add_argument("--video")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--attentions", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scratch", help="folder for the cache, 150 KB a picture")
    parser.add_argument("--out")
    parser.add_argument("--table", metavar="JSON")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.table:
        print(table(json.load(open(arguments.table))))
    elif not arguments.folder:
        parser.error("name a folder of class folders, or --table")
    elif arguments.worker:
        timm_loader(arguments.folder, arguments.workers)
    else:
        result = measure(arguments)
        if arguments.out:
            with open(arguments.out, "w") as file:
                json.dump(result, file, indent=1)
        print(table(result))


if __name__ == "__main__":
    main()
