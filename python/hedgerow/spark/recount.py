"""Recounts on the engine: whether a release is k-anonymous, and whether counts are what they were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hedgerow._options import listed
from hedgerow.errors import Invalid
from hedgerow.release import Verification
from hedgerow.spark import engine

_COUNT = engine.RESERVED + "count"
_SUPPRESSED = "*"


def verify(release: Any, *, quasi: str | Sequence[str], k: int) -> Verification:
    """Count the classes of a release on the engine: whether each has at least ``k`` records.

    As in :func:`hedgerow.verify`, records whose quasi-identifiers are all ``*``, or missing in two columns of
    bounds (``age_min`` and ``age_max``, with numbers in order), are suppressed and are not a class. The result
    is true if all others are in classes of ``k``. :meth:`Plan.verify` compares every class with the plan, so
    that it also says whether the models of the plan hold.
    """
    engine.check_frame(release)
    names = listed("quasi", quasi)
    if not names or k < 1:
        raise Invalid("name the quasi-identifiers, and a k of at least 1")
    _check_known(release, names)
    functions = engine.functions()
    classes = engine.counted(release, names, _COUNT)
    is_suppressed = functions.lit(True)
    bounds = _bounds(classes, names)
    for name in names:
        shown = engine.col(name).cast("string")
        # Columns of bounds have no text for a suppressed record.
        is_blank = functions.coalesce(shown == _SUPPRESSED, functions.lit(name in bounds))
        is_suppressed = is_suppressed & is_blank
    size = engine.col(_COUNT)
    of_class = functions.when(~is_suppressed, size)
    row = classes.agg(
        functions.sum(size).alias("rows"),
        functions.sum(functions.when(is_suppressed, size)).alias("suppressed"),
        functions.count(of_class).alias("classes"),
        functions.min(of_class).alias("smallest_class"),
        functions.count(functions.when(of_class < k, size)).alias("failing_classes"),
    ).toArrow().to_pylist()[0]
    if not row["rows"]:
        raise Invalid("the release has no records")
    figures: dict[str, Any] = {name: int(value or 0) for name, value in row.items()}
    if figures["failing_classes"]:
        failing = classes.filter((size < k) & ~is_suppressed).orderBy(size).limit(1).toArrow()
        example = failing.to_pylist()[0]
        figures["example"] = {name: example[name] for name in names}
    return Verification({**figures, "k": k, "holds": figures["failing_classes"] == 0})


def difference(found: Any, expected: Any, names: Sequence[str]) -> dict[str, Any] | None:
    """Compare the counts of a DataFrame with expected ones, and return a tuple that differs.

    ``expected`` is a DataFrame with the columns ``names`` and, as its last one, the number of records.
    """
    functions = engine.functions()
    count = expected.columns[-1]
    before = expected.select(
        *[engine.col(name).alias(f"{_COUNT}{place}") for place, name in enumerate(names)],
        functions.lit(0).cast("bigint").alias("now"),
        engine.col(count).cast("bigint").alias("before"),
    )
    counts = engine.counted(found, names, _COUNT)
    now = counts.select(
        *[engine.col(name).alias(f"{_COUNT}{place}") for place, name in enumerate(names)],
        engine.col(_COUNT).cast("bigint").alias("now"),
        functions.lit(0).cast("bigint").alias("before"),
    )
    keys = [f"{_COUNT}{place}" for place in range(len(names))]
    # Grouping treats nulls as values, and needs no join of two large tables.
    both = now.unionByName(before).groupBy(*keys).agg(
        functions.sum("now").alias("now"), functions.sum("before").alias("before")
    )
    differing = both.filter(engine.col("now") != engine.col("before")).limit(1).toArrow().to_pylist()
    if not differing:
        return None
    row = differing[0]
    cells = {name: row[f"{_COUNT}{place}"] for place, name in enumerate(names)}
    return {"cells": cells, "now": int(row["now"]), "before": int(row["before"])}


def _bounds(classes: Any, names: Sequence[str]) -> set[str]:
    """The columns that have the least or the greatest values of intervals.

    A table can have columns with such names that are something else, so their cells decide too.
    """
    stems = [name.removesuffix("_min") for name in names if name.endswith("_min")]
    pairs = [(f"{stem}_min", f"{stem}_max") for stem in stems if f"{stem}_max" in names]
    if not pairs:
        return set()
    functions = engine.functions()
    others = [functions.count(functions.when(~_are_ends(*pair), 1)) for pair in pairs]
    counts = classes.agg(*[count.alias(f"n{place}") for place, count in enumerate(others)])
    row = counts.toArrow().to_pylist()[0]
    return {name for place, pair in enumerate(pairs) if row[f"n{place}"] == 0 for name in pair}


def _are_ends(low: str, high: str) -> Any:
    """The condition that two cells are numbers in order, or the same name, or nothing, in both."""
    functions = engine.functions()
    texts = [functions.coalesce(engine.col(name).cast("string"), functions.lit("")) for name in (low, high)]
    # Engines refuse to read other texts as numbers.
    ends = [functions.when(engine.is_number(text), text.cast("double")) for text in texts]
    are_others = ends[0].isNull() & ends[1].isNull() & (texts[0] == texts[1])
    return functions.coalesce(ends[0] <= ends[1], are_others)


def _check_known(release: Any, names: Sequence[str]) -> None:
    from hedgerow import _hedgerow
    from hedgerow._options import job

    # The native module knows how to suggest names.
    _hedgerow.counting(release.columns, job({"quasi": list(names), "k": 1, "keep_others": True}))
