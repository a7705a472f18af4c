"""Keyword arguments as the options of a job file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Set
from typing import Any

from hedgerow.errors import Invalid

OF_INPUTS = "header no_header sheet delimiter encoding max_record".split()
"""Options about the files that tables are read from."""
OF_RELEASES = "output_encoding spreadsheet_safe".split()
"""Options about the files of releases."""
OF_OUTPUTS = "trace classes recipe report report_public force".split()
"""Options about files that are written with a release."""
OF_FILES = ["input", "output", *OF_INPUTS, *OF_RELEASES, *OF_OUTPUTS]
"""Options that are about files, and make no sense for a table in memory or on an engine."""
OF_VALUES = "kind date_format missing na na_detect decimal threads".split()
"""Options about how values are read, from files and from memory."""

_KEYS = {"class_": "class", "thresholds": "threshold"}
"""Keys of a job file that have another name in Python."""


def listed(name: str, value: object) -> list[str]:
    """Return a list of texts; a single text is a list of one. Those of a set are sorted."""
    if value is None:
        return []
    if isinstance(value, (str, os.PathLike)):
        return [os.fspath(value)]
    if not isinstance(value, Iterable):
        raise Invalid(f"{name} must be a text or a list of texts, not {value!r}")
    found = list(value)
    for item in found:
        if not isinstance(item, (str, os.PathLike)):
            kind = type(item).__name__
            raise Invalid(f"{name} must be texts, and {item!r} is of type {kind}")
    texts = [os.fspath(item) for item in found]
    # The order of a set differs from run to run.
    return sorted(texts) if isinstance(value, Set) else texts


def text(value: object) -> object:
    """Return paths as texts, and everything else as it is."""
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def job(options: Mapping[str, Any]) -> str:
    """Return options as JSON with the keys of a job file. Those that are None are left out."""
    lists = ("quasi", "sensitive", "identifier", "keep", "drop", "na", "header", "privacy", "knowledge")
    made: dict[str, Any] = {"input": ""}
    for name, value in options.items():
        key = _KEYS.get(name, name.replace("_", "-"))
        if name in lists:
            made[key] = listed(name, value)
        elif name == "thresholds" and value is not None:
            made[key] = [float(threshold) for threshold in value]
        elif isinstance(value, Mapping):
            made[key] = {str(column): _one(name, of) for column, of in value.items()}
        elif value is not None:
            made[key] = text(value)
    try:
        return json.dumps(made, allow_nan=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise Invalid(f"an argument is wrong: {error}") from None


def _one(name: str, value: object) -> object:
    return listed(name, value) if name == "limit" else text(value)


def _plain(value: Any) -> object:
    """Return a scalar of numpy as the number that it is."""
    if hasattr(value, "dtype") and getattr(value, "ndim", None) == 0:
        return value.item()
    raise TypeError(f"{value!r} is of type {type(value).__name__}")
