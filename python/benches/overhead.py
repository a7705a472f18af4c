"""Compares the time of a call with that of the command line, and the memory with that of the frame.

    python python/benches/overhead.py TABLE QUASI,QUASI [HEDGEROW]

TABLE is a CSV or Parquet file, and HEDGEROW the binary (target/release/hedgerow). Build the package with
``maturin develop --release`` before.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import polars

import hedgerow

REPEATS = 5


def main(table: str, quasi: str, binary: str = "target/release/hedgerow") -> None:
    warnings.simplefilter("ignore")
    read = polars.read_parquet if table.endswith(".parquet") else polars.read_csv
    frame = read(table)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    inside, outside = [], []
    for _ in range(REPEATS):
        start = time.perf_counter()
        release = hedgerow.anonymize(frame, quasi=quasi.split(","), k=5, keep_others=True)
        assert len(release.frame) == len(frame)
        inside.append(time.perf_counter() - start)
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / f"release{Path(table).suffix}"
            call = [binary, "anonymize", table, "--quasi", quasi, "-k", "5", "--keep-others", "-q"]
            start = time.perf_counter()
            subprocess.run([*call, "-o", str(output)], check=True)
            outside.append(time.perf_counter() - start)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"call {min(inside):.3f} s, command line {min(outside):.3f} s (least of {REPEATS})")
    print(f"frame {frame.estimated_size() / 2**20:.0f} MB, peak {before >> 10} -> {after >> 10} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
