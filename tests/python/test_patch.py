"""Networks of timm with other attention, against their own."""

import copy

import pytest
import torch

import attnscope

timm = pytest.importorskip("timm")


def network(name="deit_tiny_patch16_224", **options):
    torch.manual_seed(1)
    model = timm.create_model(name, pretrained=False, num_classes=10, **options).eval()
    return model


def picture(size=224, batch=2):
    return torch.randn(batch, 3, size, size, generator=torch.Generator().manual_seed(2))


@pytest.mark.parametrize(
    "name, how",
    [
        ("deit_tiny_patch16_224", "own forward"),
        ("vit_tiny_patch16_224", "own forward"),
        ("vit_small_patch14_reg4_dinov2", "own forward"),
        ("eva02_tiny_patch14_224", "interception"),
    ],
)
def test_softmax_changes_nothing(name, how):
    model, x = network(name, img_size=224) if "dinov2" in name else network(name), picture()
    with torch.inference_mode():
        own = model(x)
        with attnscope.patch(model, "softmax") as patched:
            assert all(site.replaced and site.reason == how for site in patched), str(patched)
            assert [site.layer for site in patched] == list(range(12))
            assert torch.allclose(model(x), own, rtol=1e-4, atol=1e-5)
        assert torch.equal(model(x), own)


@pytest.mark.parametrize("name", ["deit_tiny_patch16_224", "vit_small_patch14_reg4_dinov2", "eva02_tiny_patch14_224", "vit_small_patch16_rope_224"])
@pytest.mark.parametrize("spec", ["softmax", "performer"])
def test_autocast_goes_forward_and_backward(name, spec):
    model, x = network(name, img_size=224) if "dinov2" in name else network(name), picture(batch=1)
    with torch.autocast("cpu", torch.bfloat16):
        own = model(x)
    with attnscope.patch(model, spec), torch.autocast("cpu", torch.bfloat16):
        out = model(x)
        out.float().square().sum().backward()
    assert out.dtype == own.dtype and all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())
    assert sum(p.grad is not None for p in model.parameters()) > 100
    if spec == "softmax":
        assert (out - own).norm() < 0.05 * own.norm()


def test_windows_are_no_matter_of_fused_attention():
    with pytest.raises(ValueError) as refused:
        attnscope.patch(network("swin_tiny_patch4_window7_224"), "performer")
    assert "fused_attn" not in str(refused.value) and "bias" in str(refused.value)
    model = network("vit_tiny_patch16_224")
    for block in model.blocks:
        block.attn.fused_attn = False
    with pytest.raises(ValueError, match="fused_attn is off: set it to True"):
        attnscope.patch(model, "performer")
    assert not any(block.attn.fused_attn for block in model.blocks)


def test_layers_have_their_own_attention():
    model, x = network(), picture()
    with torch.inference_mode():
        own = model(x)
        with attnscope.patch(model, "0-3=softmax;4-11=lara:samples=49", seed=5) as patched:
            assert [site.spec for site in patched] == ["softmax"] * 4 + ["lara"] * 8
            assert patched.sites[0].grid == (14, 14) and patched.sites[0].prefix == 1
            first = model(x)
            assert torch.equal(model(x), first) and not torch.allclose(first, own, atol=1e-4)
        with attnscope.patch(model, "4=performer") as patched:
            assert [site.replaced for site in patched] == [layer == 4 for layer in range(12)]


def test_masks_and_other_keys_stay_and_are_said():
    with pytest.raises(ValueError, match="mask or bias"):
        attnscope.patch(network("vit_relpos_small_patch16_224"), "performer")
    patched = attnscope.patch(network("vit_tiny_patch16_224", global_pool="map", class_token=False), "softmax")
    assert patched.sites[-1].queries == 1 and not patched.sites[-1].replaced and "1 queries" in patched.sites[-1].reason
    with pytest.raises(ValueError, match="no attention that can be replaced was found in ResNet"):
        attnscope.patch(network("resnet18"), "softmax", example=picture(64))


def test_what_is_wrong_is_one_sentence_and_leaves_the_network_alone():
    model, x = network(), picture()
    own = model(x)
    for spec, said in (("nothing", "nothing"), ("12=lara", "layer 12 is out of range"), ("0-20=lara", "layer 20 is out of range"), ("lara:samples=50", "50 is not a square")):
        with pytest.raises(ValueError, match=said):
            with attnscope.patch(model, spec):
                model(x)
        assert torch.equal(model(x), own)


def test_a_network_is_patched_once():
    model = network()
    with attnscope.patch(model, "softmax"), pytest.raises(ValueError, match="replaced already"):
        attnscope.patch(model, "elu")


def test_dropout_in_training_is_refused():
    model = network(attn_drop_rate=0.1).train()
    with attnscope.patch(model, "softmax"), pytest.raises(NotImplementedError, match="dropout"):
        model(picture())


def test_gradients_reach_the_weights():
    model, x = network(), picture(batch=1)
    with attnscope.patch(model, "performer:samples=16"):
        model(x).square().sum().backward()
    assert model.blocks[0].attn.qkv.weight.grad.abs().sum() > 0


def test_copies_compute_on_their_own():
    model, x = network(), picture()
    with attnscope.patch(model, "softmax"), torch.inference_mode():
        other = copy.deepcopy(model)
        before = model(x)
        other.blocks[0].attn.qkv.weight.zero_()
        assert torch.equal(model(x), before) and not torch.equal(other(x), before)


def test_compiled_without_graph_breaks():
    model, x = network(), picture()
    with attnscope.patch(model, "0=softmax;1-11=lara:samples=49"), torch.inference_mode():
        expected = model(x)
        assert torch.allclose(torch.compile(model, fullgraph=True, backend="aot_eager")(x), expected, atol=1e-5)


def test_compare_reports_what_the_command_line_does():
    model, x = network(), picture()
    own, exact, lara = attnscope.compare(model, x, ["native", "softmax", "lara:samples=49"], repetitions=2)
    assert [record["attention"] for record in (own, exact, lara)] == ["native", "softmax", "lara"]
    assert exact["error"]["relative"] < 1e-6 and 0.01 < lara["error"]["relative"] < 2 and len(lara["error"]["layers"]) == 12
    assert exact["end_to_end"]["kl"] < 1e-9 and exact["end_to_end"]["top1_agreement"] == 1
    assert lara["latency_ms"]["median"] > 0 and lara["latency_ms"]["repetitions"] == 2
    assert len(lara["top"]) == 2 and abs(sum(one["probability"] for one in lara["top"][0])) <= 1
