"""Every screen in both themes, on a phone, on paper, by keyboard alone, and for screen readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from conftest import SHOTS, Pages, Studio, settled, shot
from playwright.sync_api import Page, expect

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
SCREENS = {
    "table": "/table",
    "icicle": "/hierarchies/age?node=3",
    "outline": "/hierarchies/occupation?view=outline",
    "levels": "/hierarchies/hours-per-week?view=levels",
    "release": "/release",
    "records": "/release?view=records",
    "classes": "/release?view=classes",
    "risk": "/release?view=risk",
    "compare": "/compare",
    "sweep": "/compare?sweep=new",
    "report": "/report",
    "export": "/report?export=new",
}
# Rules of axe-core that both themes have in common are checked in the light one.
RULES = {"light": None, "dark": ["color-contrast"]}
# A large window needs no other checks of its own.
WIDE = ("table", "icicle", "compare")
LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True},
    "small": {"viewport": {"width": 1280, "height": 800}},
    "wide": {"viewport": {"width": 3840, "height": 2160}},
}


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe-core objects to, by all of its rules or by some."""
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    found = page.evaluate("async (options) => {" + AXE + "; return axe.run(document, options); }", options)
    return [f"{one['id']}: {one['help']} {[node['target'] for node in one['nodes'][:3]]}" for one in found["violations"]]


CASES = [(screen, look) for screen in SCREENS for look in LOOKS if look not in ("wide", "small") or screen in WIDE]
# What is cut at the right without a way to scroll there.
CUT = """() => [...document.querySelectorAll('main td, main th, main .card > header > *')]
  .filter((one) => one.getClientRects().length && !one.closest('.scroll[tabindex], .visually') && one.getBoundingClientRect().right > one.closest('.card').getBoundingClientRect().right + 1)
  .map((one) => one.innerText.slice(0, 40))"""


@pytest.mark.parametrize(("screen", "look"), CASES)
def test_screen(ready: Studio, pages: Pages, screen: str, look: str) -> None:
    page = pages.open(ready, SCREENS[screen], **LOOKS[look])
    settled(page)
    shot(page, f"{screen}-{look}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window"
    assert page.evaluate(CUT) == []
    if look in RULES:
        assert not violations(page, RULES[look])


def test_start_without_a_table(studio: Studio, pages: Pages) -> None:
    for look in ("light", "dark"):
        page = pages.open(studio, "/", **LOOKS[look])
        page.get_by_role("button", name="adult.csv").wait_for()
        shot(page, f"open-{look}")
        assert not violations(page, RULES[look])


def test_empty_screens_say_what_to_do(studio: Studio, pages: Pages) -> None:
    studio.api("POST", "/api/table", {"path": "adult.csv"})
    for screen, sentence in {"hierarchies": "No quasi-identifiers yet", "release": "No release yet", "compare": "Nothing to compare yet", "report": "No release to report on"}.items():
        page = pages.open(studio, f"/{screen}")
        expect(page.get_by_role("heading", name=sentence)).to_be_visible()
        expect(page.locator(".empty").get_by_role("link")).to_be_visible()
        shot(page, f"empty-{screen}")
        assert not violations(page)


def test_without_the_token_nothing_is_shown(studio: Studio, pages: Pages) -> None:
    pages.expected = ["401"]
    page = pages.open(studio, "/table")
    page.evaluate("localStorage.clear()")
    page.goto(studio.base + "/table")
    expect(page.get_by_role("heading", name="This page needs the address with its key")).to_be_visible()


def test_the_token_leaves_the_address(ready: Studio, pages: Pages) -> None:
    page = pages.open(ready, "/table")
    assert "token" not in page.url
    assert ready.token not in page.evaluate("document.cookie + document.title")


def test_print_shows_the_report_alone(ready: Studio, pages: Pages) -> None:
    page = pages.open(ready, "/report")
    settled(page)
    page.emulate_media(media="print")
    expect(page.locator("header.top")).to_be_hidden()
    expect(page.locator(".status")).to_be_hidden()
    expect(page.locator(".paper")).to_be_visible()
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.pdf(path=SHOTS / "report.pdf", format="A4")
    shot(page, "report-print")


def test_theme_switch_is_kept(ready: Studio, pages: Pages) -> None:
    page = pages.open(ready, "/table")
    settled(page)
    page.keyboard.press("t")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    page.wait_for_selector("main")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    page.keyboard.press("t")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_keys_are_listed(ready: Studio, pages: Pages) -> None:
    page = pages.open(ready, "/hierarchies/age?node=3")
    settled(page)
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    expect(page.locator(".keys")).to_contain_text("Zoom to the node")
    shot(page, "keys")
    assert not violations(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_palette_finds_columns_values_and_commands(ready: Studio, pages: Pages) -> None:
    page = pages.open(ready, "/table")
    settled(page)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search columns")).to_be_focused()
    page.keyboard.type("Craft")
    expect(page.get_by_role("option", name="Craft-repair").first).to_be_visible()
    shot(page, "palette")
    assert not violations(page)
    page.keyboard.press("Control+a")
    page.keyboard.type("comparison")
    expect(page.get_by_role("option", name="Go to the comparison").first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare")


def test_palette_finds_nodes_and_keys(ready: Studio, pages: Pages) -> None:
    page = pages.open(ready, "/table")
    settled(page)
    page.keyboard.press("Control+k")
    page.keyboard.type("filter col")
    expect(page.get_by_role("option", name="Filter columns")).to_contain_text("key · /")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Filter columns")).to_be_focused()
    page.locator("#main").focus()
    # An inner node of the tree that releases use.
    tree = ready.tree("age", "least-loss")["arrays"]
    widest = max(range(1, len(tree["node"])), key=lambda place: tree["end"][place] - tree["start"][place])
    page.keyboard.press("Control+k")
    page.keyboard.type(tree["label"][widest])
    page.get_by_role("option").filter(has_text="node · age").first.click()
    page.wait_for_url(f"**/hierarchies/age/least-loss?node={tree['node'][widest]}*")


def test_unknown_words_are_explained_by_their_method(studio: Studio, pages: Pages) -> None:
    studio.prepare(grow=False, run=False)
    studio.api("PATCH", "/api/job", {"privacy": [{"name": "tau-lambda", "parameters": {"tau": 5, "lambda": 2}}]})
    page = pages.open(studio, "/table")
    page.get_by_role("button", name="tau-lambda").first.hover()
    expect(page.get_by_role("tooltip")).not_to_be_empty()


def test_by_keyboard_alone(studio: Studio, pages: Pages) -> None:
    page = pages.open(studio, "/")
    page.get_by_role("button", name="adult.csv").wait_for()
    page.get_by_role("button", name="adult.csv").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Who may know what?")).to_be_visible()
    expect(page.get_by_role("button", name="Take")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Take")).to_have_count(0)
    # Arrows choose inside a switch of roles.
    page.get_by_role("radiogroup", name="Role of age", exact=True).get_by_role("radio", checked=True).focus()
    before = page.evaluate("document.activeElement.value")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") != before
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radiogroup", name="Role of age", exact=True).get_by_role("radio", name=before.capitalize())).to_be_checked()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("g")
    page.wait_for_url("**/hierarchies/**")
    settled(page)
    # Arrows walk in the icicle, and the address follows.
    expect(page.locator("svg.icicle")).to_be_visible()
    page.locator("#main").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**node=1*")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => !location.search.includes('node=')")
    page.keyboard.press("o")
    page.get_by_role("tree").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**node=1*")
    for key, address in {"3": "release", "4": "compare", "5": "report", "1": "table"}.items():
        page.keyboard.press(key)
        page.wait_for_url(f"**/{address}*")


def test_everything_that_can_be_clicked_can_be_reached_by_tab(ready: Studio, pages: Pages) -> None:
    page = pages.open(ready, "/release")
    settled(page)
    script = "[...document.querySelectorAll('button, a[href], input, select')].filter((one) => one.offsetParent && !one.disabled && one.tabIndex < 0).length"
    assert page.evaluate(script) == 0


def test_words_are_explained(ready: Studio, pages: Pages) -> None:
    page = pages.open(ready, "/table")
    settled(page)
    page.get_by_role("button", name="one of at least", exact=True).hover()
    expect(page.get_by_role("tooltip")).to_be_visible()
    page.mouse.move(2, 2)
    expect(page.get_by_role("tooltip")).to_have_count(0)


def test_markup_in_values_stays_text(studio: Studio, pages: Pages) -> None:
    evil = "<img src=x onerror=alert(1)>"
    rows = "".join(f"{20 + n % 9},{evil if n % 3 else 'plain'},{n % 2}\n" for n in range(90))
    (studio.folder / "evil.csv").write_text("age,word,secret\n" + rows)
    studio.api("POST", "/api/table", {"path": "evil.csv"})
    studio.api("PATCH", "/api/job", {"roles": {"age": "quasi", "word": "quasi", "secret": "keep"}, "k": 2, "method": {"name": "mondrian"}})
    studio.api("POST", "/api/hierarchies")
    studio.api("POST", "/api/runs", {"kind": "single"})
    studio.wait_for_runs()
    page = pages.open(studio, "/table")
    settled(page)
    expect(page.get_by_role("cell", name=evil, exact=True).first).to_be_visible()
    for address in ("/hierarchies/word", "/release", "/release?view=records", "/release?view=classes", "/compare", "/report"):
        page.goto(studio.base + address)
        settled(page)
        assert page.locator("main img").count() == 0
