"""What the cluster tests share: an engine, the command line, and tables.

The engine is named by HEDGEROW_ENGINE: ``sail`` (default; no Java), ``classic`` (Spark in one process),
``connect`` (Spark Connect, with a server of its own), ``cluster`` (a standalone cluster on this machine:
a master and two workers).
"""

from __future__ import annotations

import csv
import decimal
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import hedgerow

ROOT = Path(__file__).resolve().parents[3]
ENGINE = os.environ.get("HEDGEROW_ENGINE", "sail")
N_LARGE = int(os.environ.get("HEDGEROW_LARGE", "100000"))
"""Records of the large table."""
QUICK_START = "-XX:TieredStopAtLevel=1"
"""Java compiles fast instead of well, because tests are over before better code pays off."""
Rows = list[tuple[str, ...]]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session of the engine."""
    # Workers must have the packages of this environment; otherwise they are started with any python3.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    starts = {"sail": _sail, "classic": _classic, "connect": _connect, "cluster": _cluster}
    yield from starts[ENGINE](tmp_path_factory.mktemp("engine"))


def _sail(_folder: Path) -> Iterator[Any]:
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    _, port = server.listening_address
    session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
    yield session
    session.stop()
    server.stop()


def _classic(folder: Path) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    session = _configured(SparkSession.builder.master("local[2]"), folder).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def _connect(folder: Path) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.remote("local[2]")
    session = _configured(builder, folder).getOrCreate()
    yield session
    session.stop()


def _cluster(folder: Path) -> Iterator[Any]:
    import pyspark
    from pyspark.sql import SparkSession

    home = Path(pyspark.__file__).parent
    environment = {**os.environ, "SPARK_HOME": str(home)}
    environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1"}
    environment |= {"SPARK_DAEMON_JAVA_OPTS": QUICK_START}
    port = _free_port()
    address = f"spark://127.0.0.1:{port}"
    deploy = "org.apache.spark.deploy"
    master = [f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port)]
    master += ["--webui-port", str(_free_port())]
    worker = [f"{deploy}.worker.Worker", address, "--cores", "1", "--memory", "1g"]
    running = []
    try:
        for place, call in enumerate([master, worker, worker]):
            own = ["--work-dir", str(folder / f"worker{place}")] if place else []
            own += ["--webui-port", str(_free_port())] if place else []
            log = open(folder / f"{place}.log", "wb")  # noqa: SIM115 - open while the process runs
            command = [str(home / "bin" / "spark-class"), *call, *own]
            running.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))
            if not place:
                _wait_for(port)
        builder = SparkSession.builder.master(address).config("spark.executor.memory", "768m")
        builder = builder.config("spark.executorEnv.PYTHONPATH", str(_hiding(folder)))
        session = _configured(builder, folder).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(timeout=60)


def _hiding(folder: Path) -> Path:
    """A folder with a module that hides the package, for workers that are started with HEDGEROW_ABSENT."""
    code = """
import os, sys

class Hiding:
    def find_spec(self, name, path=None, target=None):
        if name == "hedgerow" and os.environ.get("HEDGEROW_ABSENT"):
            raise ModuleNotFoundError("No module named 'hedgerow'")

sys.meta_path.insert(0, Hiding())
"""
    made = folder / "hiding"
    made.mkdir()
    (made / "sitecustomize.py").write_text(code)
    return made


def _configured(builder: Any, folder: Path) -> Any:
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.driver.extraJavaOptions": QUICK_START,
        "spark.executor.extraJavaOptions": QUICK_START,
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.session.timeZone": "America/New_York",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the master of the cluster does not answer")


def _binary() -> str:
    binary = os.environ.get("HEDGEROW", str(ROOT / "target" / "debug" / "hedgerow"))
    if not Path(binary).exists():
        pytest.fail("the command line is not built: cargo build -p hedgerow-cli")
    return binary


@pytest.fixture(scope="session")
def command_line() -> Any:
    """Anonymize a file with the command line, and return the rows of the release."""

    def run(table: Path, output: Path, *arguments: str) -> Rows:
        call = [_binary(), "anonymize", str(table), "-o", str(output), "--quiet", *arguments]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        with open(output, newline="", encoding="utf-8") as file:
            return [tuple(row) for row in csv.reader(file)]

    return run


def rows_of(release: Any) -> Rows:
    """The header and the rows of a DataFrame, written as the command line writes them."""
    table = release.toArrow()
    spelled = hedgerow._hedgerow.spelled(table).rows()
    rows = [tuple("" if cell is None else cell for cell in row) for row in spelled]
    return [tuple(table.column_names), *rows]


def generated(n_rows: int, seed: int = 1) -> pyarrow.Table:
    """People with whole numbers, decimals, dates, moments, texts and missing values."""
    of = numpy.random.default_rng(seed)
    towns = numpy.array(["Ålesund", "Bergen", "Oslo", "St. Mary's", 'The "Rock"', "a,b"])
    shares = numpy.array([5, 20, 40, 10, 3, 2]) / 80
    ages = numpy.minimum(99, numpy.abs(of.normal(38, 18, n_rows)).astype(int))
    days = numpy.datetime64("1930-01-01") + 365 * (94 - ages) + of.integers(0, 28, n_rows) * 13
    incomes = numpy.exp(of.normal(6, 0.6, n_rows)).astype(int) * 250
    seconds = of.integers(0, 10**6, n_rows) * 30
    moments = numpy.datetime64("2024-01-01T00:00:00", "us") + seconds.astype("timedelta64[s]")

    def some(values: Any, share: float) -> Any:
        return pyarrow.array(values, mask=of.random(n_rows) < share)

    illnesses = numpy.array(["flu", "cold", "gout", "none", "burn"])
    hundredths = pyarrow.array(incomes, pyarrow.int64()).cast(pyarrow.decimal128(19, 0))
    return pyarrow.table(
        {
            "age": some(ages.astype("int32"), 0.02),
            "born": pyarrow.array(days.astype("datetime64[D]")),
            "income": pc.divide(hundredths, decimal.Decimal("100.00")).cast(pyarrow.decimal128(12, 2)),
            "town": some(of.choice(towns, n_rows, p=shares), 0.01),
            "sex": pyarrow.array(of.choice(numpy.array(["F", "M"]), n_rows)),
            "ill": pyarrow.array(of.choice(illnesses, n_rows)),
            "seen": pyarrow.array(moments).cast(pyarrow.timestamp("us", tz="UTC")),
            "weight": some(of.integers(400, 1200, n_rows) / 8, 0.01),
        }
    )


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small table as a Parquet file, in several row groups where they are read in their order."""
    path = tmp_path_factory.mktemp("people") / "people.parquet"
    pq.write_table(generated(600), path, row_group_size=1000 if ENGINE == "sail" else 97)
    return path
