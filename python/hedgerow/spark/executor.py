"""Plans a part of a table. This is the only module that runs on executors."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from typing import Any

import pyarrow
import pyarrow.compute as pc

from hedgerow import _hedgerow
from hedgerow.errors import Invalid

_SHIFT = 40
"""Groups of a part have numbers from ``part << _SHIFT``, so that no two parts share one."""
_OF_RUNS = ["group", "start", "end", "published"]
"""The columns of runs besides the cells."""


@dataclass
class Task:
    """The options and values that all parts of a table share."""

    version: str
    options: str
    """The job as JSON, without hierarchies."""
    hierarchies: dict[str, tuple[str, str | None]]
    """The method of each column, and the text of its hierarchy unless it has none."""
    whole: list[bytes]
    """The values of each counted column in the whole table, as Arrow streams."""
    counted: list[str]
    count: str
    first: str
    part: str
    """The names of the columns of counts, of first positions and of parts."""


def plan_part(counts: pyarrow.Table, task: Task) -> pyarrow.Table:
    """Plan the tuples of one part: a row for each tuple and run of its group.

    The columns are the fields of the tuple, its count, the group, ``start``, ``end``, ``published``,
    ``alone`` (whether all records of the group publish the same), ``first`` (whether this is the first
    tuple of its group), the cells, and the figures of the part in one of the rows.
    """
    if task.version != _hedgerow.__version__:
        raise Invalid(
            f"an executor has hedgerow {_hedgerow.__version__}, and the driver has {task.version}; install "
            "the same wheel on both"
        )
    number = counts[task.part][0].as_py()
    counts = counts.select([*task.counted, task.count, task.first]).sort_by(task.first)
    whole = [pyarrow.ipc.open_stream(values).read_all() for values in task.whole]
    with tempfile.TemporaryDirectory() as folder:
        options = _with_hierarchies(task, folder)
        native = _hedgerow.plan(counts, (task.count, task.first), options, None, whole)
    groups = pyarrow.table(native.groups())["group"]
    runs = pyarrow.table(native.runs())
    return _rows(counts.drop_columns([task.first]), groups, runs, _Figures(number, native.outcome()))


def _with_hierarchies(task: Task, folder: str) -> str:
    """Return the job with the hierarchies of the whole table, which are written to files."""
    job: dict[str, Any] = json.loads(task.options)
    job["hierarchy"] = {}
    for place, (column, (method, text)) in enumerate(task.hierarchies.items()):
        if text is None:
            job["hierarchy"][column] = method
            continue
        path = os.path.join(folder, f"{place}.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        job["hierarchy"][column] = path
    return json.dumps(job)


@dataclass
class _Figures:
    part: int
    outcome: str


def _rows(
    tuples: pyarrow.Table, groups: pyarrow.ChunkedArray, runs: pyarrow.Table, figures: _Figures
) -> pyarrow.Table:
    """Join tuples with the runs of their groups; tuples without a group have no run."""
    n_counted = tuples.num_columns - 1
    names = [f"tuple {place}" for place in range(n_counted)]
    cells = [f"cell {place}" for place in range(runs.num_columns - len(_OF_RUNS))]
    # A quasi-identifier can have the name of one of the first columns.
    runs = runs.rename_columns([*_OF_RUNS, *cells])
    tuples = tuples.rename_columns([*names, "count"]).append_column("group", groups)
    sizes = runs.group_by("group").aggregate([([], "count_all")])
    runs = runs.join(sizes, keys="group")
    # The first tuple of each group, because the runs of a group are repeated for all its tuples.
    places = pyarrow.table({"group": groups, "place": range(tuples.num_rows)})
    firsts = places.group_by("group").aggregate([("place", "min")])["place_min"]
    is_first = pc.is_in(places["place"], value_set=firsts.combine_chunks())
    rows = tuples.append_column("first", is_first).join(runs, keys="group", join_type="left outer")
    rows = rows.sort_by([("group", "ascending"), ("start", "ascending")])
    outcome = pyarrow.array([figures.outcome] + [None] * (rows.num_rows - 1), pyarrow.string())
    part = pyarrow.array([figures.part] * rows.num_rows, pyarrow.int64())
    group = pc.add(pc.shift_left(pyarrow.scalar(figures.part, pyarrow.int64()), _SHIFT), rows["group"])
    columns = [*(rows[name] for name in names), rows["count"], group, rows["start"], rows["end"]]
    columns += [rows["published"], pc.equal(rows["count_all"], 1), rows["first"], part, outcome]
    columns += [rows[name].cast(pyarrow.string()) for name in cells]
    return pyarrow.table(columns, names=[f"c{place}" for place in range(len(columns))])
