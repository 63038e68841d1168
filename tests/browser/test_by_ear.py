"""A match played by someone who does not see: by the keyboard, and by what a screen reader is told.

Nothing here looks at the page: what is there is read from the accessibility tree, and keys go to what has the focus.
"""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE
from tests.pictures import Studio, studio
from tests.rig import until

MOST_TABS: Final = 120
"""More stops than any page here has."""
DARTS: Final = "Type darts, such as T20 5 D16"


@pytest.fixture(scope="module")
def set_up(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio(chromium, tmp_path_factory.mktemp("ear")) as running:
        yield running


class Listener:
    """One page with a keyboard and a screen reader."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def hears(self) -> str:
        """What the live regions say now."""
        tree = self._page.locator("body").aria_snapshot()
        said = re.findall(r"^\s*- (?:status|alert):(?: (.+))?$", tree, re.MULTILINE)
        return " | ".join(one.strip('"') for one in said if one)

    def waits_for(self, words: str) -> None:
        until(lambda: words in self.hears(), words)

    @property
    def focus(self) -> str:
        """What has the focus, as role and name."""
        found = self._page.locator(":focus")
        return found.aria_snapshot().splitlines()[0].removeprefix("- ") if found.count() else ""

    def go_to(self, role: str, name: str) -> None:
        """Presses the tab key until this has the focus."""
        wanted = f'{role} "{name}"'
        for _ in range(MOST_TABS):
            if self.focus.startswith(wanted):
                return
            self._page.keyboard.press("Tab")
        raise AssertionError(f"no {wanted} within {MOST_TABS} stops")

    def press(self, role: str, name: str, key: str = "Enter") -> None:
        self.go_to(role, name)
        self._page.keyboard.press(key)

    def writes(self, name: str, text: str, role: str = "textbox") -> None:
        self.go_to(role, name)
        self._page.keyboard.type(text)

    def types(self, name: str, text: str) -> None:
        self.writes(name, text)
        self._page.keyboard.press("Enter")

    def key(self, key: str) -> None:
        self._page.keyboard.press(key)


@pytest.fixture
def listener(chromium: Browser, set_up: Studio) -> Iterator[Listener]:
    page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en")
    page.goto(f"{set_up.origin}/board/lounge/control")
    yield Listener(page)
    page.close()


def test_a_match_of_x01_is_played_by_ear_and_keyboard(set_up: Studio, listener: Listener) -> None:
    start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 201}}
    assert set_up.referee.ask({"start": start})["ok"]
    listener.waits_for("Ann, 201 left. Ann: dart 1.")
    # The darts of a board are told from where they are to 20.
    for dart, words in (
        ("S5", "Dart 1: single 5, 1 left of 20. Ann, 196 left."),
        ("T20", "Dart 2: triple 20, on target. Ann, 136 left."),
        ("MISS", "Dart 3: Miss. Ann, 136 left. Ann: pull the darts, then Next."),
    ):
        assert set_up.referee.ask({"throw": dart})["ok"]
        listener.waits_for(words)
    listener.press("button", "Next")
    listener.waits_for("Bob, 201 left. Bob: dart 1.")
    # Bob types what a friend calls out to them.
    listener.press("button", "Numbers")
    listener.types(DARTS, "t20 x")
    listener.waits_for("x is not a bed.")
    listener.key("Control+a")
    listener.types(DARTS, "t20 t20 t20")
    listener.waits_for("Dart 3: triple 20, on target. Bob, 21 left.")
    listener.press("button", "Next")
    listener.waits_for("Ann, 136 left. Ann: dart 1.")
    listener.press("button", "Miss")
    listener.waits_for("Dart 1: Miss.")
    listener.press("button", "Next")
    listener.waits_for("Bob, 21 left. Bob: dart 1.")
    listener.types(DARTS, "1 d10")
    listener.waits_for("Dart 2: double 10, on target. Bob, 0 left.")
    # What was aimed at before the first dart is not known any more.
    assert set_up.referee.ask({"undo": True})["ok"]
    listener.waits_for("Dart 1: single 1. Bob, 20 left.")
    assert set_up.referee.ask({"throw": "D10"})["ok"]
    listener.waits_for("Dart 2: double 10, on target. Bob, 0 left.")
    listener.press("button", "Next")
    listener.waits_for("Bob wins")
    listener.press("button", "Rematch")
    listener.waits_for("Bob, 201 left. Bob: dart 1.")


def test_choices_are_told_with_their_numbers_and_made_by_them(set_up: Studio, listener: Listener) -> None:
    players = {"game": "dart_wars", "players": ["Ann", "Bob"], "options": {"order": "listed"}}
    assert set_up.referee.ask({"start": players})["ok"]
    listener.waits_for("Ann: throw for a homeland")
    assert set_up.referee.ask({"throw": {"zone": ["alaska", "yukon"]}})["ok"]
    listener.waits_for("Choose by number: 1 Alaska, 2 Yukon")
    listener.key("2")
    listener.waits_for("Bob: throw for a homeland")
    state = set_up.referee.watcher.last("match")
    assert state["players"][0]["homeland"] == "yukon"


def test_choices_of_a_game_without_its_own_scoreboard_have_numbers_up_to_nine(
    set_up: Studio, listener: Listener
) -> None:
    assert set_up.referee.ask({"start": {"game": "call_three", "players": ["Ann", "Bob"]}})["ok"]
    listener.waits_for("Choose by number: 1 1, 2 2, 3 3, 4 4, 5 5, 6 6, 7 7, 8 8, 9 9")
    assert "10 10" not in listener.hears()
    listener.press("button", "Rules")
    until(lambda: 'button "Close"' in listener.focus, "the dialog is open")
    listener.key("3")
    listener.key("Escape")
    until(lambda: 'button "Rules"' in listener.focus, "the dialog is closed")
    listener.key("2")
    listener.waits_for("Choose by number: 1 1, 2 3, 3 4")
    assert set_up.referee.watcher.last("match")["turn"]["called"] == [2]


def test_a_match_is_set_up_by_keyboard_alone(set_up: Studio, listener: Listener) -> None:
    set_up.referee.ask({"stop": True})
    listener.writes("Find a game", "x01", "searchbox")
    listener.press("radio", "X01", "Space")
    listener.press("button", "301")
    listener.writes("Player 1", "Ann")
    listener.writes("Player 2", "Bob")
    listener.press("button", "Game on")
    listener.waits_for("Ann, 301 left. Ann: dart 1.")
