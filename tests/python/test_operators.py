"""Operators against PyTorch's own attention and the promises of custom operators."""

import subprocess
import sys

import pytest
import torch
from torch.nn import functional

import attnscope

METHODS = [method["name"] for method in attnscope.methods() if method["name"] != "sra"]  # sra needs a network with reduced keys
# Those with options that fit 49 tokens on a grid of 7 × 7.
SPECS = {"lara": "lara:samples=49", "nystrom": "nystrom:samples=49", "lsh": "lsh:buckets=4", "clustered": "clustered:samples=4"}


def spec_of(method):
    return SPECS.get(method, method)


def made(*sizes, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*sizes, generator=generator).to(dtype)


def test_softmax_is_that_of_torch():
    q, k, v = made(2, 3, 50, 16), made(2, 3, 30, 16, seed=1), made(2, 3, 30, 8, seed=2)
    assert torch.allclose(attnscope.attention(q, k, v), functional.scaled_dot_product_attention(q, k, v), atol=1e-6)
    assert torch.allclose(attnscope.attention(q, k, v, scale=0.5), functional.scaled_dot_product_attention(q, k, v, scale=0.5), atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_types_stay(dtype):
    x = made(1, 2, 49, 16, dtype=dtype)
    out = attnscope.attention(x, x, x, "performer:samples=32", grid=(7, 7))
    wide = attnscope.attention(x.float(), x.float(), x.float(), "performer:samples=32", grid=(7, 7))
    assert out.dtype == dtype and torch.allclose(out.float(), wide, atol=2e-2)


@pytest.mark.parametrize("method", METHODS)
def test_opcheck(method):
    spec = spec_of(method)
    x = made(1, 2, 49, 16)
    options = {"grid": [7, 7]}
    torch.library.opcheck(torch.ops.attnscope.attention.default, (x, x, x, spec), options)


@pytest.mark.parametrize("spec", ["softmax", "performer:samples=16", "lara:samples=49", "rfa:samples=16", "nystrom:samples=49", "elu"])
def test_gradients(spec):
    leaves = [made(1, 2, 49, 8, dtype=torch.float64, seed=i).requires_grad_() for i in range(3)]

    def run(q, k, v):
        return torch.ops.attnscope.attention(q, k, v, spec, grid=[7, 7], seed=3)

    direction = made(1, 2, 49, 8, dtype=torch.float64, seed=9)
    gradients = torch.autograd.grad((run(*leaves) * direction).sum(), leaves)
    step = 1e-6
    for i, gradient in enumerate(gradients):
        moved = made(1, 2, 49, 8, dtype=torch.float64, seed=20 + i)
        ends = []
        for sign in (1, -1):
            changed = [leaf.detach() + (sign * step * moved if j == i else 0) for j, leaf in enumerate(leaves)]
            ends.append((run(*changed) * direction).sum())
        slope = (ends[0] - ends[1]) / (2 * step)
        assert torch.allclose((gradient * moved).sum(), slope, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("spec", ["softmax", "lara:samples=49", "wildcat:samples=16"])
def test_compiled_and_exported(spec):
    class Network(torch.nn.Module):
        def forward(self, x):
            return attnscope.attention(x * 2, x, x, spec, grid=(7, 7)) + 1

    x = made(2, 2, 49, 16)
    eager = Network()(x)
    compiled = torch.compile(Network(), fullgraph=True, backend="aot_eager")(x)
    assert torch.equal(compiled, eager)
    assert torch.equal(torch.export.export(Network(), (x,)).module()(x), eager)


def test_random_numbers_come_from_seed_and_layer():
    x = made(2, 2, 49, 16)

    def run(**options):
        return attnscope.attention(x, x, x, "performer:samples=16", grid=(7, 7), **options)

    first = run(seed=1)
    torch.manual_seed(5)
    assert torch.equal(run(seed=1), first)
    assert not torch.equal(run(seed=2), first) and not torch.equal(run(seed=1, layer=3), first)


def test_mixed_specifications_name_layers():
    x = made(1, 2, 49, 16)
    mixed = "0-3=softmax;4-11=lara:samples=49"
    assert torch.equal(attnscope.attention(x, x, x, mixed, layer=2, grid=(7, 7)), attnscope.attention(x, x, x, "softmax", layer=2, grid=(7, 7)))
    assert torch.equal(attnscope.attention(x, x, x, mixed, layer=5, grid=(7, 7)), attnscope.attention(x, x, x, "lara:samples=49", layer=5, grid=(7, 7)))
    assert attnscope.canonical("lara:samples=49") == "lara"


def test_implied_weights_are_those_of_softmax():
    q, k, v = made(1, 2, 9, 8), made(1, 2, 7, 8, seed=1), made(1, 2, 7, 8, seed=2)
    rows = torch.zeros(1, 2, 9)
    rows[..., 4] = 1
    expected = (q @ k.transpose(-1, -2) / 8**0.5).softmax(-1)[:, :, 4]
    assert torch.allclose(attnscope.implied_weights(q, k, v, rows), expected, atol=1e-6)


def test_meta_tensors_and_autocast():
    x = torch.empty(1, 2, 49, 16, device="meta")
    out = attnscope.attention(x, x, x)
    assert out.shape == (1, 2, 49, 16) and out.device.type == "meta"
    y = made(1, 2, 49, 16)
    with torch.autocast("cpu", torch.bfloat16):
        assert attnscope.attention(y, y, y).dtype == torch.bfloat16


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("options", [{}, {"grid": (7, 7)}, {"seed": 3, "layer": 2, "grid": (6, 8), "prefix": 1, "scale": 0.3}])
def test_autocast_takes_every_option_forward_and_backward(dtype, options):
    q, k, v = (made(1, 2, 49, 16).requires_grad_() for _ in range(3))
    with torch.autocast("cpu", dtype):
        mixed = attnscope.attention(q, k.to(dtype), v, "performer", **options)  # norms leave float32, projections do not
        (own,) = torch.autograd.grad(mixed.float().square().sum(), q)
    assert mixed.dtype == dtype and own.dtype == torch.float32
    outside = attnscope.attention(q, k, v, "performer", **options)
    (exact,) = torch.autograd.grad(outside.square().sum(), q)
    assert (mixed.float() - outside).norm() < 0.03 * outside.norm()
    assert (own - exact).norm() < 0.1 * exact.norm()
    assert attnscope.attention(q.double(), k.double(), v.double()).dtype == torch.float64
    with torch.autocast("cpu", dtype):
        assert attnscope.attention(q.double(), k.double(), v.double(), **options).dtype == torch.float64


@pytest.mark.parametrize("shape", [(0, 2, 49, 16), (2, 2, 0, 16)])
def test_nothing_gives_an_empty_tensor_as_pytorchs_attention_does(shape):
    q, k, v = made(*shape).requires_grad_(), made(shape[0], 2, 49, 16), made(shape[0], 2, 49, 8)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    for spec in ("softmax", "lara:samples=49", "performer"):
        out = attnscope.attention(q, k, v, spec)
        assert out.shape == expected.shape == (*shape[:3], 8) and out.dtype == expected.dtype
        (gradient,) = torch.autograd.grad(out.sum(), q)
        assert gradient.shape == q.shape
    assert attnscope.implied_weights(q, k, v, made(*shape[:3])).shape == (shape[0], 2, 49)
    with pytest.raises(ValueError):
        attnscope.attention(q, made(3, 2, 49, 16), v)


@pytest.mark.parametrize(
    "change, error, said",
    [
        ({"spec": "nothing"}, ValueError, "nothing"),
        ({"spec": "lara:samples=50", "grid": (7, 7)}, ValueError, "50 is not a square"),
        ({"spec": "softmax;weights=int8"}, ValueError, "attention alone"),
        ({"grid": (5, 5)}, ValueError, "25 tokens"),
        ({"grid": (49,)}, ValueError, "rows and columns"),
        ({"prefix": -1}, ValueError, "negative"),
        ({"k": torch.zeros(1, 2, 49, 8)}, ValueError, "49"),
        ({"k": torch.zeros(2, 49, 16)}, ValueError, "dimensions"),
        ({"k": torch.zeros(1, 2, 49, 16, dtype=torch.float64)}, ValueError, "one floating type"),
        ({"q": torch.zeros(1, 2, 49, 16, dtype=torch.int64)}, ValueError, "floating"),
    ],
)
def test_errors_are_one_sentence(change, error, said):
    given = {"q": made(1, 2, 49, 16), "k": made(1, 2, 49, 16), "v": made(1, 2, 49, 16)} | change
    with pytest.raises(error, match=said) as caught:
        attnscope.attention(**given)
    assert "\n" not in str(caught.value).strip()


def test_import_loads_nothing_beyond_torch():
    code = (
        "import sys, torch; before = set(sys.modules); import attnscope;"
        "others = {m.split('.')[0] for m in set(sys.modules) - before} - {'attnscope'};"
        "print(sorted(m for m in others if m in ('timm', 'transformers', 'numpy', 'onnx', 'PIL')), 'torch._dynamo' in set(sys.modules) - before)"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == "[] False"


def test_another_torch_is_refused_before_the_library_is_loaded():
    code = "import torch; torch.__version__ = '2.15.0+cpu'\ntry:\n    import attnscope\nexcept ImportError as error:\n    print(error)"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "made for torch 2.11" in printed and "2.15.0" in printed
