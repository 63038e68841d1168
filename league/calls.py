"""Which fixture is called to which board, and which matches are left on a board although they do not count any more."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.refusals import Refusal
from league.events import Call
from league.pairings import Pairing
from league.state import Left, Tournament

KEPT_SECONDS: Final = 3600.0
"""How long a match that does not count any more is looked for on its board; later a referee stops it there."""
VOID_SECONDS: Final = 60.0
"""So long a match stays on its board that a result, a correction or a withdrawal has made void: whoever takes that back
finds it as it was."""


def call(tournament: Tournament, event: Call, at: float) -> Tournament | Refusal:
    """The tournament after a fixture was called to a board at a time in seconds, or its call taken back."""
    pairing = tournament.standing.pairings.get(event.fixture)
    if pairing is None or pairing.state != "ready":
        return _refused(f"{event.fixture[:20]} cannot be played now.")
    others = {fixture: board for fixture, board in tournament.calls.items() if fixture != event.fixture}
    if event.board is None:
        return _called(tournament, others, held=tournament.held | {event.fixture})
    if event.board == tournament.calls.get(event.fixture):
        return _refused(f"{event.fixture} is called to {event.board} already.")
    if event.board in others.values():
        return _refused(f"Another match is on {event.board}.")
    if players_of(tournament, pairing) & busy(_called(tournament, others)):
        return _refused(f"One of the players of {event.fixture} is on another board.")
    began = {**tournament.began, event.fixture: at}
    calls, held = {**others, event.fixture: event.board}, tournament.held - {event.fixture}
    return _called(tournament, calls, held=held, began=began)


def _called(tournament: Tournament, calls: Mapping[str, str], **changes: Any) -> Tournament:
    """The tournament with other calls. They change nothing in its standing, which takes long to work out."""
    changed = replace(tournament, calls=calls, **changes)
    vars(changed)["standing"] = tournament.standing
    return changed


def players_of(tournament: Tournament, pairing: Pairing) -> frozenset[str]:
    """The names of all players of a pairing."""
    sides = [side for side in (pairing.home, pairing.away) if side]
    return frozenset(player for side in sides for player in tournament.by_number(side).players)


def busy(tournament: Tournament) -> frozenset[str]:
    """The players who are on a board."""
    pairings = tournament.standing.pairings
    return frozenset(player for f in tournament.calls for player in players_of(tournament, pairings[f]))


def without_void_calls(before: Tournament, after: Tournament) -> Tournament:
    """Takes off the boards what cannot be played any more: it is over, or its players have changed."""
    old, new = before.standing.pairings, after.standing.pairings
    valid = {f: board for f, board in after.calls.items() if f in new and is_playable(old[f], new[f])}
    return after if valid == after.calls else _called(after, valid)


def is_playable(before: Pairing, after: Pairing) -> bool:
    """Whether a match that was called with the sides of `before` is still to be played."""
    return after.state == "ready" and (after.home, after.away) == (before.home, before.away)


def without_calls_in_the_way(tournament: Tournament, event: Call) -> Tournament:
    """Without the calls that keep a later one from being made: on the same board, or with the same players."""
    pairings = tournament.standing.pairings
    if event.fixture not in pairings:
        return tournament
    wanted = players_of(tournament, pairings[event.fixture])
    others = {
        fixture: board
        for fixture, board in tournament.calls.items()
        if fixture == event.fixture or (board != event.board and not wanted & players_of(tournament, pairings[fixture]))
    }
    return tournament if others == tournament.calls else _called(tournament, others)


def with_left(
    before: Tournament, after: Tournament, at: float, *, at_once: bool, ended: str | None = None
) -> Tournament:
    """Notes the matches that were on a board before a change and do not count after it, and calls those back that count
    again: a result was taken back and came again.

    `ended` is the fixture whose match has just ended on its board.
    """
    left = [
        *(match for match in before.left if at - match.at < KEPT_SECONDS),
        *(
            Left(board, before.standing.pairings[fixture], before.began[fixture], at, at_once)
            for fixture, board in before.calls.items()
            if fixture != ended
        ),
    ]
    for match in left:
        if not match.at_once and at - match.at < VOID_SECONDS and _can_go_on(after, match):
            fixture = match.pairing.fixture.id
            calls, began = {**after.calls, fixture: match.board}, {**after.began, fixture: match.began}
            after = _called(after, calls, began=began)
    found = tuple(match for match in left if not _is_called(after, match))
    return after if found == after.left else _called(after, after.calls, left=found)


def _can_go_on(tournament: Tournament, match: Left) -> bool:
    fixture, calls = match.pairing.fixture.id, tournament.calls
    pairing = tournament.standing.pairings.get(fixture)
    if pairing is None or fixture in calls or fixture in tournament.held or match.board in calls.values():
        return False
    return is_playable(match.pairing, pairing) and not players_of(tournament, pairing) & busy(tournament)


def _is_called(tournament: Tournament, match: Left) -> bool:
    fixture = match.pairing.fixture.id
    return tournament.calls.get(fixture) == match.board and tournament.began[fixture] == match.began


def _refused(message: str) -> Refusal:
    return Refusal("not_allowed", message)
