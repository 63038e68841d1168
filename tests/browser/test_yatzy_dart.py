"""Yatzy-Dart on the pages: the figure is touched, darts are moved, a category is chosen."""

import pytest
from playwright.sync_api import Locator, Page, expect

from daemon.system.catalogue import faces
from daemon.web import geometry_api
from tests.browser.conftest import PageDaemon
from tests.browser.steps import press, start
from tests.stage import Moment, Stage

EDGE = 1.25
ZONES = geometry_api.faces(faces())["yatzy"]["zones"]


def point(board: Locator, at: tuple[float, float]) -> tuple[float, float]:
    """Where a point of the figure, in radii with y up, is on the screen."""
    box = board.bounding_box()
    assert box is not None
    half = box["width"] / 2
    return box["x"] + half + at[0] / EDGE * half, box["y"] + half - at[1] / EDGE * half


@pytest.fixture
def ready(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "Yatzy-Dart", ["Ann", "Bob"])
    expect(television.locator("main[data-revision]:not(.stale)")).to_be_visible()


@pytest.mark.usefixtures("ready")
def test_a_finger_on_the_figure_is_in_the_zone_that_the_engine_has_there(phone: Page) -> None:
    board = phone.locator(".touch")
    phone.mouse.move(*point(board, (0.0, 0.0)))
    phone.mouse.down()
    for zone, about in ZONES.items():
        phone.mouse.move(*point(board, about["at"]))
        numbers, _, _ring = zone.partition(".")
        label = "Star" if zone == "star" else f"{numbers} ×{about['times']}"
        expect(phone.locator(".aim")).to_have_text(label)
    phone.mouse.move(*point(board, (0.0, 1.1)))
    phone.mouse.up()
    expect(phone.locator("button.chip")).to_have_text(["Out"])


@pytest.mark.usefixtures("ready")
def test_a_dart_that_slid_is_put_where_it_lies_and_the_best_category_taken(
    page_daemon: PageDaemon, phone: Page, television: Page
) -> None:
    page_daemon.throw("20;1", "11;3", "12;2")
    expect(television.locator(".slot")).to_have_text(["1×1", "5+6×3", "1+6×2"])
    expect(television.locator(".dart")).to_have_count(3)
    phone.get_by_role("button", name="Dart 1: 1 ×1. Correct it").click()
    board = phone.get_by_role("dialog").locator(".touch")
    board.scroll_into_view_if_needed()
    phone.mouse.click(*point(board, (0.0, 0.0)))
    expect(television.locator(".slot")).to_have_text(["Star", "5+6×3", "1+6×2"])
    expect(phone.locator(".categories").get_by_role("button", name="Yatzy 50")).to_be_visible()
    expect(phone.get_by_role("button", name="Next", exact=True)).to_be_disabled()
    offered = phone.locator(".categories").get_by_role("button", name="Sixes 30")
    assert television.locator(".offered", has_text="Sixes").inner_text().split() == ["Sixes", "30"]
    offered.click()
    expect(television.locator(".totals .score")).to_have_text(["30", "0"])
    expect(television.locator(".awaits")).to_have_text("Bob: dart 1")
    press(phone, "Undo")
    expect(television.locator(".totals .score")).to_have_text(["0", "0"])


COVERED = """() => [...document.querySelectorAll(".figure .values text")].filter(number => {
  const box = number.getBoundingClientRect();
  return [...document.querySelectorAll(".figure .barrel")].some(dart => {
    const its = dart.getBoundingClientRect();
    return its.right > box.left && its.left < box.right && its.bottom > box.top && its.top < box.bottom;
  });
}).map(number => number.textContent)"""
"""The numbers of the figure on which a drawn dart stands."""


def test_a_drawn_dart_does_not_stand_on_the_number_of_its_circle(on_stage: Stage) -> None:
    page = on_stage.page((1920, 1080))
    state = Moment("yatzy_dart", 2, "later").state
    for number in range(1, 7):
        turn = {**state["turn"], "darts": ["S20"] * 3, "zones": [f"{number}.outer"] * 3}
        on_stage.show(page, {**state, "turn": turn})
        assert page.evaluate(COVERED) == []
    page.context.close()
