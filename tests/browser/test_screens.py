"""X01 and Cricket on every wall: nothing is cut or scrolls, and what matters can be read from afar.

Every pair of a game, a number of players, a size, a layout, a language and a moment of the match is looked at.
`scripts/screens` looks at all combinations.
"""

from collections.abc import Callable, Iterator

import pytest
from allpairspy import AllPairs
from playwright.sync_api import Browser, Page

from tests.screens import GAMES, KINDS, LANGUAGES, LAYOUTS, PHONES, PLAYERS, WALLS, faults, show
from tests.stage import Stage, moments, stage

MOST = 150
CASES = sorted(tuple(case) for case in AllPairs([LANGUAGES, LAYOUTS, PLAYERS, KINDS, GAMES, (*WALLS, *PHONES)]))
"""In the order in which the page is changed least."""


@pytest.fixture(scope="module")
def on_stage(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(chromium, tmp_path_factory.mktemp("stage")) as running:
        yield running


@pytest.fixture(scope="module")
def pages(on_stage: Stage) -> Iterator[Callable[[str], Page]]:
    """The page in a language; it closes the one before, so that only one is open."""
    opened: dict[str, Page] = {}

    def page(language: str) -> Page:
        if language not in opened:
            for other in opened.values():
                other.context.close()
            opened.clear()
            opened[language] = on_stage.page(WALLS[0], language)
        return opened[language]

    yield page
    for last in opened.values():
        last.context.close()


def test_there_are_not_more_cases_than_a_run_has_time_for() -> None:
    assert len(CASES) <= MOST


@pytest.mark.parametrize(("language", "layout", "players", "kind", "game", "size"), CASES)
def test_a_screen_shows_everything_large_enough(
    on_stage: Stage,
    pages: Callable[[str], Page],
    language: str,
    layout: str,
    players: int,
    kind: str,
    game: str,
    size: tuple[int, int],
) -> None:
    page = pages(language)
    (moment,) = moments([game], [players], [kind])
    show(on_stage, page, moment, layout, size)
    assert faults(page, size) == []
