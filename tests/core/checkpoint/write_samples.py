#!/usr/bin/env python3
"""Writes small checkpoints with Python's torch and safetensors, and expected.json, which says what is in them.

    write_samples.py FOLDER [SEED]

Each tensor of expected.json has its type, its shape and its values in row-major order, as the hexadecimal digits of
the little-endian bytes. The values are taken from what torch.load and safetensors read back, not from what was meant
to be written. Without SEED the stored samples of tests/data/torch_files are written.
"""
import argparse
import collections
import io
import json
import pathlib
import pickle
import random
import struct
import sys
import warnings
import zipfile

import numpy
import safetensors.torch
import torch

warnings.simplefilter("ignore")

DTYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8,
          torch.uint8, torch.bool, torch.complex128, torch.complex64, torch.complex32, torch.uint16, torch.uint32,
          torch.uint64, torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz,
          torch.float8_e8m0fnu]
SAFETENSORS_DTYPES = [t for t in DTYPES if t not in (torch.complex128, torch.complex32)]


def sample(dtype, shape, generator):
    """Random bits: every value of a type may come up, NaN and infinities too."""
    count = int(numpy.prod(shape)) if shape else 1
    if dtype == torch.bool:
        return torch.from_numpy(generator.integers(0, 2, shape).astype(bool))
    bits = torch.from_numpy(generator.integers(0, 256, count * dtype.itemsize, dtype=numpy.uint8).copy())
    return bits.view(dtype).reshape(shape)


def little_endian_bytes(tensor):
    tensor = tensor.detach().resolve_conj().resolve_neg().contiguous()
    return tensor.reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""


def describe(state):
    return {name: {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape),
                   "bytes": little_endian_bytes(tensor).hex()} for name, tensor in state.items()}


class Writer:
    def __init__(self, folder):
        self.folder = folder
        self.expected = {}

    def torch(self, name, content, weights=lambda loaded: loaded, **options):
        path = self.folder / name
        torch.save(content, path, **options)
        try:
            content = torch.load(path, weights_only=False)
        except AttributeError:
            pass  # torch writes untyped storages into the old container, but does not read them
        self.expect(name, weights(content))

    def expect(self, name, state, **more):
        self.expected[name] = {"tensors": describe(state), **more}

    def refuse(self, name, content, sentence):
        torch.save(content, self.folder / name)
        self.expected[name] = {"refuse": sentence}


def both_containers(writer, name, content, **more):
    writer.torch(f"{name}.zip.pth", content, **more)
    writer.torch(f"{name}.legacy.pth", content, _use_new_zipfile_serialization=False, **more)


def views(generator):
    base = sample(torch.float32, (4, 6), generator)
    return {
        "base": base, "transposed": base.t(), "row": base[2], "every_other": base[:, ::2], "tail": base[1:, 2:],
        "expanded": sample(torch.float32, (1, 3), generator).expand(4, 3),
        "expanded_scalar": sample(torch.float16, (), generator).expand(2, 5),
        "windows": base.reshape(-1).unfold(0, 4, 2), "permuted": sample(torch.int16, (2, 3, 4), generator).permute(2, 0, 1),
        "scalar": sample(torch.float64, (), generator), "empty": torch.empty(0), "empty_matrix": torch.empty(0, 3),
        "empty_tail": torch.empty(3, 0, 2), "size_one": sample(torch.float32, (1, 1, 3), generator),
        "eight_dimensions": sample(torch.uint8, (1, 2, 1, 2, 1, 1, 2, 1), generator),
        "channels_last": sample(torch.float32, (1, 2, 3, 2), generator).to(memory_format=torch.channels_last),
        "untyped_view": sample(torch.float8_e4m3fn, (4, 4), generator)[1:, 1:],
        "unsigned_view": sample(torch.uint16, (6,), generator)[2:5],
    }


def training(generator):
    weight = sample(torch.float32, (3, 2), generator)
    model = collections.OrderedDict([("layer.weight", weight), ("tied.weight", weight), ("layer.bias", weight[0]),
                                     ("größe/重み", sample(torch.float32, (2,), generator))])
    model._metadata = {"": {"version": 1}}
    average = {name: sample(torch.float32, tuple(value.shape), generator) for name, value in model.items()}
    state = {0: {"exp_avg": weight * 2, "step": torch.tensor(3.0)}}
    return {"model": model, "model_ema": average, "epoch": 7, "optimizer": {"state": state, "param_groups": [{"lr": 1e-3}]},
            "args": argparse.Namespace(lr=0.1, output=pathlib.PurePosixPath("out"), sizes=(1, 2), names={"a", "b"}),
            "rng": torch.get_rng_state()[:16], "accuracy": numpy.float64(76.5), "array": numpy.arange(3), "blob": b"\x00\xff",
            "device": torch.device("cpu"), "dtype": torch.float16, "size": torch.Size([1, 2])}


def parameters(generator):
    with_state = torch.nn.Parameter(sample(torch.float32, (2,), generator))
    with_state.origin = "somewhere"
    return {"parameter": torch.nn.Parameter(sample(torch.float32, (2, 2), generator)),
            "frozen": torch.nn.Parameter(sample(torch.float32, (3,), generator), requires_grad=False),
            "with_state": with_state, "buffer": torch.nn.Buffer(sample(torch.float32, (2,), generator))}


def odd_tensors(generator):
    x = sample(torch.int8, (2, 2), generator).float()
    return {"sparse": x.to_sparse(), "sparse_rows": x.to_sparse_csr(), "quantized": torch.quantize_per_tensor(x, 0.5, 0, torch.qint8),
            "quantized_rows": torch.quantize_per_channel(x, torch.tensor([0.1, 0.2]), torch.tensor([0, 0]), 0, torch.qint32),
            "meta": torch.empty(3, device="meta"), "nested": torch.nested.nested_tensor([x[0], x[1, :1]]),
            "conjugate": torch.randn(2, dtype=torch.complex64).conj(), "negative": torch.randn(2, dtype=torch.complex64).conj().imag,
            "packed": torch.zeros(2, dtype=torch.uint8).view(torch.float4_e2m1fn_x2)}


ODD_SENTENCES = {"sparse": "sparse", "sparse_rows": "sparse", "quantized": "quantized", "quantized_rows": "quantized",
                 "meta": "without values", "nested": "nested", "conjugate": "pending", "negative": "pending",
                 "packed": "less than a byte"}


def big_endian(writer, name, dtypes, generator):
    """What a big-endian machine would write: the same archive, its storages turned."""
    state = {str(t).removeprefix("torch."): sample(t, (3,), generator) for t in dtypes}
    buffer = io.BytesIO()
    torch.save(state, buffer)
    turned = io.BytesIO()
    units = {f"/data/{i}": t.itemsize // (2 if t.is_complex else 1) for i, t in enumerate(dtypes)}
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(turned, "w") as target:
        for info in source.infolist():
            content = source.read(info)
            if info.filename.endswith("/byteorder"):
                content = b"big"
            for end, unit in units.items():
                if info.filename.endswith(end):
                    content = b"".join(content[i:i + unit][::-1] for i in range(0, len(content), unit))
            target.writestr(zipfile.ZipInfo(info.filename), content)
    (writer.folder / name).write_bytes(turned.getvalue())
    loaded = torch.load(writer.folder / name)
    if any(little_endian_bytes(loaded[key]) != little_endian_bytes(value) for key, value in state.items()):
        sys.exit("torch does not read back what a big-endian machine would have written")
    writer.expect(name, state)


def legacy_of_another_system(writer, name, state):
    """The old container names the byte order of its machine, but is little-endian everywhere: torch says so itself."""
    path = writer.folder / name
    torch.save(state, path, _use_new_zipfile_serialization=False)
    content = path.read_bytes()
    old = pickle.dumps({"protocol_version": 1001, "little_endian": True,
                        "type_sizes": {"short": 2, "int": 4, "long": 4}}, protocol=2)
    if old not in content:
        sys.exit("the system's description has another form than expected")
    path.write_bytes(content.replace(old, old.replace(b"\x88", b"\x89", 1)))
    writer.expect(name, torch.load(path))


def safetensors_files(writer, generator):
    state = {str(t).removeprefix("torch."): sample(t, (2, 3), generator) for t in SAFETENSORS_DTYPES}
    state |= {"scalar": sample(torch.float32, (), generator), "empty": torch.empty(0, 3)}
    path = writer.folder / "dtypes.safetensors"
    safetensors.torch.save_file(state, path, metadata={"format": "pt", "größe": "重み\n"})
    writer.expect(path.name, safetensors.torch.load_file(path), metadata={"format": "pt", "größe": "重み\n"})
    path = writer.folder / "empty.safetensors"
    safetensors.torch.save_file({}, path)
    writer.expect(path.name, {})
    path = writer.folder / "packed.safetensors"
    safetensors.torch.save_file({"packed": odd_tensors(generator)["packed"]}, path)
    writer.expected[path.name] = {"refuse": "`packed` has the dtype F4"}


def write(folder, seed):
    folder.mkdir(parents=True, exist_ok=True)
    generator = numpy.random.default_rng(seed)
    torch.manual_seed(seed)
    random.seed(seed)
    writer = Writer(folder)
    both_containers(writer, "dtypes", {str(t).removeprefix("torch."): sample(t, (2, 3), generator) for t in DTYPES})
    both_containers(writer, "views", views(generator))
    content = training(generator)
    both_containers(writer, "training", content, weights=lambda loaded: loaded["model"])
    for protocol in (3, 4, 5):
        writer.torch(f"training.protocol{protocol}.pth", content, weights=lambda loaded: loaded["model"], pickle_protocol=protocol)
    writer.torch("legacy.protocol4.pth", views(generator), _use_new_zipfile_serialization=False, pickle_protocol=4)
    both_containers(writer, "parameters", parameters(generator))
    many = {f"block.{i}.weight": sample(torch.float32, (1,), generator) for i in range(60)}
    writer.torch("many.pth", many)
    big_endian(writer, "big_endian.pth", DTYPES[:12], generator)
    legacy_of_another_system(writer, "big_endian.legacy.pth", {"w": sample(torch.float32, (3,), generator)})
    safetensors_files(writer, generator)
    odd = odd_tensors(generator)
    for container, options in (("zip", {}), ("legacy", {"_use_new_zipfile_serialization": False})):
        plain = {"model": {"w": torch.ones(2)}, "beside": odd}  # torch itself reads only some of them back
        torch.save(plain, folder / f"odd_beside.{container}.pth", **options)
        writer.expect(f"odd_beside.{container}.pth", plain["model"])
    for name, tensor in odd.items():
        writer.refuse(f"odd.{name}.pth", {"w": torch.ones(1), "odd": tensor}, f"`odd` is {ODD_SENTENCES[name]}"
                      if ODD_SENTENCES[name] not in ("pending", "less than a byte") else ODD_SENTENCES[name])
    made_by = {"torch": torch.__version__.split("+")[0], "safetensors": safetensors.__version__}
    content = json.dumps({"made_by": made_by, "files": writer.expected}, indent=1, ensure_ascii=False)
    (folder / "expected.json").write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20260)
