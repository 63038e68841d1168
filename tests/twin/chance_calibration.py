"""How well the chance to win is calibrated: the tables of docs/twin.md. `python -m tests.twin.chance_calibration GAME`.

Two hands that differ by up to a factor of two play a match by the game's advice. At a moment of it, drawn from all, the
chance of the first player is worked out as for the scoreboard; then it is compared with who won. Cricket is played many
matches at once: by the real rules 10,000 matches take hours of processor time.
"""

import argparse
import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

import numpy as np

from daemon.cli.simulation import Plan, opened
from daemon.session.rollouts import LONGEST, count, counting, next_action
from engine.game import Game
from engine.games.x01_state import State as X01State
from engine.match import Match
from engine.refusals import Refusal
from twin import cricket_matches
from twin.x01_match import X01Chances

HANDS: Final = (6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 50, 60)
APART: Final = 4
"""By how many places of HANDS the two are apart at most: a factor of two or a little more."""
BINS: Final = 10
PART: Final = 50


@dataclass(frozen=True, slots=True)
class Told:
    """What was told of the first player at some moment, and what part of the win was theirs."""

    chance: float
    won: float


def one(game: str, options: dict[str, Any], rollouts: int, exact: X01Chances, seed: str) -> Told | None:
    """Plays a match and tells a chance; None if the match does not end."""
    random = Random(seed)
    match = opened(Plan(game, 2, options, 0.0, 0))
    assert isinstance(match, Match), match
    at = random.randrange(len(HANDS))
    other = min(max(at + random.randint(-APART, APART), 0), len(HANDS) - 1)
    hands = {name: float(HANDS[place]) for name, place in zip(match.header.players, (at, other), strict=True)}
    states, winners = course(match.game, match.state, hands, random)
    if winners is None:
        return None
    state = random.choice(states)
    chance = exact.of(state, hands) if isinstance(state, X01State) else None
    if chance is None:
        found = counting(match.view())
        count(match.game, state, hands, found, random, lambda played: played < rollouts)
        chance = found.chances()
    first = match.header.players[0]
    return Told(chance[first], (first in winners) / len(winners) if winners else 0.0)


def course(
    game: Game[Any], state: Any, hands: dict[str, float], random: Random
) -> tuple[list[Any], tuple[str, ...] | None]:
    """All states of a match but its last one, and who won."""
    states: list[Any] = []
    while len(states) < LONGEST:
        if (winners := game.winners(state)) is not None:
            return states, winners
        states.append(state)
        step = game.apply(state, next_action(game, state, hands, random))
        assert not isinstance(step, Refusal), step
        state = step.state
    return states, None


def some(game: str, options: dict[str, Any], rollouts: int, numbers: Iterable[int]) -> list[Told]:
    """What was told in the matches of these numbers."""
    exact = _EXACT
    found = (one(game, options, rollouts, exact, f"{game}/{number}") for number in numbers)
    return [told for told in found if told is not None]


def of_cricket(matches: int, rollouts: int) -> list[Told]:
    """What was told in so many matches of Cricket, each with so many played out from one of its moments."""
    random, draw = np.random.default_rng(1), Random(1)
    match = opened(Plan("cricket", 2, {}, 0.0, 0))
    assert isinstance(match, Match), match
    players = [cricket_matches.Player(cricket_matches.Hand.of(mm)) for mm in HANDS]
    one = [draw.randrange(len(HANDS)) for _ in range(matches)]
    other = [min(max(at + draw.randint(-APART, APART), 0), len(HANDS) - 1) for at in one]
    whose = np.array([one, other], np.int32).T
    begun = cricket_matches.Matches.of([match.state])
    moments, seen = begun.only(np.zeros(matches, np.int32)), 0

    def look(at: cricket_matches.Ints, now: cricket_matches.Matches) -> None:
        nonlocal seen
        seen += 1
        # Of the moments so far each is as likely.
        chosen = random.random(len(at)) < 1 / seen
        moments.put(at[chosen], now.only(np.flatnonzero(chosen)))

    won = cricket_matches.play_out(begun.only(np.zeros(matches, np.int32)), players, whose, 2, look=look)
    told: list[Told] = []
    for first in range(0, matches, rollouts):
        some = np.repeat(np.arange(first, min(first + rollouts, matches), dtype=np.int32), rollouts)
        shares = cricket_matches.play_out(moments.only(some), players, whose[some], 3 + first)
        # One match that both share is added, as for the scoreboard.
        chances = (shares.reshape(-1, rollouts).sum(axis=1) + 0.5) / (rollouts + 1)
        told += [Told(float(chance), float(part)) for chance, part in zip(chances, won[first:], strict=False)]
    return told


_EXACT: Final = X01Chances()
"""Of each process: hands are solved once."""


def brier(told: Sequence[Told]) -> float:
    """The mean square of what was told less what came: 0 is a prophet, 0.25 always says a half."""
    return math.fsum((each.chance - each.won) ** 2 for each in told) / len(told)


def reliability(told: Sequence[Told]) -> list[tuple[int, float, float, float]]:
    """For each tenth of chances: how many there are, their mean, the part that was won, and its standard error."""
    rows = []
    for low in range(BINS):
        among = [each for each in told if min(int(each.chance * BINS), BINS - 1) == low]
        if among:
            mean = math.fsum(each.chance for each in among) / len(among)
            won = math.fsum(each.won for each in among) / len(among)
            rows.append((len(among), mean, won, math.sqrt(max(mean * (1 - mean), 1e-4) / len(among))))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--rollouts", type=int, default=100, help="matches played out for a chance; not in X01")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    if asked.game == "cricket":
        _print(asked.game, of_cricket(asked.matches, asked.rollouts))
        return
    parts = [range(first, min(first + PART, asked.matches)) for first in range(0, asked.matches, PART)]
    with ProcessPoolExecutor(asked.processes) as pool:
        told = [each for part in pool.map(partial(some, asked.game, {}, asked.rollouts), parts) for each in part]
    _print(asked.game, told)


def _print(game: str, told: Sequence[Told]) -> None:
    print(f"{game}: {len(told):,} matches, Brier score {brier(told):.4f}")
    print("| told | times | won | standard error |\n|---|---|---|---|")
    for number, mean, won, error in reliability(told):
        print(f"| {100 * mean:.1f} % | {number:,} | {100 * won:.1f} % | {100 * error:.1f} % |")


if __name__ == "__main__":
    main()
