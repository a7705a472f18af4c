"""Generalization hierarchies."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hedgerow import _hedgerow, frames, notebook
from hedgerow._calls import check, table_of
from hedgerow._options import OF_INPUTS, OF_VALUES, job, text
from hedgerow.progress import Listener, listening


_OF_READING = (*OF_VALUES, *OF_INPUTS)
"""Further arguments of functions that read a column."""


@dataclass(frozen=True)
class Node:
    """A node of a hierarchy."""

    node: int
    """Its number, in pre-order; the root is 0."""
    parent: int | None
    depth: int
    label: str
    leaf: bool
    values: int
    """Number of distinct values that it covers."""
    records: int
    """Number of records that it covers, in the table that the hierarchy was built for."""


class Hierarchy:
    """A hierarchy of a column: a tree of labels whose leaves are values.

    >>> import hedgerow
    >>> table = hedgerow.frame({"age": [23, 25, 41, 44]})
    >>> ages = hedgerow.Hierarchy.build(table, "age", method="iotf")
    >>> ages.path("25")
    ['25', '[23, 25]', '[23, 44]']
    >>> [node.label for node in ages.nodes() if node.depth == 1]
    ['[23, 25]', '[41, 44]']
    """

    def __init__(self, native: _hedgerow.NativeHierarchy) -> None:
        self._native = native

    @classmethod
    def build(
        cls,
        table: object,
        column: str,
        *,
        method: str = "auto",
        k: int | None = None,
        progress: bool | Listener = False,
        **reading: Any,
    ) -> Hierarchy:
        """Build the hierarchy of a column with a method, such as ``iotf`` or ``han:threshold=4``.

        ``reading`` are arguments about reading the table, as in :func:`hedgerow.anonymize`: ``na``,
        ``kind``, ``date_format``, ``decimal``, ``missing``.
        """
        check(cls.build, reading, _OF_READING, [table])
        options = job({"quasi": [column], **reading})
        with listening(progress) as listener:
            native = _hedgerow.build_hierarchy(
                table_of(table), column, method, k, options, listener
            )
        return cls(native)

    @classmethod
    def read(cls, path: str | os.PathLike[str], column: str | None = None) -> Hierarchy:
        """Read a hierarchy file, in any format that the command line reads."""
        return cls(_hedgerow.read_hierarchy(os.fspath(path), column))

    @classmethod
    def candidates(
        cls,
        table: object,
        column: str,
        *,
        method: str = "wordnet",
        k: int | None = None,
        progress: bool | Listener = False,
        **reading: Any,
    ) -> dict[str, Hierarchy]:
        """Build all candidates for the hierarchy of a column of words, by name.

        >>> import hedgerow
        >>> table = hedgerow.frame({"job": ["nurse", "surgeon", "carpenter", "mason"]})
        >>> made = hedgerow.Hierarchy.candidates(table, "job")
        >>> {tree.path("nurse")[0] for tree in made.values()}
        {'nurse'}
        """
        check(cls.candidates, reading, _OF_READING, [table])
        options = job({"quasi": [column], **reading})
        with listening(progress) as listener:
            made = _hedgerow.hierarchy_candidates(
                table_of(table), column, method, k, options, listener
            )
        return {name: cls(native) for name, native in made}

    @staticmethod
    def rank(
        table: object,
        column: str,
        hierarchies: Mapping[str, Hierarchy],
        *,
        k: int = 5,
        weights: tuple[float, float, float, float] | None = None,
        progress: bool | Listener = False,
        **reading: Any,
    ) -> list[dict[str, Any]]:
        """Rank hierarchies of a column, the best first.

        Each entry has the ``name``, the ``score`` and the aspects that it is made of. ``weights`` are
        those of meaning, privacy, distortion and intervals.

        >>> import hedgerow
        >>> table = hedgerow.frame({"age": [23, 25, 41, 44, 47, 61, 62, 80]})
        >>> trees = {name: hedgerow.Hierarchy.build(table, "age", method=name) for name in ("iotf", "han")}
        >>> ranked = hedgerow.Hierarchy.rank(table, "age", trees, k=2)
        >>> [line["name"] for line in ranked]
        ['iotf', 'han']
        """
        # Records without a value are left out, whatever the policy is.
        known = [name for name in _OF_READING if name != "missing"]
        check(Hierarchy.rank, reading, known, [table])
        names = list(hierarchies)
        natives = [hierarchies[name]._native for name in names]
        options = job({"quasi": [column], **reading})
        with listening(progress) as listener:
            found = _hedgerow.rank_hierarchies(
                table_of(table), column, natives, (k, weights), options, listener
            )
        lines: list[dict[str, Any]] = json.loads(found)
        return [{"name": names[line.pop("candidate")], **line} for line in lines]

    def write(
        self, path: str | os.PathLike[str], *, force: bool = False, lossy: bool = False
    ) -> None:
        """Write the hierarchy to a file, in the format of its extension."""
        self._native.write(os.fspath(path), force, lossy)

    @property
    def method(self) -> str:
        """The method that built it, with its parameters."""
        return self._native.method()

    @property
    def column(self) -> str | None:
        """The column that it was made for."""
        return self._native.column()

    @property
    def height(self) -> int:
        """Number of levels above the leaves."""
        return self._native.size()[1]

    def nodes(self) -> list[Node]:
        """Return the nodes in pre-order."""
        return [Node(*row) for row in self._native.nodes().rows()]

    def path(self, value: object) -> list[str] | None:
        """Return the labels of a value from its leaf to the root, or None for an unknown value."""
        return self._native.path(str(value))

    def to_frame(self, like: object = None) -> Any:
        """Return the nodes as a table of the same kind as ``like``; as an Arrow table without it."""
        table = self._native.nodes()
        if frames.is_pandas(like):
            import pandas

            return pandas.DataFrame(
                {
                    name: [row[place] for row in table.rows()]
                    for place, name in enumerate(table.column_names)
                }
            )
        return frames.of_arrow(like, table)

    def __len__(self) -> int:
        return self._native.size()[0]

    def __str__(self) -> str:
        return self._native.text()

    def __repr__(self) -> str:
        nodes, height = self._native.size()
        return f"<Hierarchy of {self.column!r}: {self.method}, {nodes} nodes, height {height}>"

    def _repr_html_(self) -> str:
        return notebook.drawing(self._native.svg())


def divided(
    hierarchies: Mapping[str, object] | None,
) -> tuple[dict[str, object], dict[str, _hedgerow.NativeHierarchy]]:
    """Divide hierarchies by column into methods and files, and those in memory."""
    named: dict[str, object] = {}
    given: dict[str, _hedgerow.NativeHierarchy] = {}
    for column, of in (hierarchies or {}).items():
        if isinstance(of, Hierarchy):
            given[column] = of._native
        else:
            named[column] = text(of)
    return named, given

