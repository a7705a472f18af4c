"""Tables of other libraries: how they go in, and how the same kind comes out."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hedgerow import _hedgerow
from hedgerow.errors import BadColumn, HedgerowWarning, Invalid, MixedTypes

_OBJECTS = "hedgerow.objects"
"""The key in the metadata of a field by which the native module knows a column of objects."""


def is_path(table: object) -> bool:
    """Whether a table is named by its path."""
    return isinstance(table, (str, os.PathLike))


def frame(columns: Mapping[str, Sequence[object]]) -> _hedgerow.ArrowTable:
    """Make an Arrow table of lists, without any other library.

    Decimals, and whole numbers of more than 64 bits, become texts of all their digits, which are read as
    numbers.

    >>> import hedgerow
    >>> hedgerow.frame({"age": [39, 50], "sex": ["F", None]})
    ArrowTable(2 rows: age, sex)
    """
    lists = [list(values) for values in columns.values()]
    return _hedgerow.of_lists(list(columns), lists)


def snapshot(table: object) -> object:
    """Return a table that stays as it is now, whatever the caller does to the given one.

    Arrow tables and polars frames cannot change, and a relation is read once, so only pandas frames
    need it. They are copied when the caller changes them, or now if this pandas does not do that.
    """
    if not is_pandas(table):
        return table
    pandas_frame: Any = table
    return pandas_frame.copy(deep=not _copies_on_write())


def arrow(table: object, named: Collection[str] = ()) -> object:
    """Return a table as an object that exports Arrow data.

    The index of a pandas frame is not part of the table: make it a column with ``reset_index()`` if
    it should be published or has a role. A column of pandas that Arrow cannot hold is an error if it is
    ``named``; others are marked as unusable, and are an error if they have to be read.
    """
    if is_pandas(table):
        return _of_pandas(table, named)
    if isinstance(table, Mapping):
        return frame(table)
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return table
    if hasattr(table, "collect") and type(table).__module__.partition(".")[0] == "polars":
        raise Invalid("a LazyFrame has no rows yet; call collect() before")
    kind = type(table)
    raise Invalid(
        f"a {kind.__module__}.{kind.__qualname__} is not a table: pass a pandas or polars frame, a "
        "pyarrow table, a DuckDB relation, anything else with __arrow_c_stream__, or a path"
    )


def is_pandas(table: object) -> bool:
    """Whether a table is a pandas frame. Does not import pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(table, pandas.DataFrame)


def like(table: object, release: _hedgerow.NativeRecords) -> Any:
    """Return a release as the same kind of table as the original."""
    if is_pandas(table):
        return _like_pandas(table, release)
    return of_arrow(table, release.table())


def of_arrow(table: object, made: _hedgerow.ArrowTable) -> Any:
    """Convert an Arrow table to the kind of another table."""
    library = type(table).__module__.partition(".")[0]
    if library == "polars":
        import polars

        return polars.DataFrame(made)
    if library == "pyarrow":
        import pyarrow

        return pyarrow.table(made)
    if library in ("duckdb", "_duckdb"):
        import duckdb

        return duckdb.from_arrow(made)
    return made


def _copies_on_write() -> bool:
    """Whether pandas copies shared values when they are changed."""
    import pandas

    is_always = int(pandas.__version__.partition(".")[0]) >= 3
    # Reading the option of a version that always does is deprecated.
    return is_always or pandas.get_option("mode.copy_on_write") is True


def _of_pandas(table: Any, named: Collection[str]) -> object:
    names = [str(name) for name in table.columns]
    _warn_of_index(table)
    # By position, because names can occur twice; the library says which.
    columns = [table.iloc[:, place] for place in range(len(names))]
    try:
        import pyarrow
    except ImportError:
        return _hedgerow.of_lists(names, [_listed(column) for column in columns])
    arrays, fields = [], []
    for name, column in zip(names, columns):
        about = None
        try:
            array = pyarrow.array(column, from_pandas=True)
            if isinstance(array.type, pyarrow.BaseExtensionType):
                # Periods and intervals would be read as the numbers that they are stored as.
                raise TypeError(array.type)
        except (pyarrow.ArrowException, OverflowError, TypeError, ValueError):
            if name in named:
                _check_types(name, column)
                raise _not_simple(name, column) from None
            array, about = pyarrow.nulls(len(column)), {_OBJECTS: "true"}
        arrays.append(array.combine_chunks() if isinstance(array, pyarrow.ChunkedArray) else array)
        fields.append(pyarrow.field(name, array.type, metadata=about))
    return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))


def _not_simple(name: str, column: Any) -> BadColumn:
    """The error for a column whose values Arrow cannot hold."""
    values = column.dropna()
    kind = type(values.iloc[0]).__name__ if len(values) else str(column.dtype)
    error = BadColumn(
        f"column '{name}': values of type {kind} are not numbers of 64 bits, dates or texts; convert the "
        "column, for example with .astype(str)"
    )
    error.column = name
    return error


def _warn_of_index(table: Any) -> None:
    import pandas

    index = table.index
    is_usual = isinstance(index, pandas.RangeIndex) and index.name is None
    if is_usual or (index.name is None and index.dtype.kind in "iu"):
        return
    names = ["without a name" if name is None else str(name) for name in index.names]
    warnings.warn(
        f"the index of the frame ({', '.join(names)}) is not published; make it a "
        "column with reset_index() and give it a role if it should be",
        HedgerowWarning,
        stacklevel=5,
    )


def _listed(column: Any) -> list[object]:
    """The values of a column without pyarrow, with None for missing ones."""
    values = column.astype(object)
    if column.dtype.kind == "M":
        return [None if missing else _moment(value) for value, missing in zip(values, column.isna())]
    return [None if missing else value for value, missing in zip(values, column.isna())]


def _moment(value: Any) -> str:
    """A moment in UTC, as the command line writes it: 3, 6 or 9 digits of a second, if any."""
    if value.tzinfo is not None:
        value = value.tz_convert("UTC")
    nanos = value.microsecond * 1000 + value.nanosecond
    part = f".{nanos:09}" if nanos else ""
    while len(part) > 4 and part.endswith("000"):
        part = part[:-3]
    return str(value.strftime("%Y-%m-%d %H:%M:%S")) + part


def _check_types(name: str, column: Any) -> None:
    """Raise an error that names the first value of another type than the values before it."""
    first: type | None = None
    for row, (value, missing) in enumerate(zip(column, column.isna()), start=1):
        if missing is True or value is None:
            continue
        kind = type(value)
        first = first or kind
        if kind is not first:
            error = MixedTypes(
                f"column '{name}': row {row} has a value of type {kind.__name__}, after values of type "
                f"{first.__name__}; convert the column to one type, for example with .astype(str)"
            )
            error.column, error.row, error.type = name, row, kind.__name__
            raise error


def _like_pandas(table: Any, release: _hedgerow.NativeRecords) -> Any:
    import numpy
    import pandas

    rows = numpy.frombuffer(release.rows(), dtype=numpy.uint64).astype(numpy.int64)
    is_whole = len(rows) == len(table) and bool((rows == numpy.arange(len(rows))).all())
    made: dict[str, Any] = {}
    for place, (name, kept) in enumerate(release.columns()):
        if kept is None:
            made[name] = _categories(release, place)
        else:
            column = table.iloc[:, kept]
            # An index would say where each row was. Copy on write keeps shared values apart later.
            is_shared = is_whole and _copies_on_write()
            made[name] = column.reset_index(drop=True) if is_shared else column.array.take(rows)
    return pandas.DataFrame(made, copy=False)


def _categories(release: _hedgerow.NativeRecords, place: int) -> Any:
    import numpy
    import pandas

    labels, stored, is_numeric = release.labels(place)
    codes = numpy.frombuffer(stored, dtype=numpy.int32)
    if not is_numeric:
        return pandas.Categorical.from_codes(codes, categories=pandas.Index(labels, dtype=object))
    numbers = pandas.to_numeric(pandas.Series(labels, dtype=object))
    if (codes < 0).any() and numbers.dtype.kind in "iu":
        # numpy has no missing whole numbers.
        numbers = numbers.astype("Int64")
    return numbers.array.take(codes, allow_fill=True)
