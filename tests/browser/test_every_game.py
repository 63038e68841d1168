"""Every game on a wall, with few, several and many players: the score of the player at the board is the largest thing.

At 1080 lines it has 160 px, names have 32, and everything else in play 24; nothing is cut or scrolls. In proportion
that holds at every size. A case is a game and a number of players, looked at in every size; the next one has another
language. `scripts/screens` has every number.
"""

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from daemon.system.catalogue import games
from tests.browser.test_portrait import DRAWN
from tests.screens import LANGUAGES, PHONES, SIDEWAYS, faults, show
from tests.stage import Moment, Stage

SIZES: Final = ((1920, 1080), (1280, 800), (1024, 768), (1080, 1920))
GROUPS: Final = (range(1, 5), range(5, 9), range(9, 17))
"""Numbers of players that are drawn in one way. A game has a case of two of them, every time with another number."""
MOST: Final = 150


def cases() -> Iterator[tuple[str, str, int]]:
    """Returns a language, a game and a number of players, all of a language together."""
    found = []
    for at, (name, game) in enumerate(sorted(games().items())):
        groups = [[number for number in group if number in game.seats] for group in GROUPS]
        groups = [seats for seats in groups if seats]
        if len(groups) == len(GROUPS):
            del groups[at % len(groups)]
        found += [(name, seats[at % len(seats)]) for seats in groups]
    yield from sorted((LANGUAGES[at % len(LANGUAGES)], *case) for at, case in enumerate(found))


CASES: Final = list(cases())


def test_there_are_not_more_cases_than_a_run_has_time_for() -> None:
    assert len(CASES) <= MOST
    assert {game for _, game, _ in CASES} == set(games())


@pytest.mark.parametrize(("language", "game", "players"), CASES)
def test_the_score_of_the_player_at_the_board_is_large(
    on_stage: Stage, staged: Callable[[str], Page], language: str, game: str, players: int
) -> None:
    page = staged(language)
    show(on_stage, page, Moment(game, players, "later"), "board", SIZES[0])
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        assert faults(page, (width, height)) == [], (width, height)
    head = page.locator(".thrower-head .score")
    if head.count() and page.locator(".players").count():
        expect(head).to_have_text(page.locator(".players .active .score").inner_text())
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        assert page.evaluate(SIDEWAYS) is False, (width, height)


@pytest.mark.parametrize("players", [5, 8])
def test_a_player_who_owns_all_numbers_but_one_has_room_for_them(
    on_stage: Stage, staged: Callable[[str], Page], players: int
) -> None:
    page, state = staged("en"), Moment("king_of_the_board", players, "later").state
    first = state["players"][0] | {"owned": {str(number): 3 for number in range(1, 20)}, "score": 19}
    on_stage.show(page, {**state, "players": [first, *state["players"][1:]]})
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        expect(page.locator(".players .player").first.locator(".of-owned li")).to_have_count(19)
        expect(page.locator(".players .player").first.locator(".of-owned li").last).to_be_in_viewport(ratio=1)
        assert faults(page, (width, height)) == [], (width, height)
