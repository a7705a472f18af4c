"""The files of the page, checked without a browser."""

from __future__ import annotations

import hashlib
import re

from conftest import ROOT, WEB

OURS = [path for path in WEB.rglob("*") if path.suffix in (".js", ".css", ".html") and "vendor" not in path.parts]
CHARTS = ROOT / "crates" / "hedgerow" / "src" / "chart"


def test_vendored_files_are_those_that_the_readme_names() -> None:
    readme = (WEB / "vendor" / "README.md").read_text()
    for path in (WEB / "vendor").glob("*.js"):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        line = next(line for line in readme.splitlines() if line.startswith(f"| `{path.name}`"))
        assert digest in line, f"{path.name} has another SHA-256: {digest}"


def test_colours_are_those_of_the_charts() -> None:
    pairs = dict(re.findall(r"--(\w+): light-dark\((#\w+, #\w+)\)", (WEB / "colours.css").read_text()))
    light, dark = (CHARTS / "colours.css").read_text().strip().splitlines()
    before = dict(re.findall(r"--(\w+):(#\w+)", light))
    after = dict(re.findall(r"--(\w+):(#\w+)", dark))
    assert before.keys() == after.keys()
    for name in before:
        assert pairs[name] == f"{before[name]}, {after[name]}", name


def test_rules_of_charts_are_those_of_the_library() -> None:
    ours = (WEB / "charts.css").read_text().split("*/\n", 1)[1]
    assert ours == (CHARTS / "chart.css").read_text()


def test_nothing_becomes_code_or_style_by_text() -> None:
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function|\bstyle=|https?://(?!www\.w3\.org)"
    )
    for path in OURS:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            assert not forbidden.search(line), f"{path.name}:{number}: {line.strip()}"


def test_imports_name_files_that_exist() -> None:
    for path in WEB.rglob("*.js"):
        for name in re.findall(r"from\s*['\"]([^'\"]+)['\"]", path.read_text()):
            assert name.startswith("."), f"{path.name} imports {name}"
            assert (path.parent / name).resolve().is_file(), f"{path.name} imports {name}"


def test_no_file_is_too_long() -> None:
    for path in OURS:
        assert len(path.read_text().splitlines()) <= 500, path.name


def test_parts_that_load_say_so() -> None:
    waits = re.compile(r"<(section|div|main)\b([^>]*)><(?:\$\{Working\}|p class=\"working\")")
    found = [(path.name, attributes) for path in OURS for _, attributes in waits.findall(path.read_text())]
    assert len(found) > 10
    for name, attributes in found:
        # The work of a run has a part of its own; what is around it does not wait.
        assert "aria-busy" in attributes or "stack" in attributes, f"{name}: {attributes}"
