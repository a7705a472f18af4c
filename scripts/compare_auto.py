#!/usr/bin/env python3
"""Compares `auto` with fixed choices of method and hierarchies on a folder of tables.

    python3 scripts/compare_auto.py FOLDER SPEC [-k 5] [--hedgerow target/release/hedgerow] [--bounds]

Each line of SPEC names a CSV file in FOLDER and its quasi-identifiers:

    wages.csv age,school,region

For each table the script prints the NTIL of the release that `auto` chooses, how much worse that is than the best of
`hedge` with (least-loss + frequency), (iotf + frequency) and (least-loss + free), the least NTIL of `k-member` with the
same trees and with `free`, and how many seconds of processor time choosing took, alone and in relation to the search.
That is how much more `auto` takes than a run with the method and the hierarchies that it chose, because what it tried on
all records is not searched for again. The first hierarchy of each pair is for numbers, the second for words. Codes get `prefix` where
words get `frequency`, and dates get `calendar`.

With `--bounds`, it prints instead what the certificate of `hedge` proves on each table: how near the optimum `hedge` is,
and how much less than `k-member` any release with the same hierarchies can lose.
"""

import argparse
import csv
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

PAIRS = [("least-loss", "frequency"), ("iotf", "frequency"), ("least-loss", "free")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("spec", type=pathlib.Path)
    parser.add_argument("-k", type=int, nargs="+", default=[5])
    parser.add_argument("--hedgerow", default="target/release/hedgerow")
    parser.add_argument("--without-k-member", action="store_true")
    parser.add_argument("--bounds", action="store_true")
    args = parser.parse_args()
    lines = [line.split(None, 1) for line in args.spec.read_text().splitlines() if line.strip()]
    if args.bounds:
        bounds(args, lines)
    else:
        choices(args, lines)


def choices(args, lines):
    rows = []
    print("| table | k | `auto` | ll+freq | iotf+freq | ll+free | worse | choosing | of the search | vs. k-member, trees | free | chosen |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, quasi in lines:
            table = narrowed(args.folder / name, quasi.strip().split(","), pathlib.Path(scratch))
            for k in args.k:
                rows.append(compared(args, table, name, k))
                print(line_of(rows[-1]), flush=True)
    summarise(rows)


def bounds(args, lines):
    rows = []
    print("| table | k | words | `hedge` | proved bound | ratio | less than k-member | any release at most |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, quasi in lines:
            table = narrowed(args.folder / name, quasi.strip().split(","), pathlib.Path(scratch))
            kinds = kinds_of(args, table)
            for k in args.k:
                for pair in (PAIRS[0], PAIRS[2]):
                    rows.append(bounded(args, table, k, hierarchies(kinds, pair)) | {"words": pair[1]})
                    loss, bound, saved, possible = (rows[-1][key] for key in ("loss", "bound", "saved", "possible"))
                    print(f"| {name} | {k} | {pair[1]} | {loss:.5f} | {bound:.5f} | {loss / bound:.3f} "
                          f"| {100 * saved:.1f}% | {100 * possible:.1f}% |", flush=True)
    for words in ("frequency", "free"):
        of = [row for row in rows if row["words"] == words]
        mean = {key: 100 * sum(row[key] for row in of) / len(of) for key in ("saved", "possible")}
        ratios = [row["loss"] / row["bound"] for row in of]
        print(f"\nwith {words}: hedge loses {min(ratios):.3f} to {max(ratios):.3f} times the bound, {mean['saved']:.1f}% less than "
              f"k-member in the mean; no release can lose more than {mean['possible']:.1f}% less in the mean")


def bounded(args, table, k, options):
    certificate = run(args, table, k, ["--method", "hedge", "--certificate", *options])["certificate"]
    other = ntil(run(args, table, k, ["--method", "k-member", *options]))
    loss, bound = certificate["loss"], certificate["bound"]
    return {"loss": loss, "bound": bound, "saved": 1 - loss / other, "possible": 1 - bound / other}


def narrowed(path, quasi, scratch):
    """Writes a copy with the quasi-identifiers only, so that no other column is an obstacle."""
    target = scratch / path.name
    with open(path, newline="") as source, open(target, "w", newline="") as narrow:
        writer = csv.writer(narrow)
        reader = csv.DictReader(source)
        writer.writerow(quasi)
        writer.writerows([row[name] for name in quasi] for row in reader)
    return target, quasi


def compared(args, table, name, k):
    kinds = kinds_of(args, table)
    auto = run(args, table, k, [])
    fixed = [run(args, table, k, ["--method", "hedge", *hierarchies(kinds, pair)]) for pair in PAIRS]
    losses = [ntil(outcome) for outcome in fixed]
    row = {"name": name, "k": k, "auto": ntil(auto), "fixed": losses}
    row["worse"] = row["auto"] / min(losses) - 1 if min(losses) > 0 else 0.0
    row["seconds"], row["choosing"] = choosing(args, table, k, auto)
    row["chosen"] = auto["method"] + ": " + ", ".join(
        f"{column} {auto['hierarchies'][column]['method']}" for column in table[1])
    if not args.without_k_member:
        for what, pair, of_hedge in [("trees", PAIRS[0], losses[0]), ("free", PAIRS[2], losses[2])]:
            other = ntil(run(args, table, k, ["--method", "k-member", *hierarchies(kinds, pair)]))
            row[what] = 1 - of_hedge / other if other > 0 else 0.0
    return row


def run(args, table, k, options):
    path, quasi = table
    command = [args.hedgerow, "anonymize", str(path), "-k", str(k), "--na", "NA", "--force", "--json"]
    for column in quasi:
        command += ["-q", column]
    command += ["-o", str(path.with_suffix(".release.csv")), *options]
    before = processor_seconds()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout) | {"processor": processor_seconds() - before}


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def kinds_of(args, table):
    path, quasi = table
    command = [args.hedgerow, "inspect", str(path), "--na", "NA", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {column["name"]: column["kind"] for column in json.loads(done.stdout)["columns"] if column["name"] in quasi}


def hierarchies(kinds, pair):
    numbers, words = pair
    of_kind = {
        "number": numbers,
        "text": words,
        "code": "prefix" if words == "frequency" else words,
        "date": "calendar",
    }
    return [part for name, kind in kinds.items() for part in ("--hierarchy", f"{name}={of_kind[kind]}")]


def ntil(outcome):
    return outcome["release_loss"]["ntil"]


def choosing(args, table, k, auto):
    """Seconds that choosing took, and in relation to those of the search for what was chosen."""
    chosen = [part for name, built in auto["hierarchies"].items() for part in ("--hierarchy", f"{name}={built['method']}")]
    alone = run(args, table, k, ["--method", auto["method"], *chosen])
    # Other programs may be running, so elapsed times only divide the processor time.
    search = alone["processor"] * alone["seconds"].get("search", 0) / sum(alone["seconds"].values())
    seconds = max(0.0, auto["processor"] - alone["processor"])
    return seconds, seconds / search if search else 0.0


def line_of(row):
    fixed = " | ".join(f"{loss:.5f}" for loss in row["fixed"])
    against = " | ".join(f"{100 * row[what]:.0f}%" if what in row else "" for what in ("trees", "free"))
    return (f"| {row['name']} | {row['k']} | {row['auto']:.5f} | {fixed} | {100 * row['worse']:+.1f}% "
            f"| {row['seconds']:.2f} s | {row['choosing']:.1f} | {against} | {row['chosen']} |")


def summarise(rows):
    worse = [row["worse"] for row in rows]
    ratios = sorted(row["choosing"] for row in rows)
    print(f"\nauto against the best: {100 * sum(worse) / len(worse):+.1f}% in the mean, {100 * max(worse):+.1f}% at worst")
    print(f"choosing takes {ratios[len(ratios) // 2]:.1f} times the search in the median, {ratios[-1]:.1f} at worst, "
          f"and {max(row['seconds'] for row in rows):.1f} s at most")
    for what in ("trees", "free"):
        saved = [row[what] for row in rows if what in row]
        if saved:
            print(f"hedge against k-member with {what}: {100 * min(saved):.0f} to {100 * max(saved):.0f}% less, "
                  f"{100 * sum(saved) / len(saved):.0f}% in the mean")


if __name__ == "__main__":
    main()
