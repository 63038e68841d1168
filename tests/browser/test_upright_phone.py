"""The control page on a phone held upright: what belongs together is seen together, and the board does not move."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, one_at_a_time
from tests.stage import BOARD, Moment, Stage, State

SMALL = (360, 640)
LONG = "Maximiliane Oberhuber-Schmidt"

SEEN = """() => {
  const box = selector => document.querySelector(selector)?.getBoundingClientRect();
  const [board, bar] = [box(".touch"), box(".thumbs")];
  const line = box(".aside:not(:empty) .facts, .all-marks tbody tr:last-child");
  return { top: board.top, bottom: board.bottom, width: board.width, bar: bar.top, line: line?.bottom };
}"""
"""Where the touch board and the last line that must be seen with it are, and where the buttons begin."""


@pytest.fixture(scope="module")
def upright(on_stage: Stage) -> Iterator[Callable[[str], Page]]:
    yield from one_at_a_time(lambda language: on_stage.page(PHONE, language, f"/board/{BOARD}/control"))


def seen(on_stage: Stage, page: Page, moment: Moment, size: tuple[int, int] = PHONE) -> dict[str, Any]:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    on_stage.show(page, moment.state)
    found: dict[str, Any] = page.evaluate(SEEN)
    return found


def renamed(state: State, name: str) -> State:
    """The state with another name for the first player, who is the one to throw."""
    first, *others = state["players"]
    turn = {**state["turn"], "player": name, "actor": name}
    return {**state, "players": [{**first, "name": name}, *others], "turn": turn}


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("baseball", 2),
        ("cricket", 2),
        ("cricket", 4),
        ("count_up", 6),
        ("bobs_27", 8),
        ("boss_fight", 8),
        ("count_up", 16),
    ],
)
def test_the_board_and_what_is_asked_for_are_above_the_buttons(
    on_stage: Stage, upright: Callable[[str], Page], game: str, players: int
) -> None:
    found = seen(on_stage, upright("de"), Moment(game, players, "later"))
    assert found["bottom"] <= found["bar"]
    assert found["line"] <= found["bar"]
    assert found["width"] >= 260


@pytest.mark.parametrize(("game", "players"), [("x01", 2), ("cricket", 2), ("bobs_27", 8)])
def test_a_small_phone_shows_the_whole_board(
    on_stage: Stage, upright: Callable[[str], Page], game: str, players: int
) -> None:
    found = seen(on_stage, upright("de"), Moment(game, players, "later"), SMALL)
    assert found["bottom"] <= found["bar"]
    assert found["width"] >= 240


def test_the_board_stays_where_it_is_during_a_match(on_stage: Stage, upright: Callable[[str], Page]) -> None:
    page = upright("de")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    kinds = ("first", "dart", "checkout", "leg")
    states = [Moment("x01", 2, kind, (("legs", 2),)).state for kind in kinds]
    pulls = renamed(states[1], LONG)
    boards = []
    for state in (*states, {**pulls, "turn": {**pulls["turn"], "awaits": "next"}}):
        on_stage.show(page, state)
        boards.append(page.evaluate(SEEN))
    assert len({(found["top"], found["width"]) for found in boards}) == 1


def test_legs_the_sum_and_the_checkout_are_shown(on_stage: Stage, upright: Callable[[str], Page]) -> None:
    page = upright("en")
    legs = (("legs", 2), ("sets", 2))
    state = Moment("x01", 2, "leg", legs).state
    on_stage.show(page, state)
    shown = [f"{player['sets']}:{player['legs']}" for player in state["players"]]
    won = page.locator(".mini .won-legs")
    assert [":".join(each.locator("b").all_inner_texts()) for each in won.all()] == shown
    assert "0:1" in shown
    expect(page.locator(".chips .sum")).to_have_text(f"This visit {state['turn']['scored']}")
    state = Moment("x01", 2, "checkout", legs).state
    on_stage.show(page, state)
    expect(page.locator(".chip.wanted")).to_contain_text(state["turn"]["checkout"])
    assert violations(page) == []
    on_stage.show(page, Moment("x01", 2, "over", legs).state)
    expect(page.locator(".figures tbody tr")).to_have_count(2)
    assert violations(page) == []


def test_cricket_shows_the_marks_of_all(on_stage: Stage, upright: Callable[[str], Page]) -> None:
    page = upright("en")
    state = Moment("cricket", 3, "later").state
    on_stage.show(page, state)
    rows = page.locator(".all-marks tbody tr")
    marks = [[player["marks"][str(number)] for number in state["numbers"]] for player in state["players"]]
    found = rows.evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('.marks')].map(mark => mark.childElementCount))"
    )
    assert found == marks
    assert violations(page) == []


def test_after_the_match_only_what_can_be_done_is_offered(on_stage: Stage, upright: Callable[[str], Page]) -> None:
    page = upright("en")
    on_stage.show(page, Moment("killer", 4, "over").state)
    expect(page.locator(".thumbs button")).to_have_text(["Undo", "New match"])
    expect(page.get_by_role("button", name="Rematch")).to_be_enabled()
    expect(page.get_by_role("button", name="End match")).to_have_count(0)


def test_names_keep_their_letters_and_the_header_its_game(on_stage: Stage, upright: Callable[[str], Page]) -> None:
    page = upright("de")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    on_stage.show(page, renamed(Moment("baseball", 2, "later").state, LONG))
    cut = """all => all.filter(text => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return range.getBoundingClientRect().right > text.getBoundingClientRect().right;
    }).map(text => text.innerText)"""
    page.wait_for_function("document.querySelector('.mini .text.narrow')")
    assert page.locator(".mini .text").evaluate_all(cut) == []
    board, game = page.locator(".bar h1 > span").all()
    board.evaluate("span => { span.textContent = 'upstairs-long-room-of-the-pub' }")
    assert game.evaluate("span => span.scrollWidth <= span.clientWidth")
    title = page.locator(".bar h1")
    assert title.evaluate("title => title.scrollWidth <= title.clientWidth")


LESSON = {
    "quiet": False,
    "ask": {"name": "SO20", "why": "new", "hold": True},
    "presses": 10,
    "left": 52,
    "last": "",
    "beds": {},
    "file": "garage.toml",
    "problems": [],
}


def test_a_lesson_keeps_its_header_and_says_across_the_page_that_nobody_answers(on_stage: Stage) -> None:
    page = on_stage.page(SMALL, "de", "/?all")
    page.route("**/lesson.json", lambda route: route.fulfill(json=LESSON))
    page.goto(f"{on_stage.origin}/learn")
    brand = page.locator(".bar .brand")
    expect(brand).to_be_visible()
    top, height, line = brand.evaluate(
        "b => [b.getBoundingClientRect().top, b.offsetHeight, parseFloat(getComputedStyle(b).lineHeight)]"
    )
    assert top >= 0
    assert height <= line
    page.unroute("**/lesson.json")
    page.route("**/lesson.json", lambda route: route.abort())
    lost = page.locator(".banner.lost")
    expect(lost).to_have_text("Verbindung wird wiederhergestellt …")
    assert lost.evaluate("strip => strip.offsetWidth") > SMALL[0] * 0.8
    page.context.close()


def test_the_form_cuts_no_word_and_every_button_is_large_enough(on_stage: Stage) -> None:
    page = on_stage.page(SMALL, "fr", f"/board/{BOARD}/control")
    on_stage.put("match", None)
    page.locator(".seats input[type=checkbox]").first.check(force=True)
    for summary in page.locator(".options > summary").all():
        summary.click()
    page.locator(".medley select").wait_for()
    cut = """all => all.filter(select => {
      const style = getComputedStyle(select);
      const pen = new OffscreenCanvas(1, 1).getContext("2d");
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const words = pen.measureText(select.selectedOptions[0].text).width * parseFloat(style.fontStretch) / 100;
      // The padding on both sides, and the arrow.
      return words + 24 + 16 > select.offsetWidth;
    }).map(select => select.selectedOptions[0].text)"""
    assert page.locator(".option select").evaluate_all(cut) == []
    heights = page.locator(".skill label span:last-child").evaluate_all("all => all.map(span => span.offsetHeight)")
    assert max(heights) < 30
    small = """all => all.filter(button => button.offsetWidth && (button.offsetWidth < 44 || button.offsetHeight < 44))
      .map(button => button.outerHTML)"""
    assert page.locator(".start button").evaluate_all(small) == []
    number = page.locator(".option fieldset label")
    first, second = (number.nth(at).locator("input").bounding_box() for at in (0, 1))
    assert first is not None
    assert second is not None
    assert second["y"] - first["y"] - first["height"] >= 4
    page.context.close()
