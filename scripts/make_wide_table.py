#!/usr/bin/env python3
"""Makes a table of 24 columns and 30,000 records for searches of very large lattices.

usage: make_wide_table.py WIDE ADULT HIERARCHIES OUT

WIDE is a folder with a survey of 16 columns as NAME.csv (delimiter ;) and one hierarchy for each column,
NAME_hierarchy_COLUMN.csv. ADULT is Adult as CSV, HIERARCHIES a folder with COLUMN.csv for eight of its
columns. The first records of both tables are put side by side, the columns of Adult with the prefix "adult-".
OUT gets table.csv, one hierarchy for each column, and job.toml, which names them. Prints the number of nodes
of the lattice.
"""

import csv
import math
import pathlib
import shutil
import sys

N_RECORDS = 30_000
ADULT = [
    "age",
    "education",
    "education-num",
    "hours-per-week",
    "marital-status",
    "native-country",
    "occupation",
    "workclass",
]


def records(path, delimiter):
    with path.open(newline="") as file:
        yield from csv.DictReader(file, delimiter=delimiter)


def n_levels(path):
    with path.open(newline="") as file:
        return len(next(csv.reader(file, delimiter=";")))


def main(wide, adult, hierarchies, out):
    out.mkdir(parents=True, exist_ok=True)
    tables = [path for path in wide.glob("*.csv") if "_hierarchy_" not in path.name]
    if len(tables) != 1:
        sys.exit(f"{wide} has {len(tables)} tables, not one")
    survey = tables[0]
    of_column = {}
    for path in sorted(wide.glob(f"{survey.stem}_hierarchy_*.csv")):
        of_column[path.stem.removeprefix(f"{survey.stem}_hierarchy_")] = path
    of_column |= {f"adult-{name}": hierarchies / f"{name}.csv" for name in ADULT}
    names = list(of_column)
    with (out / "table.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        both = zip(records(survey, ";"), records(adult, ","))
        for _, (one, other) in zip(range(N_RECORDS), both):
            row = one | {f"adult-{name}": other[name] for name in ADULT}
            writer.writerow(row[name] for name in names)
    job = ["input = \"table.csv\"", "k = 5", f"quasi = {names!r}".replace("'", '"'), "", "[hierarchy]"]
    for name, path in of_column.items():
        shutil.copyfile(path, out / f"{name}.csv")
        job.append(f'{name} = "{name}.csv"')
    (out / "job.toml").write_text("\n".join(job) + "\n")
    n_nodes = math.prod(n_levels(path) for path in of_column.values())
    print(f"{len(names)} columns, {N_RECORDS} records, {n_nodes:.1e} nodes")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*map(pathlib.Path, sys.argv[1:]))
