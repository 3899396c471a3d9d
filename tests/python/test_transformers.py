"""Vision models of the Transformers library with other attention."""

import pytest
import torch

transformers = pytest.importorskip("transformers")

import attnscope.transformers as own  # noqa: E402


def vit():
    config = transformers.ViTConfig(hidden_size=48, num_hidden_layers=3, num_attention_heads=3, intermediate_size=96, image_size=64, patch_size=8)
    torch.manual_seed(0)
    return transformers.ViTModel(config).eval()


def picture(size=64):
    return torch.randn(2, 3, size, size, generator=torch.Generator().manual_seed(1))


def test_softmax_is_the_models_own_and_back():
    own.register()
    model, x = vit(), picture()
    with torch.inference_mode():
        before = model(x).last_hidden_state
        model.set_attn_implementation("attnscope")
        assert len(own.configure(model, "softmax", prefix=1, grid=(8, 8))) == 3
        assert torch.allclose(model(x).last_hidden_state, before, atol=1e-5)
        own.configure(model, "0=softmax;1-2=lara:samples=16", prefix=1, grid=(8, 8))
        assert not torch.allclose(model(x).last_hidden_state, before, atol=1e-3)
        model.set_attn_implementation("sdpa")
        assert torch.equal(model(x).last_hidden_state, before)


def test_autocast_goes_forward_and_backward():
    own.register()
    model, x = vit(), picture()
    model.set_attn_implementation("attnscope")
    for spec in ("softmax", "lara:samples=16"):
        own.configure(model, spec, prefix=1, grid=(8, 8))
        with torch.autocast("cpu", torch.bfloat16):
            out = model(x).last_hidden_state
            out.float().square().sum().backward()
        assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


def test_causal_models_are_refused():
    own.register()
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "vocab_size": 99}
    with pytest.raises(ValueError, match="causal"):
        own.configure(transformers.GPT2Model(transformers.GPT2Config(n_embd=32, n_layer=2, n_head=2, vocab_size=99)), "softmax")
    model = transformers.CLIPTextModel(transformers.CLIPTextConfig(**sizes, bos_token_id=1, eos_token_id=2)).eval()
    model.set_attn_implementation("attnscope")
    with pytest.raises(NotImplementedError, match="causal|mask"):
        model(torch.tensor([[1, 2, 3]]))


def test_layers_that_are_not_there_are_an_error():
    own.register()
    model = vit()
    model.set_attn_implementation("attnscope")
    with pytest.raises(ValueError, match="out of range"):
        own.configure(model, "5=lara")
