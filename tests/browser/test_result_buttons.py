"""The buttons of a result on the scoreboard: the next leg or game, the correction of the last dart, the rematch."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import TELEVISION
from tests.pictures import Studio, studio
from tests.rig import until

Command = dict[str, Any]

NEXT: Final[Command] = {"next": True}
NAMES: Final = ("Ann", "Bob")


@pytest.fixture(scope="module")
def set_up(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio(chromium, tmp_path_factory.mktemp("results")) as running:
        yield running


@pytest.fixture
def wall(chromium: Browser, set_up: Studio) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": TELEVISION[0], "height": TELEVISION[1]}, locale="en")
    page.goto(f"{set_up.origin}/board/lounge")
    yield page
    page.close()


def play(set_up: Studio, wall: Page, *commands: Command) -> None:
    """Plays, and waits until the page shows it. A result that is there when the page opens is shown at once."""
    revision = 0
    for command in commands:
        answer = set_up.referee.ask(command)
        assert answer["ok"], (command, answer)
        revision = answer["revision"]
    wall.reload()
    expect(wall.locator(f"main[data-revision='{revision}']:not(.stale)")).to_be_visible()


def begin(game: str, **options: Any) -> Command:
    return {"start": {"game": game, "players": list(NAMES), "options": options}}


def turn(*darts: str) -> list[Command]:
    return [*({"throw": dart} for dart in darts), NEXT]


def won_by(wall: Page, what: str, name: str) -> None:
    result = wall.locator(".result")
    expect(result.locator(".of")).to_have_text(what)
    expect(result.get_by_role("heading", level=1)).to_have_text(name)


def button(wall: Page, name: str) -> Locator:
    return wall.get_by_role("navigation", name="What next").get_by_role("button", name=name, exact=True)


def begins(wall: Page, title: str, *order: str) -> None:
    """A match or a leg in which these players throw in this order, and nobody has thrown."""
    expect(wall.locator(".awaits")).to_have_text(f"{order[0]}: throw to start")
    expect(wall.locator(".slot:not(.open)")).to_have_count(0)
    expect(wall.locator(f".panel[data-game='{title}']")).to_be_visible()


def rematch_is(set_up: Studio, *order: str, **wanted: Any) -> None:
    """Waits for the state of a match in this order: the page may see it before this program does."""

    def is_it() -> bool:
        state: dict[str, Any] = set_up.referee.watcher.last("match")
        names = tuple(player["name"] for player in state["players"])
        return names == order and not state["turn"]["darts"] and state.items() >= wanted.items()

    until(is_it, f"a match of {order} with {wanted}")


def correct(wall: Page, right: str) -> None:
    button(wall, "Correct the last dart").click()
    wall.get_by_role("dialog").get_by_role("button", name=right, exact=True).first.click()
    expect(wall.locator(".slots li:nth-child(3)")).to_have_text(right)


def test_in_x01_the_winning_dart_is_corrected_and_the_rematch_begins_with_the_other(set_up: Studio, wall: Page) -> None:
    checkout = [{"throw": dart} for dart in ("T20", "S1", "D20")]
    play(set_up, wall, begin("x01", start=101), *checkout)
    won_by(wall, "Match won by", "Ann")
    correct(wall, "D5")
    expect(wall.locator(".result")).to_have_count(0)
    expect(wall.locator(".slot")).to_have_text(["T20", "S1", "D5"])
    expect(wall.locator(".players .score").first).to_have_text("30")
    play(set_up, wall, {"undo": True}, NEXT)
    won_by(wall, "Match won by", "Ann")
    # The match is over now, and its last dart can still have been another. It stays over if that is cancelled.
    button(wall, "Correct the last dart").click()
    wall.get_by_role("dialog").get_by_role("button", name="Cancel", exact=True).click()
    expect(wall.get_by_role("dialog")).to_have_count(0)
    assert set_up.referee.watcher.last("match")["finished"]
    correct(wall, "Miss")
    expect(wall.locator(".players .score").first).to_have_text("40")
    play(set_up, wall, NEXT, *turn("MISS"), {"throw": "D20"})
    won_by(wall, "Match won by", "Ann")
    button(wall, "Rematch").click()
    begins(wall, "x01", "Bob")
    expect(wall.locator(".players .score")).to_have_text(["101", "101"])
    rematch_is(set_up, "Bob", "Ann")


def test_in_cricket_the_winning_dart_is_corrected_and_the_rematch_begins_with_the_other(
    set_up: Studio, wall: Page
) -> None:
    play(set_up, wall, begin("cricket", rounds=1), *turn("T20", "S20"), {"throw": "T19"}, {"throw": "T19"})
    play(set_up, wall, {"throw": "S19"})
    won_by(wall, "Match won by", "Bob")
    # Without the last dart Bob has won as well: the round was the last one.
    correct(wall, "Miss")
    won_by(wall, "Match won by", "Bob")
    correct(wall, "D20")
    play(set_up, wall, {"undo": True}, {"undo": True}, NEXT)
    won_by(wall, "Match won by", "Bob")
    button(wall, "Rematch").click()
    begins(wall, "cricket", "Bob")
    rematch_is(set_up, "Bob", "Ann")


def test_of_several_legs_the_next_one_is_begun_and_the_rematch_has_as_many(set_up: Studio, wall: Page) -> None:
    leg = [*turn("T20", "S20"), {"throw": "MISS"}, {"throw": "MISS"}, {"throw": "S1"}]
    play(set_up, wall, begin("cricket", rounds=1, best_of=3), *leg)
    won_by(wall, "Leg won by", "Ann")
    button(wall, "Next leg").click()
    expect(wall.get_by_text("The next leg begins with the first dart")).to_be_visible()
    # Bob begins the second leg, and misses; Ann wins it, and so the match.
    play(set_up, wall, *turn("MISS"), {"throw": "T20"}, {"throw": "T20"}, {"throw": "MISS"})
    won_by(wall, "Match won by", "Ann")
    correct(wall, "D20")
    play(set_up, wall, NEXT)
    won_by(wall, "Match won by", "Ann")
    button(wall, "Rematch").click()
    begins(wall, "cricket", "Bob")
    rematch_is(set_up, "Bob", "Ann", options={"rounds": 1, "best_of": 3}, leg=1)


def test_in_a_medley_the_next_game_is_named_and_begun_and_the_rematch_is_the_medley(set_up: Studio, wall: Page) -> None:
    legs = [{"game": "x01", "options": {"start": 101}}, {"game": "cricket", "options": {"rounds": 1}}]
    checkout = [{"throw": dart} for dart in ("T20", "S1", "D20")]
    play(set_up, wall, begin("medley", legs=legs, play="all"), *checkout)
    won_by(wall, "Leg won by", "Ann")
    correct(wall, "D5")
    play(set_up, wall, {"undo": True})
    won_by(wall, "Leg won by", "Ann")
    button(wall, "Next game: Cricket").click()
    expect(wall.get_by_text("The next leg begins with the first dart")).to_be_visible()
    play(set_up, wall, *turn("MISS"), {"throw": "T20"}, {"throw": "T20"}, {"throw": "MISS"})
    won_by(wall, "Match won by", "Ann")
    button(wall, "Rematch").click()
    begins(wall, "x01", "Bob")
    rematch_is(set_up, "Bob", "Ann", game="medley", playing="x01")


def test_an_achievement_is_shown_at_the_end_of_its_match(set_up: Studio, wall: Page) -> None:
    both = (
        (("Eve", "Fay"), ["Eve: First match", "Eve: First win", "Fay: First match"]),
        (("Fay", "Eve"), ["Fay: First win"]),
    )
    for names, expected in both:
        start = {"start": {"game": "x01", "players": list(names), "options": {"start": 101}}}
        play(set_up, wall, start, *turn("T20", "S1"), *turn("S1"), *turn("D20"))
        won_by(wall, "Match won by", names[0])
        earned = wall.locator(".result .earned li")
        expect(earned).to_have_count(len(expected))
        assert sorted(earned.all_inner_texts()) == expected
