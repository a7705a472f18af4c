"""Bad input in the page: what happened and what to do is said where one looks, and can be mended there."""

from __future__ import annotations

import resource

from conftest import Pages, Studio, settled
from playwright.sync_api import expect


def test_a_table_that_cannot_be_read(studio: Studio, pages: Pages) -> None:
    pages.expected = ["422"]
    (studio.folder / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    page = pages.open(studio, "/")
    page.get_by_role("button", name="broken.parquet").click()
    expect(page.get_by_role("alert")).to_contain_text("broken.parquet")
    # Another one can be opened at once.
    page.get_by_role("button", name="adult.csv").click()
    expect(page.get_by_role("heading", name="Who may know what?")).to_be_visible()


def test_a_job_file_with_errors_is_mended_in_place(studio: Studio, pages: Pages) -> None:
    pages.expected = ["422"]
    broken = "input = 'adult.csv'\nquasi = ['age', 'sex']\nkeep-others = true\nk = 0\n"
    (studio.folder / "mine.toml").write_text(broken)
    page = pages.open(studio, "/")
    page.get_by_role("button", name="mine.toml").click()
    expect(page.get_by_role("alert").first).to_contain_text("(line 4)")
    page.get_by_role("button", name="Edit the job file").click()
    text = page.get_by_label("Text of the job file")
    expect(text).to_have_value(broken)
    text.fill(broken.replace("k = 0", "k = none"))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("(line 4)")
    text.fill(broken.replace("k = 0", "k = 7"))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", name="Who may know what?")).to_be_visible()
    expect(page.get_by_label("k: everyone is one of at least", exact=True)).to_have_value("7")
    assert "k = 7" in (studio.folder / "mine.toml").read_text()


def test_a_hierarchy_that_does_not_cover_the_column(editing: Studio, pages: Pages) -> None:
    pages.expected = ["422"]
    (editing.folder / "few.csv").write_text("Male;*\n")
    page = pages.open(editing, "/hierarchies/sex")
    page.get_by_role("button", name="+ grow or open").click()
    page.get_by_role("button", name="Open a file").click()
    page.get_by_role("button", name="few.csv").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Female")


def test_a_file_with_unknown_senses(editing: Studio, pages: Pages) -> None:
    pages.expected = ["422"]
    (editing.folder / "senses.toml").write_text('Sales = "hedgehog.n.99"\n')
    page = pages.open(editing, "/hierarchies/occupation")
    page.get_by_role("button", name="+ grow or open").click()
    page.get_by_label("Method").select_option("wordnet")
    page.get_by_role("dialog").get_by_label("senses").fill("senses.toml")
    page.get_by_role("button", name="Grow", exact=True).last.click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("hedgehog.n.99")


def test_the_same_tree_edited_in_two_tabs(editing: Studio, pages: Pages) -> None:
    pages.expected = ["409"]
    page = pages.open(editing, "/hierarchies/age/least-loss?node=1")
    settled(page)
    page.keyboard.press("l")
    expect(page.locator(".preview").get_by_text("Loss of the column")).to_be_visible()
    # Another tab is faster; the page notices, and drops what was about the old tree.
    editing.api("POST", "/api/hierarchies/age/least-loss/edits", {"version": editing.tree("age", "least-loss")["history"]["version"], "operation": {"op": "lock", "node": 2}})
    expect(page.locator(".history li:not(.mute)")).to_have_count(1)
    expect(page.locator(".preview")).to_have_count(0)


def allow_files_of(size: int, studio: Studio) -> None:
    """Lets the studio write no larger files, as on a disk that is nearly full."""
    resource.prlimit(studio.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_a_disk_that_is_full_at_export(studio: Studio, pages: Pages) -> None:
    pages.expected = ["422", "500"]
    studio.prepare(grow=False)
    before = sorted(path.name for path in studio.folder.iterdir())
    page = pages.open(studio, "/report")
    settled(page)
    page.keyboard.press("e")
    allow_files_of(1_000_000, studio)
    page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("File too large")
    # Nothing is left that looks like a release; when there is space, it can be written.
    assert sorted(path.name for path in studio.folder.iterdir()) == before
    allow_files_of(resource.RLIM_INFINITY, studio)
    page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_text("Written.")).to_be_visible()
