"""Matches that are started and played by commands, for tests that only look at a screen.

Not through the form and the buttons of a phone, which other tests press: its page costs as much as the screen.
"""

from collections.abc import Sequence
from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.mqtt_clients import Referee

NEXT: Final[dict[str, Any]] = {"next": True}
HOMELANDS: Final = ("S20", "S1", "S4", "S13", "S6")


def play(
    referee: Referee,
    page: Page,
    game: str,
    players: Sequence[str],
    options: dict[str, Any],
    commands: Sequence[dict[str, Any]] = (),
) -> None:
    """Starts a match, sends these commands, and waits until the page shows what came of them."""
    revision = 0
    for command in ({"start": {"game": game, "players": list(players), "options": options}}, *commands):
        answer = referee.ask(command)
        assert answer["ok"], (command, answer)
        revision = answer["revision"]
    expect(page.locator(f"main[data-revision='{revision}']:not(.stale)")).to_be_visible()


def two_darts(game: str, players: int) -> list[dict[str, Any]]:
    """Commands up to the second dart of the first turn, where dice are entered by hand."""
    homes = [{"throw": home} for home in HOMELANDS[:players]] if game == "dart_wars" else []
    dice = [{"roll": [20, 19, 7]}] if game == "cerberus" else []
    return [*homes, *dice, {"throw": "S20"}, {"throw": "T19"}]
