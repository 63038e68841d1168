"""X01 and Cricket on every wall: nothing is cut or scrolls, and what matters can be read from afar.

Every pair of a game, a number of players, a size, a layout, a language and a moment of the match is looked at.
`scripts/screens` looks at all combinations.
"""

import json
import re
import zlib
from collections.abc import Callable
from typing import Final

import pytest
from allpairspy import AllPairs
from playwright.sync_api import Page, expect

from tests.browser.test_portrait import FAULTS
from tests.screens import GAMES, KINDS, LANGUAGES, LAYOUTS, PHONES, PLAYERS, WALLS, faults, show
from tests.stage import BOARD, Moment, Stage, moments

MOST = 150
CASES = sorted(tuple(case) for case in AllPairs([LANGUAGES, LAYOUTS, PLAYERS, KINDS, GAMES, (*WALLS, *PHONES)]))
"""In the order in which the page is changed least."""


def test_there_are_not_more_cases_than_a_run_has_time_for() -> None:
    assert len(CASES) <= MOST


@pytest.mark.parametrize(("language", "layout", "players", "kind", "game", "size"), CASES)
def test_a_screen_shows_everything_large_enough(
    on_stage: Stage,
    staged: Callable[[str], Page],
    language: str,
    layout: str,
    players: int,
    kind: str,
    game: str,
    size: tuple[int, int],
) -> None:
    page = staged(language)
    (moment,) = moments([game], [players], [kind])
    show(on_stage, page, moment, layout, size)
    assert faults(page, size) == []


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)])
@pytest.mark.parametrize("game", ["x01", "cerberus", "dart_wars"])
def test_the_end_of_a_match_has_the_whole_screen_and_names_of_one_size(
    on_stage: Stage, staged: Callable[[str], Page], game: str, size: tuple[int, int]
) -> None:
    page = staged("en")
    show(on_stage, page, Moment(game, 3, "over"), "board", size)
    box = page.locator(".result").bounding_box()
    assert box is not None
    assert box["width"] >= 0.95 * size[0]
    assert box["height"] >= 0.95 * size[1]
    sizes = page.locator(".figures tbody th").evaluate_all(
        "names => names.map(name => getComputedStyle(name).fontSize)"
    )
    assert len(sizes) == 3
    assert len(set(sizes)) == 1


@pytest.mark.parametrize("players", [1, 2, 4, 16])
@pytest.mark.parametrize("game", GAMES)
def test_scores_with_chances_fit_on_the_narrowest_wall(
    on_stage: Stage, staged: Callable[[str], Page], game: str, players: int
) -> None:
    """Here three things meet that take room: the layout with scores, 4:3, and the line of chances."""
    page = staged("en")
    show(on_stage, page, Moment(game, players, "dart"), "scores", (1024, 768))
    assert page.locator(".chance-line").count() == 1
    assert faults(page, (1024, 768)) == []
    line, button = (page.locator(part).bounding_box() for part in (".chance-line", ".layout-button"))
    assert line is not None
    assert button is not None
    assert button["y"] + button["height"] <= line["y"]


def test_the_later_beds_of_a_checkout_are_outlined(on_stage: Stage, staged: Callable[[str], Page]) -> None:
    moment = Moment("x01", 2, "checkout", (("legs", 3),))
    route = moment.state["turn"]["checkout"]
    page = staged("en")
    show(on_stage, page, moment, "board", (1920, 1080))
    assert len(route) == 3
    for bed, kind in zip(route, ("lit", "hint", "hint"), strict=True):
        expect(page.locator(f".dartboard [data-bed='{bed}']")).to_have_class(re.compile(rf"\b{kind}\b"))
        expect(page.locator(f".dartboard [data-bed='{bed}']")).to_be_visible()


def test_rows_have_their_panel_on_a_portrait_wall(on_stage: Stage, staged: Callable[[str], Page]) -> None:
    """A length in a variable that others read as a colour would make them transparent."""
    page = staged("en")
    show(on_stage, page, Moment("dart_wars", 3, "over"), "board", (1080, 1920))
    colours = page.locator(".figures tbody td").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell).backgroundColor)"
    )
    assert len(colours) == 3
    assert "rgba(0, 0, 0, 0)" not in colours


def test_a_phone_held_across_shows_the_whole_board(on_stage: Stage) -> None:
    page = on_stage.page((844, 390), path=f"/board/{BOARD}/control")
    on_stage.show(page, Moment("x01", 2, "dart").state)
    board, thumbs = (page.locator(part).bounding_box() for part in (".entry .dartboard", ".thumbs"))
    assert board is not None
    assert thumbs is not None
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= thumbs["y"]
    assert board["height"] >= 240
    page.context.close()


@pytest.mark.parametrize("size", WALLS)
@pytest.mark.parametrize(
    ("game", "players"), [("yatzy_dart", 1), ("yatzy_dart", 4), ("yatzy_dart", 8), ("dart_wars", 2), ("dart_wars", 5)]
)
def test_a_game_with_sheets_or_armies_shows_the_score_of_the_player_at_the_board_large(
    on_stage: Stage, staged: Callable[[str], Page], game: str, players: int, size: tuple[int, int]
) -> None:
    page = staged("de")
    show(on_stage, page, Moment(game, players, "later"), "board", size)
    assert faults(page, size) == []
    if players > 1:
        listed = page.locator(":is(.totals, .armies) .active .score").inner_text()
        expect(page.locator(".thrower-head .score")).to_have_text(listed)


BAND: Final = (0xFF, 0x7A, 0x59)
"""The colour of an alarm on a dark page."""


def colour_at(page: Page, x: float, y: float) -> tuple[int, ...]:
    """Red, green and blue of one point of what is drawn."""
    picture = page.screenshot(clip={"x": x, "y": y, "width": 1, "height": 1})
    at = picture.index(b"IDAT")
    first_part = picture[at + 4 : at + 4 + int.from_bytes(picture[at - 4 : at])]
    return tuple(zlib.decompressobj().decompress(first_part)[1:])


def test_the_band_of_an_announcement_is_above_the_board(on_stage: Stage, staged: Callable[[str], Page]) -> None:
    page = staged("de")
    show(on_stage, page, Moment("x01", 2, "first"), "board", (1920, 1080))
    page.evaluate(
        "document.querySelector('.board-place').insertAdjacentHTML('beforeend', `<div class='flash bust'>–</div>`)"
    )
    box = page.locator(".flash").bounding_box()
    assert box is not None
    assert colour_at(page, box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2) == BAND
    page.evaluate("document.querySelector('.flash').remove()")


@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768), (390, 844)])
def test_the_word_for_a_bust_is_not_wider_than_its_place(
    on_stage: Stage, staged: Callable[[str], Page], size: tuple[int, int]
) -> None:
    page = staged("de")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    state = Moment("x01", 2, "dart").state
    on_stage.show(page, {**state, "turn": {**state["turn"], "bust": True}})
    expect(page.locator(".total")).to_contain_text("Überworfen")
    assert page.locator(".total").evaluate("node => node.scrollWidth - node.clientWidth") <= 0


@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768)])
def test_notes_of_achievements_cover_nothing_of_a_result(on_stage: Stage, size: tuple[int, int]) -> None:
    page = on_stage.page(size)
    title = {"en": "A checkout of 100 or more"}
    page.route(
        "**/players/*.json",
        lambda route: route.fulfill(json={"achievements": [{"key": "checkout", "title": title, "match": "ended"}]}),
    )
    names = {"Ada": "Bartholomew Featherstonehaugh", "Maximilian Oberhuber": "Maximiliane Oberhuber-Schmidt"}
    state = json.loads(re.sub("|".join(names), lambda name: names[name[0]], json.dumps(Moment("x01", 2, "over").state)))
    on_stage.put("match", {**state, "match": "ended", "revision": 1})
    expect(page.locator(".earned li")).to_have_count(2)
    assert page.evaluate(FAULTS) == []
    page.context.close()


SCORES_ON_MARKS: Final = """() => [...document.querySelectorAll(".players.tallies .player")].filter(row => {
  const score = row.querySelector(".score");
  const range = document.createRange();
  range.selectNodeContents(score);
  const box = range.getBoundingClientRect();
  const below = (box.top + box.bottom) / 2 + 0.345 * parseFloat(getComputedStyle(score).fontSize);
  return [...row.querySelectorAll(".tally circle")].some(mark => {
    const its = mark.getBoundingClientRect();
    return its.right > box.left && its.top < below;
  });
}).map(row => row.textContent)"""
"""The rows whose score, with the height of its digits, lies on the drawn marks of a number."""


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)])
@pytest.mark.parametrize("players", [8, 16])
def test_scores_of_many_are_not_drawn_over_their_marks(
    on_stage: Stage, staged: Callable[[str], Page], players: int, size: tuple[int, int]
) -> None:
    page = staged("en")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    state = Moment("cricket", players, "dart").state
    closed = [{**player, "score": 188, "marks": dict.fromkeys(player["marks"], 3)} for player in state["players"]]
    on_stage.show(page, {**state, "players": closed})
    assert page.locator(".tally circle").count() == 7 * players
    assert page.evaluate(SCORES_ON_MARKS) == []


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800)])
def test_the_sentence_of_whose_turn_it_is_has_room_for_every_name(
    on_stage: Stage, staged: Callable[[str], Page], size: tuple[int, int]
) -> None:
    page = staged("fr")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    state = Moment("x01", 2, "dart").state
    cut = []
    for letters in (20, 24, 28, 32):
        name = "Christopher Underhill-Jones Mawdsley"[:letters]
        on_stage.show(page, {**state, "turn": {**state["turn"], "actor": name}})
        sentence = page.locator(".awaits")
        expect(sentence).to_contain_text(name)
        if sentence.evaluate("node => node.scrollWidth > node.clientWidth"):
            cut.append(name)
    assert cut == []


@pytest.mark.parametrize("game", ["killer", "overs"])
def test_who_has_no_life_left_is_shown_as_out(on_stage: Stage, staged: Callable[[str], Page], game: str) -> None:
    page = staged("en")
    state = Moment(game, 4, "first").state
    alive, *others = state["players"]
    on_stage.show(page, {**state, "players": [alive, *({**other, "lives": 0, "score": 0} for other in others)]})
    expect(page.locator(".player.gone")).to_have_text(["Maximilian Oberhuberout0", "Cleoout0", "Jean-Baptisteout0"])


@pytest.mark.parametrize(("game", "unit"), [("killer", "Lives"), ("dart_wars", "Troops"), ("count_up", "Score")])
def test_a_result_says_what_its_scores_count(
    on_stage: Stage, staged: Callable[[str], Page], game: str, unit: str
) -> None:
    page = staged("en")
    show(on_stage, page, Moment(game, 3, "over"), "board", (1920, 1080))
    assert page.locator(".figures thead th").all_inner_texts()[1:] == [unit]


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)])
def test_the_rows_of_a_result_of_many_share_the_height(
    on_stage: Stage, staged: Callable[[str], Page], size: tuple[int, int]
) -> None:
    page = staged("en")
    show(on_stage, page, Moment("killer", 8, "over"), "board", size)
    assert faults(page, size) == []
    rows = page.locator(".figures tbody tr").evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert len(rows) == 8
    assert min(rows) >= 0.07 * min(size)


def test_who_chooses_for_another_player_is_highlighted_as_well(on_stage: Stage, staged: Callable[[str], Page]) -> None:
    page = staged("en")
    state = Moment("call_three", 3, "first").state
    thrower, other, chooser = (player["name"] for player in state["players"])
    on_stage.show(page, {**state, "turn": {**state["turn"], "player": thrower, "actor": chooser, "awaits": "choose"}})
    expect(page.locator(".player[aria-current]")).to_have_count(1)
    lit = page.locator(".player.active .name").all_inner_texts()
    assert lit == [thrower, chooser]
    assert other not in lit


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920), (1024, 768), (390, 844)])
@pytest.mark.parametrize("into", ["open", "double"])
def test_the_title_of_a_match_with_sets_is_whole_and_as_large_as_it_fits(
    on_stage: Stage, staged: Callable[[str], Page], into: str, size: tuple[int, int]
) -> None:
    """In French it is longest: with a double to begin it has two lines."""
    page = staged("fr")
    show(on_stage, page, Moment("x01", 2, "dart", (("legs", 3), ("sets", 2), ("in", into))), "board", size)
    title = page.locator(".panel-head h1")
    expect(title).to_contain_text("sets")
    assert title.evaluate("node => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight + 2")
    if size[0] >= 1080:
        assert title.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 31


def test_scores_alone_are_larger_in_cricket(on_stage: Stage, staged: Callable[[str], Page]) -> None:
    page = staged("en")
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    sizes = []
    for layout in ("board", "scores"):
        show(on_stage, page, Moment("cricket", 2, "dart"), layout, (1920, 1080))
        sizes.append(page.locator(".cricket .score").first.evaluate(size))
    assert sizes[1] >= 1.4 * sizes[0]
