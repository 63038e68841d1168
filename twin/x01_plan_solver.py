"""Solves the plan of a hand for X01: alone, and with the opponent's score in view."""

from array import array
from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.games.x01_advice import HIGHEST
from engine.games.x01_checkouts import Rule
from twin.aim_points import aim_points
from twin.fit import Point
from twin.hand import Hand
from twin.x01_duel import answers, best_duel, visit_ends
from twin.x01_plan import Plan, Table
from twin.x01_policy import Policy, best_policy, lowest_of, odds_of

SOON: Final = 0.05
"""What a later visit counts for the policy that is in a hurry: the points at which it aims may be the best, too."""
DUEL: Final = 501
"""The highest score from which the opponent's is looked at. Above it, only points count."""
ANSWERS: Final = 8
"""Scores of the opponent for which there are aims. With them a bot wins 98 % of what all of them would bring."""


def solve_plan(hand: Hand, out: Rule, full_bull: bool, highest: int = HIGHEST) -> Plan:
    """The plan of a hand for scores up to `highest`. Takes 12 to 20 seconds."""
    every = odds_of(hand, aim_points(hand), out, full_bull)
    alone, soon = best_policy(every, out, highest), best_policy(every, out, min(highest, DUEL), SOON)
    return with_answers(hand, alone, soon.points, out, full_bull)


def with_answers(hand: Hand, alone: Policy, more: Sequence[Point], out: Rule, full_bull: bool) -> Plan:
    """The plan with this policy where nobody else plays. `more` are points that are worth an aim besides its own."""
    lowest, highest = lowest_of(out), alone.visits.shape[1] - 1
    top = min(highest, DUEL)
    odds = odds_of(hand, sorted({*alone.points, *more}), out, full_bull)
    ends = visit_ends(alone, odds_of(hand, alone.points, out, full_bull), out)[: top + 1, : top + 1]
    duel = best_duel(odds, ends, lowest, top)
    opponents = opponents_of(alone, lowest, top)
    policies = (alone, *answers(odds, duel, out, opponents))
    points = sorted({point for policy in policies for point in policy.points})
    tables = [_table(policy, points) for policy in policies]
    visits = tuple(alone.visits[0].tolist())
    return Plan(tuple(points), visits, tables[0], tuple(tables[1:]), tuple(visits[left] for left in opponents))


def opponents_of(alone: Policy, lowest: int, top: int) -> tuple[int, ...]:
    """Scores of an opponent, from the one with the fewest visits to `top`: the visits rise by the same factor."""
    visits = alone.visits[0, lowest : top + 1]
    wanted = np.geomspace(visits.min(), visits[-1], ANSWERS)
    return tuple(dict.fromkeys(int(np.abs(visits - each).argmin()) + lowest for each in wanted))


def _table(policy: Policy, points: Sequence[Point]) -> Table:
    number = {point: at for at, point in enumerate(points)}
    renumbered = np.array([number[point] for point in policy.points], np.uint16)
    free, two, one = (array("H", renumbered[part].tobytes()) for part in (policy.free, policy.two, policy.one))
    return Table(free, two, one)
