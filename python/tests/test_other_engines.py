"""The statements of the page on databases, run on DuckDB, give the release of the command line."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import polars
import pytest

import hedgerow

from conftest import ROOT

PAGE = ROOT / "docs" / "book" / "src" / "howto" / "other-engines.md"
BINARY = os.environ.get("HEDGEROW", str(ROOT / "target" / "debug" / "hedgerow"))


def blocks() -> list[tuple[str, str]]:
    """The commands and statements of the page, in their order."""
    return re.findall(r"^```(sql|sh)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def test_the_page_has_two_statements() -> None:
    assert [kind for kind, _ in blocks()] == ["sql", "sh", "sql", "sh"]


@pytest.mark.parametrize("method", ["auto", "mondrian:variant=relaxed,cut=median"])
def test_the_statements_give_the_release_of_the_command_line(
    method: str, tmp_path: Path, command_line: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = []
    for n in range(500):
        town = None if n % 23 == 0 else ["Oslo", "Bergen", "Moss"][n * n % 3]
        age = None if n % 41 == 0 else 20 + n * 7 % 40
        ill = ["flu", "cold", "gout", "none"][n * 3 % 4]
        rows.append({"age": age, "town": town, "ill": ill, "cost": n % 8 / 4})
    visits = polars.DataFrame(rows)
    visits.write_parquet(tmp_path / "visits.parquet")
    flags = ["--quasi", "age,town", "--sensitive", "ill", "--l-diversity", "2", "-k", "3"]
    flags += ["--method", method]
    expected = command_line(
        tmp_path / "visits.parquet", tmp_path / "expected.csv", *flags, "--keep", "cost"
    )
    monkeypatch.chdir(tmp_path)
    database = duckdb.connect()
    database.execute("CREATE TABLE visits AS FROM 'visits.parquet'")
    for kind, text in blocks():
        if kind == "sql":
            database.execute(text)
        else:
            call = [BINARY, *shlex.split(text)[1:]]
            call += ["--method", method] if call[1] == "plan" else []
            done = subprocess.run(call, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
    plan = polars.read_parquet("plan.parquet")
    is_divided = bool((plan.group_by("first").len()["len"] > 1).any())
    assert is_divided or method == "auto"
    release = hedgerow._hedgerow.spelled(polars.read_parquet("release.parquet")).rows()
    found = sorted(tuple("" if cell is None else cell for cell in row) for row in release)
    assert found == sorted(tuple(row.values()) for row in expected)
