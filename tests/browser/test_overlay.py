"""`/overlay/<board>`: transparent, with the parts that its address names, and what is wrong with that address."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.frames import recorded_frames
from tests.stage import BOARD, Moment, Stage

X01 = Moment("x01", 2, "checkout", (("legs", 3),))
GAMES = (X01, Moment("cricket", 4, "dart"), Moment("killer", 5, "dart"), Moment("dart_wars", 3, "dart"))
SIZES = ((1920, 1080), (800, 200), (300, 300))
TRANSPARENT = """() => [document.documentElement, document.body, document.querySelector("main")].every(
  node => getComputedStyle(node).backgroundColor === "rgba(0, 0, 0, 0)")"""
INSIDE = """() => {
  const { left, right, top, bottom } = document.querySelector(".overlay-box").getBoundingClientRect();
  const { scrollWidth, scrollHeight } = document.documentElement;
  return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1 &&
    scrollWidth <= innerWidth && scrollHeight <= innerHeight;
}"""


@pytest.fixture
def overlay(on_stage: Stage) -> Iterator[Page]:
    page = on_stage.page(SIZES[0], path=f"/overlay/{BOARD}")
    yield page
    page.context.close()


def show(on: Stage, page: Page, moment: Moment) -> None:
    on.put("match", {**moment.state, "revision": 1, "match": f"{moment.game}-{moment.moment}"})
    expect(page.locator(".overlay tbody tr")).to_have_count(moment.players)


@pytest.mark.parametrize("moment", GAMES, ids=lambda moment: moment.game)
def test_every_game_has_an_overlay(on_stage: Stage, overlay: Page, moment: Moment) -> None:
    show(on_stage, overlay, moment)
    players = moment.state["players"]
    expect(overlay.locator(".overlay-name .text")).to_have_text([player["name"] for player in players])
    expect(overlay.locator(".overlay-score")).to_have_text([str(player["score"]) for player in players])
    assert overlay.evaluate(TRANSPARENT)
    for width, height in SIZES:
        overlay.set_viewport_size({"width": width, "height": height})
        overlay.wait_for_function(INSIDE)
    assert violations(overlay) == []


def test_x01_has_its_legs_visits_averages_and_the_checkout(on_stage: Stage, overlay: Page) -> None:
    show(on_stage, overlay, X01)
    expect(overlay.locator(".overlay thead th")).to_have_text(["Player", "Legs", "Last visit", "Average", "Score"])
    expect(overlay.locator(".overlay-title")).to_contain_text("501 · double out · best of 5")
    for row, player in zip(overlay.locator(".overlay tbody tr").all(), X01.state["players"], strict=True):
        expect(row.locator("td").nth(1)).to_have_text(str(player["visits"][-1]))
        expect(row.locator("td").nth(2)).to_have_text(f"{player['average']:.1f}")
    expect(overlay.locator(".overlay-route b")).to_have_text("  ".join(X01.state["turn"]["checkout"]))
    expect(overlay.locator("tr[aria-current]")).to_contain_text(X01.state["turn"]["player"])


def test_a_match_on_two_boards_says_where_the_turn_is(on_stage: Stage, overlay: Page) -> None:
    players = [{**player, "board": "kitchen"} for player in X01.state["players"]]
    on_stage.put("match", {**X01.state, "revision": 1, "match": "two-boards", "players": players})
    expect(overlay.locator(".overlay-title .at-board")).to_have_text("Turn at kitchen")
    for width, height in SIZES:
        overlay.set_viewport_size({"width": width, "height": height})
        overlay.wait_for_function(INSIDE)


def test_cricket_has_its_marks(on_stage: Stage, overlay: Page) -> None:
    show(on_stage, overlay, GAMES[1])
    state = GAMES[1].state
    first = overlay.locator(".overlay tbody tr").first
    for column, target in enumerate(state["numbers"]):
        marks = min(state["players"][0]["marks"].get(str(target), 0), 3)
        expect(first.locator("td").nth(column).locator("svg")).to_have_class(f"marks marks-{marks}")


def test_the_address_chooses_parts_size_and_place(on_stage: Stage) -> None:
    on_stage.put("match", {**X01.state, "revision": 1, "match": "m"})
    page = on_stage.page(SIZES[0], "de", f"/overlay/{BOARD}?parts=visit&size=80&place=top-right&back=none")
    row = page.locator(".overlay tbody tr").first
    expect(row.locator("td")).to_have_count(2)
    expect(page.locator(".overlay-title, .overlay-foot")).to_have_count(0)
    box = page.locator(".overlay-box").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] > SIZES[0][0] - 60
    assert box["y"] < 60
    assert row.locator(".overlay-name").evaluate("node => getComputedStyle(node).fontSize") == "80px"
    page.context.close()


def test_a_wrong_address_says_everything_that_is_wrong(on_stage: Stage) -> None:
    page = on_stage.page(SIZES[0], "en", f"/overlay/{BOARD}?part=visit&parts=name,visit&size=9&place=left")
    said = page.get_by_role("alert")
    for mistake in ("“part” is not a setting", "“name” is not possible", "size: “9”", "place: “left”", "top-left"):
        expect(said).to_contain_text(mistake)
    expect(page.locator(".overlay-box")).to_have_count(0)
    page.context.close()
    page = on_stage.page(SIZES[0], "fr", "/overlay/nowhere")
    expect(page.get_by_role("alert")).to_contain_text("nowhere")
    page.context.close()


def test_without_a_match_nothing_is_shown(on_stage: Stage, overlay: Page) -> None:
    show(on_stage, overlay, X01)
    on_stage.put("match", None)
    expect(overlay.locator(".overlay-box")).to_have_count(0)
    expect(overlay.get_by_role("alert")).to_have_count(0)
    assert overlay.locator("body").inner_text().strip() in ("", BOARD)


def test_an_overlay_hears_the_states_of_its_own_board_alone(on_stage: Stage, chromium: Browser) -> None:
    page = chromium.new_page()
    heard = recorded_frames(page)
    page.goto(f"{on_stage.origin}/overlay/{BOARD}")
    show(on_stage, page, X01)
    everything = b"".join(heard)
    assert f"board/{BOARD}/match".encode() in everything
    for topic in (b"board/lounge/", b"/event", b"/show", b"/reply", b"/unconfirmed", b"/pairing"):
        assert topic not in everything
    page.close()
