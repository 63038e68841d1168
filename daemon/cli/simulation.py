"""Matches of bots without a daemon, played by one process or several.

A match depends only on the seed and its number, so the number of processes does not change the figures.
"""

import signal
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

from daemon.session.chance import draw, landed
from daemon.session.rollouts import Stuck, next_action
from daemon.system.catalogue import faces, games
from daemon.system.error_text import error_text
from daemon.system.progress import Done
from engine.actions import GameAction, Throw
from engine.bullthrow import can_be_compared
from engine.darts import Position
from engine.game import AnyDart
from engine.geometry import centre_of, segment_at
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.play import apply
from engine.random_play import LONGEST
from engine.refusals import Refusal
from engine.segments import INNER_BULL, SEGMENTS

ALONE: Final = 50
"""Up to this number one process plays all: starting others takes longer than they save."""

PART: Final = 5
"""How many matches a process gets at once. It finishes them even if only the parent is stopped."""

_BIGGEST: Final = centre_of(SEGMENTS["SO20"])
"""Where a rival aims: the largest bed of the number 20."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play. `skill_mm` is the spread of every dart in x and in y; `options` are those of a match file."""

    game: str
    players: int
    options: dict[str, Any]
    skill_mm: float
    seed: int
    rivals: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """One match. `winners` are seats from 0; None if it did not end.

    Empty if the house won; if players share the win with it, the house has the seat after theirs.
    """

    actions: int
    darts: int
    winners: tuple[int, ...] | None


def opened(plan: Plan) -> Match | Refusal:
    """Returns the match of a plan before its first action. Nobody throws for the start, unless an option says so."""
    names = tuple(f"Bot {number}" for number in range(1, plan.players + 1))
    game = games().get(plan.game)
    orders = [option.kind for option in game.options if option.name == "order"] if game else []
    listed = {"order": "listed"} if any(kind.accepts("listed", names) for kind in orders) else {}
    return open_match(Header(plan.game, names, listed | plan.options, NEWEST), games(), faces())


def play_all(plan: Plan, count: int, processes: int, done: Done = lambda _: None) -> list[Played]:
    """Plays the matches 0 to `count`, and returns them in order. Stuck if a game fails. `done` gets their number."""
    parts = [range(first, min(first + PART, count)) for first in range(0, count, PART)]
    pool = _pool(processes) if processes > 1 else None
    if pool is None:
        return _collected(map(partial(_play_some, plan), parts), done)
    with pool:
        return _collected(pool.map(partial(_play_some, plan), parts), done)


def _pool(processes: int) -> ProcessPoolExecutor | None:
    """Returns the processes that play; None if the system has no semaphores for them."""
    try:
        return ProcessPoolExecutor(processes, initializer=_end_silently)
    except (OSError, ImportError) as error:
        # Semaphores are files in /dev/shm, which containers may lack, or have read-only or full.
        print(f"oche: One process plays all: no semaphores in /dev/shm ({error_text(error)}).", file=sys.stderr)
        return None


def _collected(parts: Iterable[list[Played]], done: Done) -> list[Played]:
    played: list[Played] = []
    for part in parts:
        played += part
        done(len(played))
    return played


def _end_silently() -> None:
    """Ends a child process at Ctrl-C without a message: the parent prints one."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _play_some(plan: Plan, numbers: Iterable[int]) -> list[Played]:
    match = opened(plan)
    if isinstance(match, Refusal):
        raise Stuck(str(match))
    return [play(plan, match, number) for number in numbers]


def play(plan: Plan, match: Match, number: int) -> Played:
    """Plays match `number` of a plan from its beginning `match`; gives up after LONGEST actions."""
    end, darts = play_out(plan, match, number)
    players, winners = end.header.players, end.game.winners(end.state)
    seats = None if winners is None else tuple(players.index(name) for name in winners if name in players)
    if seats and winners is not None and len(seats) < len(winners):
        seats = (*seats, len(players))
    return Played(len(end.played), darts, seats)


def play_out(plan: Plan, match: Match, number: int) -> tuple[Match, int]:
    """Returns match `number` of a plan after its last action, and the number of its darts."""
    # Every Python hashes a text seed alike; neighbouring numbers as seeds give similar sequences.
    random = Random(f"{plan.seed}/{number}")
    players = match.header.players
    hands = dict.fromkeys(players, plan.skill_mm)
    rivals = frozenset(players[at] for at in rival_seats(plan, number))
    darts = 0
    while not match.finished and len(match.played) < LONGEST:
        if match.turn.actor in rivals:
            action = draw(match, random) or _rival(match, plan.skill_mm, random)
        else:
            action = next_action(match.game, match.state, hands, random)
        outcome = apply(match, action)
        if isinstance(outcome, Refusal):
            raise Stuck(f"{plan.game} refuses what it told a bot to do, {action}: {outcome}")
        darts += isinstance(action, Throw)
        match = outcome
    return match, darts


def rival_seats(plan: Plan, number: int) -> range:
    """Returns the rivals' seats: every second one, from match to match the others, so that no seat is favoured."""
    return range((number + 1) % 2, plan.players, 2) if plan.rivals else range(0)


def _rival(match: Match, skill_mm: float, random: Random) -> GameAction:
    """Throws at the same bed whenever a dart is allowed; otherwise takes a random action."""
    legal = match.legal()
    for pattern in legal.patterns:
        if isinstance(pattern, AnyDart):
            # In a throw for the bull any other aim would lose on purpose.
            nearest_wins = pattern.accepts is can_be_compared
            return _thrown(centre_of(INNER_BULL) if nearest_wins else _BIGGEST, skill_mm, random)
    return random.choice(legal.actions)


def _thrown(at: Position, skill_mm: float, random: Random) -> Throw:
    """Returns a throw with random spread, as a board with segments reports it."""
    return Throw(segment_at(landed(at, skill_mm, random)))
