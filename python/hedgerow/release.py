"""Results of functions: releases, reports and figures."""

from __future__ import annotations

import html
import json
import os
import warnings as _warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from hedgerow import _hedgerow, frames, notebook
from hedgerow._options import listed
from hedgerow.errors import HedgerowWarning, Invalid, file_error
from hedgerow.hierarchy import Hierarchy


class Result(Mapping[str, Any]):
    """Figures by name, as the command line writes them with ``--json``.

    Keys are also attributes: ``result.smallest_class`` is ``result["smallest_class"]``.
    """

    def __init__(self, figures: Mapping[str, Any]) -> None:
        self._figures = dict(figures)

    @classmethod
    def of_json(cls, text: str) -> Any:
        return cls(json.loads(text))

    def __getitem__(self, name: str) -> Any:
        return self._figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._figures[name]
        except KeyError:
            known = ", ".join(self._figures)
            raise AttributeError(f"there is no figure '{name}'; there are {known}") from None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as a dictionary."""
        return dict(self._figures)

    def __repr__(self) -> str:
        simple = {
            name: value
            for name, value in self._figures.items()
            if isinstance(value, (bool, int, float, str)) or value is None
        }
        figures = ", ".join(f"{name}={value!r}" for name, value in simple.items())
        return f"{type(self).__name__}({figures})"

    def _repr_html_(self) -> str:
        return f"<table>{_rows(self._figures)}</table>"


class Inspection(Result):
    """The columns of a table, with suggested roles and what should be known about them."""

    def roles(self) -> dict[str, Any]:
        """Return the suggested roles as arguments of :func:`hedgerow.anonymize`.

        Columns that should not be published as they are, and that no other role is suggested for, are
        in ``drop``. Check them: names and values suggest roles, and only you know what they mean.
        """
        made: dict[str, Any] = {}
        stops = {finding["column"] for finding in self["findings"] if finding["stops"]}
        for column in self["columns"]:
            name, role = column["name"], column["role"]
            if role == "undecided" and name in stops:
                role = "drop"
            if role == "person" and "person" not in made:
                made["person"] = name
            elif role != "undecided":
                # Another column of people is left out too.
                made.setdefault("identifier" if role == "person" else role, []).append(name)
        return made


class Verification(Result):
    """The result of recounting a release. It is true if everything holds."""

    def __bool__(self) -> bool:
        return bool(self["holds"])


class Measurement(Result):
    """Losses and utility of a release."""

    @property
    def losses(self) -> dict[str, float]:
        """The information losses by name."""
        return dict(self["release_loss"])


class Assessment(Result):
    """The re-identification risk of a table and of its release."""


class Evidence(Result):
    """The results of attacks."""

    @property
    def warnings(self) -> list[str]:
        """Warnings about columns that no attack is told of: the files may not belong together."""
        return list(self.get("warnings", []))


class Comparison(Result):
    """The figures of every combination, and which is best."""

    def __init__(self, figures: Mapping[str, Any], csv: str, page: str) -> None:
        super().__init__(figures)
        self.csv = csv
        self.html = page

    def _repr_html_(self) -> str:
        return notebook.page(self.html)


class Report:
    """The report on a release: for those who have the original or, with ``public``, for everybody."""

    def __init__(self, native: _hedgerow.NativeRelease | _hedgerow.NativeFileRelease) -> None:
        self._native = native

    @cached_property
    def html(self) -> str:
        """The report as a page that needs nothing else."""
        return self._native.report(True, False)

    @cached_property
    def public_html(self) -> str:
        """The report for the public, as a page."""
        return self._native.report(True, True)

    def to_dict(self, *, public: bool = False) -> dict[str, Any]:
        """Return the content of the report."""
        found: dict[str, Any] = json.loads(self._native.report(False, public))
        return found

    def write(
        self, path: str | os.PathLike[str], *, public: bool = False, force: bool = False
    ) -> None:
        """Write the report: a page, or JSON if the name ends in ``.json``."""
        is_page = Path(path).suffix.lower() in (".html", ".htm")
        if not is_page and Path(path).suffix.lower() != ".json":
            raise Invalid(f"{os.fspath(path)}: a report ends in .html or .json")
        if os.path.exists(path) and not force:
            raise file_error(path, "the file exists; choose another name, or pass force=True")
        text = self._native.report(is_page, public)
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise file_error(path, f"it cannot be written: {error.strerror}") from None

    def _repr_html_(self) -> str:
        return notebook.page(self.html)


class _Found:
    """Properties that a release of any kind has from the run that made it."""

    _native: _hedgerow.NativeRelease | _hedgerow.NativeFileRelease
    _claims: dict[str, Any]

    @property
    def warnings(self) -> list[str]:
        """Warnings to read before the release is published."""
        return self._native.warnings()

    @cached_property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """The hierarchies by column. A column that was generalized without one has none."""
        natives = self._native.hierarchies()
        return {name: Hierarchy(native) for name, native in natives.items()}

    @cached_property
    def report(self) -> Report:
        """The report, which is computed when it is first looked at."""
        return Report(self._native)

    @cached_property
    def recipe(self) -> str:
        """The rules of the release for the next table: the text that ``apply`` takes."""
        text, warnings = self._native.recipe()
        for warning in warnings:
            _warnings.warn(warning, HedgerowWarning, stacklevel=3)
        return text

    @property
    def job(self) -> str:
        """The job as the text of a job file for the command line."""
        return self._native.job()

    def _verified(self, table: object, quasi: list[str]) -> Verification:
        """Recount the published table, whose quasi-identifiers have these names."""
        from hedgerow.functions import verify

        claims = {**self._claims, "quasi": quasi}
        # Other columns may be left out.
        read = [*quasi, *listed("sensitive", claims["sensitive"])]
        for about in ("kind", "date_format"):
            claims[about] = {name: of for name, of in claims[about].items() if name in read}
        if not _hedgerow.looks_at_population(listed("privacy", claims["privacy"])):
            # It was given for estimates of risk, which are not verified.
            claims["population"] = None
        if claims["population"] is None:
            # A release alone is read without a policy for missing values.
            del claims["missing"]
        # Published labels are explained by the hierarchies that were used, whatever built them.
        others = (claims["hierarchies"] or {}).items()
        claims["hierarchies"] = {
            **{name: of for name, of in others if name not in quasi},
            **{name: of for name, of in self.hierarchies.items() if name in quasi},
        }
        return verify(table, **claims)


class Release(_Found):
    """A release: the published table, and everything known about it.

    >>> import hedgerow
    >>> table = hedgerow.frame({"age": [23, 25, 41, 44], "ill": ["flu", "cold", "flu", "gout"]})
    >>> release = hedgerow.anonymize(table, quasi=["age"], k=2, sensitive=["ill"])
    >>> release.frame
    ArrowTable(4 rows: age, ill)
    >>> release.summary.smallest_class
    2
    >>> bool(release.verify())
    True
    """

    _native: _hedgerow.NativeRelease

    def __init__(
        self,
        table: object,
        native: _hedgerow.NativeRelease,
        claims: Mapping[str, Any],
    ) -> None:
        self._table = table
        self._native = native
        self._claims = dict(claims)

    @cached_property
    def frame(self) -> Any:
        """The published table, of the same kind as the original."""
        return frames.like(self._table, self._native.records())

    @cached_property
    def summary(self) -> Result:
        """The figures that the command line prints: records, classes, losses, risk."""
        return Result(json.loads(self._native.outcome()))

    @property
    def losses(self) -> dict[str, float]:
        """The information losses of the release by name, as its reader sees it."""
        return dict(self.summary["release_loss"])

    @property
    def risk(self) -> Assessment | None:
        """The risk of the original and of the release."""
        found = self.summary.get("risk")
        return None if found is None else Assessment(found)

    def verify(self) -> Verification:
        """Recount the published table, as :func:`hedgerow.verify` does."""
        columns = self._native.records().columns()
        return self._verified(self.frame, [name for name, kept in columns if kept is None])

    def __repr__(self) -> str:
        figures = self.summary
        return (
            f"<Release: {figures['released']} of {figures['rows']} records, "
            f"{figures['classes']} classes of at least {figures['smallest_class']}, "
            f"method {figures['method']}>"
        )

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


class FileRelease(_Found, Result):
    """A release that was written to a file. Its figures are those of ``Release.summary``.

    The original is read again for the report, so it must be where it was.
    """

    _native: _hedgerow.NativeFileRelease
    path: Path

    def __init__(
        self, native: _hedgerow.NativeFileRelease, path: Path, claims: Mapping[str, Any]
    ) -> None:
        super().__init__(json.loads(native.outcome()))
        self._native = native
        self._claims = dict(claims)
        self.path = path

    @property
    def frame(self) -> Path:
        """The path of the release: what goes in as a path comes out as a path."""
        return self.path

    @property
    def losses(self) -> dict[str, float]:
        """The information losses of the release by name."""
        return dict(self["release_loss"])

    @property
    def risk(self) -> Assessment | None:
        """The risk of the original and of the release."""
        found = self.get("risk")
        return None if found is None else Assessment(found)

    def verify(self) -> Verification:
        """Recount the written file, as :func:`hedgerow.verify` does."""
        return self._verified(self.path, self._native.quasi())


class FileApplied(Result):
    """A release of the next table that was written to a file, with its figures."""

    path: Path
    warnings: list[str]

    def __init__(self, figures: Mapping[str, Any], path: Path, warnings: list[str]) -> None:
        super().__init__(figures)
        self.path = path
        self.warnings = warnings

    @property
    def frame(self) -> Path:
        """The path of the release: what goes in as a path comes out as a path."""
        return self.path


class Applied:
    """A release of the next table by the rules of a recipe."""

    def __init__(self, table: object, native: _hedgerow.NativeApplied) -> None:
        self._table = table
        self._native = native

    @cached_property
    def frame(self) -> Any:
        """The published table, of the same kind as the one that was given."""
        return frames.like(self._table, self._native.records())

    @cached_property
    def summary(self) -> Result:
        """The figures, and how the table differs from the first (``drift``)."""
        return Result(json.loads(self._native.outcome()))

    @property
    def warnings(self) -> list[str]:
        """Warnings to read before the release is published."""
        return self._native.warnings()

    def __repr__(self) -> str:
        figures = self.summary
        return f"<Applied: {figures['released']} of {figures['rows']} records>"


_LEFT = 'style="text-align: left"'


def _rows(figures: Mapping[str, Any]) -> str:
    """Figures as rows of an HTML table."""
    return "".join(
        f"<tr><th {_LEFT}>{html.escape(str(name))}</th><td {_LEFT}>{_cell(value)}</td></tr>"
        for name, value in figures.items()
    )


def _cell(value: Any) -> str:
    """A figure as HTML: objects are tables, and so are lists of objects."""
    if isinstance(value, Mapping):
        return f"<table>{_rows(value)}</table>"
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        names = list(dict.fromkeys(name for item in value for name in item))
        head = "".join(f"<th {_LEFT}>{html.escape(str(name))}</th>" for name in names)
        lines = [
            "".join(f"<td {_LEFT}>{_cell(item.get(name))}</td>" for name in names) for item in value
        ]
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
    if isinstance(value, list):
        return ", ".join(_cell(item) for item in value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else html.escape(str(value))
