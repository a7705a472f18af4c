"""Edits of hierarchies: preview, apply, undo and redo of each, and corrected senses."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Pages, Studio, settled
from playwright.sync_api import Page, expect


def place(tree: dict[str, Any], fits: Any) -> int:
    """The first node that fits."""
    arrays = tree["arrays"]
    children: dict[int, int] = {}
    for parent in arrays["parent"]:
        children[parent] = children.get(parent, 0) + 1
    for node in arrays["node"]:
        if fits(node, arrays, children):
            return int(node)
    raise AssertionError("no node fits")


def is_inner(node: int, arrays: dict[str, Any], children: dict[int, int]) -> bool:
    """A node in the middle that has a next sibling."""
    parent = arrays["parent"][node]
    if parent < 0 or children.get(node, 0) < 2:
        return False
    return arrays["end"][node] < arrays["end"][parent] and arrays["end"][node] - arrays["start"][node] > 2


def is_split(node: int, arrays: dict[str, Any], children: dict[int, int]) -> bool:
    """A node of several values."""
    return arrays["parent"][node] >= 0 and arrays["end"][node] - arrays["start"][node] > 3


def open_node(pages: Pages, studio: Studio, column: str, fits: Any, named: str = "") -> tuple[Page, str]:
    """Opens the icicle or outline with a node selected."""
    candidates = studio.api("GET", f"/api/hierarchies/{column}")["candidates"]
    candidate = next(one["id"] for one in candidates if one["kind"] == "tree" and one["id"].startswith(named))
    node = place(studio.tree(column, candidate), fits)
    page = pages.open(studio, f"/hierarchies/{column}/{candidate}?node={node}")
    expect(page.locator(".ops")).to_be_visible()
    return page, candidate


def arrays_of(studio: Studio, column: str, candidate: str) -> Any:
    arrays = studio.tree(column, candidate)["arrays"]
    return {name: arrays[name] for name in ("parent", "start", "end", "label", "locked")}


def answer_dialog(page: Page, name: str) -> None:
    """Fills in what an operation asks for."""
    # Either comes after the click, not with it.
    expect(page.locator("dialog[open], .preview").first).to_be_visible()
    if name == "Rename":
        page.get_by_label("New name").fill("a new name")
    if name == "Merge with":
        page.locator("dialog input[type=checkbox]:not(:checked)").first.check()
    if name == "Split" and page.locator("dialog input[type=checkbox]").count():
        page.locator("dialog input[type=checkbox]").first.check()
        page.get_by_label("Name of the new node").fill("a part")
    if name == "Move below":
        page.get_by_role("list", name="Nodes").get_by_role("button").first.click()
        return
    if page.locator("dialog[open]").count():
        page.get_by_role("button", name="See what changes").click()


NUMBERS = ["Rename", "Merge next", "Split", "Cut right", "Cut left", "Insert above", "Remove node", "Prune below", "Lock", "Grow again"]
WORDS = ["Rename", "Merge with", "Split", "Move below", "Insert above", "Remove node", "Prune below", "Lock", "Grow again"]


def is_group(node: int, arrays: dict[str, Any], children: dict[int, int]) -> bool:
    """A node of words below the root with two children or more, and with siblings."""
    parent = arrays["parent"][node]
    return parent >= 0 and children.get(node, 0) > 1 and children[parent] > 1


def is_deep(node: int, arrays: dict[str, Any], _: dict[int, int]) -> bool:
    """A node that can be moved below the parent of its parent."""
    parent = arrays["parent"][node]
    return parent >= 0 and arrays["parent"][parent] >= 0


@pytest.mark.parametrize("name", NUMBERS)
def test_every_edit_of_numbers_can_be_undone_and_redone(editing: Studio, pages: Pages, name: str) -> None:
    # What `Grow again` proposes first makes another tree of these.
    page, candidate = open_node(pages, editing, "age", is_split if name == "Split" else is_inner, "least-loss")
    there_and_back(page, editing, "age", candidate, name)


@pytest.mark.parametrize("name", WORDS)
def test_every_edit_of_words_can_be_undone_and_redone(editing: Studio, pages: Pages, name: str) -> None:
    page, candidate = open_node(pages, editing, "occupation", is_deep if name == "Move below" else is_group, "wordnet")
    there_and_back(page, editing, "occupation", candidate, name)


def there_and_back(page: Page, studio: Studio, column: str, candidate: str, name: str) -> None:
    """Previews, applies, undoes and redoes one edit."""
    before = arrays_of(studio, column, candidate)
    page.locator(".ops").get_by_role("button", name=name).click()
    answer_dialog(page, name)
    preview = page.locator(".preview")
    expect(preview.get_by_text("Loss of the column")).to_be_visible()
    assert arrays_of(studio, column, candidate) == before, "a preview changes nothing"
    preview.get_by_role("button", name="Apply").click()
    expect(page.locator(".history li:not(.mute)")).to_have_count(1)
    after = arrays_of(studio, column, candidate)
    assert after != before
    page.keyboard.press("Control+z")
    expect(page.locator(".history s")).to_have_count(1)
    assert arrays_of(studio, column, candidate) == before
    page.keyboard.press("Control+y")
    expect(page.locator(".history s")).to_have_count(0)
    assert arrays_of(studio, column, candidate) == after


def test_a_locked_node_is_unlocked(editing: Studio, pages: Pages) -> None:
    page, candidate = open_node(pages, editing, "age", is_inner)
    for name, n_locked in (("Lock", 1), ("Unlock", 0)):
        page.locator(".ops").get_by_role("button", name=name, exact=False).click()
        page.locator(".preview").get_by_role("button", name="Apply").click()
        expect(page.locator(".preview")).to_have_count(0)
        expect(page.locator(".history li:not(.mute)")).to_have_count(2 - n_locked)
        assert len(editing.tree("age", candidate)["arrays"]["locked"]) == n_locked


def test_a_cut_is_dragged(editing: Studio, pages: Pages) -> None:
    page, _ = open_node(pages, editing, "age", is_inner)
    box = page.locator(".icicle .on rect").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"], box["y"] + 6)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 6, steps=4)
    page.mouse.up()
    expect(page.locator(".preview").get_by_text("Loss of the column")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".preview")).to_have_count(0)


def test_a_refused_edit_says_why(editing: Studio, pages: Pages) -> None:
    pages.expected = ["422"]
    page, candidate = open_node(pages, editing, "age", is_inner)
    before = arrays_of(editing, "age", candidate)
    page.keyboard.press("r")
    page.get_by_label("New name").fill("")
    page.get_by_role("button", name="See what changes").click()
    expect(page.locator(".preview [role=alert]")).to_be_visible()
    expect(page.locator(".preview").get_by_role("button", name="Apply")).to_be_disabled()
    assert arrays_of(editing, "age", candidate) == before


def test_a_sense_is_corrected(fresh: Studio, pages: Pages) -> None:
    fresh.api("POST", "/api/hierarchies/occupation", {"action": "candidates", "most": 12})
    page = pages.open(fresh, "/hierarchies/occupation?view=outline")
    page.get_by_label("Value").select_option("Machine-op-inspct")
    page.get_by_label("Look up another word for Machine-op-inspct").fill("machinist")
    page.get_by_role("button", name="Look up").click()
    page.get_by_role("radio", name="a craftsman skilled in operating machine tools").check()
    expect(page.get_by_text("Place of")).to_be_visible()
    page.get_by_role("button", name="Apply to all candidates").click()
    expect(page.get_by_text("were grown and ranked again")).to_be_visible()
    values = {one["value"]: one for one in fresh.api("GET", "/api/senses/occupation")["values"]}
    assert values["Machine-op-inspct"]["chosen"] == ["machinist.n.01"]
    assert values["Machine-op-inspct"]["given"]


def test_weights_rank_again(editing: Studio, pages: Pages) -> None:
    page = pages.open(editing, "/hierarchies/age")
    page.get_by_role("button", name="Rank candidates by four aspects").click()
    expect(page.locator(".ranked li").first).to_be_visible()
    before = page.locator(".ranked").inner_text()
    page.get_by_role("button", name="Weights").click()
    page.get_by_label("Weight of privacy").fill("0")
    page.wait_for_function("(before) => document.querySelector('.ranked').innerText !== before", arg=before)


def test_grow_with_parameters_and_save(fresh: Studio, pages: Pages) -> None:
    page = pages.open(fresh, "/hierarchies/age")
    page.get_by_role("button", name="+ grow or open").click()
    page.get_by_label("Method").select_option("equal-frequency")
    page.locator("dialog input[type=number]").first.fill("4")
    page.get_by_role("button", name="Grow", exact=True).last.click()
    page.wait_for_url("**/hierarchies/age/equal-frequency*")
    settled(page)
    page.get_by_role("button", name="Save as").click()
    page.get_by_label("File below the start folder").fill("age.csv")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Written: age.csv")).to_be_visible()
    assert (fresh.folder / "age.csv").read_text().count("\n") == 74
