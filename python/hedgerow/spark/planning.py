"""``plan``: counts on the engine, search on the driver."""

from __future__ import annotations

import json
import os
import warnings as _warnings
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow

from hedgerow import _hedgerow
from hedgerow._calls import check
from hedgerow._options import OF_FILES, job
from hedgerow.errors import HedgerowWarning, Invalid
from hedgerow.functions import anonymize
from hedgerow.hierarchy import divided
from hedgerow.progress import Listener, listening
from hedgerow.spark import engine
from hedgerow.spark.joining import COUNT, GROUP, About, named_runs
from hedgerow.spark.mapping import Plan, Planned
from hedgerow.spark.parts import plan_in_parts

SAMPLE = 10_000
"""Number of records of which all columns are examined."""

_FIRST = engine.RESERVED + "first"


def plan(
    df: Any,
    *,
    quasi: str | Sequence[str],
    k: int,
    sensitive: str | Sequence[str] = (),
    hierarchies: Mapping[str, object] | None = None,
    position: str | None = None,
    sample: int = SAMPLE,
    parts: int = 1,
    staging: str | os.PathLike[str] | None = None,
    progress: bool | Listener = False,
    **options: Any,
) -> Planned:
    """Plan a release of a DataFrame in which at least ``k`` records share each published tuple.

    The engine counts the distinct tuples of the quasi-identifiers, the sensitive columns and the
    class column; the search runs on the driver, on the counts. ``options`` are those of
    :func:`hedgerow.anonymize`: ``identifier``, ``keep``, ``drop``, ``keep_others``, ``class_``,
    ``method``, ``privacy``, ``suppress``, ``seed`` and others. Methods that look at single records are
    an error.

    ``position`` names a column of whole numbers that are in the order of the records; without it the
    order is that of the partitions (``monotonically_increasing_id``). A ``sample`` of the records is
    looked at on the driver for columns that should not be published without a decision.

    With ``parts``, the counted tuples are cut into regions of similar values, and executors plan one
    region each, with the hierarchies and distributions of the whole table. Only the values of single columns and a sample
    of the tuples come to the driver. Executors need the same wheel, and ``staging`` names a folder that
    they can read and write, where the plan is kept. Every part is anonymous, with more loss at the
    borders, so use it for tables whose counts do not fit into the driver.

    The plan has the values of the counted columns: keep it where the table is kept.
    """
    engine.check_frame(df)
    asked = _asked(df, {"quasi": quasi, "k": k, "sensitive": sensitive, **options}, hierarchies)
    whole = job(asked)
    counted, published = _hedgerow.counting(df.columns, whole)
    engine.check_types(df.dtypes, counted)
    if position is not None and position not in df.columns:
        _hedgerow.counting(df.columns, job({"quasi": [position], "k": 1}))
    with listening(progress) as listener:
        warnings = _hedgerow.examine(_sample(df, position, sample), whole, listener)
        about = _about(df, whole, (counted, published), position)
        about.warnings = warnings
        if parts == 1:
            planned: Planned = _on_driver(df, whole, about, listener)
        else:
            planned = plan_in_parts(df, _checked(parts), _folder(staging), whole, about)
    for warning in about.warnings:
        _warnings.warn(warning, HedgerowWarning, stacklevel=2)
    return planned


def _about(
    df: Any, whole: str, columns: tuple[list[str], list[str]], position: str | None
) -> About:
    """The data of a plan before planning. ``columns`` are the counted and the published ones."""
    counted, published = columns
    types = dict(df.dtypes)
    return About(
        header=list(df.columns),
        types={name: types[name] for name in counted},
        counted=counted,
        published=published,
        columns=[],
        position=position,
        asked={name: value for name, value in json.loads(whole).items() if value or name == "k"},
        outcome={},
        warnings=[],
        key="",
    )


def _on_driver(df: Any, whole: str, about: About, listener: Any) -> Plan:
    """Collect the counts, and search."""
    counts = _counts(df, about.position, about.counted)
    native = _hedgerow.plan(counts, (COUNT, _FIRST), whole, listener)
    about.columns = [list(column) for column in native.columns()]
    about.outcome = json.loads(native.outcome())
    about.warnings = [*about.warnings, *native.warnings()]
    about.key = engine.digest([counts], whole)
    groups = pyarrow.table(native.groups()).column("group")
    tuples = counts.drop_columns([_FIRST]).append_column(GROUP, groups)
    return Plan(about, tuples, named_runs(pyarrow.table(native.runs())))


def _checked(parts: int) -> int:
    if parts < 1:
        raise Invalid(f"parts={parts} makes no sense: name a number of parts of at least 1")
    return parts


def _folder(staging: str | os.PathLike[str] | None) -> str:
    if staging is None:
        raise Invalid(
            "parts are planned on executors, which keep the plan: name a folder that the driver and the "
            "executors can read and write with staging="
        )
    return os.fspath(staging)


def _asked(
    df: Any, options: Mapping[str, Any], hierarchies: Mapping[str, object] | None
) -> dict[str, Any]:
    """Return the options of a job, without those that make no sense here."""
    engine.check_names(df.columns)
    of_files = [name for name in options if name in OF_FILES]
    if of_files:
        raise Invalid(f"{of_files[0]}= is about files, and this table is on an engine; leave it out")
    if "keep_order" in options:
        raise Invalid("keep_order= belongs to publish() and write(), which put records in an order")
    named, given = divided(hierarchies)
    if given:
        raise Invalid("a plan takes hierarchies of methods and files; write() these first")
    check(anonymize, options, ())
    return {**options, "hierarchy": named}


def _sample(df: Any, position: str | None, n_records: int) -> pyarrow.Table:
    """Return records from all over the table, because the first ones may be alike."""
    functions = engine.functions()
    placed = engine.positioned(df, position)
    mixed = placed.orderBy(functions.xxhash64(engine.col(engine.POSITION))).limit(n_records)
    return mixed.drop(engine.POSITION).toArrow()


def _counts(df: Any, position: str | None, counted: Sequence[str]) -> pyarrow.Table:
    """Return the distinct tuples with their numbers of records and the positions of their first."""
    functions = engine.functions()
    place = engine.col(engine.POSITION)
    grouped = engine.positioned(df, position).groupBy(*[engine.col(name) for name in counted])
    counts = grouped.agg(functions.count("*").alias(COUNT), functions.min(place).alias(_FIRST))
    table: pyarrow.Table = counts.toArrow()
    engine.check_positions(table[_FIRST], position)
    return table.sort_by(_FIRST)
