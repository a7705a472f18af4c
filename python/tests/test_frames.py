"""Frames of other libraries: each goes in, and the same kind comes out."""

from __future__ import annotations

import datetime
import warnings
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest

import hedgerow

Columns = dict[str, list[object]]
CALL: dict[str, Any] = {"quasi": ["age", "city"], "k": 3, "sensitive": ["ill"], "keep_order": True}


def test_pandas_gives_pandas_with_categories(people: Columns) -> None:
    table = pandas.DataFrame(people)
    release = hedgerow.anonymize(table, **CALL)
    assert isinstance(release.frame, pandas.DataFrame)
    assert isinstance(release.frame["age"].dtype, pandas.CategoricalDtype)
    assert list(release.frame["ill"]) == people["ill"]
    assert release.verify()


def test_polars_gives_polars_with_categories(people: Columns) -> None:
    release = hedgerow.anonymize(polars.DataFrame(people), **CALL)
    assert isinstance(release.frame, polars.DataFrame)
    assert release.frame["age"].dtype in (polars.Categorical, polars.Enum)
    assert release.frame["ill"].to_list() == people["ill"]
    assert release.verify()


def test_pyarrow_gives_pyarrow_with_dictionaries(people: Columns) -> None:
    release = hedgerow.anonymize(pyarrow.table(people), **CALL)
    assert isinstance(release.frame, pyarrow.Table)
    assert pyarrow.types.is_dictionary(release.frame.schema.field("age").type)
    assert release.frame["ill"].to_pylist() == people["ill"]
    assert release.verify()


def test_duckdb_gives_a_relation(people: Columns) -> None:
    arrow = pyarrow.table(people)
    relation = duckdb.from_arrow(arrow)
    release = hedgerow.anonymize(relation, **CALL)
    assert isinstance(release.frame, duckdb.DuckDBPyRelation)
    assert [row[2] for row in release.frame.fetchall()] == people["ill"]
    assert release.verify() and release.frame.aggregate("count(*)").fetchall() == [(6,)]


def test_duckdb_and_polars_work_without_pyarrow(
    people: Columns, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = hedgerow.anonymize(pyarrow.table(people), **CALL).frame["ill"].to_pylist()
    table = polars.DataFrame(people)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    relation = duckdb.from_arrow(hedgerow.frame(people))
    assert [row[2] for row in hedgerow.anonymize(relation, **CALL).frame.fetchall()] == expected
    assert hedgerow.anonymize(table, **CALL).frame["ill"].to_list() == expected


def test_all_kinds_give_the_same_rows(people: Columns) -> None:
    tables = [
        pandas.DataFrame(people),
        polars.DataFrame(people),
        pyarrow.table(people),
        hedgerow.frame(people),
    ]
    found = [_rows(hedgerow.anonymize(table, **CALL).frame) for table in tables]
    assert all(rows == found[0] for rows in found)


def _rows(frame: Any) -> list[tuple[object, ...]]:
    if isinstance(frame, pandas.DataFrame):
        return list(frame.itertuples(index=False, name=None))
    if isinstance(frame, polars.DataFrame):
        return frame.rows()
    if isinstance(frame, pyarrow.Table):
        return [tuple(row.values()) for row in frame.to_pylist()]
    rows: list[tuple[object, ...]] = frame.rows()
    return rows


def test_other_columns_pass_through_with_their_types() -> None:
    n_rows = 40
    table = pandas.DataFrame(
        {
            "age": numpy.arange(n_rows),
            "when": pandas.date_range("2020-01-01", periods=n_rows, tz="Europe/Oslo"),
            "tags": [["a", "b"]] * n_rows,
            "grade": pandas.Categorical(["low", "high"] * (n_rows // 2), ordered=True),
            "share": numpy.linspace(0, 1, n_rows, dtype=numpy.float32),
        }
    )
    call: dict[str, Any] = {"quasi": "age", "k": 4, "keep": ["when", "tags", "grade", "share"]}
    shuffled = hedgerow.anonymize(table, **call).frame
    kept = hedgerow.anonymize(table, **call, keep_order=True).frame
    others = ["when", "tags", "grade", "share"]
    pandas.testing.assert_frame_equal(kept[others], table[others])
    assert dict(shuffled[others].dtypes) == dict(table[others].dtypes)
    assert sorted(shuffled["share"]) == sorted(table["share"])


def test_unchanged_columns_are_not_copied_if_the_order_is_kept() -> None:
    table = pyarrow.table({"age": list(range(100)), "pay": [n / 8 for n in range(100)]})
    frame = hedgerow.anonymize(table, quasi="age", k=5, keep="pay", keep_order=True).frame
    before, after = table["pay"].chunk(0).buffers()[1], frame["pay"].chunk(0).buffers()[1]
    assert before.address == after.address


def test_chunks_are_read_as_one_table(people: Columns) -> None:
    whole = pyarrow.table(people)
    parts = pyarrow.concat_tables([whole.slice(0, 2), whole.slice(2, 3), whole.slice(5)])
    assert parts["age"].num_chunks == 3
    for keep_order in (True, False):
        call = {**CALL, "keep_order": keep_order}
        one, three = (hedgerow.anonymize(table, **call).frame for table in (whole, parts))
        assert one.to_pylist() == three.to_pylist()


def test_values_of_every_type_are_read_as_the_command_line_reads_them() -> None:
    day = datetime.date(2020, 2, 29)
    columns = {
        "truth": pyarrow.array([True, None]),
        "small": pyarrow.array([1, None], pyarrow.int8()),
        "large": pyarrow.array([2**63, None], pyarrow.uint64()),
        "half": pyarrow.array(numpy.array([0.5, 1], numpy.float16)),
        "single": pyarrow.array([0.1, None], pyarrow.float32()),
        "double": pyarrow.array([1e300, -2.0]),
        "money": pyarrow.array([1234, -5], pyarrow.decimal128(9, 2)),
        "day": pyarrow.array([day, None]),
        "moment": pyarrow.array([datetime.datetime(2020, 2, 29, 1, 2, 3, 500000), None]),
        "time": pyarrow.array([datetime.time(23, 59), None]),
        "text": pyarrow.array(["ä", None], pyarrow.large_string()),
        "view": pyarrow.array(["b", None], pyarrow.string_view()),
        "coded": pyarrow.array(["x", None]).dictionary_encode(),
        "nothing": pyarrow.nulls(2),
    }
    columns["money"] = pyarrow.array(["12.34", "-0.05"]).cast(pyarrow.decimal128(9, 2))
    rows = pyarrow.table(hedgerow._hedgerow.spelled(pyarrow.table(columns))).to_pylist()
    first = "true 1 9223372036854775808 0.5 0.1 1e300 12.34 2020-02-29 _ 23:59:00 ä b x".split()
    expected = [text if text != "_" else "2020-02-29 01:02:03.500" for text in first] + [None]
    assert list(rows[0].values()) == expected
    assert rows[1]["double"] == "-2.0" and rows[1]["money"] == "-0.05" and rows[1]["day"] is None


def test_a_frame_without_rows_or_with_a_name_twice_is_refused() -> None:
    with pytest.raises(hedgerow.Error, match="no records"):
        hedgerow.anonymize(pandas.DataFrame({"age": []}), quasi="age", k=2)
    twice = pandas.DataFrame([[1, 2], [3, 4]], columns=["age", "age"])
    with pytest.raises(hedgerow.BadColumn, match="columns 1 and 2 both have this name"):
        hedgerow.anonymize(twice, quasi="age", k=2)


def test_mixed_objects_are_named_with_row_and_type() -> None:
    table = pandas.DataFrame({"age": [1, None, "two", 3]}, dtype=object)
    with pytest.raises(hedgerow.MixedTypes, match="'age': row 3 has a value of type str") as caught:
        hedgerow.anonymize(table, quasi="age", k=2)
    assert (caught.value.column, caught.value.row) == ("age", 3)


def test_nested_columns_are_no_quasi_identifiers() -> None:
    table = pyarrow.table({"age": [[1], [2], [3]], "pay": [1, 2, 3]})
    with pytest.raises(hedgerow.BadColumn, match="lists or groups"):
        hedgerow.anonymize(table, quasi="age", k=2, keep="pay")
    with pytest.raises(hedgerow.BadColumn, match="lists or groups"):
        hedgerow.anonymize(table, quasi="pay", k=2)
    kept = hedgerow.anonymize(table, quasi="pay", k=2, keep="age").frame
    assert sorted(kept["age"].to_pylist()) == [[1], [2], [3]]


def test_the_index_of_pandas_is_left_out_and_said_to_be(people: Columns) -> None:
    names = [f"person {n}" for n in range(6)]
    table = pandas.DataFrame(people, index=pandas.Index(names, name="who"))
    with pytest.warns(hedgerow.HedgerowWarning, match="who"):
        frame = hedgerow.anonymize(table, **CALL).frame
    assert list(frame.index) == list(range(6)) and list(frame.columns) == list(people)
    with warnings.catch_warnings():
        warnings.simplefilter("error", hedgerow.HedgerowWarning)
        sorted_people = pandas.DataFrame(people).sort_values("age")
        hedgerow.anonymize(sorted_people, **{**CALL, "sensitive": [], "keep": ["ill"]})


def test_figures_are_tables_in_a_notebook(people: Columns) -> None:
    shown = hedgerow.inspect(pandas.DataFrame({**people, "<b>": [1, 2, 3, 4, 5, 6]}))._repr_html_()
    assert shown.count("<table>") == shown.count("</table>") > 1
    assert "{'" not in shown and "<b>" not in shown and "&lt;b&gt;" in shown


def test_a_lazy_frame_is_refused_with_a_word() -> None:
    with pytest.raises(hedgerow.Invalid, match="collect"):
        hedgerow.anonymize(polars.LazyFrame({"age": [1, 2]}), quasi="age", k=2)


def test_pandas_works_without_pyarrow(people: Columns, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pandas.DataFrame({**people, "day": pandas.date_range("2020-01-01", periods=6)})
    call = {**CALL, "quasi": ["age", "city", "day"]}
    expected = hedgerow.anonymize(table, **call).frame
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    pandas.testing.assert_frame_equal(hedgerow.anonymize(table, **call).frame, expected)


def test_all_functions_take_frames(people: Columns, tmp_path: Any) -> None:
    table = pandas.DataFrame(people)
    roles = hedgerow.inspect(table).roles()
    assert "age" in roles["quasi"]
    release = hedgerow.anonymize(table, **CALL)
    quasi = ["age", "city"]
    measured = hedgerow.measure(table, release.frame, quasi=quasi, hierarchies=release.hierarchies)
    assert measured.losses["ntil"] == pytest.approx(release.losses["ntil"])
    # These two depend on hierarchies, which hedge does without.
    assert set(release.losses) - set(measured.losses) <= {"distortion", "precision"}
    assert hedgerow.measure(table, release.frame, quasi=quasi, class_="ill").classification
    assert hedgerow.risk(table, release.frame, quasi=quasi)["release"]
    assert hedgerow.risk(table, quasi=quasi, sampling_fraction=0.1)["original"]["records"] == 6
    evidence = hedgerow.attack(table, release.frame, quasi=quasi, sensitive="ill")
    assert evidence["attempts"]
    compared = hedgerow.compare(table, quasi=quasi, k=[2, 3], methods=["mondrian", "hedge"], keep_others=True)
    assert len(compared["cells"]) == 4 and compared.csv.count("\n") >= 4
    path = tmp_path / "people.csv"
    table.to_csv(path, index=False)
    assert hedgerow.inspect(path)["rows"] == 6
    written = hedgerow.anonymize(path, **CALL, output=tmp_path / "release.csv")
    assert written.frame == tmp_path / "release.csv"
    assert hedgerow.verify(written.frame, quasi=quasi, k=3)


def test_missing_quasi_identifiers_stay_missing() -> None:
    ages = [23, 25, None, None, 46, 41, 43, 23]
    towns = ["Oslo", "Oslo", None, None, "Moss", "Moss", "Moss", "Oslo"]
    table = pyarrow.table({"age": ages, "town": towns})
    call: dict[str, Any] = {"quasi": ["age", "town"], "k": 2, "keep_order": True, "method": "mondrian"}
    found = hedgerow.anonymize(table, **call).frame
    assert found["age"].null_count > 0 and found["town"].null_count > 0
    assert "" not in found["age"].to_pylist() + found["town"].to_pylist()
    expected = [tuple(row.values()) for row in found.to_pylist()]
    assert hedgerow.anonymize(polars.DataFrame(table), **call).frame.rows() == expected
    assert hedgerow.anonymize(duckdb.from_arrow(table), **call).frame.fetchall() == expected
    frame = hedgerow.anonymize(table.to_pandas(), **call).frame
    assert list(frame["age"].isna()) == [age is None for age, _ in expected]
    assert "" not in frame["town"].cat.categories
    assert hedgerow.verify(frame, quasi=["age", "town"], k=2)
    whole = pandas.DataFrame({"age": pandas.array(ages, dtype="Int64"), "town": towns})
    bounds = hedgerow.anonymize(whole, **call, interval_style="bounds").frame
    assert str(bounds["age_min"].dtype) == "Int64" and bounds["age_min"].isna().sum() > 0


def test_a_column_without_any_value(people: Columns) -> None:
    call: dict[str, Any] = {"quasi": ["age", "none"], "k": 3, "keep_others": True, "keep_order": True}
    nothing = [None] * 6
    tables = [
        pandas.DataFrame({**people, "none": pandas.Categorical(nothing)}),
        polars.DataFrame({**people, "none": nothing}, schema_overrides={"none": polars.Categorical}),
        pyarrow.table({**people, "none": pyarrow.array(nothing, pyarrow.string()).dictionary_encode()}),
    ]
    for table in tables:
        frame = hedgerow.anonymize(table, **call).frame
        assert all(row[3] is None or row[3] != row[3] for row in _rows(frame))


def test_categories_of_polars_are_read_like_texts(people: Columns) -> None:
    table = polars.DataFrame(people)
    coded = table.with_columns(polars.col("city", "ill").cast(polars.Categorical))
    assert _rows(hedgerow.anonymize(coded, **CALL).frame) == _rows(hedgerow.anonymize(table, **CALL).frame)


def test_values_of_a_dictionary_can_be_missing() -> None:
    coded = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, None, 0]), ["a", None])
    spelled = hedgerow._hedgerow.spelled(pyarrow.table({"x": coded})).rows()
    assert spelled == [("a",), (None,), (None,), ("a",)]


def test_a_path_has_all_that_a_frame_has(people: Columns, tmp_path: Any) -> None:
    path = tmp_path / "people.csv"
    pandas.DataFrame(people).to_csv(path, index=False)
    call = {**CALL, "method": "mondrian"}
    release = hedgerow.anonymize(path, **call, output=tmp_path / "release.csv")
    in_memory = hedgerow.anonymize(pandas.DataFrame(people), **call)
    assert release.verify() and release.risk is not None
    assert release.hierarchies.keys() == in_memory.hierarchies.keys()
    assert release.report.to_dict()["schema"] and "<svg" in release.report.html
    assert "input = " in release.job
    bounds = hedgerow.anonymize(
        path, **call, interval_style="bounds", output=tmp_path / "bounds.csv"
    )
    assert bounds.verify()
    formulas = pandas.DataFrame({**people, "=name": ["=a", "-b", "c", "d", "e", "f"]})
    formulas.to_csv(tmp_path / "formulas.csv", index=False)
    guarded = hedgerow.anonymize(
        tmp_path / "formulas.csv",
        quasi=["age", "=name"],
        k=2,
        drop="city",
        sensitive="ill",
        kind={"age": "number", "ill": "text", "city": "text"},
        spreadsheet_safe=True,
        output_encoding="windows-1252",
        output=tmp_path / "guarded.csv",
    )
    assert guarded.verify()
    applied = hedgerow.apply(path, release.recipe, output=tmp_path / "next.csv", keep_order=True)
    assert applied.frame == tmp_path / "next.csv" and applied.released == 6
    assert applied.path.read_text() == release.path.read_text()
    rules = tmp_path / "rules.json"
    rules.write_text(release.recipe)
    with pytest.raises(hedgerow.FileError, match="force"):
        hedgerow.apply(path, rules, output=tmp_path / "next.csv")
    hedgerow.apply(path, rules, output=tmp_path / "next.csv", force=True)
    with pytest.raises(hedgerow.Invalid, match="output="):
        hedgerow.apply(path, rules)
    with pytest.raises(hedgerow.Error, match="this file is an input"):
        hedgerow.apply(path, rules, output=path, force=True)


@pytest.mark.parametrize("header", [[], ["age", "ort"]])
def test_the_population_of_a_file_is_read_as_the_file(header: list[str], tmp_path: Any) -> None:
    towns = ["Zürich", "Genève", "Köln, Süd"]
    # Neither the delimiter nor the encoding would be detected.
    lines = [f"{20 + n % 20}:{towns[n % 3]}\n" for n in range(600)]
    names = "" if header else "age:ort\n"
    population, sample = tmp_path / "population.txt", tmp_path / "sample.txt"
    population.write_text(names + "".join(lines), encoding="mac_roman")
    sample.write_text(names + "".join(lines[::5]), encoding="mac_roman")
    release = hedgerow.anonymize(
        sample,
        quasi=["age", "ort"],
        k=2,
        privacy="k-map:k=20",
        population=population,
        delimiter=":",
        encoding="macintosh",
        header=header,
        output=tmp_path / "release.csv",
    )
    found = release.verify()
    assert found and found.privacy[-1]["model"] == "k-map" and found.privacy[-1]["attained"] >= 20


def test_records_of_a_person_are_counted_once() -> None:
    rows = 24
    table = pandas.DataFrame(
        {
            "who": [f"p{n // 3}" for n in range(rows)],
            "age": [20 + n // 3 for n in range(rows)],
            "ill": ["flu", "cold", "gout"] * 8,
        }
    )
    call: dict[str, Any] = {"quasi": "age", "k": 3, "keep": "ill", "keep_order": True}
    release = hedgerow.anonymize(table, **call, person="who")
    assert list(release.frame.columns) == ["age", "ill"]
    people = table.assign(age=release.frame["age"]).groupby("age", observed=True)["who"].nunique()
    assert people.min() >= 3 and release.summary["people"]
    alone = hedgerow.anonymize(table, **call, identifier="who").frame
    people = table.assign(age=alone["age"]).groupby("age", observed=True)["who"].nunique()
    assert people.min() < 3
    assert hedgerow.risk(table, release.frame, quasi="age", person="who")["release"]
