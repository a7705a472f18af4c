"""Plans of tables whose counts do not fit into the driver: cut into parts that executors plan."""

from __future__ import annotations

import json
import os
import re
import tempfile
import uuid
from collections.abc import Sequence
from typing import Any

import pyarrow

from hedgerow import _hedgerow, errors
from hedgerow.errors import Error, Invalid
from hedgerow.progress import listening
from hedgerow.spark import engine, executor, folders
from hedgerow.spark.joining import COUNT, END, GROUP, OF_RUN, START, About, Mapped, cell, key
from hedgerow.spark.mapping import Passing, Planned

SAMPLE = 50_000
"""Number of tuples by which hierarchies are chosen and parts are cut."""

_FIRST = engine.RESERVED + "first"
_PART = engine.RESERVED + "part"
_PLACE = engine.RESERVED + "place"
_VALUE = engine.RESERVED + "value"
_MEANS = ("gcp", "gen-iloss", "lm", "ntil")
"""Losses that are means over records. Others do not follow from those of the parts."""
_ABSENT = "No module named 'hedgerow'"


class PartedPlan(Planned):
    """A plan that is stored where executors can read it, made in parts.

    It is made by :func:`hedgerow.spark.plan` with ``parts``. Its folder has the values of the counted
    columns: keep it where the table is kept, and call :meth:`remove` when the release is written.
    """

    def __init__(self, about: About, folder: str) -> None:
        super().__init__(about)
        self.folder = folder
        """The folder of the plan."""

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Raise an error: a plan in parts is in its folder already."""
        raise Invalid(f"a plan in parts is kept in {self.folder}, and is not written to a file")

    def remove(self, session: Any) -> None:
        """Delete the folder of the plan, which has original values. It cannot be used afterwards."""
        folders.remove(session, self.folder)

    def _mapped(self, passing: Passing) -> Mapped:
        functions = engine.functions()
        rows = self._rows(passing.session)
        keys = [key(place) for place in range(len(self._about.counted))]
        cells = [cell(place) for place in range(len(self.quasi))]
        alone, published = engine.col("alone"), engine.col("published")
        divided = rows.filter(~alone)
        whole = rows.filter(alone & published).select(*keys, *cells)
        runs = divided.filter(published & engine.col("first")).select(
            engine.col(GROUP).alias(OF_RUN), START, END, *cells
        )
        firsts = divided.filter(engine.col(START) == functions.lit(0)).select(*keys, GROUP)
        return Mapped(whole=whole, divided=firsts, runs=runs)

    def _counts(self, session: Any) -> Any:
        rows = self._rows(session)
        start = engine.col(START)
        firsts = rows.filter(start.isNull() | (start == engine.functions().lit(0)))
        keys = [
            engine.col(key(place)).alias(name) for place, name in enumerate(self._about.counted)
        ]
        return firsts.select(*keys, COUNT)

    def _classes(self, session: Any) -> Any:
        functions = engine.functions()
        rows = self._rows(session)
        cells = [
            engine.col(cell(place)).alias(name) for place, name in enumerate(self.quasi)
        ]
        size = engine.col(END) - engine.col(START)
        shown = rows.filter(engine.col("published") & engine.col("first"))
        shown = shown.select(*cells, size.alias(COUNT))
        return shown.groupBy(*[engine.col(name) for name in self.quasi]).agg(
            functions.sum(COUNT).alias(COUNT)
        )

    def _rows(self, session: Any) -> Any:
        """The rows of the plan, with empty cells as nulls."""
        functions = engine.functions()
        rows = session.read.parquet(self.folder)
        for place, (_, _, is_numeric) in enumerate(self._about.columns):
            text = engine.col(cell(place))
            shown = functions.when(text != functions.lit(""), text)
            rows = rows.withColumn(cell(place), shown.cast("double") if is_numeric else shown)
        return rows


def plan_in_parts(df: Any, parts: int, staging: str, options: str, about: About) -> PartedPlan:
    """Count on the engine, cut the counted tuples into parts, and plan them on executors.

    ``options`` is the job as JSON, and ``about`` what is known before planning.
    """
    session = df.sparkSession
    folder = f"{staging.rstrip('/')}/plan-{uuid.uuid4().hex[:12]}"
    counts_folder = f"{folder}-counts"
    try:
        counts = _stored_counts(df, about, counts_folder)
        _plan_parts(counts, parts, folder, options, about)
    except BaseException:
        folders.remove(session, folder)
        raise
    finally:
        # It has original values, and the plan has all that is needed of them.
        folders.remove(session, counts_folder)
    return PartedPlan(about, folder)


def _plan_parts(counts: Any, parts: int, folder: str, options: str, about: About) -> None:
    """Plan stored counts in parts, write the plan to a folder, and complete what is known about it."""
    session = counts.sparkSession
    whole = [_margin(counts, name) for name in about.counted]
    engine.check_positions(whole[0][_FIRST], about.position)
    with listening(False) as listener:
        division = _hedgerow.divide(
            _sample(counts), (COUNT, _FIRST), whole, parts, options, listener
        )
    about.columns = [list(column) for column in division.columns()]
    task = _task(division, whole, options, about)
    counts = _parted(session, counts, division, list(zip(about.counted, whole)), json.loads(options))
    fields = [f"`{key(n)}` {about.types[name]}" for n, name in enumerate(about.counted)]
    n_cells = len(about.columns)
    fields += [f"`{COUNT}` bigint", f"`{GROUP}` bigint", f"`{START}` bigint", f"`{END}` bigint"]
    fields += ["published boolean", "alone boolean", "first boolean", f"`{_PART}` bigint"]
    fields += ["outcome string", *(f"`{cell(n)}` string" for n in range(n_cells))]
    names = [field.split(" ")[0].strip("`") for field in fields]

    def on_executor(part: pyarrow.Table) -> pyarrow.Table:
        from hedgerow.spark.executor import plan_part

        return plan_part(part, task).rename_columns(names)

    planned = counts.groupBy(_PART).applyInArrow(on_executor, ", ".join(fields))
    try:
        planned.write.mode("error").parquet(folder)
    except Exception as error:  # noqa: BLE001 - engines raise their own errors
        raise _explained(error) from error
    rows = session.read.parquet(folder)
    about.columns = _typed(rows, about.columns)
    about.outcome = _outcome(rows)
    # The values of all columns, because the tuples themselves are not here.
    about.key = engine.digest(whole, options)


def _stored_counts(df: Any, about: About, folder: str) -> Any:
    """Count the distinct tuples, and keep them where executors can read them."""
    functions = engine.functions()
    source = engine.positioned(df, about.position)
    grouped = source.groupBy(*[engine.col(name) for name in about.counted]).agg(
        functions.count("*").cast("bigint").alias(COUNT),
        functions.min(engine.col(engine.POSITION)).alias(_FIRST),
    )
    grouped.write.mode("error").parquet(folder)
    return df.sparkSession.read.parquet(folder)


def _margin(counts: Any, name: str) -> pyarrow.Table:
    """The values of a column with their numbers of records."""
    functions = engine.functions()
    grouped = counts.groupBy(engine.col(name)).agg(
        functions.sum(COUNT).cast("bigint").alias(COUNT), functions.min(_FIRST).alias(_FIRST)
    )
    table: pyarrow.Table = grouped.toArrow()
    return table.sort_by(_FIRST)


def _sample(counts: Any) -> pyarrow.Table:
    """Tuples from all over the table: the same on every engine, if positions are."""
    functions = engine.functions()
    mixed = counts.orderBy(functions.sha2(engine.col(_FIRST).cast("string"), 256)).limit(SAMPLE)
    table: pyarrow.Table = mixed.toArrow()
    return table.sort_by(_FIRST)


def _task(
    division: _hedgerow.NativeDivision, whole: Sequence[pyarrow.Table], options: str, about: About
) -> executor.Task:
    """Return the task that executors need for any part."""
    hierarchies: dict[str, tuple[str, str | None]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for place, (column, (method, tree)) in enumerate(division.hierarchies().items()):
            text = None
            if tree is not None:
                path = os.path.join(folder, f"{place}.json")
                tree.write(path, False, False)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
            hierarchies[column] = (method, text)
    job = {**json.loads(options), "method": division.method()}
    return executor.Task(
        version=_hedgerow.__version__,
        options=json.dumps(job),
        hierarchies=hierarchies,
        whole=[_stream(table) for table in whole],
        counted=about.counted,
        count=COUNT,
        first=_FIRST,
        part=_PART,
    )


def _stream(table: pyarrow.Table) -> bytes:
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _parted(
    session: Any,
    counts: Any,
    division: _hedgerow.NativeDivision,
    margins: list[tuple[str, pyarrow.Table]],
    job: dict[str, Any],
) -> Any:
    """Add the part of each tuple."""
    functions = engine.functions()
    cuts = division.cuts()
    quasi = job["quasi"]
    for place in sorted({cut[0] for cut in cuts}):
        margin = dict(margins)[quasi[place]]
        places = pyarrow.table(
            {
                f"{_VALUE}{place}": margin[quasi[place]],
                f"{_PLACE}{place}": pyarrow.array(division.places(place), pyarrow.int64()),
            }
        )
        condition = engine.null_safe([(quasi[place], f"{_VALUE}{place}")])
        values = functions.broadcast(engine.frame(session, places))
        counts = counts.join(values, condition).drop(f"{_VALUE}{place}")

    def part(side: tuple[bool, int]) -> Any:
        is_part, number = side
        if is_part:
            return functions.lit(number).cast("bigint")
        attribute, below, low, high = cuts[number]
        is_low = engine.col(f"{_PLACE}{attribute}") < functions.lit(below)
        return functions.when(is_low, part(low)).otherwise(part(high))

    parted = counts.withColumn(_PART, part((not cuts, 0)))
    return parted.drop(*[name for name in parted.columns if name.startswith(_PLACE)])


def _typed(rows: Any, columns: list[list[Any]]) -> list[list[Any]]:
    """Say of columns whose cells may be numbers whether they all are: dates have bounds too."""
    functions = engine.functions()
    places = [place for place, (_, _, is_numeric) in enumerate(columns) if is_numeric]
    if not places:
        return columns

    def others(place: int) -> Any:
        text = engine.col(cell(place))
        is_other = (text != functions.lit("")) & ~engine.is_number(text)
        return functions.count(functions.when(is_other, functions.lit(1))).alias(f"n{place}")

    found = rows.agg(*[others(place) for place in places]).toArrow().to_pylist()[0]
    return [
        [name, quasi, is_numeric and found[f"n{place}"] == 0]
        for place, (name, quasi, is_numeric) in enumerate(columns)
    ]


def _outcome(rows: Any) -> dict[str, Any]:
    """The figures of all parts together, as far as they follow from those of the parts."""
    table = rows.filter(engine.col("outcome").isNotNull()).select(_PART, "outcome").toArrow()
    parts = [json.loads(row["outcome"]) for row in table.sort_by(_PART).to_pylist()]
    n_rows = sum(part["rows"] for part in parts)
    losses = {
        name: sum(part["rows"] * part["release_loss"][name] for part in parts) / n_rows
        for name in _MEANS
        if all(name in part["release_loss"] for part in parts)
    }
    return {
        "rows": n_rows,
        "released": sum(part["released"] for part in parts),
        "suppressed": sum(part["suppressed"] for part in parts),
        "classes": sum(part["classes"] for part in parts),
        "smallest_class": min(part["smallest_class"] for part in parts),
        "method": parts[0]["method"],
        "release_loss": losses,
        "parts": parts,
    }


def _explained(error: Exception) -> Error:
    """Return the error that an executor raised, which engines pass on as text."""
    text = str(error)
    if _ABSENT in text:
        return Invalid(
            "executors do not have the package hedgerow, which plans parts there: install the wheel in "
            "their environment, or plan without parts=, which needs it on the driver only"
        )
    found = re.search(r"hedgerow\.errors\.(\w+): (.+)", text)
    if found is None:
        return Invalid(f"the parts cannot be planned: {text.strip().splitlines()[0]}")
    kind = getattr(errors, found[1], Error)
    made: Error = kind(f"a part cannot be planned: {found[2].strip()} (choose fewer parts)")
    return made
