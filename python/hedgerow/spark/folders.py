"""Folders of Parquet files on the engine's storage: written under a temporary name, then renamed."""

from __future__ import annotations

import os
import shutil
import uuid
import warnings as _warnings
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pyarrow
import pyarrow.parquet as pq

from hedgerow.errors import FileError, HedgerowWarning, file_error
from hedgerow.release import Verification

if TYPE_CHECKING:
    from hedgerow.spark.mapping import Planned


def write(plan: Planned, release: Any, path: str, force: bool) -> Verification:
    """Write a release, verify it, and only then give it its name."""
    session = release.sparkSession
    storage = _storage(session, path)
    if storage.exists(path) and not force:
        raise file_error(path, "it exists; choose another name, or pass force=True")
    draft = f"{path.rstrip('/')}.{uuid.uuid4().hex[:12]}.tmp"
    try:
        release.write.mode("error").parquet(draft)
        if not storage.exists(draft):
            raise file_error(
                path, "the engine wrote it to a disk that this program does not see; name shared storage"
            )
        verified = plan.verify(session.read.parquet(draft))
        if not verified:
            raise file_error(
                path,
                "the written release is not the planned one, so it was removed; the DataFrame changed "
                f"while it was written, or gives other records each time ({verified.get('differs')})",
            )
        if force and storage.exists(path):
            storage.remove(path)
        storage.rename(draft, path)
    finally:
        if storage.exists(draft):
            storage.remove(draft)
    return verified


def staged(table: pyarrow.Table, folder: str, name: str) -> str:
    """Write a table to a file that the driver and the engine can reach, and return its path."""
    os.makedirs(folder, exist_ok=True)
    file = os.path.join(folder, f"{name}-{uuid.uuid4().hex[:12]}.parquet")
    pq.write_table(table, file, compression="zstd")
    return file


def remove(session: Any, path: str) -> None:
    """Remove a folder of the engine that has original values, if there is one."""
    try:
        storage = _storage(session, path)
    except FileError:
        _warnings.warn(
            f"{path} has original values and cannot be removed through Spark Connect; delete it",
            HedgerowWarning,
            stacklevel=3,
        )
        return
    if storage.exists(path):
        storage.remove(path)


class _Disk:
    """A disk that the driver and the executors share."""

    def exists(self, path: str) -> bool:
        return os.path.exists(_plain(path))

    def rename(self, old: str, new: str) -> None:
        os.rename(_plain(old), _plain(new))

    def remove(self, path: str) -> None:
        shutil.rmtree(_plain(path))


class _Hadoop:
    """Any storage that Spark reaches, through the file system of its driver."""

    def __init__(self, session: Any, path: str) -> None:
        self._jvm = session._jvm
        context = session._jsc.hadoopConfiguration()
        self._files = self._jvm.org.apache.hadoop.fs.Path(path).getFileSystem(context)

    def _at(self, path: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(path)

    def exists(self, path: str) -> bool:
        return bool(self._files.exists(self._at(path)))

    def rename(self, old: str, new: str) -> None:
        if not self._files.rename(self._at(old), self._at(new)):
            raise file_error(new, f"{old} was verified, but cannot be renamed")

    def remove(self, path: str) -> None:
        self._files.delete(self._at(path), True)


def _storage(session: Any, path: str) -> _Disk | _Hadoop:
    if hasattr(session, "_jsc"):
        return _Hadoop(session, path)
    if urlsplit(path).scheme in ("", "file"):
        return _Disk()
    raise file_error(
        path,
        "files there cannot be renamed through Spark Connect; write plan.publish(df) to another name, "
        "check plan.verify(spark.read.parquet(...)), and rename it",
    )


def _plain(path: str) -> str:
    return urlsplit(path).path if path.startswith("file:") else path
