#!/usr/bin/env python3
"""Pictures as Attnscope reads them beside Pillow's convert("RGB"): how many are read, refused by name, and equal to the bit.

    pip download --no-deps --no-binary :all: pillow && tar xf pillow-*.tar.gz
    python3 tests/bench/pillow_pictures.py pillow-*/Tests/images

Needs a build of read_images and attnscope-decoder (build/release), Pillow and NumPy. Of the files under the folder those count that
Pillow knows by content as JPEG, PNG, WebP, BMP, PNM or TIFF, and those that Pillow refuses and Attnscope reads. The exit code is 1 when a
picture differs by more than --tolerance levels, when one that Pillow reads is refused by a sentence that names nothing ("damaged"), or when a
crop is not that of the whole picture.
"""
import argparse
import collections
import os
import subprocess
import sys
import warnings

import numpy
import PIL
from PIL import Image

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/release")
FORMATS = {"JPEG": "JPEG", "MPO": "JPEG", "PNG": "PNG", "WEBP": "WebP", "BMP": "BMP", "PPM": "PNM", "TIFF": "TIFF"}


class Reader:
    """The program read_images, asked file by file."""

    def __init__(self, program, decoder):
        environment = dict(os.environ, **({"ATTNSCOPE_DECODER": decoder} if decoder else {}))
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    def read(self, path):
        """→ (H,W,3), or the sentence by which it was refused."""
        self.process.stdin.write(os.fsencode(path) + b"\n")
        self.process.stdin.flush()
        kind, _, rest = self.process.stdout.readline().decode().rstrip("\n").partition(" ")
        if kind == "refused":
            return rest.removeprefix(path + ": ")
        if kind != "pixels":
            raise SystemExit(f"{path}: {kind or 'no answer'} {rest}")
        width, height = map(int, rest.split())
        return numpy.frombuffer(self.process.stdout.read(width * height * 3), numpy.uint8).reshape(height, width, 3)


def read_by_pillow(path):
    """→ format, and (H,W,3) or the error; None for what is no picture of our formats."""
    name = None
    try:
        with Image.open(path) as picture:
            name = FORMATS.get(picture.format)
            # A JPEG or a WebP of several pictures, and a TIFF of several pages, stand on the first.
            return name, numpy.asarray(picture.convert("RGB"))
    except Exception as error:  # Pillow's plugins raise of every kind
        return name, f"{type(error).__name__}: {error}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--reader", default=f"{BUILD}/tests/core/media/read_images")
    parser.add_argument("--decoder", help="attnscope-decoder (default: as the environment says)")
    parser.add_argument("--tolerance", type=int, default=1, help="levels that a lossy format may differ by (1)")
    parser.add_argument("--all", action="store_true", help="name every picture that is refused or differs, with its sentence")
    given = parser.parse_args()
    decoder = given.decoder or os.environ.get("ATTNSCOPE_DECODER") or f"{BUILD}/app/libexec/attnscope/attnscope-decoder"

    warnings.simplefilter("ignore")
    reader = Reader(given.reader, decoder)
    counts = collections.defaultdict(collections.Counter)
    lines, failures = [], 0
    paths = sorted(os.path.join(folder, name) for folder, _, names in os.walk(given.folder) for name in names)
    for path in paths:
        name, theirs = read_by_pillow(path)
        ours = reader.read(path)
        if name is None and isinstance(ours, str):
            continue
        row = counts[name or "none, says Pillow"]
        row["files"] += 1
        short = os.path.relpath(path, given.folder)
        if isinstance(theirs, str) and isinstance(ours, str):
            row["refused by both"] += 1
        elif isinstance(theirs, str):
            row["read by us alone"] += 1
            lines.append(f"{short}: read here, Pillow says {theirs}")
        elif isinstance(ours, str):
            row["refused by us alone"] += 1
            lines.append(f"{short}: {ours}")
            failures += "damaged" in ours
        elif ours.shape != theirs.shape:
            row["of another size"] += 1
            lines.append(f"{short}: {ours.shape} here, {theirs.shape} there")
            failures += 1
        else:
            largest = int(numpy.abs(ours.astype(int) - theirs).max())
            row["equal to the bit" if largest == 0 else "differing"] += 1
            row["largest difference"] = max(row["largest difference"], largest)
            if largest > 0:
                lines.append(f"{short}: differs by up to {largest} levels")
            failures += largest > given.tolerance
    columns = ["files", "equal to the bit", "differing", "largest difference", "of another size", "refused by us alone", "read by us alone",
               "refused by both"]
    if given.all or failures:
        print("\n".join(lines), end="\n\n")
    print(f"Pillow {PIL.__version__}")
    print("| format | " + " | ".join(columns) + " |\n" + "|---" * (len(columns) + 1) + "|")
    for name in sorted(counts, key=str):
        print(f"| {name} | " + " | ".join(str(counts[name][column]) for column in columns) + " |")
    total = [max(row[c] for row in counts.values()) if c == "largest difference" else sum(row[c] for row in counts.values()) for c in columns]
    print("| all | " + " | ".join(map(str, total)) + " |")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
