"""Tables and further arguments of a call, checked before the native module sees them."""

from __future__ import annotations

import os
import warnings as _warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import Parameter, signature

from hedgerow import _hedgerow, frames
from hedgerow._options import OF_FILES, listed
from hedgerow.errors import HedgerowWarning, Invalid


def check(
    function: Callable[..., object],
    given: Mapping[str, object],
    known: Iterable[str],
    tables: Iterable[object] = (),
) -> None:
    """Raise an error for the first of the further arguments of a function that it does not use.

    ``known`` are those that it uses. Options about files are used if one of ``tables`` is a path.
    """
    own = [
        parameter.name
        for parameter in signature(function).parameters.values()
        if parameter.kind is not Parameter.VAR_KEYWORD
    ]
    unused = set() if any(map(frames.is_path, tables)) else set(OF_FILES)
    used = [*own, *(name for name in known if name not in unused)]
    for name in known:
        if name in unused and given.get(name) is not None:
            raise Invalid(f"{name}= is about files, and every table here is in memory; leave it out")
    _hedgerow.check_arguments([name for name in given if name not in unused or name not in known], used)


def table_of(table: object, named: str | Iterable[str] = ()) -> object:
    """Return a path as text, or an object that exports Arrow data."""
    if frames.is_path(table):
        return os.fspath(table)  # type: ignore[call-overload]
    return frames.arrow(table, listed("quasi", named))


def tables_of(tables: object) -> list[object]:
    """Return one table, or several in a list or tuple, as paths and objects that export Arrow data."""
    several = tables if isinstance(tables, (list, tuple)) else [tables]
    return [table_of(table) for table in several]


def warn(warnings: Sequence[str]) -> None:
    """Give warnings of the library to the caller of a function."""
    for warning in warnings:
        _warnings.warn(warning, HedgerowWarning, stacklevel=3)


def not_of_files(options: Mapping[str, object]) -> None:
    """Raise an error for an option about files of a release that stays in memory."""
    asked = [name for name, value in options.items() if name in OF_FILES and value is not None]
    if asked:
        raise Invalid(
            f"{asked[0]}= is about files, and this table is in memory; leave it out, and write "
            "Release.frame, Release.report or Release.recipe afterwards"
        )
