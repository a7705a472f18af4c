"""The page that `anonymize --report` writes, opened as a file: wide, on a phone, dark, and on paper."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import PATIENCE, SHOTS, adult_in, binary
from playwright.sync_api import Browser, Page

CALL = [
    "anonymize", "adult.csv", "--quasi", "age,sex,race,marital-status,occupation,native-country,hours-per-week",
    "--sensitive", "income", "--drop", "education,education-num,relationship,fnlwgt,workclass,capital-gain,capital-loss",
    "-k", "5", "--suppress", "1%", "-o", "release.csv", "--report", "report.html", "--report-public", "public.html",
]
LOOKS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1200, "height": 900}},
    "dark": {"viewport": {"width": 1200, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True},
}
# Texts, tables and pictures that end to the right of the window, and cannot be scrolled to.
CUT = """() => [...document.querySelectorAll('h1, h2, h3, p, li, dt, dd, th, td, caption, pre, svg, figure')]
  .filter((one) => one.getClientRects().length && !one.closest('.wide[tabindex], thead')
    && one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.textContent.trim().slice(0, 40))"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both reports on a release of Adult."""
    folder = adult_in(tmp_path_factory.mktemp("reports"))
    subprocess.run([binary(), *CALL, "--quiet"], cwd=folder, check=True)
    return folder


class Reader:
    """Opens pages as files, and remembers what they complain about and ask the network for."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.complaints: list[str] = []
        self.contexts: list[Any] = []

    def open(self, path: Path, look: str) -> Page:
        context = self.browser.new_context(**LOOKS[look])
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        page: Page = context.new_page()
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", lambda request: self._check(request.url))
        page.goto(path.as_uri())
        return page

    def _check(self, url: str) -> None:
        if not url.startswith(("file:", "data:")):
            self.complaints.append(f"a request to the network: {url}")


@pytest.fixture
def reader(browser: Browser) -> Iterator[Reader]:
    """Opens pages; a message in the console fails the test."""
    opened = Reader(browser)
    yield opened
    for context in opened.contexts:
        context.close()
    assert not opened.complaints, "pages complained:\n" + "\n".join(opened.complaints)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", ["report", "public"])
def test_nothing_of_a_report_is_cut(reports: Path, reader: Reader, name: str, look: str) -> None:
    page = reader.open(reports / f"{name}.html", look)
    # Formulas and further models are part of the page, too.
    page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window"
    assert page.evaluate(CUT) == []


def test_rows_of_a_printed_report_stay_whole_and_heads_repeat(reports: Path, reader: Reader) -> None:
    page = reader.open(reports / "report.html", "wide")
    page.emulate_media(media="print")
    # Rows stay whole, and the head of a table is repeated on each sheet.
    style = "(one) => [getComputedStyle(one).breakInside, getComputedStyle(one).display]"
    rows = page.eval_on_selector_all("tbody tr", f"(all) => all.map({style})")
    assert rows and all(inside == "avoid" for inside, _ in rows)
    heads = page.eval_on_selector_all("thead", f"(all) => all.map({style})")
    assert heads and all(display == "table-header-group" for _, display in heads)
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.pdf(path=SHOTS / "report-file.pdf", prefer_css_page_size=True)
