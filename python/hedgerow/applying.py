"""``apply``: the rules of a release on the next table."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from hedgerow import _hedgerow, frames
from hedgerow import release as results
from hedgerow._calls import check, not_of_files, tables_of, warn
from hedgerow._options import OF_INPUTS, OF_RELEASES, job
from hedgerow.errors import Invalid, file_error
from hedgerow.functions import Names
from hedgerow.hierarchy import divided
from hedgerow.progress import Listener, listening

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from hedgerow._typed import OptionsOfApplied, OptionsOfAppliedFile

_Path = str | os.PathLike[str]
_OF_READING = "kind date_format na na_detect decimal".split()
"""Further arguments about values, where they are read in another way than those of the first table."""


@overload
def apply(
    table: _Path,
    recipe: _Path,
    *,
    output: _Path,
    **options: Unpack[OptionsOfAppliedFile],
) -> results.FileApplied: ...


@overload
def apply(
    table: object, recipe: _Path, **options: Unpack[OptionsOfApplied]
) -> results.Applied: ...


def apply(
    table: object,
    recipe: _Path,
    *,
    unseen: str | None = None,
    repair: str | None = None,
    suppress: str | float | None = None,
    previous: object = (),
    max_success: float | None = None,
    keep: Names = (),
    drop: Names = (),
    hierarchies: Mapping[str, object] | None = None,
    drop_suppressed: bool = False,
    keep_order: bool = False,
    seed: int = 0,
    threads: int | None = None,
    output: _Path | None = None,
    progress: bool | Listener = False,
    **of_file: Any,
) -> results.Applied | results.FileApplied:
    """Publish the next table by the rules of a release.

    ``recipe`` is ``Release.recipe``, or the path of a recipe file. ``suppress`` is the share of the records that
    may be suppressed; without it, that of the recipe. ``previous`` is an earlier release, or a list of them, as
    tables or paths: the new release is attacked together with them, and is an error if an attack is more
    successful than ``max_success``, or than ``1 / k`` without it.

    A path as the table is published to the path ``output``. Further arguments say how the table is read, where
    it differs from the first: ``na``, ``kind`` and others, and for a path also ``delimiter``, ``encoding``,
    ``header``, ``sheet``, ``force`` and others.

    >>> import hedgerow
    >>> first = hedgerow.frame({"age": [23, 25, 41, 44]})
    >>> release = hedgerow.anonymize(first, quasi="age", k=2, method="mondrian")
    >>> following = hedgerow.frame({"age": [44, 23, 25, 41]})
    >>> hedgerow.apply(following, release.recipe, keep_order=True).frame.rows()
    [('[41, 44]',), ('[23, 25]',), ('[23, 25]',), ('[41, 44]',)]
    """
    named, given = divided(hierarchies)
    if given:
        raise Invalid("a recipe takes hierarchies of methods and files; write() these first")
    asked = {
        "quasi": [],
        "keep": keep,
        "drop": drop,
        "hierarchy": named,
        "drop_suppressed": drop_suppressed,
        "keep_order": keep_order,
        "seed": seed,
        "threads": threads,
        **of_file,
    }
    earlier = tables_of(previous)
    choices = {
        "unseen": unseen,
        "repair": repair,
        "suppress": None if suppress is None else str(suppress),
        "previous": earlier,
        "max_success": max_success,
    }
    text, path = _recipe(recipe)
    if frames.is_path(table):
        known = (*_OF_READING, *OF_INPUTS, *OF_RELEASES, "force")
        check(apply, of_file, known, [table])
        if output is None:
            raise Invalid("name the path of the release with output=")
        if not all(map(frames.is_path, earlier)):
            raise Invalid("previous= has a table in memory, and this one is a path; write it to a file")
        files = {"input": os.fspath(table), "output": output, "recipe": path}  # type: ignore[call-overload]
        with listening(progress) as listener:
            figures, warnings = _hedgerow.apply_file(
                text, choices, job({**asked, **files}), listener
            )
        warn(warnings)
        return results.FileApplied(json.loads(figures), Path(output), warnings)
    not_of_files({**of_file, "output": output})
    check(apply, of_file, _OF_READING)
    kept = frames.snapshot(table)
    arrow = frames.arrow(kept)
    with listening(progress) as listener:
        native = _hedgerow.apply(arrow, text, choices, job(asked), listener)
    warn(native.warnings())
    return results.Applied(kept, native)


def _recipe(recipe: _Path) -> tuple[str, str | None]:
    """The text of a recipe, and its path if it is in a file."""
    # A recipe is JSON, and the name of a file is not.
    if isinstance(recipe, str) and recipe.lstrip().startswith("{"):
        return recipe, None
    if not frames.is_path(recipe):
        raise Invalid(f"a recipe is the text Release.recipe or a path, not {type(recipe).__name__}")
    try:
        return Path(recipe).read_text(encoding="utf-8"), os.fspath(recipe)
    except OSError as error:
        raise file_error(recipe, f"the recipe cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise file_error(recipe, "this is not a recipe: it is not text in UTF-8") from None
