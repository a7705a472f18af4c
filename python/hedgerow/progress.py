"""Progress bars.

``progress=True`` shows a bar with ``tqdm`` if it is installed, and ``progress=function`` calls
``function(stage, method, done, total)`` about twenty times a second. The function can raise an
exception to stop the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Listener = Callable[[str, str, int, int], object]
"""Receives the stage, the method that is tried, and how many units are done of how many."""


@contextmanager
def listening(progress: bool | Listener) -> Iterator[Listener | None]:
    """Yield what the native module calls, and close the bar at the end."""
    if callable(progress):
        yield progress
        return
    bar = _bar() if progress else None
    if bar is None:
        yield None
        return

    shown: tuple[object, ...] = ()

    def show(stage: str, method: str, done: int, total: int) -> None:
        nonlocal shown
        # Outputs that keep every line, such as pages made of notebooks, get one for each change.
        percent = 100 * done // total if total else None
        if (stage, method, percent) == shown:
            return
        shown = (stage, method, percent)
        bar.set_description(f"{stage} {method}".strip(), refresh=False)
        bar.total = total or None
        bar.n = done
        bar.refresh()

    try:
        yield show
    finally:
        bar.close()


def _bar() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=None, leave=False, bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}")
