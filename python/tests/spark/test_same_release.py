"""A release on a cluster has the same records as one of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as pq
import pytest

import hedgerow.spark as hs

from conftest import ENGINE, N_LARGE, Rows, generated, rows_of

RELAXED = "mondrian:variant=relaxed,cut=median"
"""Divides records that are alike between classes."""
QUASI = ["age", "born", "town"]
ROLES = ["--quasi", ",".join(QUASI), "--sensitive", "ill", "--keep", "income,sex,seen,weight"]
CALL: dict[str, Any] = {"quasi": QUASI, "sensitive": "ill", "keep": ["income", "sex", "seen", "weight"]}


def released(spark: Any, table: Path, **options: Any) -> Any:
    df = spark.read.parquet(str(table))
    order = options.pop("keep_order", False)
    return hs.plan(df, **CALL, **options).publish(df, keep_order=order)


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--method", "hedge"], {"method": "hedge"}),
        (["--method", "mondrian", "--suppress", "5%"], {"method": "mondrian", "suppress": "5%"}),
        (["--method", "mondrian:variant=relaxed"], {"method": "mondrian:variant=relaxed"}),
        (["--method", "optimal", "--suppress", "4%"], {"method": "optimal", "suppress": "4%"}),
        (["--missing", "wildcard"], {"missing": "wildcard"}),
        (["--missing", "drop"], {"missing": "drop"}),
        (["--interval-style", "bounds"], {"interval_style": "bounds"}),
        (["--l-diversity", "3"], {"privacy": "l-diversity:kind=distinct,l=3"}),
        (
            ["--method", "optimal", "--suppress", "10%", "--drop-suppressed"],
            {"method": "optimal", "suppress": "10%", "drop_suppressed": True},
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_with_every_kind_of_value(
    flags: list[str],
    options: dict[str, Any],
    people: Path,
    spark: Any,
    tmp_path: Path,
    command_line: Any,
) -> None:
    expected = command_line(people, tmp_path / "release.csv", *ROLES, "-k", "4", *flags)
    found = rows_of(released(spark, people, k=4, **options))
    assert found[0] == expected[0]
    assert sorted(found[1:]) == sorted(expected[1:])


def test_numbers_and_decimals_as_quasi_identifiers(
    people: Path, spark: Any, tmp_path: Path, command_line: Any
) -> None:
    quasi = ["income", "weight", "sex"]
    flags = ["--quasi", ",".join(quasi), "-k", "6", "--drop", "age,born,town,seen", "--class", "ill"]
    expected = command_line(people, tmp_path / "release.csv", *flags, "--keep-order")
    df = spark.read.parquet(str(people))
    drop = ["age", "born", "town", "seen"]
    plan = hs.plan(df, quasi=quasi, k=6, drop=drop, class_="ill")
    assert rows_of(plan.publish(df, keep_order=True)) == expected


def test_records_are_in_the_order_of_the_table_or_in_another(
    people: Path, spark: Any, tmp_path: Path, command_line: Any
) -> None:
    expected = command_line(people, tmp_path / "release.csv", *ROLES, "-k", "4", "--keep-order")
    assert rows_of(released(spark, people, k=4, keep_order=True)) == expected
    df = spark.read.parquet(str(people))
    plan = hs.plan(df, k=4, **CALL)
    shuffled = rows_of(plan.publish(df))
    assert shuffled != expected and sorted(shuffled) == sorted(expected)
    assert rows_of(plan.publish(df)) == shuffled
    other = rows_of(hs.plan(df, k=4, seed=1, **CALL).publish(df))
    assert other != shuffled


def test_a_column_can_say_where_records_are(people: Path, spark: Any, tmp_path: Path, command_line: Any) -> None:
    from pyspark.sql import functions

    expected = command_line(people, tmp_path / "release.csv", *ROLES, "-k", "4", "--keep-order")
    numbered = spark.read.parquet(str(people)).withColumn(
        "place", functions.monotonically_increasing_id()
    )
    moved = numbered.orderBy("town", functions.desc("income"), "place").repartition(3)
    plan = hs.plan(moved, k=4, position="place", identifier="place", **CALL)
    assert rows_of(plan.publish(moved, keep_order=True)) == expected


@pytest.mark.parametrize("broadcast", [0, 1 << 30])
@pytest.mark.parametrize(
    "position",
    [
        "row",
        pytest.param(
            None,
            marks=pytest.mark.skipif(ENGINE == "sail", reason="sail reads parts of a file in any order"),
        ),
    ],
)
def test_a_large_table(
    position: str | None, broadcast: int, spark: Any, large: Path, large_release: Rows
) -> None:
    df = spark.read.parquet(str(large))
    plan = hs.plan(df, k=10, method=RELAXED, position=position, drop="row", **CALL)
    assert any(size > 1 for size in runs_per_group(plan)), "no group is divided"
    release = plan.publish(df, broadcast=broadcast)
    found = rows_of(release)
    assert found[0] == large_release[0]
    assert sorted(found[1:]) == sorted(large_release[1:])
    assert plan.verify(release)


def runs_per_group(plan: hs.Plan) -> list[int]:
    sizes = plan._runs.group_by("group").aggregate([([], "count_all")])
    return list(sizes["count_all"].to_pylist())


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many records with their numbers, in several row groups."""
    path = tmp_path_factory.mktemp("large") / "large.parquet"
    table = generated(N_LARGE)
    table = table.append_column("row", pyarrow.array(range(table.num_rows), pyarrow.int64()))
    pq.write_table(table, path, row_group_size=N_LARGE // 10 - 1)
    return path


@pytest.fixture(scope="module")
def large_release(large: Path, command_line: Any, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    output = tmp_path_factory.mktemp("large") / "release.csv"
    return command_line(large, output, *ROLES, "--drop", "row", "-k", "10", "--method", RELAXED)
