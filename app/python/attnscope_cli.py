"""Starts the command line that comes with the wheel, on the libraries of the torch that is installed with it. Imports neither."""

import importlib.util
import os
import sys
from pathlib import Path


def main() -> None:
    torch = importlib.util.find_spec("torch")
    here = importlib.util.find_spec("attnscope")
    if torch is None or torch.origin is None or here is None or here.origin is None:
        sys.exit("attnscope-cli: PyTorch is not installed here, and its libraries are needed: pip install torch.")
    program = Path(here.origin).parent / "bin" / "attnscope-commands"
    libraries = [str(Path(torch.origin).parent / "lib"), *map(str, Path(torch.origin).parent.parent.glob("nvidia/*/lib"))]
    known = os.environ.get("LD_LIBRARY_PATH")
    os.environ["LD_LIBRARY_PATH"] = ":".join(libraries + ([known] if known else []))
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
