"""The transformer of scikit-learn."""

from __future__ import annotations

import pandas
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import hedgerow
from hedgerow.sklearn import Generalizer

from conftest import ADULT

QUASI = ["age", "education", "sex"]


@pytest.fixture(scope="module")
def adult() -> pandas.DataFrame:
    return pandas.read_csv(ADULT, nrows=1200)


def test_a_model_is_trained_on_released_data(adult: pandas.DataFrame) -> None:
    target = adult.columns[-1]
    train, test = adult.iloc[:900], adult.iloc[900:]
    encode = ColumnTransformer([("labels", OneHotEncoder(handle_unknown="ignore"), QUASI)])
    model = Pipeline(
        [
            ("generalize", Generalizer(k=10, quasi=QUASI, suppress="10%")),
            ("encode", encode),
            ("tree", DecisionTreeClassifier(max_depth=5, random_state=0)),
        ]
    )
    model.fit(train[QUASI], train[target])
    assert model.score(test[QUASI], test[target]) > 0.7


def test_training_rows_are_anonymous_and_unseen_rows_have_known_labels(
    adult: pandas.DataFrame,
) -> None:
    train, test = adult[QUASI].iloc[:900], adult[QUASI].iloc[900:]
    transformer = Generalizer(k=10, suppress="10%").fit(train)
    shown = transformer.transform(train)
    sizes = shown.groupby(QUASI, observed=True).size()
    assert hedgerow.verify(transformer.release_.frame, quasi=QUASI, k=10)
    assert sizes.sum() == 900
    new = transformer.transform(test)
    assert len(new) == 300
    for name in QUASI:
        assert set(new[name]) <= set(shown[name]) | {"*"}


def test_training_rows_are_those_of_the_release(adult: pandas.DataFrame) -> None:
    train = adult[QUASI].iloc[100:900]
    transformer = Generalizer(k=10, suppress="10%", method="optimal")
    shown = transformer.fit_transform(train)
    assert list(shown.index) == list(train.index) and list(shown.columns) == QUASI
    frame = transformer.release_.frame
    assert shown.astype(str).values.tolist() == frame.astype(str).values.tolist()
    assert hedgerow.verify(shown, quasi=QUASI, k=10)
    is_suppressed = (shown.astype(str) == "*").all(axis=1)
    assert is_suppressed.sum() == transformer.release_.summary.suppressed > 0
    # The rules alone have labels for these rows, which too few rows share.
    by_rules = transformer.transform(train)
    assert not hedgerow.verify(by_rules, quasi=QUASI, k=10)
    kept = ~is_suppressed
    assert by_rules[kept].astype(str).equals(shown[kept].astype(str))


def test_local_recodings_and_other_parameters(adult: pandas.DataFrame) -> None:
    with pytest.raises(hedgerow.Invalid, match="unseen rows"):
        Generalizer(recoding="local").fit(adult[QUASI])
    copy = clone(Generalizer(k=7, recoding="global"))
    assert (copy.k, copy.recoding) == (7, "global")


def test_the_index_of_rows_is_kept(adult: pandas.DataFrame) -> None:
    rows = adult.iloc[3:300][[*QUASI, "hours-per-week"]]
    generalize = Generalizer(k=5, suppress="10%")
    assert list(generalize.fit(rows[QUASI]).transform(rows[QUASI]).index) == list(rows.index)
    both = ColumnTransformer(
        [("quasi", generalize, QUASI)], remainder="passthrough", verbose_feature_names_out=False
    ).set_output(transform="pandas")
    made = both.fit_transform(rows)
    assert list(made.index) == list(rows.index) and len(made.columns) == 4
    assert list(made["hours-per-week"]) == list(rows["hours-per-week"])


def test_missing_values_stay_missing() -> None:
    rows = pandas.DataFrame({"town": ["Oslo", "Moss", None, "Oslo", "Moss", None] * 3})
    shown = Generalizer(k=3).fit(rows).transform(rows)
    assert list(shown["town"].isna()) == list(rows["town"].isna())
