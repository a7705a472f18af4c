"""Compares a call with the command line: time, processor time and memory.

    python python/benches/overhead.py TABLE QUASI,QUASI [HEDGEROW] [REPEATS]

TABLE is a CSV or Parquet file, and HEDGEROW the binary (target/release/hedgerow). Install a wheel of
``maturin build --release`` before. On a shared machine, compare processor times of the same run.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars

import hedgerow


@dataclass
class Timed:
    wall: float
    processor: float
    value: Any = None

    def __str__(self) -> str:
        return f"{self.wall:.3f} s ({self.processor:.3f} s of processor time)"


def timed(work: Callable[[], Any], whose: int = resource.RUSAGE_SELF) -> Timed:
    """The time of a call; ``whose`` says whether processor time of child processes is counted."""
    before, start = resource.getrusage(whose), time.perf_counter()
    value = work()
    wall, after = time.perf_counter() - start, resource.getrusage(whose)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Timed(wall, used, value)


def least(work: Callable[[], Timed], repeats: int) -> Timed:
    return min((work() for _ in range(repeats)), key=lambda timed: timed.processor)


def reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def megabytes(field: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) >> 10


def main(table: str, quasi: str, binary: str = "target/release/hedgerow", repeats: str = "5") -> None:
    warnings.simplefilter("ignore")
    is_parquet = table.endswith(".parquet")
    read = polars.read_parquet if is_parquet else polars.read_csv
    folder = Path(tempfile.mkdtemp(dir=os.environ.get("TMPDIR")))
    output = folder / f"release{Path(table).suffix}"
    call = [binary, "anonymize", table, "--quasi", quasi, "-k", "5", "--keep-others", "--json"]

    def outside() -> Timed:
        command = [*call, "--force", "-o", str(output)]
        found = timed(
            lambda: subprocess.run(command, check=True, capture_output=True),
            resource.RUSAGE_CHILDREN,
        )
        found.value = json.loads(found.value.stdout)["seconds"]
        return found

    def anonymized(frame: polars.DataFrame) -> polars.DataFrame:
        release = hedgerow.anonymize(frame, quasi=quasi.split(","), k=5, keep_others=True)
        return release.frame

    def whole() -> None:
        release = anonymized(read(table))
        release.write_parquet(output) if is_parquet else release.write_csv(output)

    n_repeats = int(repeats)
    binary_alone = least(outside, n_repeats)
    frame = read(table)
    size = frame.estimated_size() / 2**20
    before = megabytes("VmRSS")
    reset_peak()
    inside = timed(lambda: anonymized(frame))
    peak = megabytes("VmHWM")
    inside = min(inside, least(lambda: timed(lambda: anonymized(frame)), n_repeats), key=lambda t: t.processor)
    del frame, inside.value
    all_of_it = least(lambda: timed(whole), n_repeats)
    print(f"command line      {binary_alone}; stages {binary_alone.value}")
    print(f"call              {inside}")
    print(f"read, call, write {all_of_it}")
    print(
        f"of the command line's time: {all_of_it.wall / binary_alone.wall:.2f} (wall), "
        f"{all_of_it.processor / binary_alone.processor:.2f} (processor)"
    )
    print(f"frame {size:.0f} MB; memory {before} MB before the call, peak {peak} MB in it")


if __name__ == "__main__":
    main(*sys.argv[1:])
