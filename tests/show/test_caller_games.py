"""Every game at the port for callers, as a listener hears it: order and fields of the guide."""

import asyncio
import re
from functools import cache
from typing import Any, Final

import pytest

from daemon.system.catalogue import games
from tests.rig import LIMIT_SECONDS
from tests.show.played import Played
from tests.show.test_caller_door import Clock, door, listener
from tests.show.test_caller_words import GUIDE, documented, told

ORDER: Final = GUIDE.split("The order of a match")[1].split("```")[1]
PLAYER: Final = {"player", "playerIndex", "playerIsBot"}
TOLD: Final = 25
"""Messages of a match that go through the port: the first ones, and as many of the last."""


def order() -> re.Pattern[str]:
    """The order that the guide has, as an expression for the names of events with a semicolon after each."""
    expression = ""
    for token in re.findall(r"\[|\]|\(|\)\.\.\.|\||[A-Za-z0-9-]+(?: [A-Z][a-z]+)?", ORDER):
        expression += {"[": "(?:", "]": ")?", "(": "(?:", ")...": ")*", "|": "|"}.get(token, f"(?:{token};)")
    return re.compile(expression)


def named(message: dict[str, Any]) -> str:
    return str(message["data"]["status"] if message["event"] == "Board Status" else message["event"])


def has_documented_fields(message: dict[str, Any], fields: dict[str, set[str]]) -> bool:
    if message["event"] in ("Board Status", "match-ended"):
        return message["event"] in fields
    of_game = message["game"].keys() <= fields[message["event"]] | {"mode"}
    return of_game and message.keys() == PLAYER | {"event", "game"}


@cache
def match_of(key: str) -> Played:
    """A match of a game to its end."""
    game = games()[key]
    seats = min(max(2, game.seats.start), game.seats.stop - 1)
    played = Played(key, ["Ann", "Bob", "Cid", "Dee", "Eve", "Flo"][:seats], {}, seed=7)
    played.play_to_the_end()
    return played


@pytest.mark.parametrize("key", sorted(games()))
def test_every_game_keeps_to_the_order(key: str) -> None:
    played = match_of(key)
    messages = told(played)
    names = "".join(f"{named(message)};" for message in messages)
    matched = order().match(names)
    assert matched is not None
    assert matched.end() == len(names), names[max(0, matched.end() - 200) : matched.end() + 100]
    fields = documented()
    assert all(has_documented_fields(message, fields) for message in messages)
    assert all(isinstance(value, str) for message in messages for value in message.get("game", {}).values())
    if played.match.finished and any(cue.winners for cue in played.cues):
        assert [m["event"] for m in messages].count("match-won") == 1
    # A turn is pulled before the next player throws.
    thrower = None
    for message in messages:
        if re.fullmatch("dart[123]-thrown", message["event"]):
            assert thrower in (None, message["player"]) or key == "dart_wars", message
            thrower = message["player"]
        elif message["event"] == "darts-pulled":
            thrower = None


def test_every_game_as_a_listener_hears_it() -> None:
    fields = documented()

    # Played before the port is open: a client that is computing answers no ping.
    shortened = {key: [*(whole := told(match_of(key)))[:TOLD], *whole[TOLD:][-TOLD:]] for key in sorted(games())}

    async def work() -> None:
        async with door(Clock(), []) as (opened, port), listener(port) as (_, heard):
            for key, messages in shortened.items():
                for message in messages:
                    await opened.tell(message)
                came = [await asyncio.wait_for(heard.get(), LIMIT_SECONDS) for _ in messages]
                assert came == messages, key
                assert all(has_documented_fields(message, fields) for message in came), key

    asyncio.run(work())
