"""A newcomer's whole way: open, roles, grow, correct, edit, run, compare, export, and the same bytes again."""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
from pathlib import Path

from conftest import Pages, Studio, binary, settled
from playwright.sync_api import Page, Route, expect


def choose_roles(page: Page) -> None:
    """Takes the suggestions and changes what they leave open."""
    page.get_by_role("button", name=re.compile(r"Take \d+ suggestions")).click()
    expect(page.get_by_role("button", name=re.compile("Take"))).to_have_count(0)
    wanted = {"age": "Quasi", "marital-status": "Quasi", "occupation": "Quasi", "race": "Quasi", "sex": "Quasi", "hours-per-week": "Quasi", "income": "Sensitive"}
    for column, role in wanted.items():
        page.get_by_role("radiogroup", name=re.compile(rf"^Role of {column}(,|$)")).get_by_role("radio", name=role).check()
    page.get_by_label("Other role of fnlwgt").select_option("drop")
    for column in ("workclass", "education", "education-num", "relationship", "capital-gain", "capital-loss", "native-country"):
        page.get_by_role("radiogroup", name=re.compile(rf"^Role of {column}(,|$)")).get_by_role("radio", name="Keep").check()
    expect(page.get_by_text("; all have a role")).to_be_visible()


def grow_concepts(page: Page) -> None:
    """Grows concepts for the open column, occupation."""
    page.get_by_role("button", name="+ grow or open").click()
    page.get_by_label("Method").select_option("wordnet")
    page.get_by_role("button", name="Grow", exact=True).last.click()
    page.wait_for_url("**/hierarchies/occupation/wordnet*")


def correct_a_sense(page: Page) -> None:
    """Grows concepts for occupation, says what a value means, and uses the result."""
    page.get_by_role("navigation", name="Quasi-identifiers").get_by_role("link", name="occupation").click()
    grow_concepts(page)
    page.get_by_label("Value").select_option("Machine-op-inspct")
    page.get_by_label("Look up another word for Machine-op-inspct").fill("machinist")
    page.get_by_role("button", name="Look up").click()
    page.get_by_role("radio", name="a craftsman skilled in operating machine tools").check()
    page.get_by_role("button", name="Apply to all candidates").click()
    expect(page.get_by_text("were grown and ranked again")).to_be_visible()
    page.get_by_role("button", name="Use this one").click()
    expect(page.get_by_text("releases use this one")).to_be_visible()


def move_a_cut(page: Page) -> None:
    """Moves a cut of age by the keyboard, and applies it after the preview."""
    page.get_by_role("navigation", name="Quasi-identifiers").get_by_role("link", name="age", exact=False).first.click()
    expect(page.get_by_role("heading", name="age", exact=True)).to_be_visible()
    expect(page.locator("svg.icicle")).to_be_visible()
    page.locator("svg.icicle [data-place='1'] rect").click()
    page.locator(".ops").get_by_role("button", name="Cut left").click()
    expect(page.locator(".preview").get_by_text("Loss of the release")).to_be_visible()
    page.locator(".preview").get_by_role("button", name="Apply").click()
    expect(page.locator(".history li:not(.mute)")).to_have_count(1)


def export(page: Page) -> str:
    """Exports everything, and returns the command that repeats it."""
    page.keyboard.press("e")
    page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_text("Written.")).to_be_visible()
    return page.locator("dialog pre").inner_text()


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_newcomer(studio: Studio, pages: Pages) -> None:
    page = pages.open(studio, "/")
    page.get_by_role("button", name="adult.csv").click()
    expect(page.get_by_role("heading", name="Who may know what?")).to_be_visible()

    # Roles are undecided until they are chosen, and the risk follows them.
    expect(page.get_by_text("15 without a role")).to_be_visible()
    choose_roles(page)
    expect(page.get_by_text("14,892 of 45,222")).to_be_visible()
    expect(page.get_by_text("12,360")).to_be_visible()
    page.get_by_role("button", name="Add ℓ-diversity 2").click()
    expect(page.get_by_role("button", name="Remove l-diversity")).to_be_visible()
    page.get_by_role("button", name="Remove l-diversity").click()

    # Hierarchies.
    page.get_by_role("button", name="Grow 6 hierarchies").click()
    page.wait_for_url("**/hierarchies/**")
    expect(page.get_by_role("navigation", name="Quasi-identifiers").get_by_role("link")).to_have_count(6)
    settled(page)
    correct_a_sense(page)
    move_a_cut(page)

    # A release.
    page.get_by_role("link", name="To the release").click()
    page.get_by_label("Method").select_option("mondrian")
    page.get_by_role("button", name="Run N").click()
    expect(page.get_by_text("verified: k = 5 holds")).to_be_visible()
    expect(page.get_by_role("link", name="Release k = 5 holds")).to_be_visible()
    page.get_by_role("link", name="Records").click()
    expect(page.get_by_role("region", name="Records before and after")).to_be_visible()
    page.get_by_role("link", name="Classes").click()
    page.get_by_role("button", name="Records of class").first.click()
    expect(page.get_by_role("heading", name="that look the same")).to_be_visible()
    page.keyboard.press("Escape")

    # A second run to compare.
    page.get_by_role("link", name="Compare").first.click()
    page.get_by_role("button", name="New sweep").click()
    page.get_by_label("k, several").fill("10")
    page.locator("dialog").get_by_role("checkbox", name=re.compile("^hedge")).uncheck()
    page.get_by_role("button", name="Queue 1 run").click()
    expect(page.locator("aside table tbody tr")).to_have_count(2)
    expect(page.get_by_role("img", name="Loss against k")).to_be_visible()
    # A sweep keeps figures only; the first run is the one to publish.
    page.locator("aside table tbody tr").first.get_by_role("button").click()
    choice = page.get_by_role("button", name="Choose this one")
    expect(choice.or_(page.get_by_text("chosen for report and export")).first).to_be_visible()
    if choice.count():
        choice.click()

    # Export, and the same bytes from the command line.
    page.get_by_role("navigation", name="Steps").get_by_role("link", name="Report").click()
    expect(page.locator(".paper")).to_be_visible()
    # The report is there at once; what attacks find is added to it.
    expect(page.locator(".paper").get_by_role("heading", name="Attempts to break it")).to_be_visible()
    command = export(page)
    job = (studio.folder / "adult-release.job.toml").read_text()
    assert "age.edits.json" in job and "senses.toml" in job, "the job names the edits and the meanings"
    release = studio.folder / "adult-release.csv"
    before = digest(release)
    release.rename(studio.folder / "first.csv")
    words = shlex.split(command)
    assert words[0] == "hedgerow", command
    done = subprocess.run([binary(), *words[1:]], cwd=studio.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert digest(release) == before, "the command gives other bytes"


def test_overwriting_needs_a_second_yes(ready: Studio, pages: Pages) -> None:
    pages.expected = ["409"]
    page = pages.open(ready, "/report")
    command = export(page)
    page.get_by_role("button", name="Done").click()
    before = (ready.folder / "adult-report.html").stat().st_mtime_ns
    page.keyboard.press("e")
    page.get_by_role("button", name="Export", exact=True).click()
    page.get_by_role("button", name="Yes, replace these files").wait_for()
    assert (ready.folder / "adult-report.html").stat().st_mtime_ns == before
    page.get_by_role("button", name="Yes, replace these files").click()
    expect(page.get_by_text("Written.")).to_be_visible()
    assert page.locator("dialog pre").inner_text() == command


def test_reopening_goes_on_where_one_was(studio: Studio, pages: Pages) -> None:
    # The page of the first studio loses its server.
    pages.expected = ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING"]
    studio.prepare(run=False)
    page = pages.open(studio, "/table")
    expect(page.get_by_role("radiogroup", name="Role of age", exact=True).get_by_role("radio", name="Quasi")).to_be_checked()
    studio.stop()
    again = Studio(studio.folder, "adult.csv")
    try:
        page = pages.open(again, "/table")
        expect(page.get_by_role("radiogroup", name="Role of age", exact=True).get_by_role("radio", name="Quasi")).to_be_checked()
    finally:
        again.stop()
        # The fixture ends its studio once more.
        studio.process = again.process


def test_a_grown_candidate_stays_open_while_the_list_is_late(studio: Studio, pages: Pages) -> None:
    studio.prepare(run=False)
    page = pages.open(studio, "/hierarchies/occupation")
    settled(page)
    held: list[Route] = []
    page.route("**/api/hierarchies", lambda route: held.append(route))
    grow_concepts(page)
    page.get_by_label("Value").select_option("Machine-op-inspct")
    assert held
    # This lets the held requests go on.
    page.unroute("**/api/hierarchies")
    expect(page.get_by_role("button", name="Use this one")).to_be_visible()
    expect(page).to_have_url(re.compile("/hierarchies/occupation/wordnet"))
