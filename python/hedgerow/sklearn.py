"""A transformer for scikit-learn: columns as a release publishes them, also for unseen rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pandas
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from hedgerow import _hedgerow, frames
from hedgerow.errors import Invalid
from hedgerow.functions import anonymize


class Generalizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Generalizes quasi-identifiers so that the training rows are ``k``-anonymous.

    Only recodings that are defined for unseen rows can be learned: ``"full-domain"``, which publishes
    all values of a column on one level of its hierarchy, and ``"global"``, which publishes a value in
    the same way wherever it occurs.

    ``fit_transform`` returns the release of the training rows, in their order: every row shares its labels
    with ``k - 1`` others, or is suppressed and has ``*`` in every quasi-identifier. ``transform`` follows the
    rules row by row and counts nothing, so it shows labels for training rows that the release suppresses.
    What it returns is for models; to publish another table, use :func:`hedgerow.apply`, which counts classes
    again.

    Parameters
    ----------
    k: minimum number of training rows with the same labels.
    quasi: the columns to generalize; all of them if it is None.
    recoding: ``"full-domain"`` or ``"global"``.
    method, hierarchies, suppress, seed: as in :func:`hedgerow.anonymize`.
    unseen: what happens to a value that no label covers: ``"nearest"``, ``"root"``, ``"suppress"`` or
        ``"error"``.

    Examples
    --------
    >>> import pandas
    >>> from hedgerow.sklearn import Generalizer
    >>> table = pandas.DataFrame({"age": [23, 25, 41, 44], "pay": [1, 2, 3, 4]})
    >>> ages = Generalizer(k=2, quasi=["age"])
    >>> list(ages.fit_transform(table)["age"])
    ['[23, 25]', '[23, 25]', '[41, 44]', '[41, 44]']
    >>> new = ages.transform(pandas.DataFrame({"age": [24, 43], "pay": [5, 6]}))
    >>> new.shape, bool(new["age"].isna().any())
    ((2, 2), False)
    """

    def __init__(
        self,
        k: int = 5,
        quasi: Sequence[str] | None = None,
        *,
        recoding: str = "full-domain",
        method: str = "auto",
        hierarchies: Mapping[str, object] | None = None,
        suppress: str | float | None = None,
        unseen: str = "nearest",
        seed: int = 0,
    ) -> None:
        self.k = k
        self.quasi = quasi
        self.recoding = recoding
        self.method = method
        self.hierarchies = hierarchies
        self.suppress = suppress
        self.unseen = unseen
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> Generalizer:
        """Learn the rules of a release of the training rows."""
        if self.recoding not in ("full-domain", "global"):
            raise Invalid(
                f"recoding={self.recoding!r} is not defined for unseen rows; choose 'full-domain' or "
                "'global'"
            )
        table = _framed(X)
        quasi = list(table.columns) if self.quasi is None else list(self.quasi)
        self.release_ = anonymize(
            table[quasi].reset_index(drop=True),
            quasi=quasi,
            k=self.k,
            recoding=self.recoding,
            method=self.method,
            hierarchies=self.hierarchies,
            suppress=self.suppress,
            seed=self.seed,
            keep_order=True,
        )
        self.recipe_ = self.release_.recipe
        self.quasi_ = quasi
        self.feature_names_in_ = numpy.array(table.columns, dtype=object)
        self.n_features_in_ = table.shape[1]
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Learn the rules of a release of the training rows, and return them as it publishes them."""
        if fit_params:
            raise Invalid(f"{next(iter(fit_params))}= is not used by Generalizer; leave it out")
        self.fit(X, y)
        made = _framed(X).copy()
        published = self.release_.frame
        # Columns by place, because a name of a frame can be a number.
        for place, name in enumerate(self.quasi_):
            made[name] = published.iloc[:, place].set_axis(made.index)
        return made

    def transform(self, X: Any) -> Any:
        """Return rows with labels instead of the values of quasi-identifiers, by the rules alone."""
        check_is_fitted(self, "recipe_")
        table = _framed(X)
        read = frames.arrow(table[self.quasi_].reset_index(drop=True), self.quasi_)
        labels = _hedgerow.recode(read, self.recipe_, self.unseen)
        made = table.copy()
        for name, cells in zip(labels.column_names, zip(*labels.rows())):
            made[name] = pandas.Categorical(cells)
        return made

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns, which stay the same."""
        return self.feature_names_in_


def _framed(X: Any) -> pandas.DataFrame:
    if isinstance(X, pandas.DataFrame):
        return X
    if hasattr(X, "to_pandas"):
        return X.to_pandas()
    array = numpy.asarray(X)
    return pandas.DataFrame(array, columns=[f"x{place}" for place in range(array.shape[1])])
