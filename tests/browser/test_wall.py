"""`/wall`: all boards of a node, each readable, on every screen; what is wrong with one is said in its place."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.frames import recorded_frames
from tests.screens import SCROLLS, SIDEWAYS
from tests.stage import BOARD, Moment, Stage

WALLS: Final = ((1920, 1080), (1280, 720), (1024, 768), (1080, 1920), (3840, 2160))
PHONES: Final = ((390, 844), (844, 390))
ONLINE: Final[dict[str, Any]] = {"state": "online", "model": "virtual", "can": {}, "stuck": [], "limits": []}
PLAYED: Final = (
    *(Moment("x01", 2, "dart", (("legs", 3), ("sets", 2))), Moment("cricket", 2, "dart"), Moment("x01", 4, "checkout")),
    *(Moment("cricket", 4, "dart"), Moment("x01", 2, "end"), Moment("killer", 5, "dart")),
    *(Moment("x01", 8, "dart"), Moment("dards", 3, "dart"), Moment("yatzy_dart", 2, "dart"), Moment("x01", 16, "dart")),
    *(Moment("shanghai", 3, "dart"), Moment("dart_wars", 3, "dart")),
)
OFFLINE, SILENT = "offline", "silent"
CUT: Final = """() => [...document.querySelectorAll(".tile")].flatMap(tile => {
  const room = tile.getBoundingClientRect();
  const parts = tile.querySelectorAll("h2, .name .text, .score, footer p, .tile-darts li, .tile-idle, .tile-visit");
  return [...parts].filter(part => part.getClientRects().length).flatMap(part => {
    const box = part.getBoundingClientRect();
    const around = part.parentElement;
    const faults = [];
    if (part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline") faults.push("cut");
    if (around.matches(".name") && around.scrollWidth > around.clientWidth + 1) faults.push("cut");
    if (box.left < room.left - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1) faults.push("outside");
    return faults.map(fault => `${fault}: ${tile.querySelector("h2").textContent} “${part.textContent}”`);
  });
})"""
SMALL: Final = """() => {
  const unit = Math.min(innerWidth, innerHeight) / 1080;
  const faults = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || node.closest(".spoken, .bot, svg")) continue;
    const size = parseFloat(getComputedStyle(node).fontSize) / unit;
    if (size < (node.closest(".name, h2, .score") ? 31.9 : 23.9)) faults.push(`${size} px: ${text.data}`);
  }
  return faults;
}"""


def put(on: Stage, board: str, leaf: str, payload: Any) -> None:
    on.publish(f"oche/test/board/{board}/{leaf}", payload)


def boards(on: Stage) -> None:
    """Twelve boards with matches, one that is idle, one that is offline and one with a fault."""
    for n, moment in enumerate(PLAYED):
        put(on, f"board-{n}", "status", ONLINE)
        put(on, f"board-{n}", "match", {**moment.state, "revision": 1, "match": f"m{n}"})
    put(on, OFFLINE, "status", {**ONLINE, "state": "offline", "reason": "missing"})
    put(on, SILENT, "status", {**ONLINE, "state": "faulty", "reason": "silent"})


@pytest.fixture(scope="module")
def wall(on_stage: Stage) -> Iterator[Page]:
    boards(on_stage)
    page = on_stage.page(WALLS[0], path="/wall")
    # With the stage's own board and the daemon's, which are idle.
    expect(page.locator(".tile")).to_have_count(16)
    page.evaluate("document.fonts.ready")
    yield page
    page.context.close()


def drawn(page: Page, what: str) -> Any:
    """What a function of the page returns once it is drawn at its new size: resizing is heard before a frame."""
    return page.evaluate(
        f"() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then({what})"
    )


@pytest.mark.parametrize("size", WALLS, ids=str)
def test_sixteen_boards_are_readable(wall: Page, size: tuple[int, int]) -> None:
    wall.set_viewport_size({"width": size[0], "height": size[1]})
    assert [*drawn(wall, CUT), *drawn(wall, SMALL)] == []
    assert drawn(wall, SCROLLS) is False


@pytest.mark.parametrize("size", PHONES, ids=str)
def test_a_phone_scrolls_but_not_sideways(wall: Page, size: tuple[int, int]) -> None:
    wall.set_viewport_size({"width": size[0], "height": size[1]})
    assert drawn(wall, CUT) == []
    assert drawn(wall, SIDEWAYS) is False


def tile(page: Page, board: str) -> Any:
    return page.locator(".tile").filter(has=page.get_by_role("heading", name=board, exact=True))


def test_each_board_says_what_happens_there(wall: Page) -> None:
    wall.set_viewport_size({"width": WALLS[0][0], "height": WALLS[0][1]})
    state = PLAYED[0].state
    first = tile(wall, "board-0")
    expect(first).to_contain_text("501")
    expect(first.locator(".name .text")).to_have_text([player["name"] for player in state["players"]])
    expect(first.locator(".score")).to_have_text([str(player["score"]) for player in state["players"]])
    expect(first.locator("[aria-current]")).to_contain_text(state["turn"]["player"])
    expect(first.locator(".tile-darts li:not(.open, .tile-total)")).to_have_text(state["turn"]["darts"])
    expect(tile(wall, BOARD)).to_contain_text("No match on this board")
    expect(tile(wall, OFFLINE)).to_contain_text("The board is not there. Plug it in")
    expect(tile(wall, SILENT)).to_contain_text("The board sends nothing")
    expect(wall.locator(".wall-head")).to_contain_text("of 16 playing")
    assert violations(wall) == []


def test_a_board_whose_match_cannot_be_read_says_so_and_one_that_fails_keeps_its_scores(
    on_stage: Stage, wall: Page
) -> None:
    put(on_stage, BOARD, "status", {**ONLINE, "reason": "match", "message": "it is kept"})
    put(on_stage, "board-1", "status", {**ONLINE, "state": "offline", "reason": "gone"})
    expect(tile(wall, BOARD)).to_contain_text("The match on this board cannot be read")
    broken = tile(wall, "board-1")
    expect(broken).to_contain_text("The board was disconnected")
    expect(broken.locator(".score").first).to_be_visible()
    put(on_stage, BOARD, "status", ONLINE)
    put(on_stage, "board-1", "status", ONLINE)
    expect(wall.locator(".tile.faulty")).to_have_count(2)


def test_a_match_on_two_boards_says_where_the_turn_is_and_which_house_is_away(on_stage: Stage, wall: Page) -> None:
    state = PLAYED[0].state
    turn, players = state["turn"]["player"], [{**player, "board": "bob/den"} for player in state["players"]]
    two = {**state, "revision": 2, "match": "m0", "players": players}
    put(on_stage, "board-0", "match", two)
    first = tile(wall, "board-0")
    expect(first.locator(".at-board")).to_have_text("Turn at bob/den")
    expect(first.locator("[aria-current]")).to_contain_text(turn)
    away = {**two, "revision": 3, "houses": [{"node": "bob", "state": "away", "host": False}]}
    put(on_stage, "board-0", "match", away)
    expect(first.locator(".tile-fault")).to_have_text("The house bob cannot be reached.")
    put(on_stage, "board-0", "match", {**state, "revision": 4, "match": "m0"})
    expect(first.locator(".at-board, .tile-fault")).to_have_count(0)


def test_a_wall_hears_the_states_of_all_boards_and_what_rules_show(
    on_stage: Stage, chromium: Browser, wall: Page
) -> None:
    page = chromium.new_page()
    heard = recorded_frames(page)
    page.goto(f"{on_stage.origin}/wall")
    expect(page.locator(".tile")).to_have_count(16)
    put(on_stage, BOARD, "event", {"id": "e1", "event": "dart"})
    put(on_stage, BOARD, "match", {**PLAYED[0].state, "revision": 9, "match": "last"})
    expect(page.locator(".tile.idle:not(.faulty)")).to_have_count(1)
    everything = b"".join(heard)
    for topic in (b"/event", b"/reply", b"/hit", b"/hand", b"/unconfirmed", b"/pairing"):
        assert topic not in everything
    put(on_stage, BOARD, "match", None)
    expect(page.locator(".tile.idle:not(.faulty)")).to_have_count(2)
    page.close()
