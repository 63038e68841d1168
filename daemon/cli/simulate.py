"""`oche simulate`: matches of bots without a daemon, to see how long a game takes and whom it favours.

A match depends only on the seed and its number, so the number of processes does not change the figures.
"""

import argparse
import json
import math
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median_low
from typing import Any, Final

from boards.problems import did_you_mean
from daemon.cli.rules import unknown_game
from daemon.session.chance import draw, landed
from daemon.system.catalogue import faces, games
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Exit
from daemon.system.progress import Done, progress
from daemon.system.urls import UsageError
from engine import match as matches
from engine.actions import GameAction, Throw
from engine.aiming import COARSEST_MM, FINEST_MM
from engine.bullthrow import can_be_compared
from engine.darts import Position
from engine.game import AnyDart
from engine.geometry import centre_of, segment_at
from engine.match import Header, Match
from engine.matchfile import CANNOT_BE_ONE, NEWEST, open_match
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


class Stuck(Exception):
    """A game refused its own advice, or gave none for a player that it waits for. The text says which."""


def simulate(arguments: argparse.Namespace) -> int:
    """Plays and prints the figures. Returns 1 if the match is refused, 2 if no such match is possible."""
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    plan = Plan(
        arguments.game,
        arguments.players,
        _options(arguments.options),
        arguments.skill,
        seed,
        arguments.rival is not None,
    )
    if not FINEST_MM <= plan.skill_mm <= COARSEST_MM:
        raise UsageError(f"--skill is a spread in mm, from {FINEST_MM} to {COARSEST_MM}.")
    if arguments.matches < 1:
        raise UsageError("--matches must be at least 1.")
    match = opened(plan)
    if isinstance(match, Refusal):
        if match.reason == "unknown_game":
            raise unknown_game(plan.game, games())
        print(f"{match}{_suggestion(plan, match)}", file=sys.stderr)
        return Exit.USAGE if match.reason in CANNOT_BE_ONE else Exit.FAILED
    began = time.perf_counter()
    try:
        processes = 1 if arguments.matches <= ALONE else len(os.sched_getaffinity(0))
        with progress(f"{plan.game}: {arguments.matches:,} matches", arguments.matches) as done:
            played = play_all(plan, arguments.matches, processes, done)
    except Stuck as stuck:
        print(stuck, file=sys.stderr)
        return 1
    found = figures(plan, match, played) | speed(played, time.perf_counter() - began)
    print(json.dumps(found, ensure_ascii=False) if arguments.json else in_words(found))
    return 0


def _suggestion(plan: Plan, refusal: Refusal) -> str:
    """Returns the nearest name, if an option does not exist."""
    if refusal.reason == "unknown_option":
        known = [option.name for option in games()[plan.game].options]
        return did_you_mean(next(name for name in plan.options if name not in known), known)
    return ""


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
    rivals = frozenset(players[at] for at in rival_seats(plan, number))
    darts = 0
    while not match.finished and len(match.played) < LONGEST:
        action = draw(match, random)
        if action is None:
            action = (_rival if match.turn.actor in rivals else _bot)(match, plan.skill_mm, random)
        outcome = matches.apply(match, action)
        if isinstance(outcome, Refusal):
            raise Stuck(f"{plan.game} refuses what it told a bot to do, {action}: {outcome}")
        darts += isinstance(action, Throw)
        match = outcome
    return match, darts


def rival_seats(plan: Plan, number: int) -> range:
    """Returns the rivals' seats: every second one, from match to match the others, so that no seat is favoured."""
    return range((number + 1) % 2, plan.players, 2) if plan.rivals else range(0)


def _bot(match: Match, skill_mm: float, random: Random) -> GameAction:
    advice = match.game.advice(match.state, skill_mm)
    if advice.action is not None:
        return advice.action
    if advice.aim is None:
        raise Stuck(f"{match.game.name} awaits {match.turn.awaits} and has no advice for it.")
    return _thrown(Position(advice.aim.x, advice.aim.y), skill_mm, random)


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


def figures(plan: Plan, match: Match, played: Sequence[Played]) -> dict[str, Any]:
    """Returns the figures as JSON. Winners who share a win have equal parts of it; shares are 0 to 1."""
    ended = [(number, one.winners) for number, one in enumerate(played) if one.winners is not None]
    won = [_share((1 / len(w) for _, w in ended if seat in w), played) for seat in range(plan.players)]
    found: dict[str, Any] = {
        "game": plan.game,
        "players": plan.players,
        "options": match.header.options,
        "skill": plan.skill_mm,
        "seed": plan.seed,
        "matches": len(played),
        "actions": _lengths(one.actions for one in played),
        "darts": _lengths(one.darts for one in played),
        "won": won,
    }
    if house := _share((1 / len(w or (0,)) for _, w in ended if not w or plan.players in w), played):
        found["house"] = house
    if len(ended) < len(played):
        found["unfinished"] = len(played) - len(ended)
    if plan.rivals:
        found["bots"] = _share(_bots_parts(plan, ended), played)
    return found


def _bots_parts(plan: Plan, ended: Iterable[tuple[int, tuple[int, ...]]]) -> Iterator[float]:
    for number, winners in ended:
        rivals = rival_seats(plan, number)
        yield from (1 / len(winners) for seat in winners if seat not in rivals and seat < plan.players)


def _share(parts: Iterable[float], played: Sequence[Played]) -> float:
    return round(math.fsum(parts) / len(played), 4)


def _lengths(counts: Iterable[int]) -> dict[str, int]:
    lengths = list(counts)
    return {"median": median_low(lengths), "longest": max(lengths)}


def speed(played: Sequence[Played], seconds: float) -> dict[str, Any]:
    """Returns the time on this machine: the only figures that differ from run to run."""
    return {"seconds": round(seconds, 2), "darts_per_second": round(sum(one.darts for one in played) / seconds)}


def in_words(found: dict[str, Any]) -> str:
    """Returns the figures as text, one kind a line."""
    won = [f"seat {seat} {share:.1%}" for seat, share in enumerate(found["won"], 1)]
    won += [f"the house {found['house']:.1%}"] if "house" in found else []
    lines = [
        f"{found['game']}: {found['matches']:,} matches of {found['players']}, "
        f"skill {found['skill']:g} mm, seed {found['seed']}",
        *(
            f"{kind:9}median {found[kind]['median']:,}, longest {found[kind]['longest']:,}"
            for kind in ("actions", "darts")
        ),
        f"won      {', '.join(won)}",
    ]
    if "bots" in found:
        lines.append(
            f"rivals   {1 - found['bots'] - found.get('house', 0):.1%}, the bots against them {found['bots']:.1%}"
        )
    if "unfinished" in found:
        lines.append(f"no end   {found['unfinished']:,} matches, given up after {LONGEST:,} actions")
    return "\n".join([*lines, f"speed    {found['darts_per_second']:,} darts a second, {found['seconds']} s"])


def _options(text: str | None) -> dict[str, Any]:
    try:
        options = json.loads(text or "{}")
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise UsageError('--options is a JSON object, like {"start": 301}.')
    return options
