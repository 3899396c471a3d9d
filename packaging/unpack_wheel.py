"""Unpacks the parts of a wheel that Attnscope needs: unpack_wheel.py cpu|cuda|cuda-headers WHEEL FOLDER.

cpu           FOLDER/include and FOLDER/lib: headers, the CPU libraries, and the two CUDA libraries that they ask the loader for.
cuda          FOLDER/torch/lib and FOLDER/nvidia/…: the libraries for GPUs alone, as in Python's site-packages, so that they find each other.
cuda-headers  FOLDER/include: CUDA's headers.
"""

import errno
import re
import shutil
import sys
import zipfile
from pathlib import Path

CPU_PARTS = {
    r"torch/(include/.+)": r"\1",
    r"torch/(lib/lib(?:c10|torch|torch_cpu|shm)\.so)": r"\1",
    r"torch/(lib/libgomp[^/]*)": r"\1",
    r"nvidia/cu13/(lib/lib(?:cudart|cupti)\.so\.13)": r"\1",
}
CUDA_PARTS = {
    r"(torch/lib/lib(?:torch_cuda|torch_cuda_linalg|torch_nvshmem|c10_cuda|caffe2_nvrtc)\.so)": r"\1",
    r"(torch/version\.py)": r"\1",
    r"(nvidia/.+/lib/.+)": r"\1",
}
HEADER_PARTS = {r"nvidia/cu13/(include/.+)": r"\1"}
PARTS = {"cpu": CPU_PARTS, "cuda": CUDA_PARTS, "cuda-headers": HEADER_PARTS}
LICENCES = {r"([^/]+)\.dist-info/(?:licenses/)?((?:LICEN[CS]E|License|NOTICE)[^/]*)": r"licenses/\1/\2"}


def target_of(name, parts):
    for pattern, replacement in parts.items():
        match = re.fullmatch(pattern, name)
        if match:
            return match.expand(replacement)
    return None


def unpack(wheel, folder, parts):
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            target = None if entry.is_dir() else target_of(entry.filename, parts)
            if target is None or ".." in Path(target).parts:
                continue
            path = folder / target
            path.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as source, open(path, "wb") as sink:
                shutil.copyfileobj(source, sink, 1 << 20)


def main():
    kind, wheel, folder = sys.argv[1:]
    try:
        unpack(wheel, Path(folder), {**PARTS[kind], **LICENCES})
    except OSError as error:
        # The caller tells a full disk from other trouble by the exit code.
        print(f"{error.filename or folder}: {error.strerror}", file=sys.stderr)
        return 28 if error.errno in (errno.ENOSPC, errno.EDQUOT) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
