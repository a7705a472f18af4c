"""What tests share: the command line, and tables of several kinds."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ADULT = ROOT / "data" / "adult.csv"


@pytest.fixture(scope="session")
def binary() -> str:
    """The path of the command line."""
    binary = os.environ.get("HEDGEROW", str(ROOT / "target" / "debug" / "hedgerow"))
    if not Path(binary).exists():
        pytest.fail("the command line is not built: cargo build -p hedgerow-cli")
    return binary


@pytest.fixture(scope="session")
def command_line(binary: str) -> Any:
    """Run the command line, and return the rows of the release that it writes."""

    def run(table: Path, output: Path, *arguments: str) -> list[dict[str, str]]:
        call = [binary, "anonymize", str(table), "-o", str(output), "--quiet", *arguments]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return rows_of(output)

    return run


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def people() -> dict[str, list[object]]:
    """A small table."""
    return {
        "age": [23, 25, 41, 44, 46, 31],
        "city": ["Oslo", "Oslo", "Bergen", "Bergen", "Bergen", "Oslo"],
        "ill": ["flu", "cold", "flu", "gout", "flu", "cold"],
    }
