"""A release in parts, counted, joined and numbered without an engine: what every engine must give."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pyarrow
import pyarrow.compute as pc

from hedgerow import _hedgerow
from hedgerow._options import job
from hedgerow.spark.executor import plan_part
from hedgerow.spark.parts import _task

OF_RUN = ["count", "group", "start", "end", "published", "alone", "first", "part", "outcome"]
Rows = list[tuple[str, ...]]


@dataclass
class About:
    counted: list[str]


def without_an_engine(table: pyarrow.Table, call: dict[str, Any], n_parts: int) -> Rows:
    """The release of a table, whose column ``row`` has the positions, in the order of the table."""
    options = job({**call, "identifier": "row"})
    counted, published = _hedgerow.counting(table.column_names, options)
    counts = _counts(table, counted)
    whole = [_margin(counts, name) for name in counted]
    division = _hedgerow.divide(counts, ("count", "first"), whole, n_parts, options)
    task = _task(division, whole, options, About(counted))  # type: ignore[arg-type]
    task.count, task.first, task.part = "count", "first", "part"
    part = pyarrow.array(_parts(counts, whole, division, call["quasi"]), pyarrow.int64())
    assert set(part.to_pylist()) == set(range(n_parts))
    counts = counts.append_column("part", part)
    cells = [f"cell {name}" for name in call["quasi"]]
    groups: dict[tuple[object, ...], int] = {}
    runs: dict[int, dict[int, dict[str, Any]]] = {}
    for number in range(n_parts):
        planned = plan_part(counts.filter(pc.equal(counts["part"], number)), task)
        for row in planned.rename_columns([*counted, *OF_RUN, *cells]).to_pylist():
            groups[tuple(row[name] for name in counted)] = row["group"]
            runs.setdefault(row["group"], {})[row["start"]] = row
    seen: Counter[int] = Counter()
    rows = []
    for record in table.to_pylist():
        group = groups[tuple(record[name] for name in counted)]
        run = next(run for run in runs[group].values() if run["start"] <= seen[group] < run["end"])
        seen[group] += 1
        shown = {name: run[f"cell {name}"] or None for name in call["quasi"]}
        rows.append({name: shown.get(name, record[name]) for name in published})
    return _spelled(table, rows, published, call["quasi"])


def _counts(table: pyarrow.Table, counted: list[str]) -> pyarrow.Table:
    made = table.group_by(counted).aggregate([([], "count_all"), ("row", "min")])
    made = made.select([*counted, "count_all", "row_min"])
    return made.rename_columns([*counted, "count", "first"]).sort_by("first")


def _margin(counts: pyarrow.Table, name: str) -> pyarrow.Table:
    made = counts.group_by(name).aggregate([("count", "sum"), ("first", "min")])
    made = made.select([name, "count_sum", "first_min"])
    return made.rename_columns([name, "count", "first"]).sort_by("first")


def _parts(
    counts: pyarrow.Table, whole: list[pyarrow.Table], division: Any, quasi: list[str]
) -> list[int]:
    """The part of each counted tuple."""
    places = []
    for at, name in enumerate(quasi):
        values = next(margin for margin in whole if name in margin.column_names)
        places.append(dict(zip(values[name].to_pylist(), division.places(at))))
    cuts = division.cuts()
    found = []
    for row in counts.to_pylist():
        is_part, number = False, 0
        while not is_part:
            attribute, below, low, high = cuts[number]
            is_low = places[attribute][row[quasi[attribute]]] < below
            is_part, number = low if is_low else high
        found.append(number)
    return found


def _spelled(
    table: pyarrow.Table, rows: list[dict[str, Any]], published: list[str], quasi: list[str]
) -> Rows:
    """The header and the rows, written as the command line writes them."""

    def column(name: str) -> pyarrow.Array:
        of = pyarrow.string() if name in quasi else table.schema.field(name).type
        return pyarrow.array([row[name] for row in rows], of)

    spelled = _hedgerow.spelled(pyarrow.table({name: column(name) for name in published})).rows()
    return [tuple(published), *(tuple("" if cell is None else cell for cell in row) for row in spelled)]
