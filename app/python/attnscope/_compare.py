"""Accuracy, time and error of several attentions in one network."""

from __future__ import annotations

import time
from typing import Any, Sequence

import torch

from ._operators import attention
from ._patch import Patch, _Layer


class _Watched:
    """A patched layer that also measures the error of other attentions at its own queries, keys and values."""

    def __init__(self, layer: _Layer, watched: list[list[tuple[float, float]]], specs: Sequence[str]) -> None:
        self.layer, self.watched, self.specs = layer, watched, specs

    def __call__(self, q, k, v, scale):
        exact = self.layer(q, k, v, scale)
        grid, prefix = self.layer.patch._grid_of(q.shape[2])
        for errors, spec in zip(self.watched, self.specs):
            options = {"seed": self.layer.patch.seed, "layer": self.layer.number, "grid": grid, "prefix": prefix, "scale": scale}
            out = attention(q, k, v, spec, **options).double()
            mse = (out - exact.double()).pow(2).mean(dim=(0, 2, 3))  # of each head
            zero = exact.double().pow(2).mean(dim=(0, 2, 3))
            errors.append((mse.mean().item(), (mse / zero).sqrt().mean().item()))
        return exact


def _quantile(values: list[float], part: float) -> float:
    return torch.tensor(values, dtype=torch.float64).quantile(part).item()


def _top(logits: torch.Tensor, count: int = 5) -> list[list[dict[str, Any]]]:
    values, classes = logits.double().softmax(-1).topk(min(count, logits.shape[-1]))
    return [[{"index": c, "probability": p} for c, p in zip(row, chances)] for row, chances in zip(classes.tolist(), values.tolist())]


def compare(
    model: torch.nn.Module,
    batch: torch.Tensor,
    specs: Sequence[str],
    *,
    seed: int = 0,
    repetitions: int = 10,
    error: bool = True,
) -> list[dict[str, Any]]:
    """Runs a network with each attention on the same batch and measures what it costs.

    Parameters
    ----------
    model : torch.nn.Module
        As for :func:`patch`.
    batch : torch.Tensor
        Its input: (batch, 3, height, width).
    specs : sequence of str
        Specifications; ``"native"`` is the network as it is.
    seed : int
        Of random attention.
    repetitions : int
        Timed passes of each attention, interleaved, after two that are not timed.
    error : bool
        Whether to measure the error of each attention against softmax at the same queries, keys and values, which takes a pass.

    Returns
    -------
    list of dict
        One for each specification, with the keys of ``attnscope-cli compare --json``: ``attention``; ``top`` (of each element of the batch, unless
        the network returns no logits); ``latency_ms`` (``median``, ``p05``, ``p95``, ``repetitions``); ``error`` (``mse``, ``relative``, and ``layers``
        with the same of each), against softmax; ``end_to_end`` (``kl`` in nats, ``top1_agreement``), against the network as it is.
    """
    training = model.training
    model.eval()
    patches: list[Patch | None] = []
    for spec in specs:
        patches.append(None if spec == "native" else Patch(model, spec, seed=seed, example=batch[:1]))
        if patches[-1] is not None:
            patches[-1].undo()
    records: list[dict[str, Any]] = []
    try:
        with torch.inference_mode():
            own = model(batch)
            outputs = [_run(model, batch, patched) for patched in patches]
            errors = _errors(model, batch, patches, seed) if error else [[] for _ in specs]
            times = _times(model, batch, patches, repetitions)
    finally:
        model.train(training)
    for i, (spec, out) in enumerate(zip(specs, outputs)):
        record: dict[str, Any] = {"attention": spec if patches[i] is None else patches[i].spec}
        if out.dim() == 2:
            record["top"] = _top(out)
        record["latency_ms"] = {
            "median": _quantile(times[i], 0.5),
            "p05": _quantile(times[i], 0.05),
            "p95": _quantile(times[i], 0.95),
            "repetitions": repetitions,
        }
        if errors[i]:
            layers = [{"mse": mse, "relative": relative} for mse, relative in errors[i]]
            record["error"] = {key: sum(layer[key] for layer in layers) / len(layers) for key in ("mse", "relative")} | {"layers": layers}
        if out.dim() == 2:
            logs, reference = out.double().log_softmax(-1), own.double().log_softmax(-1)
            record["end_to_end"] = {
                "kl": (reference.exp() * (reference - logs)).sum(-1).mean().item(),
                "top1_agreement": (out.argmax(-1) == own.argmax(-1)).double().mean().item(),
            }
        records.append(record)
    return records


def _run(model: torch.nn.Module, batch: torch.Tensor, patched: Patch | None) -> torch.Tensor:
    if patched is None:
        return model(batch)
    patched.place()
    try:
        return model(batch)
    finally:
        patched.undo()


def _errors(model: torch.nn.Module, batch: torch.Tensor, patches: Sequence[Patch | None], seed: int) -> list[list[tuple[float, float]]]:
    errors: list[list[tuple[float, float]]] = [[] for _ in patches]
    measured = [(patched.spec, into) for patched, into in zip(patches, errors) if patched is not None]
    with Patch(model, "softmax", seed=seed, example=batch[:1]) as exact:
        for module, layer, _ in exact._layers:
            module._attnscope = _Watched(layer, [into for _, into in measured], [spec for spec, _ in measured])
        model(batch)
    return errors


def _times(model: torch.nn.Module, batch: torch.Tensor, patches: Sequence[Patch | None], repetitions: int) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in patches]
    for repetition in range(repetitions + 2):
        for patched, taken in zip(patches, times):
            begin = time.perf_counter()
            _run(model, batch, patched)
            if batch.is_cuda:
                torch.cuda.synchronize()
            if repetition >= 2:
                taken.append((time.perf_counter() - begin) * 1e3)
    return times
