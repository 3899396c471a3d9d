"""The examples of docs/python.md, as they stand there."""

import re
from pathlib import Path

import pytest

DOCS = next((folder / "docs/python.md" for folder in Path(__file__).resolve().parents if (folder / "docs/python.md").exists()), None)
BLOCKS = re.findall(r"^## (.+)\n\n((?: {4}.*\n|\n)+)", DOCS.read_text(), re.MULTILINE) if DOCS else []


@pytest.mark.skipif(DOCS is None, reason="docs/python.md is not here")
@pytest.mark.parametrize("title, block", BLOCKS, ids=[title for title, _ in BLOCKS])
def test_examples_run(title, block):
    for module in re.findall(r"^ {4}import (timm|transformers)$", block, re.MULTILINE):
        pytest.importorskip(module)
    exec(compile(re.sub(r"^ {4}", "", block, flags=re.MULTILINE), title, "exec"), {})


def test_there_are_examples():
    assert DOCS is None or [title for title, _ in BLOCKS] == ["Attention", "Networks of timm", "Models of the Transformers library"]
