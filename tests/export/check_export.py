#!/usr/bin/env python3
"""Runs exported networks in other programs and compares their outputs with ours.

    [ATTNSCOPE_EXPORT_PYTHON=PYTHON] check_export.py CASES_PROGRAM FOLDER DEMO_NETWORKS [GUIDE]

CASES_PROGRAM writes networks, images and what we predict for them to FOLDER (export_cases.cpp). Every file has to pass the checker of onnx,
and ONNX Runtime's and OpenVINO's outputs have to be within 1e-4 of ours, for five images and for one. The Python code of GUIDE (docs/export.md)
is run as it stands, on the network `network.onnx`. Without these packages the test says
so and is skipped (exit code 77). PYTHON is one that has them: packaging/test.sh makes it.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

TOLERANCE = 1e-4
SKIPPED = 77


def missing():
    """The first package that is not installed; empty if all are."""
    for package in ("numpy", "onnx", "onnxruntime", "openvino"):
        try:
            __import__(package)
        except ImportError:
            return package
    return ""


def in_onnxruntime(path):
    """A function of images (B,3,H,W) that runs the file in ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return lambda images: session.run(None, {"image": images})[0]


def in_openvino(path):
    """The same in OpenVINO, in float32."""
    import openvino

    model = openvino.Core().compile_model(str(path), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return lambda images: model(images)[0]


def check(folder, case):
    """The largest difference in each program; raises AssertionError if one is too large."""
    import numpy
    import onnx

    path = folder / (case["name"] + ".onnx")
    onnx.checker.check_model(str(path), full_check=True)
    images = numpy.fromfile(folder / (case["name"] + ".input"), numpy.float32).reshape(case["input"])
    ours = numpy.fromfile(folder / (case["name"] + ".output"), numpy.float32).reshape(case["output"])
    assert abs(ours).max() > 0.1, "outputs that are almost zero show nothing"
    differences = {}
    for program, load in (("onnxruntime", in_onnxruntime), ("openvino", in_openvino)):
        run = load(path)
        differences[program] = max(abs(run(images) - ours).max(), abs(run(images[:1]) - ours[:1]).max())
        assert differences[program] <= TOLERANCE, f"{program} differs by {differences[program]:.2g}"
    return differences


def run_guide(folder, guide):
    """Runs the Python code of a document on a network of the demo; returns the number of failures."""
    (folder / "network.onnx").write_bytes((folder / "demo_deit0.onnx").read_bytes())
    code = re.findall(r"```python\n(.*?)```", guide.read_text(), re.DOTALL)
    assert code, f"{guide} has no Python code"
    failures = 0
    for block in code:
        done = subprocess.run([sys.executable, "-c", block], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            failures += 1
            print(f"the code of {guide} FAILED:", done.stderr[-600:])
    return failures


def in_other_python():
    """Goes on in the Python that the environment names."""
    other = os.environ.pop("ATTNSCOPE_EXPORT_PYTHON", "")
    if other:
        os.execv(other, [other, *sys.argv])


def main():
    in_other_python()
    if package := missing():
        print(f"skipped: the Python package {package} is not installed; pip install onnx onnxruntime openvino numpy")
        return SKIPPED
    program, folder, demo = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    subprocess.run([program, str(folder), demo], check=True)
    cases = json.loads((folder / "cases.json").read_text())
    failed = 0
    for case in cases:
        label = f"{case['name']:24} {case['attention']:64}"
        try:
            differences = check(folder, case)
            print(label, " ".join(f"{name} {value:.1e}" for name, value in differences.items()))
        except Exception as error:  # the other cases are still of interest
            failed += 1
            print(label, "FAILED:", str(error)[:300])
    if len(sys.argv) > 4:
        failed += run_guide(folder, pathlib.Path(sys.argv[4]))
    print(f"{len(cases) - failed} of {len(cases)} networks agree within {TOLERANCE}")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
