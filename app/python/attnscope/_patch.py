"""Other attention in a timm network, and back."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any, Iterator

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from ._operators import attention, canonical, specs_of_layers

_SDPA = functional.scaled_dot_product_attention


@dataclass
class Site:
    """A place of a network where attention is computed."""

    layer: int | None  #: number by which specifications name it; None if it can't be replaced
    module: str  #: "blocks.3.attn"
    kind: str  #: class of the module
    queries: int  #: of the pass on which sites were found
    keys: int
    heads: int
    spec: str | None = None  #: canonical specification; None: its own attention
    grid: tuple[int, int] | None = None  #: rows and columns of the tokens behind the prefix; None: a line
    prefix: int = 0
    replaced: bool = False
    reason: str = ""  #: why not, or how

    def __str__(self) -> str:
        where = f"{self.module} ({self.kind})"
        return f"layer {self.layer}: {where}: {self.spec}" if self.replaced else f"{where}: its own attention: {self.reason}"


@dataclass
class _Layer:
    """What a patched module needs."""

    patch: "Patch"
    number: int
    spec: str

    def __call__(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None) -> torch.Tensor:
        grid, prefix = self.patch._grid_of(q.shape[2])
        return attention(q, k, v, self.spec, seed=self.patch.seed, layer=self.number, grid=grid, prefix=prefix, scale=scale)


class _Recorder(TorchFunctionMode):
    """Notes which module asks for attention, and of what."""

    def __init__(self) -> None:
        super().__init__()
        self.modules: list[str] = []
        self.calls: list[tuple[str, tuple, tuple, bool]] = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function is _SDPA and self.modules:
            q, k, _, mask, _, causal = _arguments(*args, **kwargs)
            self.calls.append((self.modules[-1], tuple(q.shape), tuple(k.shape), mask is not None or causal))
        return function(*args, **kwargs)


class _Interceptor(TorchFunctionMode):
    """Computes the attention of one module by another backend."""

    def __init__(self, layer: _Layer) -> None:
        super().__init__()
        self.layer = layer

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function is not _SDPA:
            return function(*args, **kwargs)
        q, k, v, mask, dropout, causal = _arguments(*args, **kwargs)
        _refuse(mask, dropout, causal)
        return self.layer(q, k, v, kwargs.get("scale"))


def _arguments(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, **_):
    return query, key, value, attn_mask, dropout_p, is_causal


def _refuse(mask: Any, dropout: float, causal: bool) -> None:
    if mask is not None or causal:
        raise NotImplementedError("attnscope: a mask or bias can't be added to replaced attention: leave this network's attention as it is.")
    if dropout > 0:
        raise NotImplementedError("attnscope: replaced attention has no dropout: set attn_drop to 0, or call eval().")


def _own_forward(self, x: torch.Tensor, attn_mask: torch.Tensor | None = None, is_causal: bool = False) -> torch.Tensor:
    """What timm's Attention computes, with other attention: (B,N,C) → (B,N,C)."""
    _refuse(attn_mask, self.attn_drop.p if self.training else 0.0, is_causal)
    batch, tokens, _ = x.shape
    q, k, v = self.qkv(x).reshape(batch, tokens, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4).unbind(0)
    y = self._attnscope(self.q_norm(q), self.k_norm(k), v, self.scale)
    y = self.norm(y.transpose(1, 2).reshape(batch, tokens, self.attn_dim))
    if self.gate is not None:
        y = y * self.gate(x).sigmoid()
    return self.proj_drop(self.proj(y))


def _intercepted_forward(self, *args, **kwargs):
    with _Interceptor(self._attnscope):
        return type(self).forward(self, *args, **kwargs)


def _computes_the_same(module: torch.nn.Module, tokens: int) -> bool:
    """Whether `_own_forward` with exact attention is the module's own: another release of timm may compute something else."""
    try:
        weight = module.qkv.weight
        x = torch.randn(2, tokens, weight.shape[1], dtype=weight.dtype, device=weight.device)
        module._attnscope = lambda q, k, v, scale: _SDPA(q, k, v, scale=scale)
        return torch.allclose(_own_forward(module, x), type(module).forward(module, x), rtol=1e-4, atol=1e-5)
    except (AttributeError, RuntimeError, TypeError, ValueError):
        return False
    finally:
        module.__dict__.pop("_attnscope", None)


def _parameter(model: torch.nn.Module) -> torch.Tensor:
    for parameter in model.parameters():
        return parameter
    raise ValueError(f"no attention that can be replaced was found in {type(model).__name__}: it has no parameters.")


def _example(model: torch.nn.Module) -> torch.Tensor:
    """An input of the size for which the network was made."""
    settings = getattr(model, "pretrained_cfg", None) or getattr(model, "default_cfg", None) or {}
    size = settings.get("input_size") if isinstance(settings, dict) else getattr(settings, "input_size", None)
    embed = getattr(model, "patch_embed", None)
    if getattr(embed, "img_size", None) is not None:
        size = (3, *embed.img_size)
    if size is None:
        raise ValueError(f"the input of {type(model).__name__} is unknown: give example=, a tensor that it takes.")
    weight = _parameter(model)
    return torch.zeros(1, *size, dtype=weight.dtype, device=weight.device)


def _run(model: torch.nn.Module, example: torch.Tensor) -> list[tuple[str, tuple, tuple, bool]]:
    recorder = _Recorder()
    handles = []
    for name, module in model.named_modules():
        handles.append(module.register_forward_pre_hook(lambda *_, name=name: recorder.modules.append(name)))
        handles.append(module.register_forward_hook(lambda *_: recorder.modules.pop() and None))
    training = model.training
    try:
        with torch.no_grad(), recorder:
            model.eval()(example)
    finally:
        model.train(training)
        for handle in handles:
            handle.remove()
    return recorder.calls


def _run_fused(model: torch.nn.Module, example: torch.Tensor, modules: list[torch.nn.Module]) -> list[tuple[str, tuple, tuple, bool]]:
    """What these modules would ask for with fused attention; nothing where they do not know it."""
    try:
        for module in modules:
            module.fused_attn = True
        return _run(model, example)
    except (AttributeError, RuntimeError, TypeError, ValueError):
        return []
    finally:
        for module in modules:
            module.fused_attn = False


def _why_not(call: tuple[str, tuple, tuple, bool], calls: list[tuple[str, tuple, tuple, bool]], example: torch.Tensor) -> str:
    """Why the attention of this call can't be replaced; empty if it can."""
    name, q, k, masked = call
    if masked:
        return "a mask or bias is added to its logits"
    if len(q) != 4:
        return f"its queries have {len(q)} dimensions, as those of windows"
    if q[0] != example.shape[0]:
        return f"it attends within windows or groups: {q[0]} for {example.shape[0]} in the batch"
    if q[1] != k[1]:
        return "its keys have fewer heads"
    if q[-2] != k[-2]:
        return f"it has {q[-2]} queries and {k[-2]} keys"
    if sum(other == name for other, *_ in calls) > 1:
        return "the module asks for attention more than once"
    return ""


class Patch:
    """A network with other attention, until :meth:`undo`, or the end of a ``with`` block."""

    def __init__(self, model: torch.nn.Module, spec: str, *, seed: int = 0, example: torch.Tensor | None = None) -> None:
        self.model, self.spec, self.seed = model, canonical(spec), seed
        self.sites: list[Site] = []
        self._layers: list[tuple[torch.nn.Module, _Layer, Any]] = []
        if any("_attnscope" in vars(module) for module in model.modules()):
            raise ValueError(f"the attention of this {type(model).__name__} is replaced already: undo that first.")
        self._prefix = int(getattr(model, "num_prefix_tokens", 0))
        self._grid: tuple[int, int] | None = None
        self._hook = model.register_forward_pre_hook(self._look_at_input)
        try:
            self._find(_example(model) if example is None else example)
            self._choose()
            self.place()
        except BaseException:
            self.undo()
            raise

    def __enter__(self) -> "Patch":
        return self

    def __exit__(self, *_: Any) -> None:
        self.undo()

    def __iter__(self) -> Iterator[Site]:
        return iter(self.sites)

    def __str__(self) -> str:
        return "\n".join(map(str, self.sites))

    def undo(self) -> None:
        """Gives the network its own attention again: the same bits as before."""
        self._hook.remove()
        for module, _, _ in self._layers:
            module.__dict__.pop("forward", None)
            module.__dict__.pop("_attnscope", None)

    def place(self) -> None:
        """Replaces attention again after :meth:`undo`."""
        self._hook.remove()
        self._hook = self.model.register_forward_pre_hook(self._look_at_input)
        for module, layer, forward in self._layers:
            module._attnscope = layer
            module.forward = types.MethodType(forward, module)

    def _look_at_input(self, model: torch.nn.Module, args: tuple) -> None:
        patch = getattr(getattr(model, "patch_embed", None), "patch_size", None)
        if patch is None or not args or args[0].dim() != 4:
            return
        rows, columns = (patch, patch) if isinstance(patch, int) else patch
        self._grid = (args[0].shape[-2] // rows, args[0].shape[-1] // columns)

    def _grid_of(self, tokens: int) -> tuple[list[int] | None, int]:
        """The grid of so many tokens, and those before it; a line if they are others than the input's patches."""
        if self._grid is not None and self._prefix + self._grid[0] * self._grid[1] == tokens:
            return list(self._grid), self._prefix
        return None, 0

    def _find(self, example: torch.Tensor) -> None:
        modules = dict(self.model.named_modules())
        calls = _run(self.model, example)
        called = {name for name, *_ in calls}
        # Without fused attention nothing asks for it. What would be asked for says whether that is why it stays.
        unfused = {name: module for name, module in modules.items() if name not in called and getattr(module, "fused_attn", None) is False and hasattr(module, "num_heads")}
        fused = _run_fused(self.model, example, list(unfused.values())) if unfused else []
        for name, module in unfused.items():
            reasons = [_why_not(call, fused, example) for call in fused if call[0] == name]
            reason = next(filter(None, reasons), "its fused_attn is off: set it to True on the module")
            self.sites.append(Site(None, name, type(module).__name__, 0, 0, int(module.num_heads), reason=reason))
        layer = 0
        for call in calls:
            name, q, k, _ = call
            site = Site(None, name, type(modules[name]).__name__, q[-2], k[-2], q[1] if len(q) == 4 else 0, reason=_why_not(call, calls, example))
            if not site.reason:
                site.layer, layer = layer, layer + 1
            self.sites.append(site)

    def _choose(self) -> None:
        layers = [site for site in self.sites if site.layer is not None]
        if not layers:
            reasons = "; ".join(sorted({site.reason for site in self.sites}))
            raise ValueError(f"no attention that can be replaced was found in {type(self.model).__name__}" + (f" ({reasons})." if reasons else "."))
        modules = dict(self.model.named_modules())
        for site, spec in zip(layers, specs_of_layers(self.spec, len(layers), type(self.model).__name__)):
            if spec == "native":
                site.reason = "the specification leaves this layer as it is"
                continue
            module = modules[site.module]
            own = site.kind == "Attention" and _computes_the_same(module, site.queries)
            site.spec, site.replaced, site.reason = spec, True, "own forward" if own else "interception"
            grid, site.prefix = self._grid_of(site.queries)
            site.grid = None if grid is None else (grid[0], grid[1])
            self._layers.append((module, _Layer(self, site.layer, spec), _own_forward if own else _intercepted_forward))


def patch(model: torch.nn.Module, spec: str, *, seed: int = 0, example: torch.Tensor | None = None) -> Patch:
    """Replaces the attention of a network, for good or for a ``with`` block.

    Parameters
    ----------
    model : torch.nn.Module
        A network of timm, or another whose attention is ``scaled_dot_product_attention``.
    spec : str
        A specification: ``"lara:samples=49"``, or ``"0-3=softmax;4-11=lara"`` with one for each layer. Layers are counted as
        ``attnscope-cli`` counts them: self-attention over all tokens, in the order of the pass.
    seed : int
        Of random attention; layers draw apart.
    example : torch.Tensor, optional
        An input, on which attention is looked for; zeros of the network's own size if left out.

    Returns
    -------
    Patch
        ``.sites`` says of each attention what it is now and why, ``.undo()`` restores the network.

    Raises
    ------
    ValueError
        If the specification is wrong or names a layer that there is not, or nothing can be replaced, or it is already.

    Notes
    -----
    Patch before ``torch.compile``, and undo before pickling. Attention with masks, biases, dropout or fewer key heads stays as it is, and
    ``.sites`` says so.
    """
    return Patch(model, spec, seed=seed, example=example)
