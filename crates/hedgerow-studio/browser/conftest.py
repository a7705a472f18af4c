"""What the browser tests share: a running studio, one browser, and pages that may not complain."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[3]
WEB = ROOT / "crates" / "hedgerow-studio" / "web"
SHOTS = ROOT / "target" / "screenshots"
# Only a test that fails waits this long; a debug build on a busy machine is slow.
PATIENCE = int(os.environ.get("PATIENCE", 60_000))
expect.set_options(timeout=PATIENCE)

ROLES = {
    "age": "quasi",
    "workclass": "keep",
    "fnlwgt": "drop",
    "education": "keep",
    "education-num": "keep",
    "marital-status": "quasi",
    "occupation": "quasi",
    "relationship": "keep",
    "race": "quasi",
    "sex": "quasi",
    "capital-gain": "keep",
    "capital-loss": "keep",
    "hours-per-week": "quasi",
    "native-country": "keep",
    "income": "sensitive",
}


class Studio:
    """A studio in a folder of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        call = [binary(), "studio", "--no-open", *arguments]
        if "HEDGEROW_ASSETS" in os.environ:
            call += ["--assets", os.environ["HEDGEROW_ASSETS"]]
        self.process = subprocess.Popen(
            call, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            # Python ignores the signal of a file that grows too large; the studio then gets an error instead.
            restore_signals=False,
        )
        self.url = self._find_url()
        self.base, self.token = self.url.split("/#token=")

    def _find_url(self) -> str:
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            found = re.search(r"http://127\.0\.0\.1:\d+/#token=\w+", line)
            if found:
                return found.group()
        raise AssertionError("the studio printed no address:\n" + "".join(said))

    def api(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a request as the page does."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"X-Hedgerow-Token": self.token, "Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from error

    def prepare(self, *, grow: bool = True, run: bool = True, roles: dict[str, str] = ROLES) -> None:
        """Opens Adult and goes as far as asked, without the page."""
        self.api("POST", "/api/table", {"path": "adult.csv"})
        self.api("PATCH", "/api/job", {"roles": roles, "k": 5, "method": {"name": "mondrian"}})
        if grow:
            self.api("POST", "/api/hierarchies")
        if run:
            self.api("POST", "/api/runs", {"kind": "single"})
            self.wait_for_runs()

    def wait_for_runs(self, every: float = 0.1) -> list[dict[str, Any]]:
        """Waits until no run is queued or running, and looks every `every` seconds."""
        return self._wait(lambda: self._ended(self.api("GET", "/api/runs")["runs"]), every)

    def wait_for_attacks(self, run: int) -> dict[str, Any]:
        """Attacks the release of a run, and waits until that is done."""
        self.api("POST", f"/api/runs/{run}/attacks")
        return self._wait(lambda: self._attacked(self.api("GET", f"/api/runs/{run}/risk")))

    @staticmethod
    def _ended(runs: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
        return runs if all(run["state"] not in ("queued", "running") for run in runs) else None

    @staticmethod
    def _attacked(risk: dict[str, Any]) -> dict[str, Any] | None:
        return risk if risk["state"] != "running" else None

    @staticmethod
    def _wait(ask: Any, every: float = 0.1) -> Any:
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            found = ask()
            if found is not None:
                return found
            time.sleep(every)
        raise AssertionError("it did not end in time")

    def tree(self, column: str, candidate: str) -> dict[str, Any]:
        """A candidate as the page sees it."""
        path = f"/api/hierarchies/{quote(column, safe='')}/{quote(candidate, safe='')}"
        return dict(self.api("GET", path))

    def stop(self) -> None:
        """Ends the server as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def binary() -> str:
    """The command line, which must be built."""
    path = os.environ.get("HEDGEROW", str(ROOT / "target" / "debug" / "hedgerow"))
    if not Path(path).exists():
        pytest.fail("the command line is not built: cargo build -p hedgerow-cli")
    return path


def adult_in(folder: Path) -> Path:
    """A copy of Adult, since the studio writes its job file next to the table."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "data" / "adult.csv", folder / "adult.csv")
    return folder


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    """A studio with Adult in its folder and nothing open."""
    started = Studio(adult_in(tmp_path / "work"))
    yield started
    started.stop()


@pytest.fixture
def fresh(studio: Studio) -> Studio:
    """Adult with roles and hierarchies, but without runs."""
    studio.prepare(run=False)
    return studio


@pytest.fixture(scope="session")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Adult with roles, hierarchies and candidates of words; use it through `editing`."""
    started = Studio(adult_in(tmp_path_factory.mktemp("grown")))
    started.prepare(run=False)
    started.api("POST", "/api/hierarchies/occupation", {"action": "grow", "method": "wordnet"})
    yield started
    started.stop()


@pytest.fixture
def editing(grown: Studio) -> Iterator[Studio]:
    """One studio for all tests that edit trees; what they leave is undone."""
    yield grown
    for column in grown.api("GET", "/api/hierarchies")["columns"]:
        for candidate in column["candidates"]:
            for _ in range(candidate["edits"]):
                grown.api("POST", f"/api/hierarchies/{column['column']}/{candidate['id']}/edits/undo")


@pytest.fixture(scope="session")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Adult with roles, hierarchies and runs, for tests that only look."""
    started = Studio(adult_in(tmp_path_factory.mktemp("ready")))
    started.prepare()
    words = "/api/hierarchies/occupation"
    started.api("POST", words, {"action": "candidates", "most": 40})
    sweep = {"kind": "sweep", "ks": [2, 5, 10, 20], "methods": ["mondrian", "hedge:rounds=0"]}
    started.api("POST", "/api/runs", sweep)
    runs = started.wait_for_runs()
    started.wait_for_attacks(runs[0]["id"])
    started.api("PUT", f"/api/runs/{runs[0]['id']}")
    yield started
    started.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests: the system's Chromium."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.fail("there is no Chromium: install it, or set CHROMIUM to a browser")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


class Pages:
    """Opens pages and remembers what they complain about."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.complaints: list[str] = []
        self.contexts: list[Any] = []
        # Parts of complaints that a test causes on purpose, such as the status of a refused request.
        self.expected: list[str] = []

    def open(self, studio: Studio, path: str = "/table", **options: Any) -> Page:
        """Opens an address in a context of its own, with the token."""
        options.setdefault("viewport", {"width": 1440, "height": 1000})
        options.setdefault("reduced_motion", "reduce")
        context = self.browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        return self.tab(context, studio, path)

    def tab(self, context: Any, studio: Studio, path: str) -> Page:
        """Opens another tab of a context."""
        page: Page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", lambda request: self._check(request.url, studio))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) =>"
            " console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`))"
        )
        page.goto(f"{studio.base}{path}#token={studio.token}")
        page.wait_for_selector("main")
        return page

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _check(self, url: str, studio: Studio) -> None:
        if not url.startswith((studio.base + "/", "data:", "blob:")):
            self.complaints.append(f"a request left the server: {url}")

    def close(self) -> None:
        """Closes everything, and fails if a page complained."""
        for context in self.contexts:
            context.close()
        left = [one for one in self.complaints if not any(text in one for text in self.expected)]
        assert not left, "pages complained:\n" + "\n".join(left)


@pytest.fixture
def pages(browser: Browser) -> Iterator[Pages]:
    """Opens pages; console errors and violations of the policy fail the test."""
    opener = Pages(browser)
    yield opener
    opener.close()


def shot(page: Page, name: str) -> None:
    """Keeps a screenshot of the whole page."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    # Playwright hides the caret with an inline style, which the policy forbids.
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True, caret="initial")


def settled(page: Page) -> None:
    """Waits until the page has nothing left to wait for."""
    page.wait_for_function("() => !document.querySelector('.working, [aria-busy=true]')", timeout=PATIENCE)
