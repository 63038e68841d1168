"""Darts thrown at a daemon that may be killed, and what must hold for those it published."""

import random
from collections.abc import Container
from typing import Any, Final

from daemon.record.reader import History
from engine import jsontext
from engine.actions import Throw, action_from_json
from engine.games import GAMES
from engine.match import Match
from engine.matchfile import open_match, read_header
from engine.play import apply
from engine.refusals import Refusal
from tests.mqtt_clients import Watcher
from tests.rig import Daemon

BEDS: Final = [(number, factor) for number in range(1, 21) for factor in (1, 2, 3)]
LETTERS: Final = {1: "S", 2: "D", 3: "T"}
OF_THE_STATE_ALONE: Final = ("match", "revision", "schema", "options", "earlier")
"""What a published state has, and the view of its match has not."""


def text(bed: tuple[int, int]) -> str:
    """Returns the segment's name, `T20`."""
    return f"{LETTERS[bed[1]]}{bed[0]}"


def another(chance: random.Random, sent: list[str]) -> tuple[int, int]:
    """Draws a bed other than the last 12: after a restart a repeated contact may count as still closed."""
    return chance.choice([bed for bed in BEDS if text(bed) not in sent[-12:]])


def each_once(hits: list[dict[str, Any]], may_miss: Container[int] = ()) -> list[dict[str, Any]]:
    """Returns the hits without duplicates, which must be equal; only numbers of `may_miss` may be missing."""
    once = {hit["id"]: hit for hit in hits}
    unequal = [(once[hit["id"]], hit) for hit in hits if once[hit["id"]] != hit]
    assert not unequal, f"two darts have one id: {unequal}"
    numbers = [hit["seq"] for hit in once.values()]
    expected = [n for n in range(1, max(numbers, default=0) + 1) if n in numbers or n not in may_miss]
    assert numbers == expected, f"a hit is missing or out of order: {numbers}"
    assert [*once] == [f"lounge-{n}" for n in numbers]
    return list(once.values())


def in_the_order_thrown(seen: list[str], sent: list[str]) -> None:
    """Asserts that the hits are the thrown darts in order, less those that a killed daemon had not read."""
    rest = iter(sent)
    assert all(dart in rest for dart in seen), "a dart was invented, doubled or reordered"


def the_record_holds_what_was_shown(daemon: Daemon, watcher: Watcher) -> None:
    """Asserts that the stored actions lead to every state that was published."""
    history = History(daemon.data)
    [(row, _)] = history.matches()
    header = read_header(row.header.encode())
    assert not isinstance(header, Refusal)
    match = open_match(header, GAMES, {})
    assert isinstance(match, Match)
    # The start has revision 1, and each action the next one.
    pictures = {1: match.view()}
    for line in history.actions(row.id):
        action = action_from_json(jsontext.parse(line.encode()))
        assert not isinstance(action, Refusal)
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal)
        match = outcome
        pictures[len(pictures) + 1] = match.view()
        assert not isinstance(action, Throw) or match.played
    shown = [p for p in watcher.all("/match") if p is not None]
    assert shown
    for picture in shown:
        kept = {key: value for key, value in picture.items() if key not in OF_THE_STATE_ALONE}
        assert pictures[picture["revision"]] == kept
