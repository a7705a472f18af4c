"""A release is about the table at the time of the call, whatever happens to the table afterwards."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest

import hedgerow

AGES = list(range(20, 60))
NAMES = [f"person {age}" for age in AGES]
ILL = [f"illness {age % 7}" for age in AGES]
CALL: dict[str, Any] = {
    "quasi": "age",
    "k": 4,
    "identifier": "name",
    "keep": ["ill", "pay"],
    "keep_order": True,
}


def people() -> pandas.DataFrame:
    pay = numpy.array(AGES, dtype=float) * 10
    return pandas.DataFrame({"name": NAMES, "age": AGES, "ill": ILL, "pay": pay})


def _insert(table: pandas.DataFrame) -> None:
    table.insert(0, "id", range(len(table)))


def _sort(table: pandas.DataFrame) -> None:
    table.sort_values("age", ascending=False, inplace=True)


def _overwrite(table: pandas.DataFrame) -> None:
    table.loc[:, "ill"] = "secret"
    table.loc[3:7, "pay"] = -1.0
    table["age"] = 0


def _drop(table: pandas.DataFrame) -> None:
    table.drop(index=table.index[:10], inplace=True)


@pytest.mark.parametrize("change", [_insert, _sort, _overwrite, _drop])
@pytest.mark.parametrize("keep_order", [True, False])
def test_changes_of_a_pandas_frame_do_not_matter(change: Any, keep_order: bool) -> None:
    call = {**CALL, "keep_order": keep_order}
    expected = hedgerow.anonymize(people(), **call)
    table = people()
    release = hedgerow.anonymize(table, **call)
    change(table)
    pandas.testing.assert_frame_equal(release.frame, expected.frame)
    assert release.verify()
    # The report compares the release with the original.
    assert release.report.to_dict() == expected.report.to_dict()


@pytest.mark.parametrize("change", [_insert, _sort, _overwrite, _drop])
def test_changes_before_a_recipe_was_applied_do_not_matter(change: Any) -> None:
    recipe = hedgerow.anonymize(people(), **{**CALL, "method": "mondrian"}).recipe
    expected = hedgerow.apply(people(), recipe, keep_order=True).frame
    table = people()
    applied = hedgerow.apply(table, recipe, keep_order=True)
    change(table)
    pandas.testing.assert_frame_equal(applied.frame, expected)


def test_changes_of_a_release_do_not_reach_the_table() -> None:
    table = people()
    release = hedgerow.anonymize(table, **CALL)
    release.frame.loc[:, "pay"] = -1.0
    pandas.testing.assert_frame_equal(table, people())


def test_pandas_shares_unchanged_columns_until_one_is_changed() -> None:
    table = people()
    frame = hedgerow.anonymize(table, **CALL).frame
    is_always = int(pandas.__version__.partition(".")[0]) >= 3
    assert numpy.shares_memory(frame["pay"].to_numpy(), table["pay"].to_numpy()) == is_always


def test_polars_in_place_and_relations() -> None:
    expected = hedgerow.anonymize(pyarrow.table(people()), **CALL).frame.to_pylist()
    table = polars.DataFrame(people())
    release = hedgerow.anonymize(table, **CALL)
    table.insert_column(0, polars.Series("id", range(40)))
    table[3, "ill"] = "secret"
    assert release.frame.rows(named=True) == expected
    frame = people()
    relation = duckdb.from_df(frame)
    release = hedgerow.anonymize(relation, **CALL)
    _overwrite(frame)
    assert [row[1] for row in release.frame.fetchall()] == ILL
