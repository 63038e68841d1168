"""Screens on a wall, in portrait, of 16:9 and of 4:3: every scoreboard fits, however many play.

Nothing is cut, overlaps or scrolls.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.commanded import play, two_darts
from tests.browser.conftest import TELEVISION, one_at_a_time
from tests.browser.test_reading import SCROLLS
from tests.pictures import Studio, studio
from tests.rig import until
from tests.stage import NAMES

WALL: Final = (1080, 1920)
SIZES: Final = (WALL, (1200, 1920), TELEVISION, (1280, 800), (1024, 768))
MORE: Final = ((720, 1280), (1280, 960), (2160, 3840), (1280, 1024))
"""Each match is looked at in one of these as well."""
LANGUAGES: Final = {"de": "Spielbereit", "fr": "Prêt à jouer", "en": "Ready to play"}
"""The languages of the pages, each with what a board without a match says."""
SMALLEST: Final = 0.05
"""No score's digits are smaller than this part of the screen's short side, as on a screen that lies."""

FAULTS: Final = """() => {
  const faults = [];
  const name = node => `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""} “${node.textContent}”`;
  const seen = [];
  const walker = document.createTreeWalker(document.querySelector(".page"), NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || node.closest("svg, .spoken, .flash")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      if (!box.width) continue;
      // A line is higher than what is written on it.
      const half = 0.36 * parseFloat(getComputedStyle(node).fontSize);
      const middle = (box.top + box.bottom) / 2;
      const [left, right, top, bottom] = [box.left + 1, box.right - 1, middle - half, middle + half];
      for (let around = node; around; around = around.parentElement) {
        const room = around.getBoundingClientRect();
        const cuts = around.tagName === "HTML" || getComputedStyle(around).overflowX !== "visible";
        if (!cuts) continue;
        const [low, wide] = around.tagName === "HTML" ? [innerHeight, innerWidth] : [room.bottom, room.right];
        const [high, near] = around.tagName === "HTML" ? [0, 0] : [room.top, room.left];
        if (top < high - 1 || bottom > low + 1 || left < near - 1 || right > wide + 1)
          faults.push(`cut: ${name(node)} by ${around.tagName}.${around.className}`);
      }
      for (const other of seen)
        if (other.node !== node && left < other.right && other.left < right && top < other.bottom && other.top < bottom)
          faults.push(`overlap: ${name(node)} and ${name(other.node)}`);
      seen.push({ node, left, right, top, bottom });
    }
  }
  const parts = [...document.querySelectorAll(".board-place, .turn, .panel > *, .banner")];
  const boxes = parts.map(part => [part, part.getBoundingClientRect()]);
  for (const [part, box] of boxes) {
    if (box.top < -1 || box.left < -1 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1)
      faults.push(`outside: ${part.className}`);
    for (const [other, its] of boxes)
      if (part !== other && box.left < its.right - 1 && its.left < box.right - 1 && box.top < its.bottom - 1 &&
          its.top < box.bottom - 1) faults.push(`parts overlap: ${part.className} and ${other.className}`);
  }
  const corners = [...document.querySelectorAll(".worth, .join, .sound-buttons button, g.beds text")];
  corners.forEach((corner, i) => {
    const box = corner.getBoundingClientRect();
    for (const other of corners.slice(i + 1)) {
      const its = other.getBoundingClientRect();
      const apart = box.right <= its.left || its.right <= box.left || box.bottom <= its.top || its.bottom <= box.top;
      if (apart || (corner.closest("g.beds") && other.closest("g.beds"))) continue;
      faults.push(`corners overlap: ${name(corner)} and ${name(other)}`);
    }
  });
  return [...new Set(faults)];
}"""
"""What is wrong with a page: words that are cut or lie on others, and parts that do."""

LONG_TOTALS: Final = "() => document.querySelectorAll('.totals .score').forEach(total => total.firstChild.data = '188')"
"""Gives the totals of Yatzy-Dart the three digits that they have at the end of a match."""

SCORES: Final = ".players .score, .cricket .score, .totals .score, .army .score, .thrower-head .score"
HEIGHTS: Final = "nodes => nodes.map(node => 0.68 * parseFloat(getComputedStyle(node).fontSize))"

SCROLLS_SIDEWAYS: Final = "document.documentElement.scrollWidth > innerWidth"

DRAWN: Final = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Ends when the page has been drawn, and what measures it then has been drawn too."""

MATCHES: Final[dict[str, tuple[dict[str, Any], tuple[int, ...]]]] = {
    "x01": ({"start": 301, "sets": 2}, (1, 2, 4, 8, 12, 16)),
    "cricket": ({}, (1, 2, 3, 4, 6, 8, 16)),
    "cerberus": ({"manual_chance": True, "cerberus_points": 4}, (1, 2, 4, 8, 12, 15)),
    "dards": ({"order": "listed", "mode": "rapid"}, (1, 2, 4, 8)),
    "yatzy_dart": ({}, (1, 2, 4, 8)),
    "dart_wars": ({"order": "listed"}, (2, 4, 5)),
    # Games without a scoreboard of their own: ten marks a player, and lives.
    "mickey_mouse": ({}, (1, 8)),
    "big_six": ({}, (16,)),
}
PLAYERS: Final = tuple(f"Spieler {n}" for n in range(1, 17))


@pytest.fixture(scope="module")
def set_up(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio(chromium, tmp_path_factory.mktemp("wall")) as running:
        yield running


@pytest.fixture(scope="module")
def walls(chromium: Browser, set_up: Studio) -> Iterator[Callable[[str], Page]]:
    """The screen that shows the board in a language, the same for all matches, as on a wall."""

    def opened(language: str) -> Page:
        page = chromium.new_page(viewport={"width": WALL[0], "height": WALL[1]}, locale=language)
        page.goto(f"{set_up.origin}/board/lounge")
        return page

    yield from one_at_a_time(opened)


@pytest.fixture
def wall(walls: Callable[[str], Page], language: str) -> Page:
    return walls(language)


IN_EACH_LANGUAGE: Final = pytest.mark.parametrize("language", LANGUAGES)


def begin(set_up: Studio, page: Page, game: str, number: int, names: Sequence[str] = PLAYERS) -> None:
    """Plays up to the second dart of a first turn."""
    options, _ = MATCHES[game]
    play(set_up.referee, page, game, names[:number], options, two_darts(game, number))


def nothing_is_cut(wall: Page, size: tuple[int, int]) -> None:
    """Gives the wall this size, and checks that nothing is cut, overlaps or scrolls there."""
    wall.set_viewport_size({"width": size[0], "height": size[1]})
    wall.evaluate(DRAWN)
    assert wall.evaluate(FAULTS) == [], size
    assert wall.evaluate(SCROLLS) is False, size


CASES: Final = [(game, number) for game, (_, numbers) in MATCHES.items() for number in numbers]


@pytest.mark.parametrize(
    ("language", "also", "game", "number"),
    [
        (language, MORE[n % len(MORE)], *case)
        for at, language in enumerate(LANGUAGES)
        for n, case in enumerate(CASES)
        if n % len(LANGUAGES) == at
    ],
)
def test_everything_fits_on_a_wall(set_up: Studio, wall: Page, also: tuple[int, int], game: str, number: int) -> None:
    begin(set_up, wall, game, number)
    wall.evaluate(LONG_TOTALS)
    for width, height in (*SIZES, also):
        nothing_is_cut(wall, (width, height))
        sizes = wall.locator(SCORES).evaluate_all(HEIGHTS)
        assert len(sizes) >= number
        assert min(sizes) >= SMALLEST * min(width, height), (width, height, min(sizes))


def is_whole(wall: Page) -> bool:
    """Whether nothing is cut and nothing overlaps."""
    faults: list[str] = wall.evaluate(FAULTS)
    return not faults


@pytest.mark.parametrize(
    ("game", "number"),
    [
        ("cricket", 6),
        ("cerberus", 4),
        ("cerberus", 8),
        ("cerberus", 15),
        ("dards", 8),
        ("yatzy_dart", 4),
        ("big_six", 16),
    ],
)
@IN_EACH_LANGUAGE
def test_long_names_are_not_cut_where_there_is_little_room(set_up: Studio, wall: Page, game: str, number: int) -> None:
    wall.set_viewport_size({"width": 1024, "height": 768})
    begin(set_up, wall, game, number, NAMES)
    # A name tries one size after the other.
    until(partial(is_whole, wall), f"{game} of {number} without faults")


@IN_EACH_LANGUAGE
def test_a_board_without_a_match_fits_too(set_up: Studio, wall: Page, language: str) -> None:
    set_up.referee.ask({"stop": True})
    expect(wall.get_by_role("heading", name=LANGUAGES[language])).to_be_visible()
    for size in (*SIZES, *MORE):
        nothing_is_cut(wall, size)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_on_a_button_of_the_control_page_is_cut(set_up: Studio, chromium: Browser, language: str) -> None:
    set_up.referee.ask({"start": {"game": "x01", "players": ["Ada", "Ben"]}})
    page = chromium.new_page(locale=language)
    page.goto(f"{set_up.origin}/board/lounge/control")
    buttons = page.locator(".thumbs button")
    expect(buttons).to_have_count(4)
    for width in (390, 360, 320):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(DRAWN)
        assert buttons.evaluate_all("all => all.filter(b => b.scrollWidth > b.clientWidth).map(b => b.innerText)") == []
        assert page.evaluate(SCROLLS_SIDEWAYS) is False, width
    page.close()
