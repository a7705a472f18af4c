"""Compares a release on an engine with that of the command line: records, time and processor time.

    python python/benches/cluster.py TABLE QUASI,QUASI [ENGINE] [HEDGEROW]

TABLE is a Parquet file, ENGINE ``sail`` (default), ``classic`` or ``connect`` (Spark on two cores of this
machine), and HEDGEROW the binary (target/release/hedgerow). Install a wheel of ``maturin build --release``
before. On a shared machine, compare processor times of the same run.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import polars

import hedgerow.spark as hs


class Watch:
    """Prints what a step took, with the processor time of all processes of the engine."""

    def __init__(self) -> None:
        self._wall, self._used = time.perf_counter(), _used()

    def tell(self, step: str) -> None:
        wall, used = time.perf_counter(), _used()
        print(f"{step:<24} {wall - self._wall:8.2f} s  {used - self._used:8.2f} s of processor time")
        self._wall, self._used = wall, used


def _used() -> float:
    """Processor time of this process and of its descendants, also of those that run."""
    total = 0.0
    parents: dict[int, tuple[int, float]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            ticks = sum(int(field) for field in fields[11:15])
            parents[int(entry.name)] = (int(fields[1]), ticks / os.sysconf("SC_CLK_TCK"))
    for process, (_, used) in parents.items():
        above = process
        while above in parents and above != os.getpid():
            above = parents[above][0]
        total += used if above == os.getpid() else 0
    return total


def session(engine: str) -> Any:
    from pyspark.sql import SparkSession

    if engine == "sail":
        from pysail.spark import SparkConnectServer

        server = SparkConnectServer("127.0.0.1", 0)
        server.start(background=True)
        _, port = server.listening_address
        return SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
    builder = SparkSession.builder
    builder = builder.remote("local[2]") if engine == "connect" else builder.master("local[2]")
    builder = builder.config("spark.driver.memory", "6g").config("spark.ui.enabled", "false")
    return builder.config("spark.sql.shuffle.partitions", "8").getOrCreate()


def main(table: str, quasi: str, engine: str = "sail", binary: str = "target/release/hedgerow") -> None:
    warnings.simplefilter("ignore")
    names = quasi.split(",")
    folder = Path(tempfile.mkdtemp(dir=os.environ.get("TMPDIR")))
    watch = Watch()
    call = [binary, "anonymize", table, "--quasi", quasi, "-k", "5", "--keep-others", "-q"]
    subprocess.run([*call, "-o", str(folder / "expected.parquet")], check=True)
    watch.tell("command line")
    spark = session(engine)
    df = spark.read.parquet(table)
    df.limit(1).toArrow()
    watch.tell("start of the engine")
    start = Watch()
    plan = hs.plan(df, quasi=names, k=5, keep_others=True)
    watch.tell("plan")
    verified = plan.write(df, folder / "release.parquet")
    watch.tell("write")
    start.tell("plan and write")
    assert verified, verified
    expected, found = _counted(folder / "expected.parquet"), _counted(folder / "release.parquet/*.parquet")
    same = expected.join(found, on=expected.columns, nulls_equal=True).height == expected.height
    print(f"{verified.rows} records, {expected.height} distinct ones, equal: {same}")
    counts = plan._tuples.nbytes / plan._tuples.num_rows
    print(f"{plan._tuples.num_rows} combinations, {counts:.0f} bytes each on the driver")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"peak memory of this process {peak} MB")


def _counted(path: Path) -> polars.DataFrame:
    """The distinct records of a release as text, with their numbers."""
    records = polars.scan_parquet(path)
    columns = records.collect_schema().names()
    texts = records.select(polars.col(name).cast(polars.String) for name in columns)
    return texts.group_by(columns).agg(polars.len()).collect(engine="streaming")


if __name__ == "__main__":
    main(*sys.argv[1:])
