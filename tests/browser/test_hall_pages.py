"""The pages of a hall with 200 boards: on a television nobody scrolls, on a phone nothing is cut."""

import asyncio
from collections.abc import Iterator
from typing import Final

import asyncpg
import pytest
from playwright.sync_api import Browser, Page, expect

from hall.schema import migrate
from tests.browser.axe import violations
from tests.hall.evening import full_hall, player_id
from tests.hall.postgres import NOT_INSTALLED, Postgres, programs
from tests.hall.programs import serving
from tests.screens import SCROLLS, SIDEWAYS

BOARDS: Final = 200
WALLS: Final = ((1920, 1080), (1280, 720), (1024, 768), (1080, 1920))
PHONE: Final = (390, 844)
LEAST_PX: Final = 17.9
"""Of a name in a match of two, on a television of 1080 lines."""
PART: Final = """() => {
  const unit = Math.min(innerWidth, innerHeight) / 1080;
  const shown = [...document.querySelectorAll(".board")].filter(board => !board.hidden);
  const faults = shown.flatMap(board => {
    const box = board.getBoundingClientRect(), name = board.querySelector("li .name");
    const size = name ? parseFloat(getComputedStyle(name).fontSize) / unit : 100;
    const few = board.querySelectorAll("li").length <= 2;
    const outside = box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    const cut = [...board.querySelectorAll(".score, h3")].some(part => part.scrollWidth > part.clientWidth + 1);
    return [outside && "outside", cut && "cut", few && size < LEAST && `${size} px`].filter(Boolean).map(
      fault => `${board.dataset.board}: ${fault}`);
  });
  return {faults, boards: shown.map(board => board.dataset.board), said: document.querySelector(".part").textContent};
}""".replace("LEAST", str(LEAST_PX))


async def _fill(url: str) -> None:
    db = await asyncpg.connect(url)
    try:
        await migrate(db)
        await full_hall(db, BOARDS)
    finally:
        await db.close()


@pytest.fixture(scope="module")
def hall() -> Iterator[str]:
    """The address of a hall with 200 boards, served by the command."""
    if programs() is None:
        pytest.skip(NOT_INSTALLED)
    postgres = Postgres().start()
    try:
        url = postgres.new_database("hall")
        asyncio.run(_fill(url))
        with serving(url) as served:
            yield served.at
    finally:
        postgres.close()


@pytest.fixture(scope="module")
def page(hall: str, chromium: Browser) -> Iterator[Page]:
    """A page whose clock the test moves: the parts of a wall turn with it."""
    context = chromium.new_context(base_url=hall)
    made = context.new_page()
    made.clock.install()
    yield made
    context.close()


@pytest.mark.parametrize("size", WALLS)
def test_a_wall_shows_each_of_200_boards_in_turn_and_never_scrolls(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/wall?lang=en")
    expect(page.locator(".part")).to_contain_text(f"of {BOARDS}")
    page.evaluate("document.fonts.ready")
    seen: list[str] = []
    while len(seen) < BOARDS:
        part = page.evaluate(PART)
        assert part["faults"] == []
        assert part["said"] == f"Boards {len(seen) + 1} to {len(seen) + len(part['boards'])} of {BOARDS}"
        assert part["boards"]
        seen += part["boards"]
        assert not page.evaluate(SCROLLS)
        page.clock.run_for(12_000)
    assert len(set(seen)) == BOARDS


@pytest.mark.parametrize(
    "path", ["/", "/matches", "/nodes/crown", "/matches/crown/over-0", "/ladder", "/players/ANN", "/no"]
)
@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_phone_shows_every_page_without_cutting_it(page: Page, path: str, language: str) -> None:
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(f"{path.replace('ANN', player_id('Ann'))}?lang={language}")
    page.evaluate("document.fonts.ready")  # Until then letters are as wide as those of another typeface.
    assert not page.evaluate(SIDEWAYS)
    assert page.locator(".wide").evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth)")
    assert page.get_attribute("html", "lang") == language
    if language == "de" and path != "/":  # The same boards are on the page of a node, in a shorter list.
        assert violations(page) == []


def test_a_phone_reaches_a_venue_with_one_touch(page: Page) -> None:
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto("/?lang=en")
    expect(page.locator(".board")).to_have_count(BOARDS)
    page.locator(".venues").get_by_text("plough").click()
    expect(page.locator("#at-plough h2")).to_be_in_viewport()
