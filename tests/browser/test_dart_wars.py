"""What is particular to Dart Wars on the pages: borders, combats against several, masters, fallen homelands.

The matches are played by the bus up to the moment that matters, then by the pages.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, TELEVISION
from tests.browser.steps import note_shouts, was_shouted
from tests.pictures import Shot, Studio, studio

NAMES = ("Ann", "Bob", "Cid", "Dan")
LISTED = {"order": "listed", "supply": 9}

Open = Callable[[str, tuple[int, int]], Page]


@pytest.fixture(scope="module")
def war(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio(chromium, tmp_path_factory.mktemp("war")) as running:
        yield running


@pytest.fixture
def opened(chromium: Browser, war: Studio) -> Iterator[Open]:
    pages: list[Page] = []

    def open_one(path: str, size: tuple[int, int]) -> Page:
        page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
        pages.append(page)
        page.goto(f"{war.origin}{path}")
        expect(page.locator("main[data-revision]:not(.stale)")).to_be_visible()
        return page

    yield open_one
    for page in pages:
        page.close()


def shot(players: int, wanted: Callable[[dict[str, Any]], bool]) -> Shot:
    """Of the first match of bots in which it comes to that."""
    for seed in range(1, 200):
        found = Shot("dart_wars", wanted, LISTED, NAMES[:players], seed, 8.0)
        with contextlib.suppress(StopIteration):
            found.scene  # noqa: B018  # it is there
            return found
    raise AssertionError("it comes to that in no match")


def test_a_homeland_on_a_border_is_chosen(war: Studio, opened: Open) -> None:
    war.play(shot(2, lambda state: state["turn"]["phase"] == "homelands"))
    phone, television = opened("/board/lounge/control", PHONE), opened("/board/lounge", TELEVISION)
    assert war.referee.ask({"throw": {"zone": ["alaska", "yukon"]}})["ok"]
    expect(television.locator(".awaits")).to_have_text("Ann: which side of the border?")
    expect(phone.locator(".order-list button")).to_have_text(["Alaska", "Yukon"])
    phone.get_by_role("button", name="Yukon", exact=True).click()
    expect(television.locator(".army .realm").first).to_have_text("Yukon")
    expect(television.locator(".token.army-0 text")).to_have_text("3")
    expect(television.locator(".flag.army-0")).to_have_count(1)


def test_a_dart_thrown_on_the_map_is_in_the_zone_under_the_finger(war: Studio, opened: Open) -> None:
    war.play(shot(2, lambda state: state["turn"]["phase"] == "homelands"))
    phone = opened("/board/lounge/control", PHONE)
    board = phone.locator(".touch").bounding_box()
    assert board is not None
    # Russia: the single 2, which is at 144 degrees.
    at = board["x"] + board["width"] * (0.5 + 0.19), board["y"] + board["height"] * (0.5 + 0.26)
    phone.mouse.move(*at)
    phone.mouse.down()
    expect(phone.locator(".aim")).to_have_text("Russia")
    phone.mouse.up()
    expect(phone.locator(".awaits")).to_have_text("Bob: throw for a homeland")


def test_a_combat_is_announced_against_one_of_several(war: Studio, opened: Open) -> None:
    def several(state: dict[str, Any]) -> bool:
        against = [c["combat"].get("against") for c in state["turn"]["choices"] if "combat" in c]
        return len(set(against) - {None}) > 1

    war.play(shot(3, several))
    phone, television = opened("/board/lounge/control", PHONE), opened("/board/lounge", TELEVISION)
    expect(phone.get_by_role("group", name="Which combat is next?")).to_be_visible()
    offered = phone.locator(".order-list button")
    words = offered.first.inner_text()
    zone, name = words.split(", against ")
    offered.first.click()
    expect(television.locator(".news.fight h2")).to_have_text(f"Combat: {zone}")
    expect(television.locator(".news.fight .text").last).to_have_text(name)
    first = phone.get_by_role("group", name="Who throws first?")
    first.get_by_role("button", name=name).click()
    expect(television.locator(".awaits")).to_have_text(f"{name}: dart at the bull")
    assert war.referee.ask({"throw": "DB"})["ok"]
    expect(television.locator(".news.fight b").last).to_have_text("Bull")
    expect(television.locator(".dart")).to_have_count(1)


def test_a_master_says_who_defends(war: Studio, opened: Open) -> None:
    master = war.play(shot(4, lambda state: state["turn"]["phase"] == "defend"))
    phone = opened("/board/lounge/control", PHONE)
    expect(phone.locator(".awaits")).to_have_text(f"{master} names the defender")
    offered = phone.get_by_role("group", name="Who defends?").get_by_role("button")
    name = offered.last.inner_text()
    assert name in NAMES
    offered.last.click()
    television = opened("/board/lounge", TELEVISION)
    expect(television.locator(".news.fight .text").last).to_have_text(name)


def test_a_fallen_homeland_is_shouted_and_its_owner_shown_as_a_vassal(war: Studio, opened: Open) -> None:
    fell = shot(3, lambda state: any("master" in player for player in state["players"]))
    war.play(fell)
    television = opened("/board/lounge", TELEVISION)
    expect(television.locator(".army.vassal .realm")).to_contain_text("vassal of")
    assert war.referee.ask({"undo": True})["ok"]
    expect(television.locator(".army.vassal")).to_have_count(0)
    note_shouts(television)
    assert war.referee.ask(fell.scene.past[-1])["ok"]
    was_shouted(television, "conquest", "has fallen")
    expect(television.locator(".army.vassal")).to_have_count(1)


def touch(phone: Page, place: str, board_at: str = ".touch:visible") -> None:
    """A finger on the map, in the middle of a place's first bed."""
    x, y = phone.evaluate(
        "async place => { const g = await (await fetch('/geometry.json')).json();"
        " return g.beds[g.faces.dart_wars.places[place].beds[0]].at }",
        place,
    )
    # One board to touch at a time.
    board = phone.locator(board_at).bounding_box()
    assert board is not None
    phone.mouse.move(board["x"] + board["width"] * (0.5 + x / 2.5), board["y"] + board["height"] * (0.5 - y / 2.5))
    phone.mouse.down()
    phone.mouse.up()


def test_a_dart_on_a_border_is_one_touch_on_either_side(war: Studio, opened: Open) -> None:
    war.play(shot(2, lambda state: state["turn"]["phase"] == "homelands"))
    phone, television = opened("/board/lounge/control", PHONE), opened("/board/lounge", TELEVISION)
    phone.get_by_role("button", name="On a border").click()
    expect(phone.get_by_text("Touch one side of the border.")).to_be_visible()
    touch(phone, "alaska")
    expect(phone.get_by_text("Alaska and? Touch the other side.")).to_be_visible()
    # Places that do not meet are no border: that is said, and nothing is thrown.
    touch(phone, "russia")
    expect(phone.get_by_role("alert")).to_contain_text("have no common border")
    touch(phone, "alaska")
    touch(phone, "yukon")
    expect(television.locator(".awaits")).to_have_text("Ann: which side of the border?")
    expect(phone.locator(".order-list button")).to_have_text(["Alaska", "Yukon"])


def test_a_dart_is_corrected_to_one_on_a_border(war: Studio, opened: Open) -> None:
    war.play(shot(2, lambda state: state["turn"]["phase"] == "throws" and len(state["turn"]["darts"]) == 1))
    phone, television = opened("/board/lounge/control", PHONE), opened("/board/lounge", TELEVISION)
    dart = phone.locator("button.chip")
    for places, words in ((("alaska", "yukon"), "Alaska / Yukon"), (("yukon", "athabasca"), "Yukon / Athabasca")):
        dart.click()
        sheet = phone.get_by_role("dialog")
        sheet.get_by_role("button", name="On a border").click()
        expect(sheet.get_by_text("Touch one side of the border.")).to_be_visible()
        # The same side twice is a change of mind.
        for place in (places[1], places[1], *places):
            touch(phone, place, ".sheet .touch")
        expect(sheet).to_have_count(0)
        expect(dart).to_have_text([words])
        expect(television.locator(".slot:not(.open)")).to_have_text([words])
    dart.click()
    phone.get_by_role("dialog").get_by_role("button", name="Foul").click()
    expect(television.locator(".slot:not(.open)")).to_have_text(["Foul"])


def test_a_foul_uses_a_dart_and_counts_nothing(war: Studio, opened: Open) -> None:
    war.play(shot(2, lambda state: state["turn"]["phase"] == "throws" and not state["turn"]["darts"]))
    phone, television = opened("/board/lounge/control", PHONE), opened("/board/lounge", TELEVISION)
    phone.get_by_role("button", name="Foul").click()
    expect(phone.locator("button.chip")).to_contain_text(["Foul"])
    expect(television.locator(".slot:not(.open)")).to_contain_text(["Foul"])
