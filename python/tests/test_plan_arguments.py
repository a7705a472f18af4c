"""A plan takes the arguments of ``anonymize``: all of them reach the search, with no engine needed."""

from __future__ import annotations

import inspect
from typing import Any

import pyarrow
import pytest

import hedgerow
from hedgerow.spark import planning
from hedgerow.spark.joining import COUNT

VALUES: dict[str, Any] = {
    "sensitive": "ill",
    "identifier": "name",
    "person": None,
    "keep": "ill",
    "drop": "ill",
    "keep_others": True,
    "class_": "ill",
    "hierarchies": {"age": "iotf"},
    "method": "mondrian",
    "privacy": (),
    "suppress": "10%",
    "limit": {"age": ["25"]},
    "recoding": "local",
    "loss": "ncp",
    "until": "12",
    "time": 1,
    "certificate": False,
    "population": None,
    "sampling_fraction": 0.5,
    "weights": None,
    "thresholds": [0.3, 0.4],
    "knowledge": (),
    "edits": {},
    "kind": {"age": "number"},
    "date_format": {},
    "missing": "own",
    "na": "?",
    "na_detect": "off",
    "decimal": ".",
    "interval_style": "bounds",
    "rare_values": "hide",
    "drop_suppressed": True,
    "force_labels": True,
    "seed": 3,
    "threads": 2,
}
"""Arguments of ``anonymize`` besides those that every call here has."""
ELSEWHERE = {"table", "quasi", "k", "output", "keep_order", "progress", "of_file"}
"""The table, roles of every call, and arguments that belong to other functions of a plan."""
METHODS = {"loss": "optimal", "until": "bottom-up", "time": "genetic", "limit": "top-down", "recoding": "auto"}
"""Methods that use an argument, where the usual one does not."""


class Frame:
    """The part of a DataFrame that is looked at before an engine runs."""

    columns = ("name", "age", "ill")
    dtypes = (("name", "string"), ("age", "int"), ("ill", "string"))

    def toArrow(self) -> None:
        raise NotImplementedError


Frame.__module__ = "pyspark.sql"
ROWS = [(f"p{row}", 20 + row // 2, ("flu", "gout", "cold")[row % 3]) for row in range(40)]


@pytest.fixture
def without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts and a sample that an engine would give."""
    table = pyarrow.table({name: [row[at] for row in ROWS] for at, name in enumerate(Frame.columns)})

    def counts(_df: Any, _position: str | None, counted: Any) -> pyarrow.Table:
        found: dict[tuple[Any, ...], list[int]] = {}
        for place, row in enumerate(table.select(list(counted)).to_pylist()):
            found.setdefault(tuple(row.values()), []).append(place)
        columns = {name: [key[at] for key in found] for at, name in enumerate(counted)}
        numbers = {COUNT: [len(rows) for rows in found.values()]}
        return pyarrow.table({**columns, **numbers, planning._FIRST: [rows[0] for rows in found.values()]})

    monkeypatch.setattr(planning, "_counts", counts)
    monkeypatch.setattr(planning, "_sample", lambda *_: table)


def planned(**more: Any) -> Any:
    call = {"identifier": "name", "keep_others": True, "method": "mondrian", "suppress": "20%"}
    return planning.plan(Frame(), quasi="age", k=3, **{**call, **more})


def test_every_argument_of_anonymize_has_a_value_here() -> None:
    assert set(VALUES) == set(inspect.signature(hedgerow.anonymize).parameters) - ELSEWHERE


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.usefixtures("without_engine")
def test_a_plan_takes_an_argument_of_anonymize(name: str) -> None:
    try:
        plan = planned(**{"method": METHODS.get(name, "mondrian"), name: VALUES[name]})
    except hedgerow.MethodError as error:
        # Counts do not have what the method needs, which shows that the argument was read.
        assert name == "time" and "single records" in str(error), error
    else:
        assert plan.report.rows == len(ROWS)


@pytest.mark.usefixtures("without_engine")
def test_thresholds_of_a_plan_are_those_of_its_risk() -> None:
    plan: Any = planned(thresholds=(0.3, 0.4))
    assert plan._about.asked["threshold"] == [0.3, 0.4]
    with pytest.raises(hedgerow.UnknownName, match="'threshold'.*'thresholds'"):
        planned(threshold=[0.3])
