"""The package without pandas and without pyarrow. Runs in an environment that has neither, too."""

from __future__ import annotations

import sys

import pytest

import hedgerow


class Plain:
    """A table of a library that hedgerow has never heard of."""

    def __init__(self, table: object) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)  # type: ignore[attr-defined]


@pytest.fixture
def table() -> Plain:
    return Plain(
        hedgerow.frame(
            {
                "age": [23, 25, 41, 44, 46, 31],
                "pay": [1.5, None, 2.5, 3.5, 1.5, 2.5],
                "ill": ["flu", "cold", "flu", "gout", "flu", None],
            }
        )
    )


def test_importing_hedgerow_imports_no_library_of_tables() -> None:
    import subprocess

    code = (
        "import sys, hedgerow; "
        "sys.exit(bool({'pandas', 'pyarrow', 'polars', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_anything_with_a_stream_goes_in_and_an_arrow_table_comes_out(table: Plain) -> None:
    release = hedgerow.anonymize(table, quasi=["age"], k=2, sensitive=["ill"], keep=["pay"], keep_order=True)
    assert isinstance(release.frame, hedgerow.ArrowTable)
    rows = release.frame.rows()
    assert [row[1:] for row in rows] == [row[1:] for row in table.table.rows()]
    assert rows[0][0] == rows[1][0]
    assert release.verify()


def test_rows_are_shuffled_unless_their_order_is_kept(table: Plain) -> None:
    many = hedgerow.frame({"age": list(range(200)), "row": [f"r{n}" for n in range(200)]})
    kept = hedgerow.anonymize(many, quasi="age", k=5, keep=["row"], keep_order=True).frame.rows()
    shuffled = hedgerow.anonymize(many, quasi="age", k=5, keep=["row"]).frame.rows()
    assert [row[1] for row in kept] == [f"r{n}" for n in range(200)]
    assert [row[1] for row in shuffled] != [row[1] for row in kept]
    assert sorted(shuffled) == sorted(kept)
    again = hedgerow.anonymize(many, quasi="age", k=5, keep=["row"]).frame.rows()
    assert again == shuffled
    other = hedgerow.anonymize(many, quasi="age", k=5, keep=["row"], seed=1).frame.rows()
    assert other != shuffled


def test_bounds_are_two_columns_of_numbers(table: Plain) -> None:
    release = hedgerow.anonymize(
        table, quasi="age", k=3, drop=["pay", "ill"], interval_style="bounds", keep_order=True
    )
    assert release.frame.column_names == ["age_min", "age_max"]
    assert all(isinstance(low, int) and low <= high for low, high in release.frame.rows())
    assert release.verify()


def test_a_release_has_losses_risk_hierarchies_and_a_report(table: Plain) -> None:
    release = hedgerow.anonymize(
        table, quasi="age", k=2, keep=["pay", "ill"], hierarchies={"age": "iotf"}, method="k-member"
    )
    assert 0 < release.losses["ntil"] < 1
    assert release.risk is not None and release.risk["release"]
    assert release.hierarchies["age"].path(25)[-1] == "[23, 46]"
    assert "<html" in release.report.html and "<script" not in release.report.html
    assert release.report.to_dict()["schema"]
    # A style of the drawing would change the notebook around it.
    shown = release.hierarchies["age"]._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "&lt;svg" in shown and "<style" not in shown
    # Where the drawing is dark, the frame around it is not white.
    assert "color-scheme:light dark" in shown
    assert release._repr_html_() == release.report._repr_html_() and "<style" not in release._repr_html_()


def test_hierarchies_in_memory_are_used(table: Plain, tmp_path: object) -> None:
    tree = hedgerow.Hierarchy.build(table, "age", method="iotf")
    release = hedgerow.anonymize(
        table, quasi="age", k=3, keep=["pay", "ill"], hierarchies={"age": tree}, method="mondrian"
    )
    labels = {node.label for node in tree.nodes()}
    assert {row[0] for row in release.frame.rows()} <= labels
    path = f"{tmp_path}/age.json"
    tree.write(path)
    again = hedgerow.Hierarchy.read(path)
    assert str(again) == str(tree)
    by_file = hedgerow.anonymize(
        table, quasi="age", k=3, keep=["pay", "ill"], hierarchies={"age": path}, method="mondrian"
    )
    assert sorted(by_file.frame.rows(), key=str) == sorted(release.frame.rows(), key=str)


def test_columns_without_a_role_are_examined() -> None:
    table = hedgerow.frame(
        {"age": [23, 25, 41, 44], "mail": [f"person{n}@example.org" for n in range(4)]}
    )
    with pytest.raises(hedgerow.Undecided) as caught:
        hedgerow.anonymize(table, quasi="age", k=2)
    assert caught.value.columns == [("mail", "identifier")]
    assert 'identifier=["mail"]' in str(caught.value)
    assert "--" not in str(caught.value)
    release = hedgerow.anonymize(table, quasi="age", k=2, identifier="mail")
    assert release.frame.column_names == ["age"]


def test_a_recipe_publishes_the_next_table(table: Plain) -> None:
    release = hedgerow.anonymize(table, quasi="age", k=2, keep=["pay", "ill"], method="mondrian")
    applied = hedgerow.apply(table, release.recipe, keep_order=True)
    assert sorted(applied.frame.rows(), key=str) == sorted(release.frame.rows(), key=str)
    assert applied.summary["smallest_class"] >= 2


def test_what_a_cluster_needs() -> None:
    from hedgerow import _hedgerow
    from hedgerow._options import job

    counts = hedgerow.frame(
        {"age": [20, 21, 60, None], "n": [3, 1, 2, 2], "at": [0, 1, 4, 6]}
    )
    # A method that divides records that are alike.
    relaxed = "mondrian:variant=relaxed,cut=median"
    plan = _hedgerow.plan(counts, ("n", "at"), job({"quasi": ["age"], "k": 2, "method": relaxed}))
    assert plan.columns() == [("age", "age", False)]
    groups = [group for (group,) in plan.groups().rows()]
    runs = plan.runs().rows()
    assert len(groups) == 4 and len(set(groups)) == 4
    assert plan.runs().column_names == ["group", "start", "end", "published", "age"]
    # The first group is divided: some records keep their value, the last is with the second group.
    assert [row for row in runs if row[0] == groups[0]] == [
        (groups[0], 0, 2, True, "20"),
        (groups[0], 2, 3, True, "[20, 21]"),
    ]
    assert [row[4] for row in runs if row[0] == groups[1]] == ["[20, 21]"]
    assert plan.outcome().startswith("{")
    with pytest.raises(hedgerow.MethodError) as caught:
        _hedgerow.plan(counts, ("n", "at"), job({"quasi": ["age"], "k": 2, "method": "k-member"}))
    assert "mondrian" in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({"quasi": "agee"}, hedgerow.UnknownColumn, "age"),
        ({"k": 7}, hedgerow.Unreachable, "7"),
        ({"k": 0}, hedgerow.Error, "k"),
        ({"method": "mondriann"}, hedgerow.UnknownName, "mondrian"),
        ({"privacy": "l-diversity:l=9", "sensitive": "ill", "keep": ["pay"]}, hedgerow.Unreachable, "9"),
        ({"suppress": "200%"}, hedgerow.Error, "200"),
        ({"quasi": [3]}, hedgerow.Invalid, "quasi"),
        ({"output": "release.csv"}, hedgerow.Invalid, "in memory"),
        ({"hierarchies": {"age": "nowhere.csv"}}, hedgerow.Error, "nowhere.csv"),
        ({"seed": "x"}, hedgerow.Invalid, "argument"),
        ({"sensitve": "ill"}, hedgerow.UnknownName, "no argument 'sensitve'.*'sensitive'"),
        ({"delimiter": ";"}, hedgerow.Invalid, "delimiter= is about files"),
        ({"k": [2]}, hedgerow.Invalid, "argument"),
    ],
)
def test_mistakes_are_named(
    table: Plain, arguments: dict[str, object], kind: type[Exception], words: str
) -> None:
    call: dict[str, object] = {"quasi": "age", "k": 2, "keep": ["pay", "ill"], **arguments}
    with pytest.raises(kind, match=words):
        hedgerow.anonymize(table, **call)  # type: ignore[arg-type]


def test_the_best_attainable_value_is_told(table: Plain) -> None:
    with pytest.raises(hedgerow.Unreachable) as caught:
        hedgerow.anonymize(
            table, quasi="age", k=2, sensitive="ill", keep="pay", privacy="l-diversity:l=9"
        )
    assert caught.value.model == "l-diversity" and caught.value.column == "ill"
    assert caught.value.asked == 9 and caught.value.best == 4


def test_tables_that_cannot_be_used() -> None:
    with pytest.raises(hedgerow.Error, match="no records"):
        hedgerow.anonymize(hedgerow.frame({"age": []}), quasi="age", k=2)
    with pytest.raises(hedgerow.MixedTypes, match="row 3 has a value of type str") as caught:
        hedgerow.frame({"age": [1, 2, "three"]})
    assert (caught.value.row, caught.value.type) == (3, "str")
    with pytest.raises(hedgerow.Invalid, match="'age' 2, 'pay' 1"):
        hedgerow.frame({"age": [1, 2], "pay": [1]})
    with pytest.raises(hedgerow.Invalid, match="is not a table"):
        hedgerow.anonymize(42, quasi="age", k=2)
    with pytest.raises(hedgerow.FileError, match="recipe cannot be read"):
        hedgerow.apply(hedgerow.frame({"age": [1, 2]}), "nowhere.json")
    with pytest.raises(hedgerow.Error, match="output"):
        hedgerow.anonymize("nowhere.csv", quasi="age", k=2)
    with pytest.raises(hedgerow.FileError, match="nowhere.csv"):
        hedgerow.verify("nowhere.csv", quasi="age", k=2)


def test_files_are_not_replaced_without_force(table: Plain, tmp_path: object) -> None:
    release = hedgerow.anonymize(table, quasi="age", k=2, keep=["pay", "ill"])
    path = f"{tmp_path}/report.json"
    release.report.write(path)
    with pytest.raises(hedgerow.FileError, match="force=True"):
        release.report.write(path)
    release.report.write(path, force=True)
    with pytest.raises(hedgerow.FileError, match="cannot be written"):
        release.report.write(f"{tmp_path}/none/report.json")


def test_names_of_a_set_are_in_one_order() -> None:
    import os
    import subprocess

    code = (
        "import hedgerow; names = ['age', 'pay', 'sex', 'zip']; "
        "table = hedgerow.frame({name: [n % 9 for n in range(40)] for name in names}); "
        "print(hedgerow.anonymize(table, quasi=set(names), k=2).job)"
    )
    jobs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    ]
    assert len(set(jobs)) == 1 and 'quasi = ["age", "pay", "sex", "zip"]' in jobs[0]


def test_combinations_of_a_range_are_compared() -> None:
    table = hedgerow.frame({"age": [n % 30 for n in range(90)]})
    found = hedgerow.compare(table, quasi="age", k=range(2, 5), methods="mondrian")
    assert [cell["k"] for cell in found.cells] == [2, 3, 4]


def test_progress_is_told_and_can_stop_a_run() -> None:
    many = hedgerow.frame({"age": [n % 90 for n in range(3_000)], "pay": list(range(3_000))})
    seen: list[str] = []

    def listen(stage: str, method: str, done: int, total: int) -> None:
        seen.append(stage)

    hedgerow.anonymize(many, quasi=["age", "pay"], k=5, progress=listen)
    assert seen and seen[-1] == "verify"

    class Enough(Exception):
        pass

    def stop(stage: str, method: str, done: int, total: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        hedgerow.anonymize(many, quasi=["age", "pay"], k=5, method="k-member", progress=stop)


def test_other_threads_run_during_a_search() -> None:
    import threading
    import time

    def longest_pause(n_rows: int) -> tuple[float, float]:
        """How long a search takes, and how long it holds up another thread at a time."""
        many = hedgerow.frame(
            {"age": [n * 7919 % n_rows for n in range(n_rows)], "pay": list(range(n_rows))}
        )
        ticks: list[float] = []
        is_over = threading.Event()

        def tick() -> None:
            while not is_over.wait(0.002):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=tick)
        thread.start()
        start = time.monotonic()
        hedgerow.anonymize(many, quasi=["age", "pay"], k=5, method="k-member")
        end = time.monotonic()
        is_over.set()
        thread.join()
        during = [start, *(at for at in ticks if start < at < end), end]
        return end - start, max(after - before for before, after in zip(during, during[1:]))

    # How many rows make a search long enough to tell depends on the machine.
    n_rows = 4_000
    while longest_pause(n_rows)[0] < 0.3:
        n_rows *= 2
    # A busy machine can hold up a thread, but not in each of several searches.
    pauses = [longest_pause(n_rows) for _ in range(5)]
    assert any(pause < seconds / 2 for seconds, pause in pauses), pauses


def test_hierarchies_are_ranked() -> None:
    table = hedgerow.frame({"age": [n % 60 for n in range(300)]})
    trees = {
        method: hedgerow.Hierarchy.build(table, "age", method=method) for method in ("iotf", "han")
    }
    ranked = hedgerow.Hierarchy.rank(table, "age", trees, k=3)
    assert {line["name"] for line in ranked} == {"iotf", "han"}
    scores = [line["score"] for line in ranked]
    assert scores == sorted(scores, reverse=True)
    only_privacy = hedgerow.Hierarchy.rank(table, "age", trees, k=3, weights=(0, 1, 0, 0))
    assert len(only_privacy) == 2


def test_candidates_of_a_column_of_words(tmp_path: object) -> None:
    table = hedgerow.frame({"job": ["nurse", "surgeon", "carpenter", "mason"] * 5})
    made = hedgerow.Hierarchy.candidates(table, "job", k=2)
    assert made and all(tree.path("nurse")[0] == "nurse" for tree in made.values())
    release = hedgerow.anonymize(table, quasi="job", k=5, hierarchies={"job": next(iter(made.values()))})
    assert release.verify()


def test_a_population_is_counted(tmp_path: object) -> None:
    path = f"{tmp_path}/people.csv"
    with open(path, "w", encoding="utf-8") as file:
        file.write("age\n" + "".join(f"{20 + n % 40}\n" for n in range(400)))
    table = hedgerow.frame({"age": [20, 24, 28, 33, 38, 41, 47, 50, 52, 55]})
    call: dict[str, object] = {"quasi": "age", "privacy": "k-map:k=15", "population": path}
    for method in ("hedge", "mondrian"):
        release = hedgerow.anonymize(table, k=1, method=method, **call)  # type: ignore[arg-type]
        found = release.verify()
        assert found and found.privacy[-1]["model"] == "k-map"
    assert not hedgerow.verify(table, k=1, **call)  # type: ignore[arg-type]
    release = hedgerow.anonymize(table, k=1, kind={"age": "number"}, **call)  # type: ignore[arg-type]
    assert release.verify()
    population = hedgerow.frame({"age": [20 + n % 40 for n in range(400)]})
    assert not hedgerow.verify(table, **{**call, "population": population}, k=1)  # type: ignore[arg-type]
    with pytest.raises(hedgerow.Error, match="population"):
        hedgerow.verify(table, quasi="age", k=1, privacy="k-map:k=5")


def test_numbers_of_lists_are_exact() -> None:
    import datetime
    import decimal
    import fractions

    large = 2**70 + 1
    table = hedgerow.frame(
        {
            "large": [large, 5, None],
            "money": [decimal.Decimal("0.10"), decimal.Decimal("1E+3"), decimal.Decimal("NaN")],
            "both": [decimal.Decimal("1.5"), 2, 0.25],
            "part": [fractions.Fraction(1, 4), 2, float("nan")],
            "day": [datetime.date(2020, 2, 29), None, datetime.date(2021, 1, 1)],
            "odd": [1 + 2j, None, 3j],
        }
    )
    assert table.rows() == [
        (str(large), "0.10", "1.5", 0.25, "2020-02-29", "(1+2j)"),
        ("5", "1000", "2", 2.0, None, None),
        (None, None, "0.25", None, "2021-01-01", "3j"),
    ]
    ages = hedgerow.frame({"age": [decimal.Decimal(n) / 4 for n in range(8)]})
    release = hedgerow.anonymize(ages, quasi="age", k=4, method="mondrian", keep_order=True)
    assert release.frame.rows()[0] == ("[0, 0.75]",)


def test_a_warning_about_the_recipe_is_given() -> None:
    jobs = ["smith", "nurse", "mason"] * 8 + ["astronaut", "diver"]
    table = hedgerow.frame({"job": jobs})
    release = hedgerow.anonymize(table, quasi="job", k=5, method="mondrian")
    with pytest.warns(hedgerow.HedgerowWarning, match="labels of the recipe"):
        assert release.recipe.startswith("{")
