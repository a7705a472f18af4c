"""Runs: progress, cancel, the queue, and two tabs that stay in step."""

from __future__ import annotations

import time

from conftest import ROLES, Pages, Studio, settled
from playwright.sync_api import expect

# Slow on all of Adult, so that there is time to cancel.
SLOW = {"kind": "single", "method": {"name": "k-member"}, "k": 20}


def test_a_run_is_cancelled_within_a_second(fresh: Studio, pages: Pages) -> None:
    page = pages.open(fresh, "/release")
    fresh.api("POST", "/api/runs", SLOW)
    page.get_by_role("button", name="Cancel").first.wait_for()
    page.wait_for_function("() => document.querySelector('.running')?.innerText.includes('%')")
    start = time.monotonic()
    page.get_by_role("button", name="Cancel").first.click()
    expect(page.get_by_text("This run was cancelled")).to_be_visible(timeout=3000)
    assert time.monotonic() - start < 2.5
    assert fresh.api("GET", "/api/runs")["runs"][-1]["state"] == "cancelled"


def test_runs_are_queued_one_after_the_other(fresh: Studio, pages: Pages) -> None:
    page = pages.open(fresh, "/release")
    for _ in range(2):
        fresh.api("POST", "/api/runs", SLOW)
    expect(page.get_by_text("Waiting for the run before it")).to_be_visible()
    for _ in range(2):
        page.locator(".running").get_by_role("button", name="Cancel").last.click()
    expect(page.locator(".running")).to_have_count(0)


def test_two_tabs_stay_in_step(studio: Studio, pages: Pages) -> None:
    studio.prepare(grow=False, run=False)
    first = pages.open(studio, "/table")
    second = pages.tab(first.context, studio, "/table")
    settled(first)
    settled(second)
    first.get_by_role("radiogroup", name="Role of education", exact=True).get_by_role("radio", name="Quasi").check()
    expect(second.get_by_role("radiogroup", name="Role of education", exact=True).get_by_role("radio", name="Quasi")).to_be_checked()
    expect(second.get_by_text("24,662 of 45,222")).to_be_visible()
    second.get_by_label("k: everyone is one of at least", exact=True).fill("7")
    second.keyboard.press("Tab")
    expect(first.get_by_label("k: everyone is one of at least", exact=True)).to_have_value("7")


def test_an_unreachable_goal_offers_the_best(studio: Studio, pages: Pages) -> None:
    studio.prepare(run=False, roles={**ROLES, "education": "quasi"})
    studio.api("PATCH", "/api/job", {"k": 50000})
    studio.api("POST", "/api/runs", {"kind": "single"})
    studio.wait_for_runs()
    page = pages.open(studio, "/release")
    expect(page.get_by_role("alert").first).to_contain_text("50,000")


def test_a_vanished_tab_does_not_stop_a_run(fresh: Studio, pages: Pages) -> None:
    page = pages.open(fresh, "/release")
    page.get_by_role("button", name="Run N").click()
    page.context.close()
    pages.contexts.remove(page.context)
    assert fresh.wait_for_runs()[-1]["state"] == "done"


def test_a_table_that_changed_on_disk_is_noticed(fresh: Studio, pages: Pages) -> None:
    with open(fresh.folder / "adult.csv", "a", encoding="utf-8") as file:
        file.write((fresh.folder / "adult.csv").read_text().splitlines()[1] + "\n")
    page = pages.open(fresh, "/table")
    page.get_by_role("button", name="Read it again").click()
    expect(page.get_by_text("45,223 × 15")).to_be_visible()
