"""The code of the tutorial runs, and prints what the tutorial shows.

``UPDATE_BOOK=1 pytest`` writes what it prints into the page.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import warnings
from pathlib import Path

import pytest

from conftest import ROOT

PAGE = ROOT / "docs" / "book" / "src" / "howto" / "python.md"
BLOCK = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", flags=re.DOTALL)


def test_the_tutorial_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("```python") == len(BLOCK.findall(text)) > 5
    names: dict[str, object] = {"__name__": "tutorial", "OUT": tmp_path}

    def run(block: re.Match[str]) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(block[1], str(PAGE), "exec"), names)
        lines = "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())
        return f"```python\n{block[1]}```\n\n```text\n{lines}```"

    now = BLOCK.sub(run, text)
    if os.environ.get("UPDATE_BOOK"):
        PAGE.write_text(now, encoding="utf-8")
    else:
        assert now == text
