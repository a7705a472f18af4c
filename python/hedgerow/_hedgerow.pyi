"""The native module. The package is written on top of it; its names may change."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from typing_extensions import CapsuleType

__version__: str

_Listener = Callable[[str, str, int, int], object] | None
_Given = Mapping[str, "NativeHierarchy"]

class ArrowTable:
    """A table that any library with support for Arrow can read without copying."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> CapsuleType: ...
    @property
    def column_names(self) -> list[str]:
        """Names of the columns."""
    @property
    def num_rows(self) -> int:
        """Number of rows."""
    def rows(self) -> list[tuple[Any, ...]]:
        """The rows as tuples of numbers, texts, truths and None."""
    def __len__(self) -> int: ...

class NativeRecords:
    """The records of a release in memory."""

    def columns(self) -> list[tuple[str, int | None]]: ...
    def rows(self) -> bytes: ...
    def labels(self, column: int) -> tuple[list[str], bytes, bool]: ...
    def table(self) -> ArrowTable: ...

class NativeRelease:
    def outcome(self) -> str: ...
    def warnings(self) -> list[str]: ...
    def job(self) -> str: ...
    def records(self) -> NativeRecords: ...
    def hierarchies(self) -> dict[str, NativeHierarchy]: ...
    def recipe(self) -> tuple[str, list[str]]: ...
    def report(self, is_page: bool, is_public: bool, listener: _Listener = None) -> str: ...

class NativeFileRelease:
    def outcome(self) -> str: ...
    def quasi(self) -> list[str]: ...
    def warnings(self) -> list[str]: ...
    def job(self) -> str: ...
    def hierarchies(self) -> dict[str, NativeHierarchy]: ...
    def recipe(self) -> tuple[str, list[str]]: ...
    def report(self, is_page: bool, is_public: bool, listener: _Listener = None) -> str: ...

class NativeApplied:
    def outcome(self) -> str: ...
    def warnings(self) -> list[str]: ...
    def records(self) -> NativeRecords: ...

class NativeHierarchy:
    def method(self) -> str: ...
    def column(self) -> str | None: ...
    def size(self) -> tuple[int, int]: ...
    def text(self) -> str: ...
    def svg(self) -> str: ...
    def write(self, path: str, force: bool, lossy: bool) -> None: ...
    def nodes(self) -> ArrowTable: ...
    def path(self, value: str) -> list[str] | None: ...

class NativePlan:
    """A plan for publishing records that were counted elsewhere."""

    def outcome(self) -> str: ...
    def warnings(self) -> list[str]: ...
    def columns(self) -> list[tuple[str, str, bool]]:
        """The published columns: name, replaced quasi-identifier, and whether cells are numbers."""
    def groups(self) -> ArrowTable:
        """The group of each counted tuple, in the order of the counts: one column ``group``."""
    def runs(self) -> ArrowTable:
        """The cells of groups: ``group``, ``start``, ``end``, ``published`` and the published columns."""

class NativeDivision:
    """A division of the tuples of a table into parts."""

    def method(self) -> str: ...
    def columns(self) -> list[tuple[str, str, bool]]: ...
    def hierarchies(self) -> dict[str, tuple[str, NativeHierarchy | None]]: ...
    def places(self, quasi: int) -> list[int]:
        """The place of each value of a quasi-identifier in the whole table, in their order."""
    def cuts(self) -> list[tuple[int, int, tuple[bool, int], tuple[bool, int]]]:
        """Quasi-identifier, lowest place of the high side, and both sides: is it a part, and which."""

def of_lists(names: Sequence[str], columns: Sequence[list[object]]) -> ArrowTable: ...
def inspect(table: object, options: str, k: int | None = None, listener: _Listener = None) -> str: ...
def anonymize(
    table: object, options: str, given: _Given, listener: _Listener = None
) -> NativeRelease: ...
def anonymize_file(options: str, listener: _Listener = None) -> NativeFileRelease: ...
def check_arguments(given: Sequence[str], known: Sequence[str]) -> None:
    """Raise an error for a keyword argument that a function does not have."""

def apply(
    table: object,
    recipe: str,
    choices: Mapping[str, object],
    options: str,
    listener: _Listener = None,
) -> NativeApplied: ...
def apply_file(
    recipe: str,
    choices: Mapping[str, object],
    options: str,
    listener: _Listener = None,
) -> tuple[str, list[str]]: ...
def recode(table: object, recipe: str, unseen: str) -> ArrowTable:
    """Recode quasi-identifiers by the rules of a recipe, for learners and not for publication."""

def verify(
    release: object,
    population: object,
    options: str,
    given: _Given,
    listener: _Listener = None,
) -> str: ...
def looks_at_population(privacy: Sequence[str]) -> bool:
    """Whether one of these models looks at a population."""

def measure(
    original: object, release: object, options: str, given: _Given, listener: _Listener = None
) -> str: ...
def risk(
    table: object,
    known: Mapping[str, object],
    options: str,
    given: _Given,
    listener: _Listener = None,
) -> str: ...
def attack(
    original: object,
    release: object,
    asked: Mapping[str, object],
    options: str,
    given: _Given,
    listener: _Listener = None,
) -> str: ...
def compare(
    table: object, choices: Mapping[str, object], options: str, listener: _Listener = None
) -> tuple[str, str, str]: ...
def build_hierarchy(
    table: object,
    column: str,
    method: str,
    k: int | None,
    options: str,
    listener: _Listener = None,
) -> NativeHierarchy: ...
def read_hierarchy(path: str, column: str | None = None) -> NativeHierarchy: ...
def hierarchy_candidates(
    table: object,
    column: str,
    method: str,
    k: int | None,
    options: str,
    listener: _Listener = None,
) -> list[tuple[str, NativeHierarchy]]: ...
def rank_hierarchies(
    table: object,
    column: str,
    hierarchies: Sequence[NativeHierarchy],
    ranking: tuple[int, tuple[float, float, float, float] | None],
    options: str,
    listener: _Listener = None,
) -> str: ...
def counting(header: Sequence[str], options: str) -> tuple[list[str], list[str]]:
    """The columns of a table that must be counted for a plan, and those that its release has."""

def plan(
    counts: object,
    names: tuple[str, str],
    options: str,
    listener: _Listener = None,
    whole: Sequence[object] | None = None,
) -> NativePlan:
    """Plan the release of a table of which only counts are known.

    ``counts`` has one row for each distinct tuple: its columns, a column with the number of records, and
    one with the position of the first of them, counted from 0; ``names`` are the names of these two.
    ``options`` is a job as JSON (``hedgerow._options.job``). If the tuples are a part of a table, ``whole``
    has a table for each column, with its values in all of it and the same two columns.
    """

def divide(
    sample: object,
    names: tuple[str, str],
    whole: Sequence[object],
    n_parts: int,
    options: str,
    listener: _Listener = None,
) -> NativeDivision:
    """Choose hierarchies and method for a whole table, and cut its tuples into parts."""

def examine(sample: object, options: str, listener: _Listener = None) -> list[str]:
    """Examine the columns of a sample of the records that a release would publish."""

def spelled(table: object) -> ArrowTable:
    """The values of a table as text, written as a release writes them. Nulls stay null."""
