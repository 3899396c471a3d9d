"""Efficient attention for vision transformers, as PyTorch operators.

``attention(q, k, v, "lara:samples=49")`` computes any of Attnscope's attention backends, ``patch(model, spec)`` puts them into a timm
network, ``attnscope.transformers.register()`` into a vision model of the Transformers library, and ``compare(model, batch, specs)`` measures
what each costs and saves. Specifications are those of ``attnscope-cli`` (``attnscope-cli backends`` lists them).

Importing loads the library of operators and nothing else beyond torch.
"""

from ._compare import compare
from ._operators import __version__, attention, canonical, implied_weights, methods
from ._patch import Patch, Site, patch

__all__ = ["Patch", "Site", "__version__", "attention", "canonical", "compare", "implied_weights", "methods", "patch"]
