"""Every game on a wall, with few, several or many players: the score of the player at the board is the largest thing.

At 1080 lines it has 160 px, names have 32, and everything else in play 24; nothing is cut or scrolls. In proportion
that holds at every size. A game has one case, a number of players looked at in every size; `scripts/screens` has every
number, and every language.
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
"""Numbers of players that are drawn in one way. The games take turns with them, every time with another number."""


def cases() -> Iterator[tuple[str, str, int]]:
    """Returns a language, a game and a number of players, all of a language together."""
    found = []
    for at, (name, game) in enumerate(sorted(games().items())):
        groups = [[number for number in group if number in game.seats] for group in GROUPS]
        groups = [seats for seats in groups if seats]
        seats = groups[at % len(groups)]
        # Three games after each other have one language, so that each is seen with few, several and many players.
        found.append((LANGUAGES[at // len(GROUPS) % len(LANGUAGES)], name, seats[at % len(seats)]))
    yield from sorted(found)


CASES: Final = list(cases())


def test_every_game_has_a_case() -> None:
    assert {game for _, game, _ in CASES} == set(games())
    assert {sum(number >= group.start for group in GROUPS) for _, _, number in CASES} == {1, 2, 3}


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
