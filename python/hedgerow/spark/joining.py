"""A release as a join: records with what a plan says about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow

from hedgerow.errors import Invalid
from hedgerow.spark import engine

COUNT = engine.RESERVED + "count"
GROUP = engine.RESERVED + "group"
_NUMBER = engine.RESERVED + "number"
OF_RUN = engine.RESERVED + "of_run"
OF_RUNS = ["group", "start", "end", "published"]
"""The columns of runs besides the cells, on the driver."""
START = engine.RESERVED + "start"
END = engine.RESERVED + "end"


@dataclass
class About:
    """The data of a plan besides its tuples and their cells."""

    header: list[str]
    """The columns of the planned DataFrame."""
    types: dict[str, str]
    """The types of the counted columns."""
    counted: list[str]
    published: list[str]
    """The columns of the planned DataFrame that are published in some form."""
    columns: list[list[Any]]
    """The columns that replace quasi-identifiers: name, quasi-identifier, whether cells are numbers."""
    position: str | None
    asked: dict[str, Any]
    outcome: dict[str, Any]
    warnings: list[str]
    key: str
    """The key of the random order."""


@dataclass
class Mapped:
    """The tables of a plan as DataFrames; None if a table is empty."""

    whole: Any
    """Tuples whose records publish the same: their fields and the cells."""
    divided: Any
    """Other tuples: their fields and the group."""
    runs: Any
    """The cells that records of a group publish: ``OF_RUN``, ``START``, ``END``, and the cells."""


def joined(df: Any, about: About, mapped: Mapped, keep_order: bool) -> Any:
    """Return the release as a DataFrame, which is computed when it is used."""
    functions = engine.functions()
    from pyspark.sql import Window

    source = engine.positioned(df, about.position)
    place = engine.col(engine.POSITION)
    outputs = [*_outputs(about), place]
    parts = []
    if mapped.whole is not None:
        parts.append(_with(source, about, mapped.whole).select(*outputs))
    if mapped.runs is not None:
        # Only records of divided groups need numbers.
        numbered = _with(source, about, mapped.divided).withColumn(
            _NUMBER, functions.row_number().over(Window.partitionBy(GROUP).orderBy(place)) - 1
        )
        number = engine.col(_NUMBER)
        of_run = (
            (engine.col(GROUP) == engine.col(OF_RUN))
            & (number >= engine.col(START))
            & (number < engine.col(END))
        )
        # A divided group has few runs, so this join is by the group and then by numbers.
        parts.append(numbered.join(mapped.runs, of_run).select(*outputs))
    if not parts:
        raise Invalid("no record is published: all are suppressed and left out")
    release = parts[0] if len(parts) == 1 else parts[0].unionByName(parts[1])
    mixed = functions.sha2(functions.concat(functions.lit(about.key), place.cast("string")), 256)
    return release.orderBy(place if keep_order else mixed).drop(engine.POSITION)


def check_columns(df: Any, about: About) -> None:
    """Raise an error unless a DataFrame has the columns of the planned one."""
    missing = [name for name in about.header if name not in df.columns]
    added = [name for name in df.columns if name not in about.header]
    types = dict(df.dtypes)
    changed = [name for name in about.counted if types.get(name) != about.types[name]]
    if missing:
        raise Invalid(f"the plan was made for another DataFrame: this one has no '{missing[0]}'")
    if added:
        raise Invalid(
            f"the plan was made for another DataFrame: it had no column '{added[0]}', which was "
            "not examined; drop the column, or plan again"
        )
    if changed:
        name = changed[0]
        raise Invalid(
            f"the plan was made for another DataFrame: '{name}' was of type {about.types[name]}, "
            f"and is of type {types[name]}"
        )


def named_runs(runs: pyarrow.Table) -> pyarrow.Table:
    """Runs of the native module with cells whose names no other column has."""
    cells = [cell(place) for place in range(runs.num_columns - len(OF_RUNS))]
    return runs.rename_columns([*OF_RUNS, *cells])


def key(place: int) -> str:
    """The name of a counted column in a mapping."""
    return f"{engine.RESERVED}key{place}"


def cell(place: int) -> str:
    """The name of a published column in a mapping."""
    return f"{engine.RESERVED}cell{place}"


def _with(source: Any, about: About, mapping: Any) -> Any:
    """Join the records with a mapping by the counted columns."""
    counted = enumerate(about.counted)
    return source.join(mapping, engine.null_safe([(name, key(place)) for place, name in counted]))


def _outputs(about: About) -> list[Any]:
    """The columns of the release in their order."""
    made = []
    for name in about.published:
        replacing = [
            engine.col(cell(place)).alias(shown)
            for place, (shown, quasi, _) in enumerate(about.columns)
            if quasi == name
        ]
        made.extend(replacing or [engine.col(name)])
    return made
