"""Wrong uses are explained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as pq
import pytest

import hedgerow
import hedgerow.spark as hs

QUASI: dict[str, Any] = {"quasi": ["age", "town"], "k": 5}
CALL: dict[str, Any] = {**QUASI, "keep_others": True, "method": "mondrian"}


@pytest.fixture
def df(spark: Any, people: Path) -> Any:
    return spark.read.parquet(str(people))


def test_an_unknown_column_is_suggested(df: Any) -> None:
    with pytest.raises(hedgerow.UnknownColumn) as raised:
        hs.plan(df, quasi=["agee"], k=5)
    assert raised.value.suggestion == "age"
    with pytest.raises(hedgerow.UnknownColumn, match="towm"):
        hs.verify(df, quasi=["age", "towm"], k=5)
    with pytest.raises(hedgerow.UnknownColumn, match="plcae"):
        hs.plan(df, position="plcae", **CALL)


def test_positions_are_whole_numbers_from_0(df: Any, tmp_path: Path) -> None:
    from pyspark.sql import functions

    place = functions.monotonically_increasing_id()
    for shifted, found in ((place - 7, "the value -7"), (functions.lit(None), "a missing value")):
        numbered = df.withColumn("place", shifted.cast("bigint"))
        for parts in (1, 2):
            with pytest.raises(hedgerow.BadColumn, match=f"'place'.*{found}") as raised:
                hs.plan(
                    numbered, position="place", parts=parts, staging=tmp_path, identifier="place", **CALL
                )
            assert raised.value.column == "place"
    assert list(tmp_path.iterdir()) == []


def test_methods_that_need_records_are_refused_with_others(df: Any) -> None:
    with pytest.raises(hedgerow.MethodError) as raised:
        hs.plan(df, quasi=["age", "town"], k=5, keep_others=True, method="k-member")
    assert "mondrian" in str(raised.value) and "single records" in str(raised.value)


def test_nested_columns_are_not_quasi_identifiers(spark: Any) -> None:
    ages = pyarrow.array([[1, 2], [3]] * 10)
    df = spark.createDataFrame(pyarrow.table({"ages": ages, "town": ["Oslo", "Moss"] * 10}))
    with pytest.raises(hedgerow.BadColumn, match="array") as raised:
        hs.plan(df, quasi=["ages"], k=2)
    assert raised.value.column == "ages"
    with pytest.raises(hedgerow.Error, match="ages"):
        hs.plan(df, quasi=["town"], k=2)


def test_a_plan_is_for_one_table(spark: Any, df: Any, people: Path) -> None:
    plan = hs.plan(df, **CALL)
    with pytest.raises(hedgerow.Invalid, match="no 'weight'"):
        plan.publish(df.drop("weight"))
    with pytest.raises(hedgerow.Invalid, match="had no column 'more', which was not examined"):
        plan.publish(df.withColumn("more", df["age"]))
    with pytest.raises(hedgerow.Invalid, match="'age' was of type int, and is of type string"):
        plan.publish(df.withColumn("age", df["age"].cast("string")))
    with pytest.raises(hedgerow.Invalid, match="not the one that was planned: of the records with age="):
        plan.publish(df.limit(599))
    with pytest.raises(hedgerow.Invalid, match="now; plan it again"):
        plan.publish(df.unionByName(df.limit(1)))
    plan.check(df)


def test_a_plan_file_that_is_damaged_or_of_another_version(df: Any, tmp_path: Path) -> None:
    plan = hs.plan(df, **CALL)
    path = tmp_path / "plan.parquet"
    plan.save(path)
    whole = path.read_bytes()
    with pytest.raises(hedgerow.FileError, match="no such file"):
        hs.load(tmp_path / "other.parquet")
    for n_bytes in (0, 3, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:n_bytes])
        with pytest.raises(hedgerow.FileError, match="damaged, or not a plan"):
            hs.load(path)
    for at in range(4, len(whole) - 8, len(whole) // 50):
        damaged = bytearray(whole)
        damaged[at] ^= 0x55
        path.write_bytes(bytes(damaged))
        # Some bytes do not matter, such as statistics.
        try:
            found = hs.load(path)
        except hedgerow.FileError:
            continue
        assert found._tuples.to_pydict() == plan._tuples.to_pydict(), at
        assert found._runs.to_pydict() == plan._runs.to_pydict(), at
    path.write_bytes(whole)
    table = pq.read_table(path)
    about = json.loads(table.schema.metadata[b"hedgerow.plan"])
    for change, problem in [
        ({"version": 2}, "has version 2, and this hedgerow reads version 1"),
        ({"plan": {}}, "incomplete"),
        ({"tuples": 7}, "rows are missing or were added"),
    ]:
        text = json.dumps({**about, **change}).encode()
        pq.write_table(table.replace_schema_metadata({b"hedgerow.plan": text}), path)
        with pytest.raises(hedgerow.FileError, match=problem):
            hs.load(path)
    pq.write_table(table.drop_columns(["group"]), path)
    with pytest.raises(hedgerow.FileError, match="columns are not those of a plan"):
        hs.load(path)
    pq.write_table(pyarrow.table({"age": [1]}), path)
    with pytest.raises(hedgerow.FileError, match="not a plan"):
        hs.load(path)


def test_other_tables_and_options_are_explained(df: Any) -> None:
    with pytest.raises(hedgerow.Invalid, match="not a DataFrame of PySpark"):
        hs.plan({"age": [1, 2]}, quasi="age", k=2)
    with pytest.raises(hedgerow.Invalid, match="output= is about files"):
        hs.plan(df, output="release.csv", **CALL)
    with pytest.raises(hedgerow.Invalid, match=r"keep_order= belongs to publish\(\)"):
        hs.plan(df, keep_order=True, **CALL)
    with pytest.raises(hedgerow.Error, match="sensitve"):
        hs.plan(df, sensitve="ill", **CALL)
    with pytest.raises(hedgerow.UnknownName, match="no argument 'hierarchy'"):
        hs.plan(df, hierarchy={"age": "iotf"}, **CALL)
    with pytest.raises(hedgerow.Unreachable):
        hs.plan(df, **{**CALL, "k": 601})
    with pytest.raises(hedgerow.BadColumn, match="reserved"):
        hs.plan(df.withColumnRenamed("sex", "__hedgerow_sex"), **CALL)
    with pytest.raises(hedgerow.Invalid, match="quasi-identifiers"):
        hs.verify(df, quasi=[], k=5)


def test_an_empty_table(spark: Any, df: Any) -> None:
    with pytest.raises(hedgerow.Error, match="no records"):
        hs.plan(df.limit(0), **CALL)
    with pytest.raises(hedgerow.Invalid, match="no records"):
        hs.verify(df.limit(0), quasi=["age"], k=5)
