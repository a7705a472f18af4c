"""Functions of an engine: columns by name, joins in which null is a value, and sizes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import pyarrow
import pyarrow.compute as pc

from hedgerow import _hedgerow
from hedgerow.errors import BadColumn, Invalid

RESERVED = "__hedgerow_"
"""Columns that are added for a while have names that begin with this."""
POSITION = RESERVED + "position"
DEFAULT_BROADCAST = 10 << 20
"""Bytes up to which a mapping is sent to all executors, unless the engine or the caller says otherwise."""

_NUMBER = r"^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$"
_UNITS = {"b": 0, "k": 10, "kb": 10, "m": 20, "mb": 20, "g": 30, "gb": 30, "t": 40, "tb": 40}
_ODD_TYPES = ("array", "map", "struct", "binary", "variant", "interval", "void", "udt")


def functions() -> Any:
    """Return the functions of PySpark, which is imported when it is needed."""
    try:
        from pyspark.sql import functions
    except ImportError:
        raise Invalid(
            "PySpark is not installed; install pyspark[connect] of version 4, or pysail with it"
        ) from None
    return functions


def check_frame(df: object) -> None:
    """Raise an error unless this is a DataFrame of PySpark 4."""
    kind = type(df)
    if kind.__module__.partition(".")[0] != "pyspark":
        raise Invalid(
            f"a {kind.__module__}.{kind.__qualname__} is not a DataFrame of PySpark; for tables in "
            "memory there is hedgerow.anonymize"
        )
    if getattr(df, "isStreaming", False):
        raise Invalid("a streaming DataFrame has no end, and records are counted before publishing")
    if not hasattr(df, "toArrow"):
        raise Invalid("this PySpark cannot return Arrow tables; install version 4 or later")


def col(name: str) -> Any:
    """Return a column by its name, which may contain dots and backticks."""
    return functions().col("`" + name.replace("`", "``") + "`")


def check_names(names: Sequence[str]) -> None:
    """Raise an error if a column has a name that is needed here."""
    taken = [name for name in names if name.startswith(RESERVED)]
    if taken:
        raise _bad_column(taken[0], f"names that begin with {RESERVED} are reserved; rename it")


def check_types(types: Sequence[tuple[str, str]], counted: Sequence[str]) -> None:
    """Raise an error if the values of a counted column cannot be written as text."""
    for name, of in types:
        if name in counted and of.lower().startswith(_ODD_TYPES):
            raise _bad_column(
                name,
                f"its values are of type {of}, which cannot be generalized or counted; select a part of "
                "it as a column of numbers, dates or text",
            )


def _bad_column(name: str, problem: str) -> BadColumn:
    error = BadColumn(f"column '{name}': {problem}")
    error.column = name
    return error


def positioned(df: Any, position: str | None) -> Any:
    """Return a DataFrame with the column of positions, which are in the order of the records."""
    place = functions().monotonically_increasing_id() if position is None else col(position)
    return df.withColumn(POSITION, place.cast("bigint"))


def check_positions(firsts: pyarrow.ChunkedArray, position: str | None) -> None:
    """Raise an error unless the first positions of all tuples are numbers of 0 or more."""
    if position is None or not len(firsts):
        return
    least = pc.min(firsts).as_py()
    if firsts.null_count or least < 0:
        found = "a missing value" if firsts.null_count else f"the value {least}"
        raise _bad_column(
            position, f"positions are whole numbers of 0 or more, and it has {found}; number the records"
        )


def counted(df: Any, names: Sequence[str], count: str) -> Any:
    """Return the distinct tuples of columns with their numbers of records."""
    return df.groupBy(*[col(name) for name in names]).agg(functions().count("*").alias(count))


def is_number(text: Any) -> Any:
    """Return the condition that a column of text has a number."""
    return text.rlike(_NUMBER)


def null_safe(pairs: Sequence[tuple[str, str]]) -> Any:
    """Return the condition that columns are equal, where null is equal to null."""
    condition = None
    for left, right in pairs:
        equal = col(left).eqNullSafe(col(right))
        condition = equal if condition is None else condition & equal
    return condition


def frame(session: Any, table: pyarrow.Table) -> Any:
    """Return an Arrow table as a DataFrame."""
    return session.createDataFrame(table)


def hinted(df: Any, n_bytes: int, limit: int) -> Any:
    """Return a DataFrame that is sent to all executors if it is small."""
    return functions().broadcast(df) if n_bytes <= limit else df


def broadcast_limit(session: Any, stated: int | None) -> int:
    """Return the size up to which a mapping is sent to all executors."""
    if stated is not None:
        return stated
    try:
        text = str(session.conf.get("spark.sql.autoBroadcastJoinThreshold"))
    except Exception:  # noqa: BLE001 - engines raise their own errors for settings they do not have
        return DEFAULT_BROADCAST
    return _bytes(text)


def _bytes(text: str) -> int:
    """Read a size as Spark writes it: ``10485760b``, ``10MB`` or ``-1``."""
    number = text.strip().lower()
    unit = number.lstrip("-0123456789")
    try:
        return int(number.removesuffix(unit) or "x") << _UNITS.get(unit, 0)
    except ValueError:
        return DEFAULT_BROADCAST


def digest(tables: Sequence[pyarrow.Table], options: str) -> str:
    """Return a digest of options and of all values of tables: the key of a random order, a checksum."""
    made = hashlib.sha256(options.encode())
    for table in tables:
        for name in table.column_names:
            made.update(name.encode())
            texts = pyarrow.table(_hedgerow.spelled(table.select([name]))).column(0)
            for chunk in texts.chunks:
                for buffer in chunk.buffers():
                    if buffer is not None:
                        made.update(memoryview(buffer))
    return made.hexdigest()
