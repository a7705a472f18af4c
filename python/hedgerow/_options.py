"""Keyword arguments as the options of a job file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from hedgerow.errors import Invalid


def listed(name: str, value: object) -> list[str]:
    """Return a list of texts; a single text is a list of one."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, (list, tuple, set, frozenset)) or hasattr(value, "__iter__"):
        found = list(value)
        for item in found:
            if not isinstance(item, (str, os.PathLike)):
                kind = type(item).__name__
                raise Invalid(f"{name} must be texts, and {item!r} is of type {kind}")
        return [os.fspath(item) for item in found]
    raise Invalid(f"{name} must be a text or a list of texts, not {value!r}")


def text(value: object) -> object:
    """Return paths as texts, and everything else as it is."""
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def job(options: Mapping[str, Any]) -> str:
    """Return options as JSON with the keys of a job file. Those that are None are left out."""
    lists = ("quasi", "sensitive", "identifier", "keep", "drop", "na", "header", "privacy", "knowledge")
    made: dict[str, Any] = {"input": ""}
    for name, value in options.items():
        key = name.replace("_", "-")
        if name in lists:
            made[key] = listed(name, value)
        elif isinstance(value, Mapping):
            made[key] = {str(column): _one(name, of) for column, of in value.items()}
        elif value is not None:
            made[key] = text(value)
    try:
        return json.dumps(made, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Invalid(f"an argument is wrong: {error}") from None


def _one(name: str, value: object) -> object:
    return listed(name, value) if name == "limit" else text(value)
