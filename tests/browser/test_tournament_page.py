"""`/tournament`: what it shows of every format, on walls without scrolling, on phones without scrolling sideways."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.cups import CUPS, OUTSIDE, PHONES, WALLS, cup, show, sized
from tests.screens import SCROLLS, SIDEWAYS
from tests.stage import Stage

CUT: Final = """() => [...document.querySelectorAll(".cup-name > span:last-child, .few .cup-line > span")]
  .filter(part => part.getClientRects().length && part.scrollWidth > part.clientWidth + 1)
  .filter(part => getComputedStyle(part).display !== "inline")
  .map(part => part.parentElement.textContent)"""
"""Names without the part that tells them from others, and cut ones where there is room for all of it."""


@pytest.fixture(scope="module")
def page(on_stage: Stage) -> Iterator[Page]:
    page = on_stage.page(WALLS[0], path="/tournament")
    expect(page.locator("h1")).to_have_text("There is no tournament.")
    yield page
    page.context.close()


@pytest.mark.parametrize("part", [-1, 0.0, 0.6, 1.0])
@pytest.mark.parametrize("name", CUPS)
def test_a_wall_shows_it_without_scrolling_and_a_phone_without_scrolling_sideways(
    on_stage: Stage, page: Page, name: str, part: float
) -> None:
    count, keys = CUPS[name]
    show(on_stage, page, cup(count, part, keys), f"{name} {part}")
    for size in WALLS:
        assert sized(page, size, SCROLLS) is False, size
        assert sized(page, size, OUTSIDE) == [], size
        assert sized(page, size, CUT) == [], size
    for size in PHONES:
        assert sized(page, size, SIDEWAYS) is False, size


WHOLE: Final = """() => [...document.querySelectorAll(".cup-name > span")]
  .filter(part => part.getClientRects().length && part.scrollWidth > part.clientWidth + 1)
  .filter(part => getComputedStyle(part).display !== "inline")
  .map(part => part.parentElement.textContent)"""
"""Names of which any part is cut."""
SMALL_NAMES: Final = """() => [...document.querySelectorAll(".cup-winner b, .cup-order td")]
  .filter(part => part.getClientRects().length && parseFloat(getComputedStyle(part).fontSize) < 32)
  .map(part => part.textContent)"""
"""Names of the final order that are too small for a wall of 1080 lines."""


@pytest.mark.parametrize("size", WALLS)
def test_a_wall_shows_every_row_of_the_only_table(on_stage: Stage, page: Page, size: tuple[int, int]) -> None:
    show(on_stage, page, cup(64, 0.5, CUPS["swiss-64"][1]), f"table {size}")
    sized(page, size, SCROLLS)
    expect(page.locator(".cup-tables tbody tr:visible")).to_have_count(64)
    expect(page.locator(".cup-tables caption").last).to_have_text("Table, 49–64")


@pytest.mark.parametrize(("part", "count", "title"), [(0.2, 1, "Round 1"), (1.0, 4, "Last 16")])
def test_a_wall_shows_the_round_that_is_played(
    on_stage: Stage, page: Page, part: float, count: int, title: str
) -> None:
    show(on_stage, page, cup(64, part, CUPS["knockout-64"][1]), f"round {part}")
    assert sized(page, WALLS[0], WHOLE) == []
    sections = page.locator(".cup-bracket > section")
    expect(sections).to_have_count(count)
    expect(sections.first.get_by_role("heading")).to_have_text(title)


def test_a_wall_shows_the_losers_side_and_marks_what_is_on(on_stage: Stage, page: Page) -> None:
    state = cup(16, 0.6, CUPS["double-16"][1])
    show(on_stage, page, state, "double")
    sized(page, WALLS[0], SCROLLS)
    brackets = page.locator(".cup-bracket")
    expect(brackets).to_have_count(2)
    expect(brackets.first.get_by_role("heading").last).to_have_text("Finals")
    expect(brackets.last.get_by_role("heading").first).to_have_text("Losers, round 1")
    playing = [fixture for fixture in state["fixtures"] if "board" in fixture]
    marked = page.locator(".cup-bracket [aria-current=true]")
    expect(marked).to_have_count(len(playing))
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    for fixture in playing:
        expect(marked.filter(has_text=names[fixture["home"]])).to_contain_text(names[fixture["away"]])


@pytest.mark.parametrize(("name", "places"), [("groups-16", 16), ("knockout-64", 16), ("round-8", 3)])
def test_a_tournament_that_is_over_says_who_has_won_and_the_order_of_the_others(
    on_stage: Stage, page: Page, name: str, places: int
) -> None:
    count, keys = CUPS[name]
    state = cup(count, 1.0, keys)
    show(on_stage, page, state, f"over {name}")
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    assert sized(page, WALLS[0], SMALL_NAMES) == []
    expect(page.locator(".cup-winner")).to_have_text(f"Winner {names[state['winner']]}")
    expect(page.get_by_role("table", name="Final order").locator("td:visible")).to_have_count(places - 1)
    assert violations(page) == []
    sized(page, PHONES[0], SIDEWAYS)
    expect(page.get_by_role("table", name="Final order").locator("td:visible")).to_have_count(count - 1)


def test_it_says_who_plays_where_and_what_comes_next(on_stage: Stage, page: Page) -> None:
    state = cup(8, 0.3, {"format": "knockout"})
    sized(page, WALLS[0], SCROLLS)
    show(on_stage, page, state, "Friday")
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    playing = next(fixture for fixture in state["fixtures"] if fixture.get("board") == "lounge")
    line = page.locator(".cup-list").first.locator(".cup-line").first
    expect(line).to_have_text(f"{names[playing['home']]}lounge{names[playing['away']]}")
    expect(page.locator(".cup-head")).to_contain_text("2 of 7 matches played")
    expect(page.locator(".cup-bracket > section")).to_have_count(3)
    expect(page.locator(".cup-bracket .won")).to_have_count(2)
    assert violations(page) == []
    sized(page, PHONES[0], SIDEWAYS)
    page.get_by_label("Your name").select_option(names[playing["home"]])
    expect(page.locator(".cup-me [role=status]")).to_have_text(f"You play {names[playing['away']]} on lounge now.")
    expect(page.locator(".cup-all .cup-line")).to_have_count(7)
    assert violations(page) == []


@pytest.mark.parametrize(
    ("language", "said", "late", "mine"),
    [
        ("en", "2 of 7 matches played", "late on lounge", "You are late: {} on lounge, now."),
        ("de", "2 von 7 Spielen gespielt", "lounge: zu spät", "Du bist zu spät: jetzt gegen {} an lounge."),
        ("fr", "2 matchs joués sur 7", "lounge : en retard", "Vous êtes en retard : contre {} sur lounge, maintenant."),
    ],
)
def test_it_speaks_the_language_of_the_browser_and_says_who_is_late(
    on_stage: Stage, language: str, said: str, late: str, mine: str
) -> None:
    state = cup(8, 0.3, {"format": "knockout"})
    waiting = next(fixture for fixture in state["fixtures"] if fixture.get("board") == "lounge")
    waiting["late"] = True
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    on_stage.publish("oche/test/tournament", state)
    page = on_stage.page(PHONES[0], language, "/tournament")
    expect(page.locator(".cup-head")).to_contain_text(said)
    expect(page.locator(".cup-list .late .cup-score")).to_have_text(late)
    page.locator(".cup-me select").select_option(names[waiting["home"]])
    expect(page.locator(".cup-me [role=status]")).to_have_text(mine.format(names[waiting["away"]]))
    assert violations(page) == []
    # The screen is dark, and paper is white.
    page.emulate_media(media="print")
    expect(page.locator("h1")).to_have_css("color", "rgb(0, 0, 0)")
    page.context.close()


@pytest.mark.parametrize("part", [0.2, 0.6])
@pytest.mark.parametrize("name", ["double-16", "knockout-8"])
def test_a_tall_wall_shows_every_name_of_a_bracket_in_whole(
    on_stage: Stage, page: Page, name: str, part: float
) -> None:
    count, keys = CUPS[name]
    show(on_stage, page, cup(count, part, keys), f"whole {name} {part}")
    assert sized(page, (1080, 1920), WHOLE) == []


def test_every_place_is_on_a_wall_also_with_names_of_several_lines(on_stage: Stage, page: Page) -> None:
    state = cup(16, 1.0, CUPS["groups-16"][1])
    for entrant in state["entrants"]:
        entrant["name"] = f"Bartholomew Featherstonehaugh-Jones {entrant['number']}"
    show(on_stage, page, state, "long names")
    for size in ((1920, 1080), (1080, 1920)):
        assert sized(page, size, OUTSIDE) == [], size


WIDER: Final = """() => [...document.querySelectorAll(".cup-tables thead th")]
  .filter(head => head.scrollWidth > head.clientWidth + 1).map(head => head.textContent)"""
"""Heads of a table that are wider than their column."""


def test_a_french_wall_says_how_to_enter_and_no_head_of_its_table_covers_another(on_stage: Stage) -> None:
    page = on_stage.page(WALLS[0], "fr", "/tournament")
    show(on_stage, page, cup(8, -1, CUPS["round-8"][1]), "ouvert")
    # No phone can open the address of this daemon, so the wall has the command.
    expect(page.locator(".cup-invite")).to_contain_text("oche tournament enter")
    assert violations(page) == []
    show(on_stage, page, cup(8, 1.0, CUPS["round-8"][1]), "joué")
    assert [wide for size in WALLS for wide in sized(page, size, WIDER)] == []
    page.context.close()
    on_stage.publish("oche/test/tournament", None)


LOWEST: Final = """() => Math.max(...[...document.querySelectorAll(".cup-tables tbody tr")]
  .map(row => row.getBoundingClientRect().bottom)) / innerHeight"""
"""The lower edge of the last row of a table, as a part of the height of the screen."""


@pytest.mark.parametrize("name", ["groups-16", "round-8"])
def test_few_lines_of_tables_fill_a_television(on_stage: Stage, page: Page, name: str) -> None:
    count, keys = CUPS[name]
    show(on_stage, page, cup(count, 0.6, keys), f"full {name}")
    assert sized(page, WALLS[0], LOWEST) > 0.9
    assert sized(page, WALLS[0], WHOLE) == []
