"""Plans are saved, loaded, applied, recounted and written."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import hedgerow
import hedgerow.spark as hs

from conftest import generated, rows_of

CALL: dict[str, Any] = {
    "quasi": ["age", "town"],
    "k": 5,
    "sensitive": "ill",
    "drop": ["born", "seen", "income"],
    "keep": ["sex", "weight"],
    "method": "mondrian",
}


@pytest.fixture
def df(spark: Any, people: Path) -> Any:
    return spark.read.parquet(str(people))


def test_a_plan_reports_what_the_release_will_have(df: Any) -> None:
    plan = hs.plan(df, **CALL)
    assert plan.report.rows == 600 and plan.report.smallest_class >= 5
    assert 0 < plan.losses["ntil"] < 1
    assert "600 of 600 records" in repr(plan)
    found = hs.verify(plan.publish(df), quasi=["age", "town"], k=5)
    assert found and found.rows == 600 and found.classes == plan.report.classes
    assert found.smallest_class == plan.report.smallest_class


def test_a_release_that_is_not_anonymous_is_recognized(df: Any) -> None:
    found = hs.verify(df, quasi=["age", "town"], k=5)
    assert not found and found.failing_classes > 0 and set(found.example) == {"age", "town"}
    native = hedgerow.verify(df.toArrow(), quasi=["age", "town"], k=5)
    assert (found.rows, found.smallest_class) == (native.rows, native.smallest_class)


def test_a_plan_that_was_saved_gives_the_same_release(df: Any, tmp_path: Path) -> None:
    plan = hs.plan(df, **CALL)
    path = tmp_path / "plan.parquet"
    plan.save(path)
    again = hs.load(path)
    assert rows_of(again.publish(df)) == rows_of(plan.publish(df))
    assert again.report.to_dict() == plan.report.to_dict()
    assert again.warnings == plan.warnings
    with pytest.raises(hedgerow.FileError, match="the file exists"):
        plan.save(path)
    plan.save(path, force=True)
    assert os.listdir(tmp_path) == ["plan.parquet"]


def test_a_release_gets_its_name_after_it_was_counted(spark: Any, df: Any, tmp_path: Path) -> None:
    plan = hs.plan(df, **CALL)
    path = tmp_path / "release.parquet"
    verified = plan.write(df, path, staging=tmp_path / "staging")
    assert verified and verified.rows == 600
    written = spark.read.parquet(str(path))
    assert sorted(rows_of(written)) == sorted(rows_of(plan.publish(df)))
    assert sorted(os.listdir(tmp_path)) == ["release.parquet", "staging"]
    with pytest.raises(hedgerow.FileError, match="it exists"):
        plan.write(df, path)
    plan.write(df, path, force=True, keep_order=True)
    assert sorted(os.listdir(tmp_path)) == ["release.parquet", "staging"]


def test_what_differs_from_the_plan_gets_no_name(df: Any, tmp_path: Path) -> None:
    plan = hs.plan(df, **CALL)
    with pytest.raises(hedgerow.FileError, match="not the planned one"):
        plan.write(df.filter("weight > 60"), tmp_path / "release.parquet", check=False)
    assert os.listdir(tmp_path) == []


def test_a_class_with_other_sensitive_values_is_not_the_planned_one(df: Any) -> None:
    from pyspark.sql import functions

    plan = hs.plan(df, privacy="l-diversity:kind=distinct,l=2", **CALL)
    release = plan.publish(df)
    assert plan.verify(release)
    other = release.withColumn("ill", functions.lit("flu"))
    found = plan.verify(other)
    assert not found and found.differs["cells"].keys() == {"age", "town", "ill"}
    assert hs.verify(other, quasi=["age", "town"], k=5)


def test_columns_without_a_decision_are_examined(spark: Any, df: Any) -> None:
    import pyarrow

    table = generated(200).append_column(
        "email", pyarrow.array([f"p{n}@example.org" for n in range(200)])
    )
    addressed = spark.createDataFrame(table)
    with pytest.raises(hedgerow.Undecided) as raised:
        hs.plan(addressed, **CALL)
    assert raised.value.columns[0][0] == "email"
    plan = hs.plan(addressed, **{**CALL, "identifier": "email"})
    assert plan.publish(addressed).columns == ["age", "town", "sex", "ill", "weight"]


def test_names_of_columns_may_have_dots_and_quotes(spark: Any, tmp_path: Path) -> None:
    table = generated(300).select(["age", "town", "ill"])
    names = ["the.age", "town `name`", "ill, now"]
    df = spark.createDataFrame(table.rename_columns(names))
    plan = hs.plan(df, quasi=names[:2], sensitive=names[2], k=3)
    release = plan.publish(df)
    assert release.columns == names and plan.verify(release)
    pq.write_table(table.rename_columns(names), tmp_path / "t.parquet")


def test_records_that_are_alike_can_be_in_two_classes(spark: Any) -> None:
    import pyarrow

    df = spark.createDataFrame(pyarrow.table({"age": [30] * 7, "town": [None] * 6 + ["Oslo"]}))
    relaxed = "mondrian:variant=relaxed,cut=median"
    plan = hs.plan(df, quasi=["age", "town"], k=3, method=relaxed)
    release = plan.publish(df)
    shown = Counter(rows_of(release)[1:])
    assert shown == {("30", ""): 4, ("30", "*"): 3} and plan.verify(release)


def test_columns_can_have_the_names_of_a_plan(spark: Any, tmp_path: Path) -> None:
    ages, towns = ["start", "group"], ["end", "published"]
    for age, town in zip(ages, towns):
        table = generated(300).select(["age", "town", "ill", "weight"])
        table = table.rename_columns([age, town, "start" if age == "group" else "group", "count"])
        df = spark.createDataFrame(table)
        call = {"quasi": [age, town], "k": 5, "keep_others": True}
        plan = hs.plan(df, method="mondrian:variant=relaxed,cut=median", **call)
        release = plan.publish(df)
        assert release.columns == table.column_names and plan.verify(release)
        assert hedgerow.verify(release.toArrow(), quasi=[age, town], k=5)
        path = tmp_path / f"{age}.parquet"
        plan.save(path)
        assert rows_of(hs.load(path).publish(df)) == rows_of(release)
        parted = hs.plan(df, method="mondrian", parts=2, staging=tmp_path, **call)
        assert parted.verify(parted.publish(df))


@pytest.mark.parametrize("suppress", ["1%", "5%", "20%"])
def test_suppressed_records_have_no_bounds(
    suppress: str, spark: Any, df: Any, tmp_path: Path
) -> None:
    call = {**CALL, "method": "optimal", "suppress": suppress, "interval_style": "bounds"}
    plan = hs.plan(df.drop("town"), **{**call, "quasi": ["age"]})
    verified = plan.write(df.drop("town"), tmp_path / "release.parquet")
    # Records without an age show nothing either.
    n_blank = plan.report.suppressed + plan.report.show_nothing
    assert verified and verified.suppressed == n_blank > plan.report.show_nothing


def test_a_few_suppressed_records_are_not_a_class(spark: Any, tmp_path: Path) -> None:
    import pyarrow

    # Three records are alone, and fewer than k.
    ages = [20, 21, 22, 23, 24] * 8 + [60, 75, 90]
    df = spark.createDataFrame(pyarrow.table({"age": ages}))
    call = {"quasi": "age", "k": 5, "suppress": "8%", "interval_style": "bounds"}
    plan = hs.plan(df, method="optimal", **call)
    assert plan.report.suppressed == 3
    assert plan.write(df, tmp_path / "release.parquet").suppressed == 3
    # A release that is read without a plan is counted in the same way.
    release = spark.read.parquet(str(tmp_path / "release.parquet"))
    found = hs.verify(release, quasi=["age_min", "age_max"], k=5)
    assert found and found.suppressed == 3


@pytest.mark.parametrize("cells", [("low", "high"), (3, 2), (1, None), ("[1, 2]", "*")])
def test_columns_with_names_of_bounds_can_be_something_else(cells: Any, spark: Any) -> None:
    import pyarrow

    kind = pyarrow.int64() if isinstance(cells[0], int) else pyarrow.string()
    columns = {
        name: pyarrow.array([cell] * 5 + [None] * 2, kind)
        for name, cell in zip(["x_min", "x_max"], cells)
    }
    table = pyarrow.table(columns)
    found = hs.verify(spark.createDataFrame(table), quasi=list(columns), k=5)
    # Two records have no values, which is not the same as being suppressed.
    assert not found and found.suppressed == 0 and found.smallest_class == 2
    alone = hedgerow.verify(table, quasi=list(columns), k=5)
    assert not alone and alone.suppressed == 0 and alone.smallest_class == 2


def test_nothing_is_left_in_the_staging_folder(spark: Any, df: Any, tmp_path: Path) -> None:
    plan = hs.plan(df, **CALL)
    staging = tmp_path / "staging"
    plan.write(df, tmp_path / "release.parquet", staging=staging)
    assert os.listdir(staging) == []
    with pytest.raises(hedgerow.FileError, match="not the planned one"):
        plan.write(df.filter("weight > 60"), tmp_path / "other.parquet", check=False, staging=staging)
    assert os.listdir(staging) == []


def test_records_of_a_person_are_counted_once(spark: Any, tmp_path: Path, command_line: Any) -> None:
    import pyarrow

    rows = 240
    table = pyarrow.table(
        {
            "who": [f"p{n // 4}" for n in range(rows)],
            "age": [20 + n // 4 % 30 for n in range(rows)],
            "town": [["Oslo", "Moss", "Bergen"][n // 4 % 3] for n in range(rows)],
        }
    )
    pq.write_table(table, tmp_path / "visits.parquet")
    flags = ["--quasi", "age,town", "-k", "5", "--person", "who", "--method", "mondrian"]
    expected = command_line(tmp_path / "visits.parquet", tmp_path / "release.csv", *flags)
    df = spark.createDataFrame(table)
    plan = hs.plan(df, quasi=["age", "town"], k=5, person="who", method="mondrian")
    release = plan.publish(df)
    assert release.columns == ["age", "town"] and plan.verify(release)
    assert sorted(rows_of(release)[1:]) == sorted(expected[1:])
    people = Counter()
    kept = plan.publish(df, keep_order=True).toArrow().to_pylist()
    shown = {(tuple(row.values()), who) for row, who in zip(kept, table["who"].to_pylist())}
    people.update(cells for cells, _ in shown)
    assert min(people.values()) >= 5
