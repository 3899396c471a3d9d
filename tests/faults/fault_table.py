"""The commands that faults.py runs, and the faults that each of them meets."""
import dataclasses

TINY = {"family": "deit", "img_size": 16, "patch_size": 4, "embed_dim": 12, "depth": 2, "num_heads": 3, "num_classes": 12, "mlp_ratio": 2,
        "qkv_bias": True, "ln_eps": 1e-6, "act": "gelu_erf", "attention": "softmax"}


@dataclasses.dataclass
class Command:
    """`arguments` are given in a folder of its own for every run; DATA in them stands for the common data."""
    arguments: list
    inputs: list = dataclasses.field(default_factory=list)   # copied from DATA into that folder
    files: list = dataclasses.field(default_factory=list)    # results that must be the same bytes
    stores: list = dataclasses.field(default_factory=list)   # results stores that must have the same predictions
    continued: str = ""                                      # how the command is given again: --resume, or --overwrite where needed


EVALUATION = ("--attention softmax --attention performer:samples=16 --batch-size 4 --threads 1 --workers 1 --device cpu --no-measuring"
              " --quiet").split()
WEIGHTS = ["--weights", "DATA/weights.safetensors"]
JSON = ["--json", "result.json"]
COMMANDS = {
    "evaluate": Command(["evaluate", "DATA/demo/scenes/val", *WEIGHTS, *EVALUATION, "--store", "runs.sqlite", *JSON], stores=["runs.sqlite"],
                        continued="--resume"),
    "evaluate-cache": Command(["evaluate", "DATA/demo/scenes/val", *WEIGHTS, *EVALUATION, "--store", "runs.sqlite", "--cache", "crops", *JSON],
                              stores=["runs.sqlite"], continued="--resume"),
    "evaluate-cached": Command(["evaluate", "DATA/demo/scenes/val", *WEIGHTS, *EVALUATION, "--store", "runs.sqlite", "--cache", "crops",
                                *JSON], inputs=["crops"], stores=["runs.sqlite"], continued="--resume"),
    "evaluate-videos": Command(["evaluate", "DATA/demo/moves/val", "--weights", "DATA/video.safetensors", *EVALUATION, "--limit", "6",
                                "--views", "1x1", "--store", "runs.sqlite", *JSON], stores=["runs.sqlite"], continued="--resume"),
    "train": Command(["train", "DATA/demo/scenes", "--model", "DATA/tiny.json", "--attention", "performer:samples=8", "--out", "out.safetensors",
                      "--epochs", "3", "--warmup", "1", "--batch-size", "8", "--threads", "1", "--workers", "1", "--device", "cpu",
                      "--quiet", "--store", "runs.sqlite", *JSON], files=["out.safetensors", "out.best.safetensors", "out.history.json"],
                     continued="--resume"),
    "convert": Command(["convert", "DATA/weights.safetensors", "out.safetensors", *JSON], files=["out.safetensors"],
                       continued="--overwrite"),
    "export": Command(["export", *WEIGHTS, "--attention", "performer:samples=16", "--out", "out.onnx", "--threads", "1", *JSON],
                      files=["out.onnx"], continued="--overwrite"),
    "report": Command(["report", "runs.sqlite", "--out", "out.html", *JSON], inputs=["runs.sqlite"], files=["out.html"]),
    "report-md": Command(["report", "runs.sqlite", "--out", "out.md"], inputs=["runs.sqlite"], files=["out.md", "out-figures"]),
    "merge": Command(["merge", "merged.sqlite", "part1.sqlite", "part2.sqlite", *JSON], inputs=["part1.sqlite", "part2.sqlite"],
                     stores=["merged.sqlite"]),
}

# Faults of each command: KIND:ERROR[+], then patterns of the files that it is tried on ("": everything, where calls have no file).
CALLS_ON_STORE = ["read:SHORT", "read:EINTR", "read:EIO", "write:SHORT", "write:EINTR", "write:ENOSPC", "write:EIO", "write:EIO+", "write:KILL",
                  "sync:EIO", "sync:KILL", "truncate:ENOSPC", "truncate:EIO", "open:EMFILE", "open:EIO", "unlink:EIO", "map:ENOMEM"]
CALLS_ON_OUTPUT = ["write:SHORT", "write:EINTR", "write:ENOSPC", "write:EIO", "write:KILL", "sync:EIO", "rename:EIO", "rename:KILL",
                   "open:EMFILE", "open:EACCES"]
CALLS_ON_INPUT = ["read:SHORT", "read:EINTR", "read:EIO", "open:EMFILE", "open:ENOMEM"]
CALLS_ON_ANYTHING = ["allocate:ENOMEM", "allocate:ENOMEM+", "map:ENOMEM", "thread:EAGAIN", "clock:+86400", "clock:-86400", "open:EMFILE+"]
TABLE = {
    "evaluate": {"runs.sqlite": CALLS_ON_STORE, "weights.safetensors": CALLS_ON_INPUT, "/scenes/": CALLS_ON_INPUT + ["read:EIO+"],
                 "/val/cat$": ["open:EIO", "open:EMFILE"],  # the folder of a class
                 "result.json": CALLS_ON_OUTPUT, "linear_layers.json": ["read:EIO", "write:ENOSPC"], "": CALLS_ON_ANYTHING,
                 "attnscope-decoder": ["read:KILL"]},
    "evaluate-cache": {"crops": CALLS_ON_OUTPUT},
    "evaluate-cached": {"crops": CALLS_ON_INPUT},
    "evaluate-videos": {"/moves/": CALLS_ON_INPUT, "attnscope-video-decoder": ["read:KILL"]},
    "train": {"runs.sqlite": ["write:ENOSPC", "write:EIO", "write:KILL", "sync:EIO", "read:EIO", "open:EMFILE"], "/scenes/": CALLS_ON_INPUT,
              "/train/cat$": ["open:EIO"], "tiny.json": CALLS_ON_INPUT, "out.": CALLS_ON_OUTPUT + ["read:EIO", "unlink:EIO"],
              "result.json": ["write:ENOSPC"], "": CALLS_ON_ANYTHING},
    "convert": {"weights.safetensors": CALLS_ON_INPUT, "out.safetensors": CALLS_ON_OUTPUT, "": CALLS_ON_ANYTHING},
    "export": {"weights.safetensors": CALLS_ON_INPUT, "out.onnx": CALLS_ON_OUTPUT, "": CALLS_ON_ANYTHING},
    "report": {"runs.sqlite": CALLS_ON_INPUT + ["map:ENOMEM"], "out.": CALLS_ON_OUTPUT, "": CALLS_ON_ANYTHING},
    "report-md": {"out": CALLS_ON_OUTPUT},
    "merge": {"merged.sqlite": CALLS_ON_STORE, "part": CALLS_ON_INPUT, "result.json": ["write:ENOSPC"], "": CALLS_ON_ANYTHING},
}
HELPERS = ("attnscope-decoder", "attnscope-video-decoder")  # in the place of a pattern: faults in these programs
