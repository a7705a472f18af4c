"""Wrong tables and arguments are explained, whatever library the table comes from."""

from __future__ import annotations

import datetime
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest

import hedgerow

Columns = dict[str, list[object]]
KINDS = [pandas.DataFrame, polars.DataFrame, pyarrow.table, lambda c: duckdb.from_arrow(pyarrow.table(c))]
IDS = ["pandas", "polars", "pyarrow", "duckdb"]


@pytest.fixture(params=KINDS, ids=IDS)
def made(request: pytest.FixtureRequest) -> Any:
    """Makes a table of one of the libraries."""
    return request.param


def test_a_missing_column_is_suggested(made: Any, people: Columns) -> None:
    with pytest.raises(hedgerow.UnknownColumn) as raised:
        hedgerow.anonymize(made(people), quasi=["agee"], k=2)
    assert str(raised.value) == (
        "there is no column 'agee' (did you mean 'age'?); the columns are 'age', 'city', 'ill'"
    )
    with pytest.raises(hedgerow.UnknownColumn, match="'citty'"):
        hedgerow.verify(made(people), quasi=["citty"], k=2)


def test_k_can_be_too_large(made: Any, people: Columns) -> None:
    with pytest.raises(hedgerow.Unreachable, match="7") as raised:
        hedgerow.anonymize(made(people), quasi=["age"], k=7, keep_others=True)
    assert "6" in str(raised.value) and "--" not in str(raised.value)


def test_a_table_without_rows(made: Any) -> None:
    empty = {"age": pyarrow.array([], pyarrow.int64()), "city": pyarrow.array([], pyarrow.string())}
    table = pyarrow.table(empty)
    given = {
        "pandas": lambda: table.to_pandas(),
        "polars": lambda: polars.DataFrame(table),
        "pyarrow": lambda: table,
        "duckdb": lambda: duckdb.from_arrow(table),
    }
    of = given[IDS[KINDS.index(made)]]()
    with pytest.raises(hedgerow.Error, match="the table has no records"):
        hedgerow.anonymize(of, quasi="age", k=2)
    with pytest.raises(hedgerow.Error, match="no records"):
        hedgerow.inspect(of)


def test_a_table_without_columns() -> None:
    for table in (pandas.DataFrame(), polars.DataFrame(), pyarrow.table({})):
        with pytest.raises(hedgerow.Error, match="no columns"):
            hedgerow.anonymize(table, quasi="age", k=2)


def test_a_name_twice() -> None:
    twice = pyarrow.table([[1, 2], [3, 4]], names=["age", "age"])
    for table in (twice, twice.to_pandas()):
        with pytest.raises(hedgerow.BadColumn, match="'age': columns 1 and 2 both have this name"):
            hedgerow.anonymize(table, quasi="age", k=2)


@pytest.mark.parametrize(
    "values",
    [
        [[1], [2], [3]],
        [{"year": 1}, {"year": 2}, {"year": 3}],
        [b"1", b"2", b"3"],
    ],
    ids=["lists", "structs", "bytes"],
)
def test_nested_values_are_not_generalized(values: list[object]) -> None:
    table = pyarrow.table({"age": values, "pay": [1, 2, 3]})
    for frame in (table, polars.DataFrame(table)):
        with pytest.raises(hedgerow.BadColumn, match="'age'") as raised:
            hedgerow.anonymize(frame, quasi="age", k=2, keep="pay")
        assert raised.value.column == "age"
    # As a column that is published unchanged they are fine, once that was decided.
    with pytest.raises(hedgerow.BadColumn, match="'age'"):
        hedgerow.anonymize(table, quasi="pay", k=2)
    assert hedgerow.anonymize(table, quasi="pay", k=2, keep="age").frame.num_rows == 3


@pytest.mark.parametrize(
    ("values", "row", "kind"),
    [
        ([1, None, "two", 3], 3, "str"),
        (["a", "b", 3.5], 3, "float"),
        ([datetime.date(2020, 1, 1), "2020-01-02"], 2, "str"),
    ],
)
def test_mixed_objects_are_named_with_row_and_type(values: list[object], row: int, kind: str) -> None:
    table = pandas.DataFrame({"age": pandas.Series(values, dtype=object)})
    with pytest.raises(hedgerow.MixedTypes) as raised:
        hedgerow.anonymize(table, quasi="age", k=2)
    assert (raised.value.column, raised.value.row, raised.value.type) == ("age", row, kind)
    assert f"column 'age': row {row} has a value of type {kind}" in str(raised.value)
    assert ".astype(str)" in str(raised.value)


def test_an_index_that_matters_is_kept_as_a_column(people: Columns) -> None:
    table = pandas.DataFrame(people, index=pandas.Index([f"p{n}" for n in range(6)], name="who"))
    with pytest.warns(hedgerow.HedgerowWarning) as told:
        frame = hedgerow.anonymize(table, quasi=["age", "city"], k=3, sensitive="ill").frame
    assert any("index of the frame (who) is not published" in str(one.message) for one in told)
    assert list(frame.index) == list(range(6)) and "who" not in frame.columns
    with pytest.raises(hedgerow.Undecided):
        hedgerow.anonymize(table.reset_index(), quasi=["age", "city"], k=3, sensitive="ill")
    kept = hedgerow.anonymize(
        table.reset_index(), quasi=["age", "city"], k=3, sensitive="ill", identifier="who"
    ).frame
    assert list(kept.columns) == ["age", "city", "ill"]


@pytest.mark.parametrize(
    "values",
    [
        [1 + 2j, 3j, 4 + 0j, 1j],
        [pandas.Period("2020-01"), pandas.Period("2020-02"), pandas.NaT, pandas.Period("2021-01")],
        [2**70, 2**71, 3, 4],
        [1, "two", 3, None],
    ],
    ids=["complex", "periods", "large", "mixed"],
)
def test_objects_that_arrow_cannot_hold(values: list[object]) -> None:
    ages = [21, 23, 25, 27]
    table = pandas.DataFrame({"age": ages, "odd": pandas.Series(values, dtype=object)})
    for role in ("drop", "identifier"):
        call: dict[str, Any] = {role: "odd"}
        assert list(hedgerow.anonymize(table, quasi="age", k=2, **call).frame.columns) == ["age"]
    kept = hedgerow.anonymize(table, quasi="age", k=2, keep="odd", keep_order=True).frame
    assert [str(value) for value in kept["odd"]] == [str(value) for value in table["odd"]]
    for arguments in ({"quasi": "age"}, {"quasi": "odd", "keep": "age"}):
        with pytest.raises(hedgerow.BadColumn, match="'odd'") as raised:
            hedgerow.anonymize(table, k=2, **arguments)  # type: ignore[arg-type]
        assert raised.value.column == "odd"
    assert hedgerow.verify(table, quasi="age", k=1)
    assert [column["kind"] for column in hedgerow.inspect(table).columns][1] == "objects"


def test_types_of_pandas_that_are_stored_as_numbers() -> None:
    periods = pandas.DataFrame({"month": pandas.period_range("2020-01", periods=4, freq="M")})
    with pytest.raises(hedgerow.BadColumn, match="Period.*astype"):
        hedgerow.anonymize(periods, quasi="month", k=2)
    assert hedgerow.anonymize(periods.astype(str), quasi="month", k=2).verify()


def test_numbers_of_numpy(people: Columns) -> None:
    import numpy

    call: dict[str, Any] = {"quasi": ["age", "city"], "sensitive": "ill", "keep_order": True}
    expected = hedgerow.anonymize(pandas.DataFrame(people), k=3, **call).frame
    found = hedgerow.anonymize(pandas.DataFrame(people), k=numpy.int64(3), seed=numpy.uint8(0), **call).frame
    pandas.testing.assert_frame_equal(found, expected)
    days = numpy.array(["2020-01-01", "NaT", "2021-05-06"], "datetime64[D]")
    moments = days.astype("datetime64[ns]") + numpy.timedelta64(1500, "ms")
    rows = hedgerow.frame(
        {"day": days, "at": moments, "n": numpy.array([1, 2, 3]), "is": numpy.array([True, False, True])}
    ).rows()
    assert rows == [
        ("2020-01-01", "2020-01-01 00:00:01.500", 1, True),
        (None, None, 2, False),
        ("2021-05-06", "2021-05-06 00:00:01.500", 3, True),
    ]
