"""Ctrl-C stops a search."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

CODE = """
import hedgerow
n = 30_000
table = hedgerow.frame({"a": [i * 7919 % n for i in range(n)], "b": [i * 104729 % n for i in range(n)]})
print("ready", flush=True)
hedgerow.anonymize(table, quasi=["a", "b"], k=3, method="k-member")
"""


def test_an_interrupt_ends_a_search_with_keyboard_interrupt() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", CODE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    assert process.poll() is None, "the search ended before it could be interrupted"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors


def test_a_bar_is_drawn_again_only_if_it_changes(capsys: pytest.CaptureFixture[str]) -> None:
    from hedgerow.progress import listening

    with listening(True) as show:
        assert show is not None
        for _ in range(50):
            show("search", "hedge", 3, 10)
        show("search", "hedge", 4, 10)
    assert capsys.readouterr().err.count("search hedge") == 2
