"""Measures what the book says about the speed of the studio; `HEDGEROW` names a release build.

    cargo build --release -p hedgerow-cli
    HEDGEROW=target/release/hedgerow target/browser/bin/python crates/hedgerow-studio/browser/measure.py
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from conftest import ROLES, Studio, adult_in, binary
from playwright.sync_api import Browser, Page, sync_playwright

# Frames that are drawn while `act` runs once per frame: the longest and the mean, in milliseconds.
FRAMES = """async ([n, act]) => {
  const run = new Function('i', act);
  const times = [];
  let last = performance.now();
  for (let i = 0; i < n; i += 1) {
    run(i);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return [Math.max(...times), times.reduce((a, b) => a + b) / n];
}"""


def told(name: str, value: float, unit: str = "ms") -> None:
    """Prints one figure."""
    print(f"{name:58} {value:9.1f} {unit}", flush=True)


def timed(act: Any) -> float:
    """Milliseconds that something takes."""
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1000


def processor(studio: Studio) -> float:
    """Milliseconds of processor time that the studio used so far, which other programs do not change."""
    fields = Path(f"/proc/{studio.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def told_both(name: str, studio: Studio, act: Any, times: int = 1) -> None:
    """Prints the median time of something that the studio does, and its mean processor time."""
    before = processor(studio)
    told(name, statistics.median([timed(act) for _ in range(times)]))
    told("    processor time", (processor(studio) - before) / times)


def start_up(folder: Path) -> None:
    """From the call of the command to its address, and to the first answer."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        studio = Studio(folder)
        studio.api("GET", "/api/state")
        times.append((time.perf_counter() - start) * 1000)
        studio.stop()
    told("start, until the first answer (median of 5)", statistics.median(times))


def paint(studio: Studio, page: Page) -> None:
    """First contentful paint, and until the risk is shown."""
    times, whole = [], []
    for _ in range(5):
        start = time.perf_counter()
        page.goto(f"{studio.base}/table#token={studio.token}")
        page.locator(".risk .stat, .stat").first.wait_for()
        whole.append((time.perf_counter() - start) * 1000)
        times.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        page.goto("about:blank")
    told("first contentful paint, Adult (median of 5)", statistics.median(times))
    told("the whole table screen with its risk, Adult (median of 5)", statistics.median(whole))


def previews(studio: Studio) -> None:
    """What the server needs to preview an edit."""
    for column, candidate in (("age", "least-loss"), ("occupation", "frequency")):
        path = f"/api/hierarchies/{column}/{candidate}/edits/preview"
        request = {"version": 0, "operation": {"op": "lock", "node": 1}}
        told_both(f"preview of an edit, {column} (median of 20)", studio, lambda p=path: studio.api("POST", p, request), 20)


def clicks(studio: Studio, page: Page) -> None:
    """From a click to the next frame that shows its effect."""
    page.goto(f"{studio.base}/table#token={studio.token}")
    page.locator(".stat").first.wait_for()
    script = """async ([click, shown]) => {
      const start = performance.now();
      document.querySelector(click).click();
      for (let n = 0; n < 600 && !document.querySelector(shown); n += 1) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    }"""
    steps = {
        "to hierarchies": ("nav.steps a[href='/hierarchies']", "main.three, main .working"),
        "to the release": ("nav.steps a[href='/release']", "main.two"),
        "to the comparison": ("nav.steps a[href='/compare']", "section.charts, main .working, main.two"),
        "to the report": ("nav.steps a[href='/report']", "main.report"),
    }
    for name, pair in steps.items():
        told(f"click: {name}", page.evaluate(script, list(pair)))
        page.wait_for_timeout(300)
    radio = "input[name='role-education'][value='{}']"
    page.goto(f"{studio.base}/table")
    page.locator(".stat").first.wait_for()
    for role in ("quasi", "keep"):
        told(f"click: role of education to {role}", page.evaluate(script, [radio.format(role), radio.format(role) + ":checked"]))
        page.wait_for_timeout(500)
    told_both("risk of six quasi-identifiers (median of 5)", studio, lambda: studio.api("POST", "/api/risk", {}), 5)


def million(folder: Path) -> None:
    """Opening Adult enlarged to a million rows."""
    subprocess.run([binary(), "generate", "adult.csv", "-c", "age,hours-per-week", "--sigma", "23", "--rho", "1", "-o", "million.csv"], cwd=folder, check=True, capture_output=True)
    studio = Studio(folder)
    try:
        told_both("open 1,040,106 rows of 15 columns", studio, lambda: studio.api("POST", "/api/table", {"path": "million.csv"}))
    finally:
        studio.stop()


def cancels(studio: Studio) -> None:
    """From the request to cancel a run to its end, at three moments of the slower methods."""
    for method in ("k-member", "hedge", "auto", "optimal", "incognito"):
        times = []
        for moment in (0.2, 0.7, 2.0):
            run = studio.api("POST", "/api/runs", {"kind": "single", "method": {"name": method}, "k": 50})["runs"][0]["id"]
            time.sleep(moment)
            start = time.perf_counter()
            studio.api("DELETE", f"/api/runs/{run}")
            ended = studio.wait_for_runs(every=0.005)[-1]
            if ended["state"] == "cancelled":
                times.append((time.perf_counter() - start) * 1000)
        if times:
            told(f"cancel of {method}, longest of {len(times)}", max(times))


def large_tree(folder: Path, page: Page, n_values: int) -> None:
    """The tree of a column with `n_values` values, which has about twice as many nodes."""
    rows = "".join(f"{n * 7 % n_values},{n % 3}\n" for n in range(n_values * 6 // 5))
    (folder / "large.csv").write_text("n,x\n" + rows)
    studio = Studio(folder)
    try:
        studio.api("POST", "/api/table", {"path": "large.csv"})
        studio.api("PATCH", "/api/job", {"roles": {"n": "quasi", "x": "keep"}, "k": 2})
        grown = studio.api("POST", "/api/hierarchies/n", {"action": "grow", "method": "equal-frequency"})
        candidate = grown["candidates"][0]
        print(f"tree of {candidate['nodes']} nodes ({candidate['id']})")
        told("its arrays from the server", timed(lambda: studio.tree("n", candidate["id"])))
        for view, shown in (("icicle", "canvas.icicle, svg.icicle"), ("outline", "[role=tree]")):
            address = f"{studio.base}/hierarchies/n/{candidate['id']}?view={view}#token={studio.token}"
            told(f"{view}: until it is drawn", timed(lambda a=address, s=shown: (page.goto(a), page.locator(s).first.wait_for())))
            page.wait_for_timeout(500)
            if view == "outline":
                page.get_by_role("button", name="Open all").click()
                page.wait_for_timeout(500)
                act = "document.querySelector('[role=tree]').scrollTop = i * 9000"
                longest, mean = page.evaluate(FRAMES, [60, act])
                told("outline: a frame while scrolling, mean", mean)
                told("outline: a frame while scrolling, longest", longest)
            else:
                page.locator("#main").focus()
                times = []
                for key in ("ArrowDown", "z", "ArrowDown", "z", "ArrowDown", "z"):
                    times.append(timed(lambda k=key: (page.keyboard.press(k), page.evaluate("() => new Promise(requestAnimationFrame)"))))
                told("icicle: a key (walk or zoom), mean of 6", statistics.mean(times))
                told("icicle: a key (walk or zoom), longest of 6", max(times))
    finally:
        studio.stop()


def fresh_page(browser: Browser) -> Page:
    return browser.new_context(viewport={"width": 1440, "height": 1000}, bypass_csp=True).new_page()


def main() -> None:
    """Measures everything."""
    folder = Path(tempfile.mkdtemp(prefix="hedgerow-measure-"))
    chromium = shutil.which("chromium")
    try:
        adult_in(folder)
        start_up(folder)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            studio = Studio(folder)
            told_both("open Adult", studio, lambda: studio.api("POST", "/api/table", {"path": "adult.csv"}))
            studio.api("PATCH", "/api/job", {"roles": ROLES, "k": 5, "method": {"name": "mondrian"}})
            told_both("grow six hierarchies", studio, lambda: studio.api("POST", "/api/hierarchies"))
            page = fresh_page(browser)
            paint(studio, page)
            previews(studio)
            studio.api("POST", "/api/runs", {"kind": "single"})
            studio.wait_for_runs()
            clicks(studio, page)
            cancels(studio)
            studio.stop()
            for n_values in (50_000, 100_000):
                large_tree(folder, fresh_page(browser), n_values)
            browser.close()
        million(folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
