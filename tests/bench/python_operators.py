#!/usr/bin/env python3
"""The Python package beside PyTorch and timm, in turns: one operator, and patched networks.

    python3 tests/bench/python_operators.py [--rounds N] [--threads N]

Needs the wheel (packaging/wheel.sh), timm and numpy. Prints medians in milliseconds and the median of the rounds' ratios: times as fast as
PyTorch's fused softmax, or as timm's own network. Weights are random: speed does not depend on them.
"""
import argparse
import os
import statistics
import time

import timm
import torch
from torch.nn import functional

import attnscope

HEADS, WIDTH = 3, 64


def milliseconds(run, seconds):
    """The median of passes that take `seconds` together, at least three."""
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(times)


def compare(name, runs, rounds, seconds):
    """Prints a line for each of `runs` (name → function), all in turns; the first is what the others are compared with."""
    for run in runs.values():
        run(), run()
    rows = [{key: milliseconds(run, seconds) for key, run in runs.items()} for _ in range(rounds)]
    base = next(iter(runs))
    for key in runs:
        speed = statistics.median(row[base] / row[key] for row in rows)
        print(f"{name:34} {key:24} {statistics.median(row[key] for row in rows):9.2f} ms  {speed:.2f}", flush=True)


def patched(name, spec, **more):
    model = timm.create_model(name, **more).eval()
    attnscope.patch(model, spec)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="of measuring, for each engine and round")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    torch.ones(1 << 22)  # freed at once: from then on the C library keeps memory, as it does in a network
    with torch.inference_mode():
        for tokens in (784, 1370, 4096):
            q, k, v = torch.randn(3, 1, HEADS, tokens, WIDTH)
            compare(f"operator, {tokens} tokens", {
                "PyTorch, fused softmax": lambda: functional.scaled_dot_product_attention(q, k, v),
                **{spec: lambda spec=spec: attnscope.attention(q, k, v, spec) for spec in ("softmax", "lara:samples=49", "performer:samples=64")}},
                arguments.rounds, arguments.seconds)
        for name, batch, specs in (("deit_small_patch16_224", 1, ["softmax"]), ("deit_small_patch16_224", 8, ["softmax"]),
                                   ("vit_small_patch14_dinov2", 1, ["softmax", "lara:samples=49"])):
            own = timm.create_model(name).eval()
            images = torch.randn(batch, *own.pretrained_cfg["input_size"])
            networks = {"timm": own, **{spec: patched(name, spec) for spec in specs}}
            compare(f"{name}, batch {batch}", {key: lambda model=model: model(images) for key, model in networks.items()},
                    arguments.rounds, arguments.seconds)


if __name__ == "__main__":
    main()
