"""Which match goes to which board, and when the tournament will be over."""

import heapq
from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Final

from league.calls import busy, players_of
from league.fixtures import Fixture, Known, LoserOf, PlaceOf, Side, WinnerOf
from league.pairings import Pairing
from league.state import Tournament

LEG_SECONDS: Final = 300.0
"""How long a leg takes while nothing is known of these players: about five minutes of 501."""
KNOWN_LEGS: Final = 4
"""How many legs at `LEG_SECONDS` are counted beside those that were played: one quick match says little."""


def next_calls(
    tournament: Tournament, boards: Sequence[str], not_now: Collection[str] = (), playing: Collection[str] = ()
) -> tuple[tuple[str, str], ...]:
    """Pairs (fixture, board) to call on the free `boards`, in the order of the draw; nobody is on two boards at once.

    Fixtures of `not_now` stay where they are, and so do those of the players who are `playing` what does not count.
    """
    free = [board for board in boards if board not in tournament.calls.values()]
    found: list[tuple[str, str]] = []
    taken = {*busy(tournament), *playing} if free else set()
    ready = [p for p in tournament.standing.pairings.values() if p.state == "ready"]
    for pairing in sorted(ready, key=lambda p: p.fixture.round):
        fixture = pairing.fixture.id
        players = players_of(tournament, pairing)
        if not free:
            break
        if fixture not in tournament.calls and fixture not in not_now and not players & taken:
            found.append((fixture, free.pop(0)))
            taken |= players
    return tuple(found)


def forecast(tournament: Tournament, boards: int, now: float) -> float | None:
    """The time in seconds when the last match will be over on this many boards; `None` without a draw or a board.

    Each open match takes what its players' legs have taken so far, and begins when a board is free, the pause after
    its last match too, and the matches that it depends on are over.
    """
    if not tournament.drawn or boards < 1:
        return None
    if tournament.over:
        return max(tournament.ended.values(), default=now)
    paces = _paces(tournament)
    waiting = [pairing for pairing in tournament.standing.pairings.values() if pairing.open]
    ends: dict[str, float] = {}
    free = [now] * boards
    heapq.heapify(free)
    for pairing in sorted(waiting, key=lambda p: p.fixture.id not in tournament.calls):
        if pairing.fixture.only_after is None:
            _place(tournament, pairing, paces, ends, free, now)
    return max([*ends.values(), now]) + _later_rounds(tournament, boards)


def _place(
    tournament: Tournament,
    pairing: Pairing,
    paces: Mapping[int, float],
    ends: dict[str, float],
    free: list[float],
    now: float,
) -> None:
    fixture = pairing.fixture
    began = tournament.began[fixture.id] if fixture.id in tournament.calls else now
    after = max((ends.get(other, now) for other in _before(tournament, fixture)), default=now)
    board = heapq.heappop(free)
    mine = [paces[side] for side in (pairing.home, pairing.away) if side is not None and side in paces]
    begins = max(board, after) if fixture.id not in tournament.calls else min(began, now)
    ends[fixture.id] = max(now, begins + _legs(tournament, fixture) * (fmean(mine) if mine else _usual(tournament)))
    heapq.heappush(free, ends[fixture.id] + tournament.setup.pause)


def _legs(tournament: Tournament, fixture: Fixture) -> float:
    """How many legs a match has on average: between the fewest and all."""
    most = tournament.play_of(fixture).best_of
    return (most // 2 + 1 + most) / 2


def _before(tournament: Tournament, fixture: Fixture) -> list[str]:
    """The fixtures that must be over before this one."""
    found: list[str] = []
    for side in (fixture.home, fixture.away):
        found += _needed(tournament, side)
    return found


def _needed(tournament: Tournament, side: Side) -> list[str]:
    match side:
        case Known():
            return []
        case WinnerOf(fixture) | LoserOf(fixture):
            return [fixture]
        case PlaceOf(group):
            return [fixture.id for fixture in tournament.fixtures if fixture.group == group]


def _seconds(tournament: Tournament) -> list[tuple[int, int, float, int]]:
    """Home, away, seconds and legs of each match that was played on a board."""
    return [
        (result.home, result.away, tournament.ended[fixture] - tournament.began[fixture], sum(result.score))
        for fixture, result in tournament.results.items()
        if fixture in tournament.began and fixture in tournament.ended and not result.walkover
    ]


def _usual(tournament: Tournament) -> float:
    """Seconds of a leg in this tournament."""
    played = _seconds(tournament)
    seconds, legs = sum(part[2] for part in played), sum(part[3] for part in played)
    return (seconds + KNOWN_LEGS * LEG_SECONDS) / (legs + KNOWN_LEGS)


def _paces(tournament: Tournament) -> dict[int, float]:
    """Seconds of a leg with each entrant, drawn to the usual ones while they have played little."""
    usual = _usual(tournament)
    found: dict[int, tuple[float, int]] = {}
    for home, away, seconds, legs in _seconds(tournament):
        for side in (home, away):
            before = found.get(side, (KNOWN_LEGS * usual, KNOWN_LEGS))
            found[side] = (before[0] + seconds, before[1] + legs)
    return {side: seconds / legs for side, (seconds, legs) in found.items()}


def _later_rounds(tournament: Tournament, boards: int) -> float:
    """How long the Swiss rounds take that are not drawn yet."""
    if tournament.setup.format != "swiss":
        return 0.0
    left = tournament.setup.rounds - tournament.fixtures[-1].round
    matches = (len(tournament.entrants) - len(tournament.withdrawn)) // 2
    seconds = tournament.setup.pause + _legs(tournament, tournament.fixtures[0]) * _usual(tournament)
    return left * -(-matches // boards) * seconds
