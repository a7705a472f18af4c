"""Runs: progress, cancel, the queue, and two tabs that stay in step."""

from __future__ import annotations

from conftest import ROLES, Pages, Studio, settled
from playwright.sync_api import expect

# Slow on all of Adult, so that there is time to cancel.
SLOW = {"kind": "single", "method": {"name": "k-member"}, "k": 20}


def test_a_run_is_cancelled(fresh: Studio, pages: Pages) -> None:
    page = pages.open(fresh, "/release")
    fresh.api("POST", "/api/runs", SLOW)
    page.get_by_role("button", name="Cancel").first.wait_for()
    page.wait_for_function("() => document.querySelector('.running')?.innerText.includes('%')")
    page.get_by_role("button", name="Cancel").first.click()
    expect(page.get_by_text("This run was cancelled")).to_be_visible()
    # On a busy machine the wall clock says little, so how long it took is not tested here.
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
    alert = page.get_by_role("alert").first
    expect(alert).to_contain_text("k is 50000, but the table has only 45222 records")
    # One click takes the best that can be reached.
    alert.get_by_role("button", name="Ask for k = 45222").click()
    expect(page.get_by_text("k = 45222, nothing suppressed")).to_be_visible()
    page.get_by_role("button", name="Run N").click()
    expect(page.get_by_text("verified: k = 45222 holds")).to_be_visible()


def test_attacks_start_when_they_are_asked_for(studio: Studio, pages: Pages) -> None:
    studio.prepare()
    page = pages.open(studio, "/release?view=risk")
    expect(page.get_by_role("heading", name="Risk of being found")).to_be_visible()
    expect(page.get_by_role("heading", name="Attacks that were tried")).to_have_count(0)
    assert studio.api("GET", "/api/runs/1/risk")["state"] == "none"
    page.get_by_role("button", name="Attack this release").click()
    expect(page.get_by_role("heading", name="Attacks that were tried")).to_be_visible()
    expect(page.get_by_role("button", name="Attack this release")).to_have_count(0)


def test_a_point_of_a_chart_opens_its_run(ready: Studio, pages: Pages) -> None:
    page = pages.open(ready, "/compare")
    settled(page)
    page.locator(".charts figure").first.locator("path:has(> title), circle:has(> title)").first.click()
    page.wait_for_url("**open=*")


def test_a_vanished_tab_does_not_stop_a_run(fresh: Studio, pages: Pages) -> None:
    page = pages.open(fresh, "/release")
    page.get_by_role("button", name="Run N").click()
    page.context.close()
    pages.contexts.remove(page.context)
    assert fresh.wait_for_runs()[-1]["state"] == "done"


def test_a_table_that_changed_on_disk_is_noticed(fresh: Studio, pages: Pages) -> None:
    with open(fresh.folder / "adult.csv", "a", encoding="utf-8") as file:
        file.write((fresh.folder / "adult.csv").read_text().splitlines()[1] + "\n")
    page = pages.open(fresh, "/release")
    expect(page.get_by_text("changed on disk since it was read")).to_be_visible()
    page.get_by_role("button", name="Read it again").click()
    expect(page.get_by_text("45,223 × 15")).to_be_visible()
    expect(page.get_by_text("changed on disk since it was read")).to_have_count(0)


def test_a_level_is_the_limit_of_releases(fresh: Studio, pages: Pages) -> None:
    page = pages.open(fresh, "/hierarchies/age?view=levels")
    settled(page)
    limit = page.get_by_role("button", name="Publish nothing above level 1", exact=True)
    limit.click()
    expect(limit).to_have_attribute("aria-pressed", "true")
    height = fresh.tree("age", "least-loss")["height"]
    assert fresh.api("GET", "/api/state")["job"]["limit"] == {"age": [f"level:{height - 1}"]}
    page.get_by_role("button", name="No limit").click()
    expect(limit).to_have_attribute("aria-pressed", "false")
    assert fresh.api("GET", "/api/state")["job"]["limit"] == {}


def test_another_table_drops_runs_only_after_a_yes(studio: Studio, pages: Pages) -> None:
    pages.expected = ["409"]
    studio.prepare(grow=False)
    (studio.folder / "small.csv").write_text("a,b\n1,2\n3,4\n")
    page = pages.open(studio, "/table")
    page.get_by_title("Open another table").click()
    page.get_by_role("button", name="small.csv").click()
    question = page.get_by_role("dialog").get_by_role("alert")
    expect(question).to_contain_text("drops 1 run of adult.csv")
    question.get_by_role("button", name="Stay here").click()
    # An upload is another table, even with the name of the open one.
    page.locator("input[type=file]").set_input_files(studio.folder / "adult.csv")
    expect(question).to_contain_text("Opening adult.csv drops 1 run of adult.csv")
    question.get_by_role("button", name="Stay here").click()
    assert len(studio.api("GET", "/api/runs")["runs"]) == 1
    page.get_by_role("button", name="small.csv").click()
    question.get_by_role("button", name="Open it and drop the run").click()
    expect(page.get_by_text("2 × 2")).to_be_visible()
    assert studio.api("GET", "/api/runs")["runs"] == []


def test_a_job_of_another_table_drops_runs_only_after_a_yes(studio: Studio, pages: Pages) -> None:
    pages.expected = ["409"]
    studio.prepare(grow=False)
    (studio.folder / "small.csv").write_text("a,b\n1,2\n3,4\n")
    page = pages.open(studio, "/table")
    settled(page)
    page.get_by_role("button", name="Job file", exact=True).click()
    page.get_by_label("Text of the job file").fill("input = 'small.csv'\nquasi = ['a']\nkeep-others = true\nk = 2\n")
    page.get_by_role("button", name="Save", exact=True).click()
    question = page.get_by_role("dialog").get_by_role("alert")
    expect(question).to_contain_text("drops 1 run of adult.csv")
    assert len(studio.api("GET", "/api/runs")["runs"]) == 1
    question.get_by_role("button", name="Save it and drop the run").click()
    expect(page.get_by_text("2 × 2")).to_be_visible()
    assert studio.api("GET", "/api/runs")["runs"] == []
