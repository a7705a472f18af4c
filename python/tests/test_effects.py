"""Every argument that a function takes changes its result, or is listed with the reason why not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import hedgerow
from hedgerow import _hedgerow

Call = Callable[..., Any]
CHANCE = random.Random(5)
N = 120
TABLE = hedgerow.frame(
    {
        "age": [CHANCE.choice([20, 25, 31, 38, 44, 52, 60, 71]) for _ in range(N)],
        "town": [CHANCE.choice(["Oslo", "Bergen", "Moss", "NA"]) for _ in range(N)],
        "ill": [CHANCE.choice(["flu", "cold", "gout", None, "ulcer"]) for _ in range(N)],
        "who": [f"p{CHANCE.randrange(70)}" for _ in range(N)],
        "born": [f"0{CHANCE.randint(1, 9)}/0{CHANCE.randint(1, 9)}/1980" for _ in range(N)],
        "size": [CHANCE.choice(["1,523", "2,711", "1,915"]) for _ in range(N)],
        "score": [CHANCE.choice(["1", "2", "3", "NA"]) for _ in range(N)],
        "weight": [CHANCE.choice([2, 3]) for _ in range(N)],
    }
)
ROLES: dict[str, Any] = {"quasi": ["age", "town"], "k": 3, "keep_others": True}
PAIR: dict[str, Any] = {"quasi": ["age", "town"]}
PUBLISHED = hedgerow.anonymize(TABLE, method="mondrian", keep_order=True, **ROLES)
OTHER = hedgerow.anonymize(TABLE, method="datafly", keep_order=True, **ROLES).frame
RELEASE = PUBLISHED.frame
COLUMNS = {name: list(values) for name, values in zip(TABLE.column_names, zip(*TABLE.rows()))}
FEW = hedgerow.frame({name: values[:40] for name, values in COLUMNS.items()})
FEWEST = hedgerow.frame({name: values[:7] for name, values in COLUMNS.items()})
FOLLOWING = hedgerow.frame({**COLUMNS, "town": ["Vik", *COLUMNS["town"][1:]]})
WIDER = hedgerow.frame({**COLUMNS, "hue": ["red", "blue"] * (N // 2)})
CROSSED = hedgerow.anonymize(TABLE, method="k-member", seed=2, **ROLES).frame
RECIPE = hedgerow.anonymize(TABLE, method="datafly", **ROLES).recipe
TREES = {
    name: hedgerow.Hierarchy.build(TABLE, "age", method=method)
    for name, method in (("a", "iotf"), ("b", "han"))
}
JOBS = hedgerow.frame({"job": ["nurse", "surgeon", "carpenter", "mason", "?"]})


class Tried:
    """A value of an argument, with other arguments of both calls."""

    def __init__(self, value: object, **more: object) -> None:
        self.value = value
        self.more = more


CALLS: dict[str, Call] = {
    "inspect": lambda **more: hedgerow.inspect(TABLE, **more),
    "anonymize": lambda **more: hedgerow.anonymize(TABLE, **{**ROLES, "method": "datafly", **more}),
    "verify": lambda **more: hedgerow.verify(RELEASE, **{**PAIR, "k": 3, **more}),
    "measure": lambda **more: hedgerow.measure(TABLE, RELEASE, **{**PAIR, **more}),
    "risk": lambda **more: hedgerow.risk(TABLE, **{"release": RELEASE, **PAIR, **more}),
    "attack": lambda **more: hedgerow.attack(TABLE, RELEASE, **{**PAIR, **more}),
    "compare": lambda **more: hedgerow.compare(
        TABLE, **{"quasi": ["age", "town"], "k": 3, "methods": "datafly", **more}
    ),
    "apply": lambda **more: hedgerow.apply(more.pop("table", TABLE), RECIPE, **more),
    "build": lambda **more: hedgerow.Hierarchy.build(TABLE, more.pop("column", "age"), **more),
    "candidates": lambda **more: hedgerow.Hierarchy.candidates(JOBS, "job", **more),
    "rank": lambda **more: hedgerow.Hierarchy.rank(TABLE, "age", TREES, **more),
}
GIVEN: dict[str, set[str]] = {
    "inspect": {"table"},
    "anonymize": {"table"},
    "verify": {"release"},
    "measure": {"original", "release"},
    "risk": {"table"},
    "attack": {"original", "release"},
    "compare": {"table"},
    "apply": {"table", "recipe"},
    "build": {"cls", "table", "column"},
    "candidates": {"cls", "table", "column"},
    "rank": {"table", "column", "hierarchies"},
}
"""The tables and columns of every call."""
NO_TIME = "how fast a result is found, not what it is"
LISTENER = "who is told how far a call is; test_interrupt.py tests that it is called"
FILES = "names files, which the tests of the command line have"
READ = "about the reading of values, which inspect and anonymize show"
ROLE = "it decides how a release is published or what is said about it, and there is none"
HARD = "its effect needs other tables; the tests of the library have them"
PEOPLE = hedgerow.frame({"age": [20, 25, 25, 31] * 40, "town": ["Oslo", "Moss"] * 80})
EFFECTS: dict[str, dict[str, Any]] = {
    "inspect": {
        "person": "who",
        "k": 2,
        "na": "Oslo",
        "na_detect": "off",
        "kind": {"age": "code"},
        "date_format": {"born": "mdy"},
        "decimal": ",",
        "missing": "drop",
    },
    "anonymize": {
        "quasi": ["age"],
        "k": 9,
        "sensitive": Tried("ill", quasi="age"),
        "identifier": "who",
        "person": "who",
        "keep": Tried("town", quasi="age", keep_others=False, drop=["ill", "who", "born", "size", "weight"]),
        "drop": "size",
        "keep_others": Tried(False, keep=["ill", "who", "born", "size", "weight"], method="mondrian"),
        "class_": "ill",
        "hierarchies": {"age": "han"},
        "method": "mondrian",
        "privacy": Tried("l-diversity:l=2", sensitive="ill"),
        "suppress": "30%",
        "limit": Tried({"age": ["31"]}, method="top-down"),
        "recoding": Tried("full-domain", method="auto"),
        "loss": Tried("ncp", method="optimal"),
        "until": Tried("9", method="bottom-up"),
        "sampling_fraction": 0.5,
        "weights": "weight",
        "thresholds": [0.01],
        "kind": {"age": "code"},
        "missing": Tried("drop", na="Oslo"),
        "na": "Oslo",
        "na_detect": "off",
        "decimal": Tried(",", quasi=["age", "size"]),
        "date_format": Tried({"born": "mdy"}, quasi=["age", "born"], method="mondrian"),
        "interval_style": "bounds",
        "rare_values": Tried("hide", method="mondrian"),
        "drop_suppressed": Tried(True, suppress="40%"),
        "certificate": True,
        "keep_order": True,
        "seed": 5,
    },
    "verify": {
        "quasi": ["age"],
        "k": 60,
        "sensitive": Tried("ill", privacy="l-diversity:l=2"),
        "privacy": Tried("l-diversity:l=2", sensitive="ill"),
        "population": Tried(PEOPLE, privacy="k-map:k=2"),
    },
    "measure": {"quasi": ["age"], "k": 9, "class_": "ill", "certificate": True, },
    "risk": {
        "release": Tried(OTHER),
        "quasi": ["age"],
        "sensitive": "ill",
        "person": Tried("who", release=None),
        "population": PEOPLE,
        "sampling_fraction": 0.5,
        "weights": Tried("weight", release=None),
        "thresholds": [0.01],
        "models": "prosecutor",
    },
    "attack": {
        "quasi": ["age"],
        "known": ["age"],
        "sensitive": "ill",
        "person": "who",
        "attacks": "linking",
        "other": OTHER,
        "external": PEOPLE,
    },
    "compare": {
        "quasi": ["age"],
        "k": 4,
        "methods": "mondrian",
        "settings": "iotf",
        "models": Tried("l-diversity:l=2", sensitive="ill"),
        "repeat": Tried(1, methods="top-down"),
        "weights": "loss=0,highest-risk=1",
        "suppress": "30%",
        "hierarchies": {"age": "han"},
        "sensitive": Tried("ill", models="l-diversity:l=2"),
        "class_": "ill",
        "person": "who",
        "privacy": Tried("l-diversity:l=2", sensitive="ill"),
        "limit": Tried({"age": ["31"]}, methods="top-down"),
        "recoding": Tried("full-domain", methods="top-down"),
        "loss": Tried("ncp", methods="optimal"),
        "until": Tried("9", methods="bottom-up"),
        "drop_suppressed": Tried(True, suppress="40%"),
        "seed": Tried(5, methods="genetic", quasi=["age", "born"]),
    },
    "apply": {
        "unseen": Tried("suppress", table=FOLLOWING, suppress="100%"),
        "repair": Tried("merge", table=FEWEST),
        "suppress": Tried("100%", table=FEW),
        "previous": OTHER,
        "max_success": Tried(1, previous=CROSSED),
        "keep": Tried("hue", table=WIDER),
        "hierarchies": {"age": "han"},
        "drop_suppressed": True,
        "drop": "size",
        "keep_order": True,
        "seed": 5,
    },
    "build": {"method": "han", "na": "20", "kind": {"age": "code"}},
    "candidates": {"method": "wordnet:most=1", "k": 2, "na": "nurse"},
    "rank": {"k": 40, "weights": (0.0, 1.0, 0.0, 0.0)},
}
OF_VALUES = ("kind", "date_format", "na", "na_detect", "decimal", "missing")
WITHOUT: dict[str, dict[str, str]] = {name: {"progress": LISTENER} for name in CALLS}
"""Arguments that are not tried, with the reason."""
for _name in CALLS:
    WITHOUT[_name]["threads"] = NO_TIME
    if _name not in ("inspect", "anonymize"):
        WITHOUT[_name] |= {one: READ for one in OF_VALUES if one not in EFFECTS[_name]}
for _name in ("verify", "apply", "rank"):
    WITHOUT[_name].pop("missing", None)
WITHOUT["anonymize"] |= {"output": FILES, "population": FILES, "edits": FILES, "knowledge": FILES}
WITHOUT["anonymize"] |= {"time": NO_TIME, "force_labels": HARD}
WITHOUT["measure"] |= {"hierarchies": HARD, "seed": HARD}
WITHOUT["verify"] |= {"hierarchies": HARD}
WITHOUT["risk"] |= {"hierarchies": HARD}
WITHOUT["attack"] |= {"hierarchies": HARD}
WITHOUT["build"] |= {"k": HARD}
WITHOUT["compare"] |= {one: ROLE for one in ("sampling_fraction", "interval_style", "rare_values")}
WITHOUT["apply"] |= {"output": FILES}
WITHOUT["compare"] |= {"population": FILES, "edits": FILES, "knowledge": FILES, "folder": FILES, "force": FILES}
WITHOUT["compare"] |= {one: ROLE for one in ("identifier", "keep", "drop", "keep_others")}
WITHOUT["compare"] |= {"time": NO_TIME, "force_labels": HARD}


def figures(result: Any) -> str:
    """A result as text, without seconds."""
    if isinstance(result, hedgerow.Hierarchy):
        found: Any = [result._native.text(), result.method]
    elif isinstance(result, (hedgerow.Release, hedgerow.Applied)):
        found = [result.frame.rows(), result.frame.column_names, result.summary.to_dict()]
    elif isinstance(result, Mapping) and result and isinstance(next(iter(result.values())), hedgerow.Hierarchy):
        found = {name: tree._native.text() for name, tree in result.items()}
    else:
        found = result.to_dict() if hasattr(result, "to_dict") else result
    return json.dumps(timeless(found), sort_keys=True, default=str)


def timeless(found: Any) -> Any:
    if isinstance(found, Mapping):
        return {name: timeless(of) for name, of in found.items() if "second" not in name}
    return [timeless(of) for of in found] if isinstance(found, (list, tuple)) else found


def taken(name: str, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The arguments that a function takes, as its check is told."""
    known: list[str] = []
    monkeypatch.setattr(_hedgerow, "check_arguments", lambda _given, used: known.extend(used))
    CALLS[name]()
    return set(known) - GIVEN[name]


@pytest.mark.parametrize("name", CALLS)
def test_every_argument_is_tried_or_has_a_reason(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = set(EFFECTS[name]) | set(WITHOUT[name])
    assert taken(name, monkeypatch) == listed
    assert not set(EFFECTS[name]) & set(WITHOUT[name])


@pytest.mark.parametrize(("name", "argument"), [(name, one) for name, of in EFFECTS.items() for one in of])
def test_an_argument_changes_the_result(name: str, argument: str) -> None:
    tried = EFFECTS[name][argument]
    tried = tried if isinstance(tried, Tried) else Tried(tried)
    try:
        usual = figures(CALLS[name](**tried.more))
    except hedgerow.Error:
        # The call needs the argument.
        usual = ""
    else:
        assert figures(CALLS[name](**tried.more)) == usual
    assert figures(CALLS[name](**{**tried.more, argument: tried.value})) != usual
