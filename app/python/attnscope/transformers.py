"""Other attention in vision models of the Transformers library.

>>> import attnscope.transformers
>>> attnscope.transformers.register()
>>> model.set_attn_implementation("attnscope")
>>> attnscope.transformers.configure(model, "0-3=softmax;4-11=lara:samples=49", prefix=1)
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ._operators import attention, specs_of_layers

NAME = "attnscope"


@dataclass
class Setting:
    """What one attention module computes."""

    spec: str  #: canonical, of this layer
    layer: int
    seed: int
    prefix: int  #: class tokens and registers
    grid: tuple[int, int] | None  #: rows and columns of the patches; None: a line


def _attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    **options,
) -> tuple[torch.Tensor, None]:
    """(B,H,N,D) each → (B,N,H,D) and no weights, as the library expects it."""
    name = type(module).__name__
    if getattr(module, "is_causal", False) or options.get("is_causal"):
        raise NotImplementedError(f"attnscope: {name} is causal, and a mask can't be part of replaced attention: register vision towers only.")
    if attention_mask is not None:
        raise NotImplementedError(f"attnscope: {name} adds a mask or bias, which has no place in replaced attention.")
    if dropout > 0:
        raise NotImplementedError("attnscope: replaced attention has no dropout: set attention_probs_dropout_prob to 0, or call eval().")
    if options.get("output_attentions"):
        raise NotImplementedError("attnscope: replaced attention has no matrix of weights: leave out output_attentions.")
    setting: Setting = getattr(module, "_attnscope", Setting("softmax", 0, 0, 0, None))
    if setting.spec == "native":
        out = torch.nn.functional.scaled_dot_product_attention(query, key, value, scale=scaling)
        return out.transpose(1, 2).contiguous(), None
    grid, prefix = setting.grid, setting.prefix
    if grid is None or prefix + grid[0] * grid[1] != query.shape[2]:
        grid, prefix = None, 0
    out = attention(query, key, value, setting.spec, seed=setting.seed, layer=setting.layer, grid=grid, prefix=prefix, scale=scaling)
    return out.transpose(1, 2).contiguous(), None


def register() -> None:
    """Makes ``"attnscope"`` an attention implementation of the Transformers library, for ``set_attn_implementation`` and ``from_pretrained``."""
    from transformers import AttentionInterface

    AttentionInterface.register(NAME, _attend)


def configure(model: torch.nn.Module, spec: str, *, seed: int = 0, prefix: int = 0, grid: tuple[int, int] | None = None) -> list[str]:
    """Chooses the attention of a model whose implementation is ``"attnscope"``.

    Parameters
    ----------
    model : torch.nn.Module
        A vision model of the library, or its vision tower.
    spec : str
        A specification, of one attention or of one for each layer.
    seed : int
        Of random attention.
    prefix, grid
        Tokens before the patches, and rows and columns of these; without a grid tokens form a line.

    Returns
    -------
    list of str
        The modules, in the order of their layers.

    Raises
    ------
    ValueError
        If the specification is wrong or names a layer that there is not, or the model has no attention to choose, or causal attention.

    Notes
    -----
    Some text models say only when they run that they are causal: they then raise NotImplementedError.
    """
    modules = [(name, module) for name, module in model.named_modules() if hasattr(module, "is_causal") and hasattr(module, "config")]
    if not modules:
        raise ValueError(f"no attention that can be replaced was found in {type(model).__name__}.")
    causal = [name for name, module in modules if module.is_causal]
    if causal:
        raise ValueError(f"{causal[0]} is causal, and a mask can't be part of replaced attention: configure the vision tower only.")
    for layer, ((_, module), own) in enumerate(zip(modules, specs_of_layers(spec, len(modules), type(model).__name__))):
        module._attnscope = Setting(own, layer, seed, prefix, grid)
    return [name for name, _ in modules]
