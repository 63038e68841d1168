"""What the opponent's score in view is worth in X01: the table of docs/twin.md. `python -m tests.twin.x01_duels`.

Both players have the same hand, one of them plays for the fewest visits. Everything is computed, nothing is drawn.
"""

import argparse

import numpy as np

from engine.games.x01_checkouts import Rule
from twin.aim_points import aim_points
from twin.bed_integrals import Floats
from twin.hand import Hand
from twin.x01_duel import Duel, answers, best_duel, chosen_duel, played_duel, visit_ends
from twin.x01_plan_solver import DUEL, SOON, opponents_of
from twin.x01_policy import Policy, odds_of, plan

OUT: Rule = "double"
LEGS = 16
"""The legs that win a best of 31."""
HANDS = ((4, 4), (8.6, 8.2), (17, 17), (25, 25), (40, 40))


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
        alone, soon = plan(every, OUT, DUEL), plan(every, OUT, DUEL, SOON)
        theirs = ends_of(alone)
        odds = odds_of(hand, sorted({*alone.points, *soon.points}), OUT, False)
        best = best_duel(odds, theirs, 2, DUEL)
        opponents = opponents_of(alone, 2, DUEL)
        some = [ends_of(policy) for policy in answers(odds, best, OUT, opponents)]
        visits = alone.visits[0]
        nearest = np.abs(visits[:, None] - visits[list(opponents)]).argmin(axis=1).astype(np.uint8)
        bot, _ = chosen_duel(some, theirs, 2, nearest)
        base = played_duel(theirs, theirs, 2)
        gains = [f"{100 * (duel.even - base.even):+.3f} %" for duel in (best, bot)]
        long = best_of_31(*_legs(bot)) - best_of_31(*_legs(base))
        print(f"| {x_mm:g} × {y_mm:g} | {' | '.join(gains)} | {100 * long:+.2f} % |", flush=True)


def _legs(duel: Duel) -> tuple[float, float]:
    return float(duel.throwing[-1, -1]), float(duel.waiting[-1, -1])


if __name__ == "__main__":
    main()
