"""Tables are planned in parts by executors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import hedgerow
import hedgerow.spark as hs

from conftest import ENGINE, generated, rows_of
from without_engine import without_an_engine

QUASI = ["age", "born", "town"]
CALL: dict[str, Any] = {
    "quasi": QUASI,
    "k": 5,
    "sensitive": "ill",
    "keep": ["income", "sex", "seen", "weight"],
    "method": "mondrian",
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parts") / "people.parquet"
    numbered = generated(3000, seed=2)
    numbered = numbered.append_column("row", [list(range(numbered.num_rows))])
    pq.write_table(numbered, path)
    return path


@pytest.fixture
def df(spark: Any, table: Path) -> Any:
    return spark.read.parquet(str(table))


def call(parts: int, folder: Path, **more: Any) -> dict[str, Any]:
    own = {"parts": parts, "staging": folder, "position": "row", "identifier": "row"}
    return {**CALL, **own, **more}


@pytest.mark.parametrize("method", ["mondrian", "mondrian:variant=relaxed,cut=median", "hedge"])
def test_parts_are_anonymous_and_lose_little_more(
    method: str, spark: Any, df: Any, tmp_path: Path
) -> None:
    privacy = "l-diversity:kind=distinct,l=2"
    whole = hs.plan(df, **call(1, tmp_path, method=method, privacy=privacy))
    plan = hs.plan(df, **call(4, tmp_path, method=method, privacy=privacy))
    assert isinstance(plan, hs.PartedPlan) and len(plan.report.parts) == 4
    assert plan.report.rows == 3000 and plan.report.smallest_class >= 5
    assert plan.losses["ntil"] < 1.3 * whole.losses["ntil"]
    release = plan.publish(df, keep_order=True)
    assert plan.verify(release)
    assert hs.verify(release, quasi=QUASI, k=5).rows == 3000
    original = df.toArrow()
    kept = ["sex", "income", "weight"]
    assert release.toArrow().select(kept).equals(original.select(kept))
    found = hedgerow.verify(
        release.toArrow(), quasi=QUASI, k=5, sensitive="ill", privacy=privacy
    )
    assert found.holds
    measured = hedgerow.measure(original, release.toArrow(), quasi=QUASI)
    assert measured.losses["ntil"] == pytest.approx(plan.losses["ntil"], rel=0.02)


@pytest.mark.parametrize("distance", ["equal", "hierarchical"])
def test_classes_of_parts_are_close_to_the_whole_table(
    distance: str, df: Any, tmp_path: Path
) -> None:
    tree = tmp_path / "ill.csv"
    tree.write_text("flu;lungs;*\ncold;lungs;*\ngout;other;*\nnone;other;*\nburn;other;*\n")
    asked = {"privacy": f"t-closeness:t=0.3,distance={distance}", "hierarchies": {"ill": str(tree)}}
    staging = tmp_path / "staging"
    plan = hs.plan(df, **call(4, staging, **asked))
    release = plan.publish(df).toArrow()
    found = hedgerow.verify(release, quasi=QUASI, k=5, sensitive="ill", **asked)
    assert found and found.privacy[-1]["attained"] > 0.1
    # What no part can attain is said, with what to do.
    strict = {**asked, "privacy": f"t-closeness:t=0.001,distance={distance}"}
    with pytest.raises(hedgerow.Unreachable, match="choose fewer parts"):
        hs.plan(df, **call(4, staging, **strict))


def test_the_release_of_parts_is_the_same_again(df: Any, tmp_path: Path) -> None:
    first = rows_of(hs.plan(df, **call(3, tmp_path)).publish(df))
    assert rows_of(hs.plan(df, **call(3, tmp_path)).publish(df)) == first
    assert rows_of(hs.plan(df, **call(2, tmp_path)).publish(df)) != first


def test_parts_are_those_of_every_other_engine(df: Any, table: Path, tmp_path: Path) -> None:
    plan = hs.plan(df, **call(4, tmp_path))
    release = rows_of(plan.publish(df, keep_order=True))
    assert release == without_an_engine(pq.read_table(table), CALL, 4)


def test_bounds_of_parts_are_numbers(df: Any, tmp_path: Path) -> None:
    plan = hs.plan(df, **call(2, tmp_path, interval_style="bounds"))
    release = plan.publish(df)
    assert "age_min" in release.columns and dict(release.dtypes)["age_min"] == "double"
    assert plan.verify(release)


def test_another_table_is_not_the_planned_one(df: Any, tmp_path: Path) -> None:
    plan = hs.plan(df, **call(2, tmp_path))
    with pytest.raises(hedgerow.Invalid, match="not the one that was planned"):
        plan.publish(df.limit(2999))
    verified = plan.write(df, tmp_path / "release.parquet")
    assert verified and verified.rows == 3000
    plan.remove(df.sparkSession)
    assert [path.name for path in tmp_path.iterdir()] == ["release.parquet"]


def test_what_parts_cannot_do_is_explained(df: Any, tmp_path: Path) -> None:
    with pytest.raises(hedgerow.Invalid, match="staging="):
        hs.plan(df, **CALL, identifier="row", parts=2)
    with pytest.raises(hedgerow.Invalid, match="parts=0"):
        hs.plan(df, **call(0, tmp_path))
    with pytest.raises(hedgerow.MethodError, match="classes of different parts"):
        hs.plan(df, **call(2, tmp_path, privacy="delta-disclosure:delta=2,absent=allowed"))
    with pytest.raises(hedgerow.Invalid, match="before the table is divided"):
        hs.plan(df, **call(2, tmp_path, missing="drop"))
    with pytest.raises(hedgerow.Unreachable):
        hs.plan(df, **call(2, tmp_path, k=3001))
    # Counts and plans have original values, so nothing is left of what failed.
    assert list(tmp_path.iterdir()) == []
    plan = hs.plan(df, **call(2, tmp_path))
    assert [str(path) for path in tmp_path.iterdir()] == [plan.folder]
    with pytest.raises(hedgerow.Invalid, match="is kept in"):
        plan.save(tmp_path / "plan.parquet")


@pytest.mark.skipif(ENGINE != "cluster", reason="executors of other engines are in this environment")
def test_executors_without_the_wheel(spark: Any, df: Any, tmp_path: Path) -> None:
    environment = spark.sparkContext.environment
    environment["HEDGEROW_ABSENT"] = "1"
    try:
        with pytest.raises(hedgerow.Invalid, match="executors do not have the package hedgerow"):
            hs.plan(df, **call(2, tmp_path))
    finally:
        del environment["HEDGEROW_ABSENT"]
    assert hs.plan(df, **call(2, tmp_path)).report.rows == 3000
