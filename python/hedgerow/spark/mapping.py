"""A plan: what every counted tuple publishes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import pyarrow
import pyarrow.compute as pc

from hedgerow.errors import Invalid
from hedgerow.release import Result, Verification
from hedgerow.spark import engine, joining, recount
from hedgerow.spark.joining import COUNT, END, GROUP, OF_RUN, START, About, Mapped, cell, key


class Passing:
    """Passes tables of a plan to the engine."""

    def __init__(
        self, session: Any, broadcast: int | None, staging: str | os.PathLike[str] | None
    ) -> None:
        self.session = session
        self._limit = engine.broadcast_limit(session, broadcast)
        self._staging = staging
        self._files: list[str] = []

    def frame(self, table: pyarrow.Table, name: str) -> Any:
        if self._staging is None:
            made = engine.frame(self.session, table)
        else:
            from hedgerow.spark import folders

            self._files.append(folders.staged(table, os.fspath(self._staging), name))
            made = self.session.read.parquet(self._files[-1])
        return engine.hinted(made, table.nbytes, self._limit)

    def remove(self) -> None:
        """Remove the files, which have original values. Nothing can be read through them afterwards."""
        for file in self._files:
            if os.path.exists(file):
                os.remove(file)


class Planned:
    """A plan for publishing the records of a DataFrame: the base of plans of all kinds."""

    def __init__(self, about: About) -> None:
        self._about = about

    @cached_property
    def report(self) -> Result:
        """The figures of the release: records, classes, losses, risk, and how it was found."""
        return Result(self._about.outcome)

    @property
    def losses(self) -> dict[str, float]:
        """The information losses of the release by name, as its reader sees it."""
        return dict(self._about.outcome["release_loss"])

    @property
    def warnings(self) -> list[str]:
        """Warnings to read before the release is published."""
        return list(self._about.warnings)

    @property
    def quasi(self) -> list[str]:
        """The published columns that replace the quasi-identifiers."""
        return [name for name, _, _ in self._about.columns]

    @property
    def k(self) -> int:
        """The least number of records in a class."""
        return int(self._about.asked["k"])

    def publish(
        self,
        df: Any,
        *,
        keep_order: bool = False,
        check: bool = True,
        broadcast: int | None = None,
        staging: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Return the release as a DataFrame: a join with the plan, which runs when it is used.

        Before that the DataFrame is counted again unless ``check`` is false; it is an error if it is
        not the one that was planned. :meth:`write` also counts what was written.

        Records are in a random order that depends on all counted values, unless ``keep_order`` is
        true. The plan is sent to all executors up to ``broadcast`` bytes (default:
        ``spark.sql.autoBroadcastJoinThreshold``), otherwise both sides are shuffled. A large plan is
        passed through files in the folder ``staging`` that the driver can write and executors can read.
        These files have original values and are read when the release is used: delete them afterwards.
        :meth:`write` does that.
        """
        engine.check_frame(df)
        passing = Passing(df.sparkSession, broadcast, staging)
        return self._published(df, passing, keep_order=keep_order, check=check)

    def _published(self, df: Any, passing: Passing, *, keep_order: bool, check: bool) -> Any:
        joining.check_columns(df, self._about)
        if check:
            self.check(df)
        return joining.joined(df, self._about, self._mapped(passing), keep_order)

    def check(self, df: Any) -> None:
        """Count a DataFrame again, and raise an error unless the counts are those of the plan."""
        found = recount.difference(df, self._counts(df.sparkSession), self._about.counted)
        if found is not None:
            raise Invalid(
                "the DataFrame is not the one that was planned: of the records with "
                f"{_shown(found['cells'])}, {found['before']} were counted then and {found['now']} now; "
                "plan it again"
            )

    def verify(self, release: Any) -> Verification:
        """Count a release on the engine, and compare every class with the plan.

        If every class has the planned records, everything that the plan reports holds: ``k`` and the
        privacy models.
        """
        engine.check_frame(release)
        expected = self._classes(release.sparkSession)
        names = expected.columns[:-1]
        for name in names:
            if name not in release.columns:
                raise Invalid(f"this is not a release of the plan: it has no column '{name}'")
        found = recount.difference(release, expected, names)
        figures = dict(recount.verify(release, quasi=self.quasi, k=self.k).to_dict())
        if found is not None:
            figures["holds"] = False
            figures["differs"] = found
        return Verification(figures)

    def write(
        self,
        df: Any,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        keep_order: bool = False,
        check: bool = True,
        broadcast: int | None = None,
        staging: str | os.PathLike[str] | None = None,
    ) -> Verification:
        """Write the release as Parquet to a folder, which appears only when it was verified.

        It is written to a temporary folder next to ``path``, read back, compared with the plan, and
        renamed. An existing folder is replaced with ``force``. Other options are those of
        :meth:`publish`; files in ``staging`` are removed at the end.
        """
        from hedgerow.spark import folders

        engine.check_frame(df)
        passing = Passing(df.sparkSession, broadcast, staging)
        try:
            release = self._published(df, passing, keep_order=keep_order, check=check)
            return folders.write(self, release, os.fspath(path), force)
        finally:
            passing.remove()

    def __repr__(self) -> str:
        figures = self._about.outcome
        return (
            f"<Plan: {figures['released']} of {figures['rows']} records, {figures['classes']} classes "
            f"of at least {figures['smallest_class']}, method {figures['method']}>"
        )

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the plan to a file, if it is on the driver."""
        raise NotImplementedError

    def _mapped(self, passing: Passing) -> Mapped:
        """The tables of the plan as DataFrames."""
        raise NotImplementedError

    def _counts(self, session: Any) -> Any:
        """The counted tuples, with the number of their records as the last column."""
        raise NotImplementedError

    def _classes(self, session: Any) -> Any:
        """The cells that records of a release show, with their number as the last column."""
        raise NotImplementedError


class Plan(Planned):
    """A plan that the driver keeps.

    It is made by :func:`hedgerow.spark.plan`, or read with :func:`hedgerow.spark.load`.
    """

    def __init__(self, about: About, tuples: pyarrow.Table, runs: pyarrow.Table) -> None:
        super().__init__(about)
        self._tuples = tuples
        """The counted columns, the number of records, and the group, null if they are left out."""
        self._runs = runs
        """The cells that records of a group publish: group, start, end, published, and the cells."""

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the plan to a Parquet file, which :func:`hedgerow.spark.load` reads.

        It has the values of the counted columns: keep it where the table is kept.
        """
        from hedgerow.spark import files

        files.save(self, os.fspath(path), force)

    def _mapped(self, passing: Passing) -> Mapped:
        whole, divided, runs = self._mapping()
        return Mapped(
            whole=passing.frame(whole, "whole") if whole.num_rows else None,
            divided=passing.frame(divided, "divided") if runs.num_rows else None,
            runs=passing.frame(runs, "runs") if runs.num_rows else None,
        )

    def _counts(self, session: Any) -> Any:
        return engine.frame(session, self._tuples.select([*self._about.counted, COUNT]))

    def _classes(self, session: Any) -> Any:
        return engine.frame(session, self._expected())

    def _mapping(self) -> tuple[pyarrow.Table, pyarrow.Table, pyarrow.Table]:
        """The tuples with one fate and their cells, the other tuples, and the runs of these."""
        keys = self._tuples.select([*self._about.counted, GROUP]).rename_columns(
            [*(key(place) for place in range(len(self._about.counted))), GROUP]
        )
        single, several = self._runs_by_group()
        at = pc.index_in(keys[GROUP], value_set=single["group"].combine_chunks())
        is_whole = pc.is_valid(at)
        cells = single.take(at.filter(is_whole))
        whole = keys.filter(is_whole).drop_columns([GROUP])
        for place in range(len(self.quasi)):
            whole = whole.append_column(cell(place), self._cells(cells, place))
        whole = whole.filter(cells["published"])
        is_divided = pc.is_in(keys[GROUP], value_set=several["group"].combine_chunks())
        published = several.filter(several["published"])
        runs = published.select(["group", "start", "end"]).rename_columns([OF_RUN, START, END])
        for place in range(len(self.quasi)):
            runs = runs.append_column(cell(place), self._cells(published, place))
        return whole, keys.filter(is_divided), runs

    def _runs_by_group(self) -> tuple[pyarrow.Table, pyarrow.Table]:
        """The runs of groups that have one, and those of other groups."""
        sizes = self._runs.group_by("group").aggregate([([], "count_all")])
        alone = sizes.filter(pc.equal(sizes["count_all"], 1))["group"].combine_chunks()
        is_single = pc.is_in(self._runs["group"], value_set=alone)
        return self._runs.filter(is_single), self._runs.filter(pc.invert(is_single))

    def _cells(self, runs: pyarrow.Table, place: int) -> pyarrow.ChunkedArray:
        """Published cells as a column: null if they are empty, and numbers if they all are."""
        kind, labels = self._kinds[place], runs[cell(place)]
        texts = pc.if_else(pc.equal(labels, ""), None, labels)
        return texts if kind is None else texts.cast(kind)

    @cached_property
    def _kinds(self) -> list[pyarrow.DataType | None]:
        """The types of the published columns that are numbers, and None for text."""
        kinds: list[pyarrow.DataType | None] = []
        for place, (_, _, is_numeric) in enumerate(self._about.columns):
            labels = pc.unique(self._runs[cell(place)]).drop_null()
            labels = labels.filter(pc.not_equal(labels, ""))
            kinds.append(_kind(labels) if is_numeric else None)
        return kinds

    def _expected(self) -> pyarrow.Table:
        """The classes that a release must have: published cells and unchanged counted columns."""
        beside = [
            name
            for name in self._about.counted
            if name in self._about.published and name not in self._replaced
        ]
        single, several = self._runs_by_group()
        names = self.quasi
        tuples = self._tuples.filter(pc.is_valid(self._tuples[GROUP]))
        of_tuples = pc.is_in(tuples[GROUP], value_set=several["group"].combine_chunks())
        divided = tuples.filter(of_tuples)
        is_shared = len(pc.unique(divided[GROUP])) < divided.num_rows
        if is_shared:
            # The spelling of a record of a divided group is not known here if there are several.
            beside = []
        whole = tuples.filter(pc.invert(of_tuples))
        at = pc.index_in(whole[GROUP], value_set=single["group"].combine_chunks())
        parts = [self._rows_shown(whole, single.take(at), whole[COUNT], beside)]
        size = pc.subtract(several["end"], several["start"])
        if is_shared:
            parts.append(self._rows_shown(None, several, size, beside))
        else:
            at = pc.index_in(several["group"], value_set=divided[GROUP].combine_chunks())
            parts.append(self._rows_shown(divided.take(at), several, size, beside))
        keys = [*names, *beside]
        return (
            pyarrow.concat_tables(parts)
            .group_by(keys)
            .aggregate([(COUNT, "sum")])
            .select([*keys, f"{COUNT}_sum"])
        )

    def _rows_shown(
        self, tuples: pyarrow.Table | None, runs: pyarrow.Table, counts: Any, beside: list[str]
    ) -> pyarrow.Table:
        """The cells that published records show, row by row, with their number."""
        columns = {name: self._cells(runs, place) for place, name in enumerate(self.quasi)}
        if tuples is not None:
            columns.update({name: tuples[name] for name in beside})
        columns[COUNT] = counts
        return pyarrow.table(columns).filter(runs["published"])

    @property
    def _replaced(self) -> set[str]:
        return {quasi for _, quasi, _ in self._about.columns}


def _kind(labels: pyarrow.Array) -> pyarrow.DataType | None:
    """Whole numbers, numbers, or None if a label is neither."""
    for kind in (pyarrow.int64(), pyarrow.float64()):
        try:
            labels.cast(kind)
        except pyarrow.ArrowInvalid:
            continue
        return kind
    return None


def _shown(cells: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in cells.items())

