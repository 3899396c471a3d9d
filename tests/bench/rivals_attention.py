#!/usr/bin/env python3
"""Attention on the CPU: Attnscope's kernels beside LibTorch's fused softmax and the published formulations in PyTorch, in turns.

    python3 tests/bench/rivals_attention.py --out today.json      run, write JSON and print the table
    python3 tests/bench/rivals_attention.py --table today.json    the table again, as Markdown

Needs a build of bench_attention (build/release/tests/bench); what cannot run, as PyTorch where it is not installed, is named with its
reason. Three heads of 64 channels, float32; `encoder` rows are the eight
layers of the LARA paper's table 6. Both processes wait while the other measures. Memory: peak of live tensor bytes, by the allocator.
"""
import argparse
import json
import os
import statistics
import sys
import time

from engines import CannotRun, Engine, Lacks, machine, script, told

HEADS, WIDTH = 3, 64
# What is compared: row of the table, mode, tokens, our specification, the rival, and what it is called.
CASES = [(mode, tokens, ours, rival) for mode, tokens, pairs in [
    ("op", 196, [("softmax", "sdpa"), ("ra", "sdpa"), ("ra", "ra"), ("lara:samples=16", "lara16"), ("performer:samples=16", "performer16"),
                 ("lara:samples=49", "sdpa"), ("rfa:samples=16", "sdpa")]),
    ("op", 784, [("softmax", "sdpa"), ("ra", "sdpa"), ("lara:samples=16", "lara16"), ("performer:samples=16", "performer16")]),
    ("op", 1024, [("ra", "sdpa"), ("ra", "ra")]),
    ("op", 3136, [("softmax", "sdpa"), ("ra", "sdpa"), ("ra", "ra")]),
    ("op", 8192, [("lara:samples=16", "lara16"), ("performer:samples=16", "performer16"), ("ra", "sdpa")]),
    *[("op", tokens, [(ours, "sdpa") for ours in ("softmax", "lara:samples=49", "performer:samples=64", "rfa:samples=64", "nystrom:samples=49")])
      for tokens in (1370, 4096, 16384)],
    ("encoder", 4096, [("lara:samples=16", "lara16"), ("performer:samples=16", "performer16"), ("softmax", "sdpa")])]
    for ours, rival in pairs]


def formulations():
    """Attention as the papers' code computes it: whole matrices of features or weights. q, k, v (B,H,N,D)."""
    import torch
    from torch.nn import functional

    generator = torch.Generator().manual_seed(0)

    def hatted(x):
        return x * WIDTH ** -0.25

    def exponents(x, directions):
        """log of the positive feature: ω·x − ½‖x‖²."""
        return torch.einsum("bhnd,bhsd->bhns", x, directions) - x.pow(2).sum(-1, keepdim=True) / 2

    def performer(samples):
        omega = torch.randn(1, HEADS, samples, WIDTH, generator=generator)

        def attend(q, k, v):
            rows, columns = exponents(hatted(q), omega), exponents(hatted(k), omega)
            rows = (rows - rows.amax(-1, keepdim=True)).exp() + 1e-6
            columns = (columns - columns.amax((-2, -1), keepdim=True)).exp() + 1e-6
            sums = torch.einsum("bhms,bhmd->bhsd", columns, v)
            return torch.einsum("bhns,bhsd->bhnd", rows, sums) / torch.einsum("bhns,bhs->bhn", rows, columns.sum(-2)).unsqueeze(-1)
        return attend

    def randomized(q, k, v):
        """One sample of the mixture a query."""
        q, k = hatted(q), hatted(k)
        weights = torch.softmax(q @ k.transpose(-2, -1), -1)
        drawn = torch.multinomial(weights.flatten(0, 2), 1).view(*q.shape[:3], 1).expand_as(q)
        omega = q + k.gather(2, drawn) + torch.randn(q.shape, generator=generator)
        return torch.softmax(exponents(k, omega).transpose(-2, -1), -1) @ v

    def lara(landmarks):
        def attend(q, k, v):
            q, k = hatted(q), hatted(k)
            pooled = [functional.adaptive_avg_pool1d(x.flatten(0, 1).transpose(1, 2), landmarks).transpose(1, 2).view(*x.shape[:2], landmarks, WIDTH)
                      for x in (q, k)]
            mean = pooled[0] + pooled[1]  # at evaluation a sample is its proposal's mean
            keys = exponents(k, mean).transpose(-2, -1)                     # (B,H,C,M)
            values = torch.softmax(keys, -1) @ v
            densities = exponents(mean, mean).transpose(-2, -1)
            own = densities.diagonal(dim1=-2, dim2=-1)
            balance = (own - densities.logsumexp(-1)).exp()
            share = torch.softmax(q @ pooled[0].transpose(-2, -1), -2)      # over the queries
            alpha = balance.unsqueeze(-2) + 2 * (share - share.mean(-1, keepdim=True))
            logits = exponents(q, mean) + (keys.logsumexp(-1) - own).unsqueeze(-2) + alpha.clamp(min=1e-8).log()
            return torch.softmax(logits, -1) @ values
        return attend

    return {"sdpa": functional.scaled_dot_product_attention, "ra": randomized, "lara16": lara(16), "performer16": performer(16)}


def encoder(attend):
    import torch
    from torch import nn
    from torch.nn import functional

    width = HEADS * WIDTH
    torch.manual_seed(0)
    blocks = [(nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width), nn.LayerNorm(width), nn.Linear(width, 4 * width),
               nn.Linear(4 * width, width)) for _ in range(8)]

    def run(x):
        for norm1, qkv, projection, norm2, up, down in blocks:
            q, k, v = qkv(norm1(x)).unflatten(-1, (3, HEADS, WIDTH)).permute(2, 0, 3, 1, 4)
            x = x + projection(attend(q, k, v).transpose(1, 2).flatten(2))
            x = x + down(functional.gelu(up(norm2(x))))
        return x
    return run


def peak_bytes(run):
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        run()
    level = peak = 0
    for event in sorted((e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"), key=lambda e: e.start_ns()):
        level += event.nbytes()
        peak = max(peak, level)
    return peak


def work(mode, tokens, threads):
    """A worker: reads `NAME SECONDS`, answers with the median of milliseconds and the peak of tensor bytes."""
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    q, k, v = torch.randn(1, tokens, 3, HEADS, WIDTH).permute(2, 0, 3, 1, 4)
    x = torch.randn(1, tokens, HEADS * WIDTH)
    all_of_them = formulations()
    made = {}
    for line in sys.stdin:
        name, seconds = line.split()
        if name not in made:
            made[name] = encoder(all_of_them[name]) if mode == "encoder" else all_of_them[name]
        run = (lambda: made[name](x)) if mode == "encoder" else (lambda: made[name](q, k, v))
        with torch.inference_mode():
            run()
            times, end = [], time.perf_counter() + float(seconds)
            while len(times) < 3 or time.perf_counter() < end:
                begin = time.perf_counter()
                run()
                times.append((time.perf_counter() - begin) * 1e3)
            print(statistics.median(times), peak_bytes(run), flush=True)


class Side:
    """One of the two sides of the table: a process for each mode and number of tokens, begun anew after it ended."""

    def __init__(self, name, command):
        self.name, self.command, self.case, self.worker = name, command, None, None

    def measure(self, mode, tokens, asked, seconds):
        """Milliseconds and peak bytes."""
        try:
            if self.case != (mode, tokens) or self.worker is None:
                self.stop()
                self.case, self.worker = (mode, tokens), Engine(self.command(mode, tokens))
            time, peak = self.worker.ask(f"{asked} {seconds}")
            return float(time), int(peak)
        except CannotRun:
            self.stop()
            raise

    def stop(self):
        if self.worker:
            self.worker.stop()
        self.worker = None


def rounds_of(case, sides, arguments, lacks):
    """[(milliseconds, bytes), …] of each side, in turns; nothing for one that cannot run."""
    mode, tokens, *asked = case
    rounds = {side: [] for side in sides}
    for _ in range(arguments.rounds):
        for side, name in zip(sides, asked):
            if side not in rounds:
                continue
            try:
                rounds[side].append(side.measure(mode, tokens, name, arguments.seconds))
            except CannotRun as why:
                lacks.add(f"{side.name} {name}", why, mode=mode, tokens=tokens)
                del rounds[side]
    return [rounds.get(side) for side in sides]


def measure(arguments):
    result = {**machine(), "cores": os.cpu_count(), "threads": arguments.threads, "load": os.getloadavg()[0], "rows": []}
    lacks = Lacks()
    sides = [Side("Attnscope", lambda mode, tokens: [arguments.bench, mode, str(tokens), str(arguments.threads)]),
             Side("PyTorch", lambda mode, tokens: script(__file__, "--worker", mode, "--tokens", tokens, "--threads", arguments.threads))]
    for case in CASES:
        mode, tokens, ours, rival = case
        if arguments.only and not (arguments.only == str(tokens) or arguments.only == ours.split(":")[0]):
            continue
        mine, other = rounds_of(case, sides, arguments, lacks)
        if not mine and not other:
            continue
        row = {"kernels": result["kernels"], "mode": mode, "tokens": tokens, "attention": ours, "rival": rival, "milliseconds": middle(mine), "rival_milliseconds": middle(other),
               "speed": statistics.median(b[0] / a[0] for a, b in zip(mine, other)) if mine and other else None,
               "bytes": mine[0][1] if mine else None, "rival_bytes": other[0][1] if other else None}
        result["rows"].append(row)
        print(line_of(row), file=sys.stderr, flush=True)
    for side in sides:
        side.stop()
    result["cannot_run"] = lacks.entries
    return result


def middle(rounds):
    return statistics.median(time for time, _ in rounds) if rounds else None


def cost(milliseconds, peak):
    return "–" if milliseconds is None else f"{milliseconds:.3g} ms, {peak / 2 ** 20:.1f} MiB"


def line_of(row):
    what = "" if row["mode"] == "op" else "encoder, "
    speed = "–" if row["speed"] is None else f"{row['speed']:.2f}"
    return (f"| {what}{row['tokens']} | {row['attention']} | {cost(row['milliseconds'], row['bytes'])} | {row['rival']} | "
            f"{cost(row['rival_milliseconds'], row['rival_bytes'])} | {speed} | {row.get('kernels', '–')} |")


def table(result):
    return "\n".join(["| tokens | Attnscope | | PyTorch | | speed | instruction set |", "|---" * 7 + "|"] + [line_of(row) for row in result["rows"]]) + told(result)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default=os.path.join(os.path.dirname(__file__), "../../build/release/tests/bench/bench_attention"))
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="of measuring, for each engine and round")
    parser.add_argument("--only", metavar="METHOD|TOKENS", help="rows of this attention or of so many tokens")
    parser.add_argument("--out")
    parser.add_argument("--table", metavar="JSON")
    for hidden in ("--worker", "--tokens"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        work(arguments.worker, int(arguments.tokens), arguments.threads)
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
