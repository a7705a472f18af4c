"""Types of the options of functions that take tables and paths. Only type checkers read this module."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypedDict

from hedgerow.functions import Names
from hedgerow.progress import Listener

_Path = str | os.PathLike[str]


class Options(TypedDict, total=False):
    """Options of :func:`hedgerow.anonymize` besides ``quasi`` and ``k``."""

    sensitive: Names
    identifier: Names
    person: str | None
    keep: Names
    drop: Names
    keep_others: bool
    class_: str | None
    hierarchies: Mapping[str, object] | None
    method: str
    privacy: Names
    suppress: str | float | None
    limit: Mapping[str, Names] | None
    recoding: str | None
    loss: str | None
    until: str | None
    time: float | None
    certificate: bool
    population: _Path | None
    sampling_fraction: float | None
    weights: str | None
    thresholds: Sequence[float]
    knowledge: _Path | Sequence[_Path]
    edits: Mapping[str, _Path] | None
    kind: Mapping[str, str] | None
    date_format: Mapping[str, str] | None
    missing: str | None
    na: Names
    na_detect: str | None
    decimal: str | None
    interval_style: str | None
    rare_values: str | None
    drop_suppressed: bool
    force_labels: bool
    keep_order: bool
    seed: int
    threads: int | None
    progress: bool | Listener


class _OfFile(TypedDict, total=False):
    """Options about files."""

    header: Names
    no_header: bool
    sheet: str
    delimiter: str
    encoding: str
    output_encoding: str
    max_record: str | int
    force: bool
    spreadsheet_safe: bool


class OptionsOfFile(Options, _OfFile, total=False):
    """Options of :func:`hedgerow.anonymize` for a path."""

    trace: _Path
    classes: _Path
    recipe: _Path
    report: _Path
    report_public: _Path


class OptionsOfApplied(TypedDict, total=False):
    """Options of :func:`hedgerow.apply`."""

    unseen: str | None
    repair: str | None
    suppress: str | float | None
    previous: object
    max_success: float | None
    keep: Names
    drop: Names
    hierarchies: Mapping[str, object] | None
    drop_suppressed: bool
    keep_order: bool
    seed: int
    threads: int | None
    progress: bool | Listener
    kind: Mapping[str, str]
    date_format: Mapping[str, str]
    na: Names
    na_detect: str
    decimal: str


class OptionsOfAppliedFile(OptionsOfApplied, _OfFile, total=False):
    """Options of :func:`hedgerow.apply` for a path."""
