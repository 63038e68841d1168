"""Whether the pages can be read: from three metres, at once, without anything moving, in every light."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.commanded import NEXT, play, two_darts
from tests.browser.conftest import PHONE, TELEVISION, OpenPage, PageDaemon
from tests.browser.steps import press, sees_darts, sees_scores, start
from tests.mqtt_clients import Referee

DIGITS = 0.68
"""Height of the typeface's digits in parts of its size; measured: 0.687."""
SMALLEST = 0.05
"""No score is smaller than this part of the screen's height."""
PAGE_BYTES = 305_000

SCORES = (
    ".score, .slot:not(.long), .total, .worth, .dice .sum span, .dice .sum b, .die b:not(.word), .dards p b,"
    " .sheet-half td, .news.fight b"
)
TROOPS = ".token text"
"""Numbers of troops stand beside the names of their places: 24 px of 1080 lines. Each army's sum is a score."""
TROOPS_SMALLEST = 24 / 1080
FIGURES = ".figure b, .behind b"
"""Texts next to a score that shrink with many players: the height of their letters, as a part of the row's."""
SIZES = [TELEVISION, (1280, 800), (1280, 720), (3840, 2160)]

HEIGHTS = """nodes => nodes.map(node => {
  const box = node.getBoundingClientRect();
  if (box.width === 0) return null;
  const size = (node.ownerSVGElement?.getScreenCTM().a ?? 1) * parseFloat(getComputedStyle(node).fontSize);
  // A line is higher than what is written on it, and that alone must not be cut.
  const air = Math.max(0, (box.height - 0.8 * size) / 2);
  const room = node.closest(".player")?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  const high = box.top + air >= room.top && box.bottom - air <= room.bottom;
  const inside = high && box.left >= room.left && box.right <= room.right;
  const whole = node.ownerSVGElement || node.scrollWidth <= node.clientWidth + 1;
  const name = node.getAttribute("class") || node.tagName;
  return [name, size, inside, whole];
}).filter(found => found)"""
"""Of each node that is shown: what it is, its letters' size in pixels, whether it is within its player's row or else
the screen, and whether no letter is left out at its end."""

SCROLLS = """() => { const page = document.scrollingElement;
  return page.scrollHeight > innerHeight || page.scrollWidth > innerWidth; }"""
"""A page on a wall has nobody who scrolls, and a bar for it would take room away."""


@pytest.fixture
def page_daemon(shared_daemon: PageDaemon) -> PageDaemon:
    return shared_daemon


@pytest.fixture
def referee(lasting_daemon: tuple[PageDaemon, Referee]) -> Referee:
    return lasting_daemon[1]


def people(number: int) -> list[str]:
    return [f"Player {i}" for i in range(1, number + 1)]


GAMES: dict[str, dict[str, Any]] = {
    "x01": {},
    "cricket": {},
    "cerberus": {"manual_chance": True},
    "dards": {"order": "listed", "mode": "rapid"},
    "yatzy_dart": {},
    "dart_wars": {"order": "listed"},
}
"""Options with which darts score from the first one."""


@pytest.mark.parametrize(
    ("game", "number"),
    [
        *((game, number) for game in ("x01", "cricket", "cerberus") for number in (1, 4, 8, 16)),
        *((game, number) for game in ("dards", "yatzy_dart") for number in (1, 4, 8)),
        *(("dart_wars", number) for number in (2, 5)),
    ],
)
def test_no_score_is_too_small_for_three_metres(referee: Referee, television: Page, game: str, number: int) -> None:
    play(referee, television, game, people(number), GAMES[game], two_darts(game, number))
    expect(television.locator(".slot:not(.open)")).to_have_count(2)
    for width, height in SIZES:
        television.set_viewport_size({"width": width, "height": height})
        shown = television.locator(SCORES).evaluate_all(HEIGHTS)
        troops = television.locator(TROOPS).evaluate_all(HEIGHTS)
        assert len(shown) >= number + (3 if game != "dart_wars" else 0)
        assert len(troops) >= (number if game == "dart_wars" else 0)
        figures = television.locator(FIGURES).evaluate_all(HEIGHTS)
        for (name, size, inside, whole), least in [
            *((score, SMALLEST / DIGITS) for score in shown),
            *((figure, SMALLEST) for figure in figures),
            *((count, TROOPS_SMALLEST / DIGITS) for count in troops),
        ]:
            assert size >= least * height, (game, width, height, name, size)
            assert inside, (game, width, height, name)
            assert whole, (game, width, height, name)
        assert television.evaluate(SCROLLS) is False, (game, width, height)


ASIDE = """() => {
  document.querySelector(".stage").classList.remove("ended");
  document.querySelector(".result").style.display = "none";
}"""
"""Uncovers the scoreboard of a match that is over, which the replay of the history shows as well."""


def words_are_whole(television: Page, number: int) -> None:
    """Checks that the texts next to `number` players are not cut off on the scoreboard, below the result."""
    expect(television.locator(".result")).to_be_visible()
    television.evaluate(ASIDE)
    words = television.locator(".between .word:visible")
    expect(words).to_have_count(number)
    for width, height in SIZES:
        television.set_viewport_size({"width": width, "height": height})
        for name, size, inside, whole in words.evaluate_all(HEIGHTS):
            assert (inside, whole) == (True, True), (width, height, name, size)


@pytest.mark.parametrize(("number", "told"), [(2, 2), (8, 8), (12, 12), (16, 1)])
def test_who_is_out_and_who_won_is_told_in_whole(referee: Referee, television: Page, number: int, told: int) -> None:
    """With many players, a name that is struck through says so in words."""
    first: list[dict[str, Any]] = [{"roll": [20, 19, 7]}, {"throw": "T20"}, {"throw": "T19"}, {"throw": "T7"}, NEXT]
    others = [{"roll": [1, 2, 3]}, NEXT] * (number - 1)
    play(referee, television, "cerberus", people(number), GAMES["cerberus"] | {"margin": 10}, [*first, *others])
    words_are_whole(television, told)
    lines = television.locator(".gone .name .text").evaluate_all(
        "names => names.map(name => getComputedStyle(name).textDecorationLine)"
    )
    assert lines == ["line-through"] * (number - 1)


@pytest.mark.parametrize("number", [10, 16])
def test_who_won_x01_is_told_in_whole(referee: Referee, television: Page, number: int) -> None:
    darts = [{"throw": bed} for bed in ("T20", "S1", "D20")]
    play(referee, television, "x01", people(number), {"start": 101}, [*darts, NEXT])
    words_are_whole(television, 1)


def test_who_won_cricket_is_told_in_whole(referee: Referee, television: Page) -> None:
    commands = [{"throw": "T20"}, {"throw": "S20"}, *[NEXT] * 16]
    play(referee, television, "cricket", people(16), {"rounds": 1}, commands)
    words_are_whole(television, 1)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_rows_of_cricket_have_room_for_their_names(referee: Referee, open_page: OpenPage, language: str) -> None:
    page = open_page("/board/lounge", (1280, 720), language)
    play(referee, page, "cricket", people(2), {})
    rows = page.locator(".cricket tbody th")
    expect(rows).to_have_count(7)
    assert rows.evaluate_all("rows => rows.filter(r => r.scrollWidth > r.clientWidth).map(r => r.textContent)") == []


def test_nothing_moves_when_darts_are_thrown(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    sees_scores(television, "501", "501")
    television.evaluate(
        """() => { window.moved = []; new PerformanceObserver(list => { for (const entry of list.getEntries())
            window.moved.push(...entry.sources.map(source => source.node?.className ?? "?")); })
            .observe({ type: "layout-shift", buffered: false }); }"""
    )
    page_daemon.throw("20;3", "19;3", "18;3")
    sees_scores(television, "330", "501")
    phone.get_by_role("navigation").get_by_role("button", name="Next").click()
    expect(television.locator(".awaits")).to_have_text("Bob: dart 1")
    page_daemon.throw("19;3")
    sees_scores(television, "330", "444")
    assert television.evaluate("window.moved") == []


def test_the_first_page_is_light(chromium_bytes: dict[str, int]) -> None:
    assert 0 < sum(chromium_bytes.values()) < PAGE_BYTES, chromium_bytes


@pytest.fixture
def chromium_bytes(open_page: OpenPage, page_daemon: PageDaemon) -> dict[str, int]:
    """What the first page fetched, and how many bytes of each came over the wire."""
    page = open_page("/?all", alone=True)
    expect(page.get_by_role("heading", name="lounge")).to_be_visible()
    entries = page.evaluate(
        "performance.getEntries().filter(e => e.transferSize).map(e => [new URL(e.name).pathname, e.transferSize])"
    )
    return dict(entries)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_no_page_breaks_a_rule_of_accessibility(page_daemon: PageDaemon, open_page: OpenPage, scheme: str) -> None:
    """What axe-core knows of WCAG 2 and good practice, on every page: contrast, names, roles, order of headings."""
    phone = open_page("/board/lounge/control", PHONE, scheme=scheme)
    television = open_page(f"/board/lounge?theme={scheme}", TELEVISION)
    expect(phone.get_by_role("heading", name="Start a match")).to_be_visible()
    phone.get_by_text("Options").click()
    found = {"form": violations(phone), "empty": violations(television)}
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;3", "20;1")
    sees_darts(phone, "T20", "S20")
    found |= {"control": violations(phone), "scoreboard": violations(television)}
    phone.get_by_role("button", name="Numbers").click()
    found["pad"] = violations(phone)
    phone.get_by_role("button", name="Dart 1: T20. Correct it").click()
    expect(phone.get_by_role("dialog").get_by_role("button", name="Foul")).to_be_visible()
    found["correction"] = violations(phone)
    phone.keyboard.press("Escape")
    for _ in range(3):
        press(phone, "Undo")
    expect(phone.locator(".refusal button")).to_be_visible()
    found["refusal"] = violations(phone)
    for path, heading in (("/?all", "Boards"), ("/board/cellar", "There is no board called cellar here.")):
        page = open_page(path, PHONE, scheme=scheme)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        found[path] = violations(page)
    assert {page: broken for page, broken in found.items() if broken} == {}
