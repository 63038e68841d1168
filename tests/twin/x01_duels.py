"""What the opponent's score in view is worth in X01: the table of docs/twin.md. `python -m tests.twin.x01_duels`.

Both players have the same hand, one of them plays for the fewest visits. Everything is computed, nothing is drawn.
"""

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.games.x01_checkouts import Rule
from twin.aim_points import aim_points
from twin.bed_integrals import Floats
from twin.hand import Hand
from twin.x01_duel import RARELY, ROUNDS, SURE, Chances, Duel, answers, best_duel, no_chances, visit_ends
from twin.x01_plan_solver import DUEL, SOON, opponents_of
from twin.x01_policy import Policy, best_policy, odds_of

OUT: Rule = "double"
LEGS = 16
"""The legs that win a best of 31."""
HANDS = ((4, 4), (8.6, 8.2), (17, 17), (25, 25), (40, 40))


def played_duel(mine: Floats, theirs: Floats, lowest: int) -> Duel:
    """The chances of two players who do not look at each other's score, from their `visit_ends`."""
    return chosen_duel((mine,), theirs, lowest)[0]


def chosen_duel(
    mine: Sequence[Floats], theirs: Floats, lowest: int, by_opponent: NDArray[np.uint8] | None = None
) -> tuple[Duel, NDArray[np.uint8]]:
    """The chances of a player who chooses one of several policies before each visit, and the index of the best one.

    `mine` has the `visit_ends` of each policy. With `by_opponent` the choice is given, by the opponent's score.
    """
    throwing, waiting = no_chances(len(mine[0]), len(theirs), lowest)
    choice = np.zeros(throwing.shape, np.uint8)
    other_ends, column = theirs.astype(np.float32), np.arange(len(theirs))
    for left in range(lowest, len(throwing)):
        changes = np.array([ends[left, :left].astype(np.float32) @ waiting[:left] for ends in mine])
        stays = np.array([ends[left, left] for ends in mine], np.float32)[:, None]
        found = throwing[left - 1]
        for _ in range(ROUNDS):
            each = changes + stays * (other_ends @ found)
            each[:, :lowest] = 0.0
            best, before = each.argmax(axis=0) if by_opponent is None else by_opponent, found
            found = _settled(changes[best, column], stays[best, 0], other_ends, lowest, found)
            if np.abs(found - before).max() <= SURE:
                break
        throwing[left], choice[left] = found, best
        waiting[left] = other_ends @ found
    return Duel(throwing, waiting), choice


def even(duel: Duel) -> float:
    """The chance to win from the highest scores of both, where either begins as often as the other."""
    return float(duel.throwing[-1, -1] + duel.waiting[-1, -1]) / 2


def best_of_31(begins: float, other_begins: float) -> float:
    """The chance to win 16 legs first with these chances in legs that one begins, or the other. Begun in turn."""
    total = 0.0
    for first in (True, False):
        won = np.zeros((LEGS + 1, LEGS + 1))
        won[0, :] = 1.0
        for mine in range(1, LEGS + 1):
            for theirs in range(1, LEGS + 1):
                played = 2 * LEGS - mine - theirs
                chance = begins if (played % 2 == 0) == first else other_begins
                won[mine, theirs] = chance * won[mine - 1, theirs] + (1 - chance) * won[mine, theirs - 1]
        total += float(won[LEGS, LEGS]) / 2
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hand", type=float, nargs=2, help="the spread across, and up and down, in mm")
    chosen = parser.parse_args().hand
    print("| mm | at best | a bot | best of 31, a bot |\n|---|---|---|---|")
    for x_mm, y_mm in [chosen] if chosen else HANDS:
        hand = Hand(x_mm, y_mm)

        def ends_of(policy: Policy, hand: Hand = hand) -> Floats:
            return visit_ends(policy, odds_of(hand, policy.points, OUT, False), OUT)

        every = odds_of(hand, aim_points(hand), OUT, False)
        alone, soon = best_policy(every, OUT, DUEL), best_policy(every, OUT, DUEL, SOON)
        theirs = ends_of(alone)
        odds = odds_of(hand, sorted({*alone.points, *soon.points}), OUT, False)
        best = best_duel(odds, theirs, 2, DUEL)
        opponents = opponents_of(alone, 2, DUEL)
        some = [ends_of(policy) for policy in answers(odds, best, OUT, opponents)]
        visits = alone.visits[0]
        nearest = np.abs(visits[:, None] - visits[list(opponents)]).argmin(axis=1).astype(np.uint8)
        bot, _ = chosen_duel(some, theirs, 2, nearest)
        base = played_duel(theirs, theirs, 2)
        gains = [f"{100 * (even(duel) - even(base)):+.3f} %" for duel in (best, bot)]
        long = best_of_31(*_legs(bot)) - best_of_31(*_legs(base))
        print(f"| {x_mm:g} × {y_mm:g} | {' | '.join(gains)} | {100 * long:+.2f} % |", flush=True)


def _settled(changes: Chances, stays: Chances, theirs: Chances, lowest: int, found: Chances) -> Chances:
    """The chances before the player's visit, with one policy for each score of the opponent, from those found before.

    A visit changes the score with a chance to win of `changes`, and does not with a chance of `stays`.
    """
    if np.max(stays) < RARELY:
        settled = changes + stays * (theirs @ found)
    else:
        # A poor hand stays so often that it would take hundreds of rounds: all of them at once.
        settled = np.linalg.solve(np.eye(len(stays)) - stays[:, None] * theirs, changes.astype(float))
    settled[:lowest] = 0.0
    return settled.astype(np.float32)


def _legs(duel: Duel) -> tuple[float, float]:
    return float(duel.throwing[-1, -1]), float(duel.waiting[-1, -1])


if __name__ == "__main__":
    main()
