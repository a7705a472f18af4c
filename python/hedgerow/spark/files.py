"""Plans in Parquet files, with a version and checksums."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any

import pyarrow
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hedgerow.errors import file_error
from hedgerow.spark import engine
from hedgerow.spark.joining import COUNT, GROUP, OF_RUNS, About, named_runs
from hedgerow.spark.mapping import Plan

VERSION = 1
_FORMAT = b"hedgerow.plan"


def save(plan: Plan, path: str, force: bool) -> None:
    """Write a plan: one row for each tuple and run of its group."""
    if os.path.exists(path) and not force:
        raise file_error(path, "the file exists; choose another name, or pass force=True")
    tuples, runs = plan._tuples, plan._runs
    names = [f"tuple {place}" for place in range(len(plan._about.counted))]
    cells = [f"cell {place}" for place in range(len(plan.quasi))]
    tuples = tuples.rename_columns([*names, "count", "group"])
    runs = runs.rename_columns([*OF_RUNS, *cells])
    rows = tuples.join(runs, keys="group", join_type="left outer").sort_by(
        [("group", "ascending"), ("start", "ascending")]
    )
    about: dict[str, Any] = {"version": VERSION, "tuples": tuples.num_rows, "runs": runs.num_rows}
    about["plan"] = dataclasses.asdict(plan._about)
    about["digest"] = engine.digest([rows], json.dumps(about, sort_keys=True))
    rows = rows.replace_schema_metadata({_FORMAT: json.dumps(about).encode()})
    draft = f"{path}.{os.getpid()}.tmp"
    try:
        pq.write_table(rows, draft, compression="zstd", write_page_checksum=True)
        os.replace(draft, path)
    except OSError as error:
        raise file_error(path, f"it cannot be written: {error}") from None
    finally:
        if os.path.exists(draft):
            os.remove(draft)


def load(path: str | os.PathLike[str]) -> Plan:
    """Read a plan that :meth:`Plan.save` wrote. A damaged file, or one of another version, is an error."""
    name = os.fspath(path)
    try:
        rows = pq.read_table(name, page_checksum_verification=True)
    except FileNotFoundError:
        raise file_error(name, "there is no such file") from None
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise file_error(name, f"it is damaged, or not a plan: {error}") from None
    about = _about(name, rows)
    plan = about["plan"]
    n_counted, n_cells = len(plan["counted"]), len(plan["columns"])
    names = [f"tuple {place}" for place in range(n_counted)]
    cells = [f"cell {place}" for place in range(n_cells)]
    if set(rows.column_names) != {*names, "count", *OF_RUNS, *cells}:
        raise file_error(name, "its columns are not those of a plan; save the plan again")
    # A tuple has a row for each run of its group; the first one begins at 0.
    is_first = pc.or_kleene(pc.is_null(rows["start"]), pc.equal(rows["start"], 0))
    tuples = rows.filter(is_first).select([*names, "count", "group"])
    runs = _distinct(rows.filter(pc.is_valid(rows["start"])).select([*OF_RUNS, *cells]))
    if (tuples.num_rows, runs.num_rows) != (about["tuples"], about["runs"]):
        raise file_error(name, "rows are missing or were added; save the plan again")
    # Checksums of Parquet cover the data of pages, but not the headers that say how to read them.
    known = about.pop("digest", None)
    if engine.digest([rows], json.dumps(about, sort_keys=True)) != known:
        raise file_error(name, "it is damaged: its values are not those that were saved; save it again")
    tuples = tuples.rename_columns([*plan["counted"], COUNT, GROUP])
    return Plan(About(**plan), tuples, named_runs(runs))


def _about(path: str, rows: pyarrow.Table) -> dict[str, Any]:
    text = (rows.schema.metadata or {}).get(_FORMAT)
    if text is None:
        raise file_error(path, "this Parquet file is not a plan; Plan.save writes plans")
    try:
        about = json.loads(text)
    except ValueError as error:
        raise file_error(path, f"it is damaged: {error}; save the plan again") from None
    if not isinstance(about, dict):
        raise file_error(path, "what it says about the plan is not an object; make the plan again")
    if about.get("version") != VERSION:
        raise file_error(
            path,
            f"this plan has version {about.get('version')}, and this hedgerow reads version {VERSION}; "
            "make the plan again",
        )
    known = {field.name for field in dataclasses.fields(About)}
    if set(about.get("plan", {})) != known:
        raise file_error(path, "what it says about the plan is incomplete; make the plan again")
    return about


def _distinct(runs: pyarrow.Table) -> pyarrow.Table:
    """Runs once each, although every tuple of a group repeats them. They are sorted."""
    if runs.num_rows < 2:
        return runs
    same = None
    for name in ("group", "start"):
        column = runs[name].combine_chunks()
        equal = pc.equal(column.slice(1), column.slice(0, len(column) - 1))
        same = equal if same is None else pc.and_(same, equal)
    is_new = pyarrow.concat_arrays([pyarrow.array([True]), pc.invert(same)])
    return runs.filter(is_new)
