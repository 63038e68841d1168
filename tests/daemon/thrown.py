"""Darts that were thrown at a daemon which may be killed, and what must be true of those that it showed."""

import random
from typing import Any, Final

from daemon.record.reader import History
from engine import jsontext
from engine.actions import Throw, action_from_json
from engine.games import GAMES
from engine.match import Match, apply
from engine.matchfile import open_match, read_header
from engine.refusals import Refusal
from tests.mqtt_clients import Watcher
from tests.rig import Daemon

BEDS: Final = [(number, factor) for number in range(1, 21) for factor in (1, 2, 3)]
LETTERS: Final = {1: "S", 2: "D", 3: "T"}


def text(bed: tuple[int, int]) -> str:
    return f"{LETTERS[bed[1]]}{bed[0]}"


def another(chance: random.Random, sent: list[str]) -> tuple[int, int]:
    """A bed, but none of the last ones: the same again just after a start may be held still, and is no dart."""
    return chance.choice([bed for bed in BEDS if text(bed) not in sent[-12:]])


def each_once(hits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The hits without those that came again: one that was under way at a kill may, with the id and all that it had."""
    once = {hit["id"]: hit for hit in hits}
    assert all(once[hit["id"]] == hit for hit in hits), "two darts have one id"
    assert [hit["id"] for hit in once.values()] == [f"lounge-{n}" for n in range(1, len(once) + 1)], "a hit is missing"
    return list(once.values())


def in_the_order_thrown(seen: list[str], sent: list[str]) -> None:
    """What was heard is what was thrown, less the darts that were in a dead daemon's buffers."""
    rest = iter(sent)
    assert all(dart in rest for dart in seen), "a dart was invented, doubled or reordered"


def the_record_holds_what_was_shown(daemon: Daemon, watcher: Watcher) -> None:
    """Every state that was ever shown is one that the stored match comes to, action by action."""
    history = History(daemon.data)
    [(row, _)] = history.matches()
    header = read_header(row.header.encode())
    assert not isinstance(header, Refusal)
    match = open_match(header, GAMES, {})
    assert isinstance(match, Match)
    # The revision of the start is 1, and every action of this match made the next one.
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
        kept = {key: value for key, value in picture.items() if key not in ("match", "revision", "schema", "options")}
        assert pictures[picture["revision"]] == kept
