"""The same numbers as `attnscope-cli`, which is found on the PATH or named by ATTNSCOPE_CLI."""

import os
import shutil
import subprocess

import pytest
import torch

import attnscope

CLI = os.environ.get("ATTNSCOPE_CLI") or shutil.which("attnscope-cli")
safetensors = pytest.importorskip("safetensors.torch")


@pytest.mark.skipif(CLI is None, reason="there is no attnscope-cli; name it by ATTNSCOPE_CLI")
@pytest.mark.parametrize("spec", ["softmax", "performer", "rfa", "ra", "lara", "nystrom", "elu", "local", "topk", "tangent", "wildcat", "monarch"])
def test_operators_and_attend_agree_to_the_bit(spec, tmp_path):
    tensors = {name: torch.randn(1, 2, 196, 16, generator=torch.Generator().manual_seed(i)) for i, name in enumerate("qkv")}
    safetensors.save_file(tensors, tmp_path / "qkv.safetensors")
    command = [CLI, "attend", "qkv.safetensors", "--attention", spec, "--grid", "14x14", "--noise", "drawn", "--seed", "7", "--seeds", "1",
               "--no-latency", "--out", "out.safetensors", "--quiet"]  # fmt: skip
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    saved = safetensors.load_file(tmp_path / "out.safetensors")
    out = next(value for name, value in saved.items() if "out" in name and value.shape == (1, 2, 196, 16))
    assert torch.equal(attnscope.attention(**tensors, spec=spec, seed=7, grid=(14, 14)), out)
