"""``compare``: every combination of k, methods, hierarchies and models."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from hedgerow import _hedgerow, frames
from hedgerow import release as results
from hedgerow._calls import check, table_of
from hedgerow._options import OF_INPUTS, OF_VALUES, job, listed
from hedgerow.errors import Invalid
from hedgerow.functions import Names
from hedgerow.hierarchy import divided
from hedgerow.progress import Listener, listening

_OF_CELLS = (
    "keep drop keep_others privacy population sampling_fraction limit recoding loss until time knowledge edits "
    "interval_style rare_values drop_suppressed force_labels"
).split()
"""Further arguments, which are those of ``anonymize`` for every cell."""


def compare(
    table: object,
    *,
    quasi: Names,
    k: int | str | Iterable[int] = 5,
    methods: Names = (),
    settings: Names = (),
    models: Names = (),
    repeat: int = 0,
    weights: str | Mapping[str, float] | None = None,
    sensitive: Names = (),
    identifier: Names = (),
    person: str | None = None,
    class_: str | None = None,
    suppress: str | float | None = None,
    hierarchies: Mapping[str, object] | None = None,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: bool | Listener = False,
    **options: Any,
) -> results.Comparison:
    """Run every combination of ``k``, methods, hierarchies and models, and say which is best.

    ``k`` is a number, several of them, or a range as in ``"2..50"``. ``settings`` are ways to get hierarchies
    for all columns, such as ``"auto"``, ``"iotf"`` or ``"files=trees"``, while ``hierarchies`` are those of single
    columns in all cells. ``weights`` decide what is best: of ``loss``, ``risk``, ``highest_risk`` and ``seconds``.
    ``options`` are those of :func:`hedgerow.anonymize` about all cells. No release is made, so columns besides the
    quasi-identifiers and those that models need can have roles, and these change no figure.

    With a ``folder``, results are written there, and a later call with the same folder runs only cells that are
    not done. ``force`` uses the folder of another grid, whose results are removed.

    >>> import hedgerow
    >>> table = hedgerow.frame({"age": [23, 25, 41, 44, 45, 61]})
    >>> found = hedgerow.compare(table, quasi="age", k=[2, 3], methods=["mondrian", "datafly"])
    >>> [(cell["k"], cell["method"]) for cell in found.cells]
    [(2, 'mondrian'), (3, 'mondrian'), (2, 'datafly'), (3, 'datafly')]
    >>> trees = hedgerow.compare(table, quasi="age", k=2, methods="datafly", settings=["auto", "iotf"])
    >>> [cell["hierarchies"] for cell in trees.cells]
    ['auto', 'iotf']
    """
    check(compare, options, (*_OF_CELLS, *OF_VALUES, *OF_INPUTS), [table])
    if force and folder is None:
        raise Invalid("force= is about the folder of another grid: name it with folder=")
    named, given = divided(hierarchies)
    if given:
        raise Invalid("compare takes hierarchies of methods and files; write() these first")
    asked = {
        "quasi": quasi,
        "sensitive": sensitive,
        "identifier": identifier,
        "person": person,
        "class": class_,
        "suppress": suppress,
        "hierarchy": named,
        "seed": seed,
        **options,
    }
    if frames.is_path(table):
        asked["input"] = table
    is_one = isinstance(k, str) or not isinstance(k, Iterable)
    ks = str(k) if is_one else ",".join(str(one) for one in k)  # type: ignore[union-attr]
    choices = {
        "k": ks,
        "methods": listed("methods", methods),
        "settings": listed("settings", settings),
        "models": listed("models", models),
        "repeat": repeat,
        "weights": _weights(weights),
        "folder": None if folder is None else os.fspath(folder),
        "force": force,
    }
    with listening(progress) as listener:
        figures, csv, page = _hedgerow.compare(
            table_of(table, quasi), choices, job(asked), listener
        )
    return results.Comparison(json.loads(figures), csv, page)


def _weights(weights: str | Mapping[str, float] | None) -> str | None:
    """Weights as the command line writes them."""
    if not isinstance(weights, Mapping):
        return weights
    return ",".join(f"{name.replace('_', '-')}={weight}" for name, weight in weights.items())
