"""A release from Python has the same records as one of the command line, with every method."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pandas
import polars
import pytest

import hedgerow

from conftest import ADULT

N_RECORDS = 300
METHODS = ["hedge", "mondrian", "k-member", "optimal", "datafly", "top-down", "auto"]


@pytest.fixture(scope="module")
def adult(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first records of Adult."""
    path = tmp_path_factory.mktemp("adult") / "adult.csv"
    with open(ADULT, encoding="utf-8") as source, open(path, "w", encoding="utf-8") as target:
        for _ in range(N_RECORDS + 1):
            target.write(source.readline())
    return path


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with dates, missing values and decimals."""
    path = tmp_path_factory.mktemp("visits") / "visits.parquet"
    rows = []
    for n in range(160):
        rows.append(
            {
                "born": f"{1940 + n * 7 % 60}-{n % 12 + 1:02}-{n % 28 + 1:02}",
                "weight": None if n % 11 == 0 else round(45 + n * 13 % 70 + n % 8 / 8, 3),
                "town": None if n % 17 == 0 else ["Oslo", "Bergen", "Moss"][n * n % 3],
                "visits": n % 5,
                "ill": ["flu", "cold", "gout", "none"][n * 3 % 4],
            }
        )
    table = polars.DataFrame(rows).with_columns(polars.col("born").str.to_date())
    table.write_parquet(path)
    return path


def as_text(frame: Any) -> list[tuple[str, ...]]:
    """The rows of a frame as the command line writes them."""
    spelled = hedgerow._hedgerow.spelled(frame)
    return [tuple("" if cell is None else cell for cell in row) for row in spelled.rows()]


@pytest.mark.parametrize("method", METHODS)
def test_on_adult(method: str, adult: Path, tmp_path: Path, command_line: Any) -> None:
    quasi = ["age", "education", "marital-status", "sex"]
    flags = ["--quasi", ",".join(quasi), "-k", "5", "--method", method, "--keep-others"]
    flags += ["--suppress", "5%", "--seed", "7"]
    output = tmp_path / "release.csv"
    expected = command_line(adult, output, *flags, "--keep-order")
    table = pandas.read_csv(adult, skipinitialspace=False, keep_default_na=False)
    call: dict[str, Any] = {
        "quasi": quasi,
        "k": 5,
        "method": method,
        "keep_others": True,
        "suppress": "5%",
        "seed": 7,
    }
    release = hedgerow.anonymize(table, **call, keep_order=True)
    assert as_text(polars.from_pandas(release.frame)) == [tuple(row.values()) for row in expected]
    shuffled = hedgerow.anonymize(table, **call)
    assert sorted(as_text(polars.from_pandas(shuffled.frame))) == sorted(
        tuple(row.values()) for row in expected
    )
    assert shuffled.verify()


@pytest.mark.parametrize(
    ("method", "flags"),
    [
        ("hedge", []),
        ("mondrian", ["--missing", "wildcard"]),
        ("mondrian", ["--interval-style", "dash"]),
        ("hedge", ["--l-diversity", "2"]),
        ("optimal", ["--drop-suppressed", "--suppress", "10%"]),
    ],
)
def test_with_dates_missing_values_and_decimals(
    method: str, flags: list[str], visits: Path, tmp_path: Path, command_line: Any
) -> None:
    quasi = ["born", "weight", "town"]
    output = tmp_path / "release.csv"
    asked = ["--quasi", ",".join(quasi), "-k", "4", "--method", method, "--sensitive", "ill"]
    expected = command_line(visits, output, *asked, "--keep", "visits", "--keep-order", *flags)
    call: dict[str, Any] = {
        "quasi": quasi,
        "k": 4,
        "method": method,
        "sensitive": "ill",
        "keep": "visits",
        "keep_order": True,
    }
    if "--missing" in flags:
        call["missing"] = "wildcard"
    if "--interval-style" in flags:
        call["interval_style"] = "dash"
    if "--l-diversity" in flags:
        call["privacy"] = "l-diversity:l=2"
    if "--drop-suppressed" in flags:
        call.update(drop_suppressed=True, suppress="10%")
    release = hedgerow.anonymize(polars.read_parquet(visits), **call)
    assert as_text(release.frame) == [tuple(row.values()) for row in expected]


def test_a_path_is_anonymized_byte_for_byte(adult: Path, tmp_path: Path, command_line: Any) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    command_line(adult, first, "--quasi", "age,sex", "-k", "5", "--keep-others")
    done = hedgerow.anonymize(adult, quasi=["age", "sex"], k=5, keep_others=True, output=second)
    assert first.read_bytes() == second.read_bytes()
    assert done["released"] == N_RECORDS and done.losses["ntil"] > 0


def test_the_counts_of_a_table_give_its_release(visits: Path, tmp_path: Path, command_line: Any) -> None:
    quasi = ["born", "weight", "town"]
    asked = ["--quasi", ",".join(quasi), "-k", "4", "--method", "mondrian", "--keep", "visits,ill"]
    expected = command_line(visits, tmp_path / "release.csv", *asked, "--keep-order")
    table = polars.read_parquet(visits).with_row_index("at")
    counts = table.group_by(quasi).agg(polars.len().alias("n"), polars.col("at").min()).sort("at")
    from hedgerow._options import job

    options = job({"quasi": quasi, "k": 4, "method": "mondrian"})
    plan = hedgerow._hedgerow.plan(counts, ("n", "at"), options)
    numbered = counts.select(quasi).with_columns(polars.DataFrame(plan.groups())["group"])
    runs = polars.DataFrame(plan.runs())
    rows = table.join(numbered, on=quasi, nulls_equal=True).sort("at")
    rows = rows.with_columns(polars.int_range(polars.len()).over("group").alias("number"))
    joined = rows.join(runs, on="group", suffix="_published").filter(
        (polars.col("number") >= polars.col("start")) & (polars.col("number") < polars.col("end"))
    )
    published = joined.sort("at").select([f"{name}_published" for name in quasi]).rows()
    assert published == [tuple(row[name] for name in quasi) for row in expected]


def test_adult_is_there() -> None:
    with open(ADULT, newline="", encoding="utf-8") as file:
        assert "age" in next(csv.reader(file))
