"""Anonymize tables on a cluster: counted there, planned on the driver, published there.

``plan`` counts the distinct tuples of a DataFrame with a ``GROUP BY`` and searches on the driver;
``Plan.publish`` is a join. Records stay on the engine: Apache Spark 4 (classic or Connect), or another
engine that speaks Spark Connect, such as sail.

>>> import hedgerow.spark as hs                                             # doctest: +SKIP
>>> plan = hs.plan(df, quasi=["age", "town"], k=5, sensitive=["ill"])       # doctest: +SKIP
>>> plan.write(df, "release.parquet")                                       # doctest: +SKIP
"""

from hedgerow.spark.files import load
from hedgerow.spark.mapping import Plan, Planned
from hedgerow.spark.parts import PartedPlan
from hedgerow.spark.planning import plan
from hedgerow.spark.recount import verify

__all__ = ["PartedPlan", "Plan", "Planned", "load", "plan", "verify"]
