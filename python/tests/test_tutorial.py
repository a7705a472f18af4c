"""The code of the tutorial runs, and its output is what the tutorial says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from conftest import ROOT

PAGE = ROOT / "docs" / "book" / "src" / "howto" / "python.md"


def blocks() -> list[tuple[str, str]]:
    """The blocks of code, each with the output that follows it."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", text, flags=re.DOTALL)
    assert len(found) > 5
    return [(code, output) for code, output in found]


def test_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {"__name__": "tutorial", "OUT": tmp_path}
    for code, expected in blocks():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(PAGE), "exec"), names)
        if expected:
            assert printed.getvalue().rstrip() == expected.rstrip(), code
