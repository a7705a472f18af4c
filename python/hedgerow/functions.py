"""The functions of the package. Keyword arguments are the keys of a job file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from hedgerow import _hedgerow, frames
from hedgerow import release as results
from hedgerow._calls import check, not_of_files, table_of, tables_of, warn
from hedgerow._options import OF_INPUTS, OF_OUTPUTS, OF_RELEASES, OF_VALUES, job, listed
from hedgerow.errors import Invalid
from hedgerow.hierarchy import divided
from hedgerow.progress import Listener, listening

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from hedgerow._typed import Options, OptionsOfFile

Names = str | Iterable[str]
"""A name, or several."""
_Path = str | os.PathLike[str]
_OF_PAIRS = (*OF_VALUES, *OF_INPUTS, *OF_RELEASES)
"""Further arguments of functions that read a release, and perhaps its original."""


def inspect(
    table: object,
    *,
    person: str | None = None,
    k: int | None = None,
    progress: bool | Listener = False,
    **reading: Any,
) -> results.Inspection:
    """Inspect a table: kinds of its columns, suggested roles, and what they may reveal.

    ``person`` is the column that names people; without it, the one that looks like it. With ``k``,
    hierarchies for the suggested quasi-identifiers are chosen too.

    >>> import hedgerow
    >>> table = hedgerow.frame({"name": ["Ada Lovelace", "Alan Turing"], "age": [36, 41]})
    >>> hedgerow.inspect(table).roles()
    {'identifier': ['name'], 'quasi': ['age']}
    """
    check(inspect, reading, (*OF_VALUES, *OF_INPUTS), [table])
    options = job({"quasi": [], "person": person, **reading})
    with listening(progress) as listener:
        return results.Inspection(json.loads(_hedgerow.inspect(table_of(table), options, k, listener)))


@overload
def anonymize(
    table: _Path, *, quasi: Names, k: int, output: _Path, **options: Unpack[OptionsOfFile]
) -> results.FileRelease: ...


@overload
def anonymize(
    table: object, *, quasi: Names, k: int, **options: Unpack[Options]
) -> results.Release: ...


def anonymize(
    table: object,
    *,
    quasi: Names,
    k: int,
    sensitive: Names = (),
    identifier: Names = (),
    person: str | None = None,
    keep: Names = (),
    drop: Names = (),
    keep_others: bool = False,
    class_: str | None = None,
    hierarchies: Mapping[str, object] | None = None,
    method: str = "auto",
    privacy: Names = (),
    suppress: str | float | None = None,
    limit: Mapping[str, Names] | None = None,
    recoding: str | None = None,
    loss: str | None = None,
    until: str | None = None,
    time: float | None = None,
    certificate: bool = False,
    population: _Path | None = None,
    sampling_fraction: float | None = None,
    weights: str | None = None,
    thresholds: Sequence[float] = (),
    knowledge: _Path | Sequence[_Path] = (),
    edits: Mapping[str, _Path] | None = None,
    kind: Mapping[str, str] | None = None,
    date_format: Mapping[str, str] | None = None,
    missing: str | None = None,
    na: Names = (),
    na_detect: str | None = None,
    decimal: str | None = None,
    interval_style: str | None = None,
    rare_values: str | None = None,
    drop_suppressed: bool = False,
    force_labels: bool = False,
    keep_order: bool = False,
    seed: int = 0,
    threads: int | None = None,
    output: _Path | None = None,
    progress: bool | Listener = False,
    **of_file: Any,
) -> results.Release | results.FileRelease:
    """Anonymize a table so that every record shares its quasi-identifiers with ``k - 1`` others.

    ``table`` is a pandas or polars frame, a pyarrow table, a DuckDB relation, anything else with
    ``__arrow_c_stream__``, or a path. The result is a :class:`hedgerow.Release` whose ``frame`` is of the same
    kind. Quasi-identifiers become dictionaries of labels (categories), or two numeric columns each
    with ``interval_style="bounds"``. All other columns are published as they are, unless they are
    named in ``identifier``, ``person`` or ``drop``; columns without a role are examined first.

    Rows are shuffled unless ``keep_order`` is true. ``hierarchies`` maps columns to methods, files or
    :class:`Hierarchy` objects, and ``edits`` maps columns to scripts that correct hierarchies of methods and
    files. ``knowledge`` names sources of concepts (files, or ``wordnet``) for columns of words that they know.
    A path is anonymized to the path ``output`` as the command line does it, and the result is a
    :class:`hedgerow.FileRelease`; then further arguments are those of a job file about files:
    ``delimiter``, ``encoding``, ``header``, ``sheet``, ``report``, ``recipe``, ``classes``, ``force``.

    The result is about the table as it is now: changes to a frame after the call do not matter.

    >>> import hedgerow
    >>> table = hedgerow.frame({"age": [23, 25, 41, 44], "ill": ["flu", "cold", "flu", "gout"]})
    >>> release = hedgerow.anonymize(table, quasi="age", k=2, sensitive="ill", keep_order=True)
    >>> release.frame.rows()
    [('[23, 25]', 'flu'), ('[23, 25]', 'cold'), ('[41, 44]', 'flu'), ('[41, 44]', 'gout')]
    """
    named, given = divided(hierarchies)
    asked = {
        "quasi": quasi,
        "k": k,
        "sensitive": sensitive,
        "identifier": identifier,
        "person": person,
        "keep": keep,
        "drop": drop,
        "keep_others": keep_others,
        "class": class_,
        "hierarchy": named,
        "method": method,
        "privacy": privacy,
        "suppress": suppress,
        "limit": limit or {},
        "recoding": recoding,
        "loss": loss,
        "until": until,
        "time": time,
        "certificate": certificate,
        "population": population,
        "sampling_fraction": sampling_fraction,
        "weights": weights,
        "thresholds": thresholds,
        "knowledge": knowledge,
        "edits": edits or {},
        "kind": kind or {},
        "date_format": date_format or {},
        "missing": missing,
        "na": na,
        "na_detect": na_detect,
        "decimal": decimal,
        "interval_style": interval_style,
        "rare_values": rare_values,
        "drop_suppressed": drop_suppressed,
        "force_labels": force_labels,
        "keep_order": keep_order,
        "seed": seed,
        "threads": threads,
    }
    claims = {
        "quasi": quasi,
        "k": k,
        "sensitive": sensitive,
        "privacy": privacy,
        "hierarchies": hierarchies,
        "population": population,
        "missing": missing,
        "kind": kind or {},
        "date_format": date_format or {},
        "decimal": decimal,
        "na": na,
        "na_detect": na_detect,
    }
    if frames.is_path(table):
        check(anonymize, of_file, (*OF_INPUTS, *OF_RELEASES, *OF_OUTPUTS), [table])
        if given:
            raise Invalid("a path is anonymized with hierarchies of methods and files; write() these")
        # The population is opened as the table was, and the release as it was written.
        for name in ("header", "no_header", "sheet", "delimiter", "encoding", "max_record"):
            claims[name] = of_file.get(name)
        for name in ("output_encoding", "spreadsheet_safe"):
            claims[name] = of_file.get(name)
        return _anonymize_file(table, {**asked, **of_file, "output": output}, claims, progress)
    not_of_files({**of_file, "output": output})
    check(anonymize, of_file, ())
    kept = frames.snapshot(table)
    read = [*listed("quasi", quasi), *listed("sensitive", sensitive), class_, person, weights]
    arrow = frames.arrow(kept, [name for name in read if name is not None])
    with listening(progress) as listener:
        native = _hedgerow.anonymize(arrow, job(asked), given, listener)
    warn(native.warnings())
    return results.Release(kept, native, claims)


def verify(
    release: object,
    *,
    quasi: Names,
    k: int,
    sensitive: Names = (),
    privacy: Names = (),
    hierarchies: Mapping[str, object] | None = None,
    population: object = None,
    progress: bool | Listener = False,
    **reading: Any,
) -> results.Verification:
    """Recount a release: whether it is ``k``-anonymous, and whether the models hold.

    ``population`` is the table that the original is a sample of, for models such as ``k-map``. Labels that are
    neither values of it nor intervals are explained by ``hierarchies``; ``unplaced`` has those that are not.

    >>> import hedgerow
    >>> release = hedgerow.frame({"age": ["[20, 30]", "[20, 30]", "[40, 50]"]})
    >>> found = hedgerow.verify(release, quasi=["age"], k=2)
    >>> found.holds, found.smallest_class
    (False, 1)
    """
    # Missing values of a release are cells like others; the policy is that of the population.
    known = _OF_PAIRS if population is not None else [name for name in _OF_PAIRS if name != "missing"]
    check(verify, reading, known, [release, population])
    named, given = divided(hierarchies)
    options = job(
        {
            "quasi": quasi,
            "k": k,
            "sensitive": sensitive,
            "privacy": privacy,
            "hierarchy": named,
            **reading,
        }
    )
    whole = None if population is None else table_of(population, quasi)
    with listening(progress) as listener:
        found = _hedgerow.verify(table_of(release, quasi), whole, options, given, listener)
    return results.Verification(json.loads(found))


def measure(
    original: object,
    release: object,
    *,
    quasi: Names,
    k: int | None = None,
    class_: str | None = None,
    hierarchies: Mapping[str, object] | None = None,
    certificate: bool = False,
    seed: int = 0,
    progress: bool | Listener = False,
    **reading: Any,
) -> results.Measurement:
    """Measure what a release has lost, compared with its original.

    With a class column, a decision tree is trained on both to predict it. With ``certificate``, it is
    also proved how near the optimum the release is.

    >>> import hedgerow
    >>> table = hedgerow.frame({"age": [23, 25, 41, 44]})
    >>> release = hedgerow.anonymize(table, quasi="age", k=2, keep_order=True).frame
    >>> round(hedgerow.measure(table, release, quasi="age").losses["ntil"], 3)
    0.119
    """
    check(measure, reading, _OF_PAIRS, [original, release])
    named, given = divided(hierarchies)
    asked = {"quasi": quasi, "k": k, "class": class_, "hierarchy": named, "certificate": certificate}
    options = job({**asked, "seed": seed, **reading})
    with listening(progress) as listener:
        found = _hedgerow.measure(
            table_of(original, quasi), table_of(release, quasi), options, given, listener
        )
    return results.Measurement(json.loads(found))


def risk(
    table: object,
    release: object = None,
    *,
    quasi: Names,
    sensitive: Names = (),
    person: str | None = None,
    population: object = None,
    sampling_fraction: float | None = None,
    weights: str | None = None,
    thresholds: Sequence[float] = (),
    models: Sequence[str] = (),
    hierarchies: Mapping[str, object] | None = None,
    progress: bool | Listener = False,
    **reading: Any,
) -> results.Assessment:
    """Estimate the re-identification risk of a table and, if it is given, of its release.

    >>> import hedgerow
    >>> table = hedgerow.frame({"age": [23, 23, 41], "sex": ["F", "F", "M"]})
    >>> found = hedgerow.risk(table, quasi=["age", "sex"])
    >>> found["original"]["all"]["alone"]
    1
    """
    check(risk, reading, _OF_PAIRS, [table, release, population])
    named, given = divided(hierarchies)
    options = job(
        {"quasi": quasi, "sensitive": sensitive, "person": person, "hierarchy": named, **reading}
    )
    sampling = {
        "release": None if release is None else table_of(release, quasi),
        "population": None if population is None else table_of(population, quasi),
        "sampling_fraction": sampling_fraction,
        "weights": weights,
        "thresholds": [float(threshold) for threshold in thresholds],
        "models": listed("models", models),
    }
    with listening(progress) as listener:
        found = _hedgerow.risk(table_of(table, quasi), sampling, options, given, listener)
    return results.Assessment(json.loads(found))


def attack(
    original: object,
    release: object,
    *,
    quasi: Names = (),
    known: Names = (),
    sensitive: Names = (),
    person: str | None = None,
    attacks: Names = (),
    other: object = (),
    external: object = None,
    hierarchies: Mapping[str, object] | None = None,
    progress: bool | Listener = False,
    **reading: Any,
) -> results.Evidence:
    """Try to find people and their sensitive values in a release.

    Without ``attacks``, all of them are tried. ``other`` is another release of the same or overlapping
    people, or a list of them, the earlier ones first. ``external`` is a table of people that the attacker
    has, with columns that the attacker knows. Both are tables or paths. ``warnings`` of the result are about
    columns that are neither quasi-identifiers nor known nor sensitive: if the release has a value of one
    more often than the original, it was edited, or the tables do not belong together.

    >>> import hedgerow
    >>> table = hedgerow.frame({"age": [23, 25, 41, 44], "ill": ["flu", "cold", "flu", "gout"]})
    >>> release = hedgerow.anonymize(table, quasi="age", k=2, sensitive="ill", keep_order=True).frame
    >>> found = hedgerow.attack(table, release, quasi="age", sensitive="ill", attacks="linking")
    >>> [(attempt["variant"], attempt["exposed"]) for attempt in found.attempts]
    [('exact', 0)]
    """
    others = tables_of(other)
    check(attack, reading, _OF_PAIRS, [original, release, *others, external])
    named, given = divided(hierarchies)
    options = job(
        {"quasi": quasi, "sensitive": sensitive, "person": person, "hierarchy": named, **reading}
    )
    asked = {
        "attacks": listed("attacks", attacks),
        "known": listed("known", known),
        "other": others,
        "external": None if external is None else table_of(external, known),
    }
    with listening(progress) as listener:
        found = _hedgerow.attack(
            table_of(original, quasi), table_of(release, quasi), asked, options, given, listener
        )
    return results.Evidence(json.loads(found))


def _anonymize_file(
    table: object, asked: dict[str, Any], claims: dict[str, Any], progress: bool | Listener
) -> results.FileRelease:
    options = job({**asked, "input": os.fspath(table)})  # type: ignore[call-overload]
    with listening(progress) as listener:
        native = _hedgerow.anonymize_file(options, listener)
    warn(native.warnings())
    return results.FileRelease(native, Path(asked["output"] or ""), claims)
