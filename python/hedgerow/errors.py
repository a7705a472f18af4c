"""Exceptions, which follow the errors of the library.

Every exception is an :class:`Error`. Its message says what was asked, what was found and what to do
next, with keyword arguments. The fields of the library's error are attributes.

>>> import hedgerow
>>> try:
...     hedgerow.anonymize(hedgerow.frame({"age": [20, 21]}), quasi=["agee"], k=2)
... except hedgerow.UnknownColumn as error:
...     print(error.name, "->", error.suggestion)
agee -> age
"""

from __future__ import annotations

import os
from typing import Any


class Error(Exception):
    """Any error of hedgerow."""

    path: str | None = None
    """The file that the error is about, or the name of a table in memory."""


class FileError(Error):
    """A file or a table cannot be used as asked."""


class SyntaxProblem(Error):
    """A text does not follow its format: a hierarchy file, a recipe."""

    line: int | None = None


class UnknownColumn(Error):
    """The table does not have a column."""

    name: str
    suggestion: str | None
    columns: list[str]


class UnknownName(Error):
    """A method, model, parameter or keyword does not exist."""

    what: str
    name: str
    suggestion: str | None
    known: list[str]


class BadValue(Error):
    """A value of a column cannot be used. ``row`` is counted from 1."""

    column: str
    value: str
    row: int | None


class NotInHierarchy(BadValue):
    """A value of a column is missing in its hierarchy."""


class BadColumn(Error):
    """A column cannot be used as asked."""

    column: str


class MixedTypes(BadColumn):
    """A column of Python objects has values of several types. ``row`` is counted from 1."""

    row: int
    type: str


class BadParameter(Error):
    """A parameter of a method is unknown, missing or out of range."""

    method: str
    parameter: str
    value: str | None


class MethodError(Error):
    """A method, model or loss cannot do what is asked of it."""

    method: str


class Invalid(Error):
    """Any other mistake in a call."""


class Unreachable(Error):
    """The goal cannot be met with this table."""

    model: str | None = None
    column: str | None = None
    asked: float | None = None
    best: float | None = None
    """The strictest parameter of ``model`` that was found attainable."""


class Undecided(Error):
    """Columns should not be published without a decision about them."""

    columns: list[tuple[str, str]]
    """The columns, each with the argument that it is suggested for."""


class Unfit(Error):
    """A file format cannot hold a hierarchy without changing it."""

    format: str


class Cancelled(Error):
    """The caller asked to stop."""


class InternalError(Error):
    """A bug in hedgerow."""


class HedgerowWarning(UserWarning):
    """A warning for the reader of a result although nothing failed."""


def file_error(path: str | os.PathLike[str], problem: str) -> FileError:
    """Return the error about a file."""
    error = FileError(f"{os.fspath(path)}: {problem}")
    error.path = os.fspath(path)
    return error


def exception(name: str, message: str, details: dict[str, Any]) -> Error:
    """Return the exception that the native module raises."""
    made: Error = globals()[name](message)
    for key, value in details.items():
        setattr(made, key, value)
    return made
