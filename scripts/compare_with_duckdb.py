"""Compares hedgerow and DuckDB: both read 14 million rows and count three columns.

Needs the PyPI package `duckdb`. Makes the table (1.5 GB) in a temporary folder, or takes the one given:

    python3 scripts/compare_with_duckdb.py [TABLE]
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

import duckdb

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["age", "education-num", "hours-per-week"]
VARIED = "age,workclass,education,marital-status,occupation,race,sex,native-country,hours-per-week"
ROUNDS = 5


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def generate(folder):
    table = pathlib.Path(folder) / "adult14m.csv"
    cargo("run", "--release", "--", "generate", "data/adult.csv", "--columns", VARIED,
          "--sigma", "310", "--rho", "3", "-o", str(table))
    return table


def with_duckdb(connection, table):
    names = ", ".join(f'"{name}"' for name in COLUMNS)
    start = time.perf_counter()
    rows = connection.execute(f"SELECT {names}, count(*) FROM read_csv('{table}') GROUP BY ALL").fetchall()
    return len(rows), time.perf_counter() - start


def with_hedgerow(table):
    out = cargo("run", "--release", "-q", "-p", "hedgerow", "--example", "count_cohorts", "--",
                str(table), ",".join(COLUMNS), "2")
    cohorts, seconds = re.match(r"(\d+) cohorts of \d+ records in ([\d.]+) s", out).groups()
    return int(cohorts), float(seconds)


def compare(table):
    megabytes = table.stat().st_size / 1e6
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    cargo("build", "--release", "-p", "hedgerow", "--example", "count_cohorts")
    times = {"duckdb": [], "hedgerow": []}
    for _ in range(ROUNDS):
        duck, seconds = with_duckdb(connection, table)
        times["duckdb"].append(seconds)
        ours, seconds = with_hedgerow(table)
        times["hedgerow"].append(seconds)
        assert duck == ours, f"DuckDB counts {duck} groups, hedgerow {ours}"
    best = {name: min(seconds) for name, seconds in times.items()}
    for name, seconds in times.items():
        shown = " ".join(f"{second:.2f}" for second in seconds)
        print(f"{name:9} {shown} s; best {best[name]:.2f} s, {megabytes / best[name]:.0f} MB/s")
    print(f"hedgerow is {best['duckdb'] / best['hedgerow']:.2f} times as fast as DuckDB {duckdb.__version__}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        compare(pathlib.Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            compare(generate(folder))
