"""X01 and Cricket on every wall: nothing is cut or scrolls, and what matters can be read from afar.

Every pair of a game, a number of players, a size, a layout, a language and a moment of the match is looked at.
`scripts/screens` looks at all combinations.
"""

from collections.abc import Callable, Iterator

import pytest
from allpairspy import AllPairs
from playwright.sync_api import Browser, Page

from tests.screens import GAMES, KINDS, LANGUAGES, LAYOUTS, PHONES, PLAYERS, WALLS, faults, show
from tests.stage import Moment, Stage, moments, stage

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


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)])
@pytest.mark.parametrize("game", ["x01", "cerberus", "dart_wars"])
def test_the_end_of_a_match_has_the_whole_screen_and_names_of_one_size(
    on_stage: Stage, pages: Callable[[str], Page], game: str, size: tuple[int, int]
) -> None:
    page = pages("en")
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
