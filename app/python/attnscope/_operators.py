"""Loads the library of operators and tells PyTorch what it must know of them: shapes of fake tensors, gradients, autocast."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Sequence

import torch

from ._build import TORCH_VERSION, VERSION

__version__ = VERSION


def _load() -> None:
    """Loads the library into this process. A library made for another torch would not load, or worse, would."""
    running = ".".join(torch.__version__.split("+")[0].split(".")[:2])
    if running != TORCH_VERSION:
        raise ImportError(
            f"attnscope {VERSION} was made for torch {TORCH_VERSION}; this is torch {torch.__version__}: "
            f"install torch=={TORCH_VERSION}.* or another attnscope."
        )
    library = Path(__file__).with_name("_library.so")
    if not library.exists():
        raise ImportError(f"{library} is missing: install the wheel of attnscope, or build it by packaging/wheel.sh.")
    torch.ops.load_library(library)


_load()
_operators = torch.ops.attnscope


@torch.library.register_fake("attnscope::attention")
def _(q, k, v, spec, **rest):
    # Token-major in memory, as the kernels write it.
    return q.new_empty(q.shape[0], q.shape[2], q.shape[1], v.shape[3]).transpose(1, 2)


@torch.library.register_fake("attnscope::attention_backward")
def _(grad, q, k, v, spec, **rest):
    return tuple(torch.empty(x.shape, dtype=x.dtype, device=x.device) for x in (q, k, v))


@torch.library.register_fake("attnscope::implied_weights")
def _(q, k, v, rows, spec, **rest):
    dtype = torch.float64 if q.dtype == torch.float64 else torch.float32
    return q.new_empty(q.shape[0], q.shape[1], k.shape[2], dtype=dtype)


def _setup(ctx, inputs, keyword_only_inputs, output):
    ctx.save_for_backward(*inputs[:3])
    ctx.spec, ctx.options = inputs[3], keyword_only_inputs


def _backward(ctx, grad):
    return (*_operators.attention_backward(grad, *ctx.saved_tensors, ctx.spec, **ctx.options), None)


def _autocast(device: str):
    """As for PyTorch's attention: in autocast's own type. The rule of torch.library takes no keyword arguments."""

    def cast(q, k, v, spec, **options):
        own = torch.get_autocast_dtype(device)
        tensors = [x.to(own) if x.is_floating_point() and x.dtype != torch.float64 else x for x in (q, k, v)]
        with torch.autocast(device, enabled=False):
            return _operators.attention(*tensors, spec, **options)

    return cast


torch.library.register_autograd("attnscope::attention", _backward, setup_context=_setup)
_autocast_rules = torch.library.Library("attnscope", "FRAGMENT")  # as long as it lives
for _device in ("cpu", "cuda"):
    _autocast_rules.impl("attention", _autocast(_device), "Autocast" + _device.upper())


def _options(seed: int, layer: int, grid: Sequence[int] | None, prefix: int, scale: float | None) -> dict[str, Any]:
    """Keyword arguments of the operators."""
    return {"seed": seed, "layer": layer, "grid": None if grid is None else list(grid), "prefix": prefix, "scale": scale}


def attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    spec: str = "softmax",
    *,
    seed: int = 0,
    layer: int = 0,
    grid: Sequence[int] | None = None,
    prefix: int = 0,
    scale: float | None = None,
) -> torch.Tensor:
    """Attention of queries to keys by any backend of Attnscope.

    Parameters
    ----------
    q : torch.Tensor
        Queries, (batch, heads, queries, channels): float32, float64, float16 or bfloat16.
    k, v : torch.Tensor
        Keys (batch, heads, keys, channels) and values (batch, heads, keys, value channels), of the type and device of ``q``.
    spec : str
        A specification, such as ``"lara:samples=49"``; of one for each layer (``"0-3=softmax;4-11=lara"``) that of ``layer``.
    seed, layer : int
        Random numbers are drawn from these and the element's place in the batch: the same call returns the same bits, whatever
        ``torch.manual_seed`` says.
    grid : sequence of int, optional
        Rows and columns, or frames, rows and columns, of the queries behind ``prefix`` of them; without it tokens form a line.
    prefix : int
        Tokens before the grid: class tokens and registers.
    scale : float, optional
        Factor of the logits; 1/√channels if left out.

    Returns
    -------
    torch.Tensor
        (batch, heads, queries, value channels), of the type of ``q``.

    Raises
    ------
    ValueError
        For shapes, types and specifications that don't fit, in the program's own sentence.
    NotImplementedError
        For what a backend can't do, such as a gradient.
    """
    return _operators.attention(q, k, v, spec, **_options(seed, layer, grid, prefix, scale))


def implied_weights(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    rows: torch.Tensor,
    spec: str = "softmax",
    *,
    seed: int = 0,
    layer: int = 0,
    grid: Sequence[int] | None = None,
    prefix: int = 0,
    scale: float | None = None,
) -> torch.Tensor:
    """The weights of the values that a backend effectively applies: Σ_n rows_n W_nm with output_n = Σ_m W_nm v_m.

    Parameters
    ----------
    rows : torch.Tensor
        (batch, heads, queries): one-hot rows give the weights of one query.
    q, k, v, spec, seed, layer, grid, prefix, scale
        As in :func:`attention`.

    Returns
    -------
    torch.Tensor
        (batch, heads, keys), float32, or float64 if the inputs are.
    """
    return _operators.implied_weights(q, k, v, rows, spec, **_options(seed, layer, grid, prefix, scale))


def canonical(spec: str) -> str:
    """The canonical spelling of a specification, by which results name it. Raises ValueError, naming the alternatives."""
    return _operators.canonical(spec)


def specs_of_layers(spec: str, layers: int, network: str) -> list[str]:
    """The canonical specification of each of a network's layers; ``"native"`` where none is named. Raises ValueError for one beyond them."""
    spec = canonical(spec)
    for part in spec.split(";"):
        last = part.split("=")[0].split("-")[-1]  # canonical parts name a layer or a range
        if part[:1].isdigit() and int(last) >= layers:
            raise ValueError(f"{spec}: layer {last} is out of range for the {layers} attention layers of {network}.")
    return [_operators.spec_of_layer(spec, layer) for layer in range(layers)]


def methods() -> list[dict[str, Any]]:
    """All backends: name, title, help, citation, complexity, kind, whether it is random, and the names of its options."""
    return json.loads(_operators.methods())
