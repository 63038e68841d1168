"""`oche simulate`: matches of bots without a daemon, to see how long a game takes and whom it favours."""

import argparse
import json
import math
import os
import secrets
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from statistics import median_low
from typing import Any

from boards.problems import did_you_mean
from daemon.cli.parsing import json_object
from daemon.cli.rules import unknown_game
from daemon.cli.simulation import ALONE, Plan, Played, opened, play_all, rival_seats
from daemon.session.rollouts import Stuck
from daemon.system.catalogue import games
from daemon.system.exit_codes import Exit
from daemon.system.progress import progress
from daemon.system.skills import spread_of_text
from daemon.system.urls import UsageError
from engine.match import Match
from engine.matchfile import CANNOT_BE_ONE
from engine.random_play import LONGEST
from engine.refusals import Refusal


def simulate(arguments: argparse.Namespace) -> int:
    """Plays and prints the figures. Returns 1 if the match is refused, 2 if no such match is possible."""
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    plan = Plan(
        arguments.game,
        arguments.players,
        json_object("--options", arguments.options or "{}"),
        _skill(arguments.skill),
        seed,
        arguments.rival is not None,
    )
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


def _skill(text: str) -> float:
    try:
        return spread_of_text(text)
    except ValueError as error:
        raise UsageError(f"--skill {error}") from error
