"""An argument that a function does not use is an error, and functions take what the command line takes."""

from __future__ import annotations

import inspect
import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest

import hedgerow

Call = Callable[..., Any]
TABLE = hedgerow.frame({"age": [23, 25, 41, 44], "ill": ["flu", "cold", "flu", "gout"]})
RELEASE = hedgerow.frame({"age": ["[23, 25]", "[23, 25]", "[41, 44]", "[41, 44]"]})
RECIPE = hedgerow.anonymize(TABLE, quasi="age", k=2, sensitive="ill", method="mondrian").recipe
TREES = {"iotf": hedgerow.Hierarchy.build(TABLE, "age", method="iotf")}

CALLS: dict[str, Call] = {
    "inspect": lambda **more: hedgerow.inspect(TABLE, **more),
    "anonymize": lambda **more: hedgerow.anonymize(TABLE, quasi="age", k=2, keep="ill", **more),
    "verify": lambda **more: hedgerow.verify(RELEASE, quasi="age", k=2, **more),
    "measure": lambda **more: hedgerow.measure(TABLE, RELEASE, quasi="age", **more),
    "risk": lambda **more: hedgerow.risk(TABLE, quasi="age", **more),
    "attack": lambda **more: hedgerow.attack(TABLE, RELEASE, quasi="age", **more),
    "compare": lambda **more: hedgerow.compare(TABLE, quasi="age", k=2, methods="datafly", **more),
    "apply": lambda **more: hedgerow.apply(TABLE, RECIPE, **more),
    "build": lambda **more: hedgerow.Hierarchy.build(TABLE, "age", method="iotf", **more),
    "candidates": lambda **more: hedgerow.Hierarchy.candidates(TABLE, "ill", **more),
    "rank": lambda **more: hedgerow.Hierarchy.rank(TABLE, "age", TREES, k=2, **more),
}
OF_JOBS = {
    "method": "datafly",
    "suppress": "5%",
    "loss": "ncp",
    "certificate": True,
    "missing": "drop",
    "keep_order": True,
    "interval_style": "bounds",
    "time": 3,
    "undecided": ["ill"],
    "hierarchy": {"age": "iotf"},
    "drop": "ill",
    "seed": 7,
}
"""Keys of a job file, of which every function uses some."""


def own(name: str) -> set[str]:
    of = getattr(hedgerow, name, None) or getattr(hedgerow.Hierarchy, name)
    return set(inspect.signature(of).parameters)


USED = {
    "inspect": {"missing"},
    "measure": {"missing"},
    "risk": {"missing"},
    "attack": {"missing"},
    "compare": {"loss", "missing", "interval_style", "time", "drop"},
    "build": {"missing"},
    "candidates": {"missing"},
}


@pytest.mark.parametrize("name", CALLS)
def test_an_argument_without_an_effect_is_named(name: str) -> None:
    for argument, value in OF_JOBS.items():
        if argument in own(name) | USED.get(name, set()):
            continue
        with pytest.raises(hedgerow.UnknownName, match=f"no argument '{argument}'") as raised:
            CALLS[name](**{argument: value})
        assert raised.value.name == argument


@pytest.mark.parametrize("name", CALLS)
def test_a_mistake_in_an_argument_is_corrected(name: str) -> None:
    with pytest.raises(hedgerow.UnknownName, match="'decimall'.*'decimal'"):
        CALLS[name](decimall=",")


@pytest.mark.parametrize("name", CALLS)
def test_options_of_files_need_a_file(name: str) -> None:
    with pytest.raises(hedgerow.Invalid, match="delimiter= is about files"):
        CALLS[name](delimiter=";")


def test_options_of_files_are_taken_with_a_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age;ill\n23;flu\n25;cold\n41;flu\n44;gout\n")
    assert hedgerow.measure(path, RELEASE, quasi="age", delimiter=";").losses["ntil"] > 0
    assert hedgerow.attack(path, RELEASE, quasi="age", delimiter=";", attacks="linking").attempts
    with pytest.raises(hedgerow.UnknownName, match="no argument 'trace'"):
        hedgerow.measure(path, RELEASE, quasi="age", trace="trace.csv")
    with pytest.raises(hedgerow.UnknownName, match="no argument 'hierarchy'"):
        hedgerow.anonymize(path, quasi="age", k=2, output=tmp_path / "r.csv", hierarchy={"age": "iotf"})


def many() -> pandas.DataFrame:
    chance = random.Random(3)
    ills = ["flu", "cold", "gout", "ulcer"]
    rows = [
        (chance.randint(20, 79), f"town{chance.randrange(5)}", chance.choice(ills)) for _ in range(240)
    ]
    return pandas.DataFrame(rows, columns=["age", "town", "ill"])


def test_apply_suppresses_as_much_as_is_allowed() -> None:
    first = many()
    recipe = hedgerow.anonymize(
        first, quasi=["age", "town"], k=3, sensitive="ill", method="datafly", seed=1
    ).recipe
    following = pandas.concat([first, pandas.DataFrame({"age": [20], "town": ["town1"], "ill": ["flu"]})])
    for share in ("100%", 1.0):
        found = hedgerow.apply(following, recipe, suppress=share, unseen="suppress")
        assert found.summary.released == 241
    with pytest.raises(hedgerow.Error, match="'200%' is not a share"):
        hedgerow.apply(following, recipe, suppress="200%")
    few = first.iloc[:7]
    with pytest.raises(hedgerow.Unreachable):
        hedgerow.apply(few, recipe, suppress="0%")
    assert hedgerow.apply(few, recipe, suppress="100%").summary.suppressed > 0


def test_releases_are_checked_together_with_earlier_ones(tmp_path: Path, command_line: Any) -> None:
    table = many()
    call: dict[str, Any] = {"quasi": ["age", "town"], "sensitive": "ill", "k": 3}
    by_age = hedgerow.anonymize(table, method="mondrian", seed=1, **call)
    by_town = hedgerow.anonymize(table, method="k-member", seed=2, **call)
    with pytest.raises(hedgerow.Unreachable, match="together with the earlier release") as raised:
        hedgerow.apply(table, by_age.recipe, previous=by_town.frame)
    assert "max_success" in str(raised.value) and "--" not in str(raised.value)
    found = hedgerow.apply(table, by_age.recipe, previous=[by_town.frame], max_success=1)
    attempts = found.summary["together"]["attempts"]
    assert {attempt["other"] for attempt in attempts} == {"previous[0]"}
    paths = {name: tmp_path / f"{name}.csv" for name in ("table", "earlier", "next")}
    table.to_csv(paths["table"], index=False)
    by_town.frame.to_csv(paths["earlier"], index=False)
    by_path = hedgerow.apply(table, by_age.recipe, previous=str(paths["earlier"]), max_success=1)
    written = hedgerow.apply(
        paths["table"], by_age.recipe, previous=paths["earlier"], max_success=1, output=paths["next"]
    )
    # The release in memory and the written one are the same, and so is what attacks gain.
    gains = [[attempt["gain"] for attempt in of["together"]["attempts"]] for of in (found.summary, written)]
    assert gains[0] == gains[1] == [a["gain"] for a in by_path.summary["together"]["attempts"]]
    assert max(gain["share"] for gain in gains[0]) > 1 / 3
    for limit, words in ((1.5, "from 0 to 1"), (-0.5, "from 0 to 1")):
        with pytest.raises(hedgerow.Invalid, match=words):
            hedgerow.apply(table, by_age.recipe, previous=by_town.frame, max_success=limit)
    with pytest.raises(hedgerow.Invalid, match=r"none is given.*max_success"):
        hedgerow.apply(table, by_age.recipe, max_success=0.5)
    with pytest.raises(hedgerow.Invalid, match="previous= has a table in memory"):
        hedgerow.apply(paths["table"], by_age.recipe, previous=by_town.frame, output=paths["next"], force=True)


def test_attacks_use_other_releases_and_tables(tmp_path: Path) -> None:
    table = many()
    call: dict[str, Any] = {"quasi": ["age", "town"], "sensitive": "ill"}
    one = hedgerow.anonymize(table, k=3, method="mondrian", **call).frame
    other = hedgerow.anonymize(table, k=3, method="k-member", **call).frame
    alone = hedgerow.attack(table, one, attacks="intersection", **call)
    assert not alone.attempts and alone.skipped
    together = hedgerow.attack(table, one, attacks="intersection", other=other, **call)
    assert [attempt["other"] for attempt in together.attempts] == ["other[0]"]
    path = tmp_path / "other.csv"
    other.to_csv(path, index=False)
    both = hedgerow.attack(table, one, attacks="intersection", other=[other, path], **call)
    # The same release twice tells no more than once.
    assert [attempt["other"] for attempt in both.attempts] == [f"other[0], {path}"]
    assert both.attempts[0]["gain"] == together.attempts[0]["gain"]
    people = hedgerow.frame({"name": ["Ann", "Bob"], "age": [20, 33], "town": ["town0", "town3"]})
    linked = hedgerow.attack(table, one, attacks="linking", external=people, **call)
    variants = [attempt["variant"] for attempt in linked.attempts]
    assert "external" in variants
    knew = linked.attempts[variants.index("external")]["knew"]
    assert knew == "an external table of 2 people"
    with pytest.raises(hedgerow.FileError, match="none of the columns that the attacker knows"):
        hedgerow.attack(table, one, external=hedgerow.frame({"name": ["Ann"]}), **call)


def test_a_comparison_has_settings_weights_and_a_folder(tmp_path: Path) -> None:
    call: dict[str, Any] = {"quasi": ["age", "town"], "k": [2, 3], "methods": "optimal"}
    settings = ["auto", "frequency+iotf"]
    folder = tmp_path / "grid"
    found = hedgerow.compare(many(), settings=settings, folder=folder, **call)
    assert [cell["hierarchies"] for cell in found.cells] == ["auto", "auto", *[settings[1]] * 2]
    assert (folder / "index.html").read_text() == found.html
    assert json.loads((folder / "cells.json").read_text())["cells"] == found.cells
    again = hedgerow.compare(many(), settings=settings, folder=folder, **call)
    # Seconds too, because no cell is run again.
    assert again.cells == found.cells
    with pytest.raises(hedgerow.FileError, match=r"another grid.*force=True"):
        hedgerow.compare(many(), folder=folder, **call)
    fewer = hedgerow.compare(many(), folder=folder, force=True, **call)
    assert len(fewer.cells) == 2
    weighed = [
        hedgerow.compare(many(), weights=weights, **call)
        for weights in ("loss=0,highest-risk=1", {"loss": 0, "highest_risk": 1})
    ]
    assert weighed[0].weights == weighed[1].weights != found.weights
    with pytest.raises(hedgerow.Invalid, match="force= is about the folder"):
        hedgerow.compare(many(), force=True, **call)
    with pytest.raises(hedgerow.Error, match="wieght"):
        hedgerow.compare(many(), weights={"wieght": 1}, **call)


def test_a_folder_belongs_to_one_table(tmp_path: Path) -> None:
    call: dict[str, Any] = {"quasi": ["age", "town"], "k": 3, "methods": "mondrian", "folder": tmp_path / "grid"}
    first = hedgerow.compare(many(), **call)
    other = many().iloc[:120]
    with pytest.raises(hedgerow.FileError, match="results of another table"):
        hedgerow.compare(other, **call)
    second = hedgerow.compare(other, force=True, **call)
    assert (first.records, second.records) == (240, 120)
    assert second.cells[0]["figures"] != first.cells[0]["figures"]


def test_a_population_that_no_model_uses_is_refused(tmp_path: Path) -> None:
    table = many()
    release = hedgerow.anonymize(table, quasi="age", k=3, keep_others=True).frame
    with pytest.raises(hedgerow.Invalid, match=r"no privacy model uses it.*\(population\)") as raised:
        hedgerow.verify(release, quasi="age", k=3, population=table)
    assert "--" not in str(raised.value)
    assert hedgerow.verify(release, quasi="age", k=3, population=table, privacy="k-map:k=3")
    # An estimate of risk uses one without a model, and the release is verified without it.
    path = tmp_path / "people.csv"
    table.to_csv(path, index=False)
    call: dict[str, Any] = {"quasi": "age", "k": 3, "keep_others": True, "missing": "drop"}
    for models in ((), "k-map:k=3"):
        found = hedgerow.anonymize(table.iloc[:200], population=path, privacy=models, **call)
        assert found.verify()
        written = tmp_path / "release.csv"
        assert hedgerow.anonymize(path, population=path, privacy=models, output=written, force=True, **call).verify()


def test_attacks_warn_of_columns_that_do_not_fit() -> None:
    table = hedgerow.frame({"age": [23, 25, 41, 44], "pay": [1, 1, 2, 2], "ill": ["flu", "flu", "flu", "gout"]})
    release = hedgerow.frame({"age": ["[23, 25]", "[23, 25]", "[41, 44]", "[41, 44]"], "pay": [2, 2, 2, 1]})
    call: dict[str, Any] = {"quasi": "age", "attacks": "linking"}
    found = hedgerow.attack(table, release, **call)
    assert len(found.warnings) == 1 and "column 'pay' was edited" in found.warnings[0]
    assert hedgerow.attack(table, RELEASE, **call).warnings == []
    with pytest.raises(hedgerow.Error, match="'pay'"):
        hedgerow.attack(table, release, sensitive="pay", **call)


def test_attacks_are_those_of_the_command_line(tmp_path: Path, binary: str) -> None:
    table = many().assign(pay=range(240))
    release = hedgerow.anonymize(table, quasi=["age", "town"], k=3, sensitive="ill", keep="pay").frame
    paths = {name: tmp_path / f"{name}.csv" for name in ("table", "release")}
    table.to_csv(paths["table"], index=False)
    release.to_csv(paths["release"], index=False)
    for call in ({}, {"attacks": "linking"}, {"sensitive": "ill", "known": "age"}):
        command = [binary, "attack", "--json", "--original", str(paths["table"]), "--release", str(paths["release"])]
        flags = {"attacks": "--attack", "sensitive": "--sensitive", "known": "--known"}
        command += [part for name, value in call.items() for part in (flags[name], value)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        told = {name: of for name, of in json.loads(done.stdout).items() if name != "holds"}
        found = hedgerow.attack(paths["table"], paths["release"], **call)
        assert found.to_dict() == told
        assert found.attempts
