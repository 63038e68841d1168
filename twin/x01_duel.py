"""The chance to win a leg of X01, and how to aim with the opponent's score in view.

The opponent is one who plays for the fewest visits; the best answer to that is computed exactly, as Haugh and Wang do
("Play like the pros?", 2022). Its aims would be a table for each pair of scores and each dart of a visit, so they are
kept for a few scores of the opponent alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.games.x01_advice import BUSTS_BELOW
from engine.games.x01_checkouts import Rule
from twin.bed_integrals import Floats
from twin.x01_plan import CAREFUL, MOST
from twin.x01_policy import Odds, Policy, darts_of_visit, lowest_of, policy_of

SURE: Final = 1e-6
"""The change of a chance from which no more rounds are needed."""
ROUNDS: Final = 200
RARELY: Final = 0.2
"""Up to this chance that a visit changes nothing a few rounds are enough."""

Chances = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Duel:
    """The chances of a player to win a leg, by their own score (rows) and the opponent's (columns).

    The entries of scores that cannot be are 0.
    """

    throwing: Chances
    """Where the player throws next."""
    waiting: Chances
    """Where the opponent throws next."""


def visit_ends(policy: Policy, odds: Odds, out: Rule) -> Floats:
    """The chance of each score after a visit (columns) by the score before it (rows); 0 is finished.

    `odds` are those of the policy's points. The rows of scores that cannot be lead back to them.
    """
    highest, lowest = policy.visits.shape[1] - 1, lowest_of(out)
    ends = np.eye(highest + 1)
    for before in range(lowest, highest + 1):
        ends[before, : before + 1] = visit_end(policy, odds, out, before, before, 3)
    return ends


def visit_end(policy: Policy, odds: Odds, out: Rule, before: int, left: int, darts: int) -> Floats:
    """The chance of each score up to `before` after a visit that began there, with `left` points and `darts` in hand.

    `odds` are those of the policy's points.
    """
    lowest = lowest_of(out)
    now, gone = np.zeros(before + 1), np.zeros(before + 1)
    now[left] = 1.0
    for in_hand in range(darts, 0, -1):
        scores = np.flatnonzero(now)
        after = scores[:, None] - np.arange(MOST + 1)
        aims = _aims(policy, before, scores, in_hand)
        chance = now[scores, None] * odds.scores[aims]
        plays = after >= lowest
        finished = float((now[scores, None] * odds.finishes[aims])[after == 0].sum())
        gone[0] += finished
        gone[before] += float(chance[~plays].sum()) - finished
        now = np.bincount(after[plays], chance[plays], before + 1)
    found: Floats = gone + now
    return found


def best_duel(odds: Odds, theirs: Floats, lowest: int, highest: int) -> Duel:
    """The chances of a player who chooses every dart by both scores; `theirs` are the opponent's `visit_ends`."""
    return _Answer(odds, theirs, lowest, highest).solved()


def answers(odds: Odds, duel: Duel, out: Rule, opponents: Sequence[int]) -> tuple[Policy, ...]:
    """The best policy against an opponent at each of these scores. In place of visits it has chances to lose."""
    lowest, found = lowest_of(out), []
    for other in opponents:
        losing = 1.0 - duel.waiting[:, other].astype(float)
        visits = [darts_of_visit(odds, lowest, before, losing) for before in range(lowest, len(losing))]
        found.append(policy_of(odds, lowest, losing, visits))
    return tuple(found)


class _Answer:
    """Finds the best answer to an opponent. What a dart at each point does for all scores of the opponent is kept."""

    def __init__(self, odds: Odds, theirs: Floats, lowest: int, highest: int) -> None:
        self._scores, self._finishes = odds.scores.astype(np.float32), odds.finishes.astype(np.float32)
        self._theirs, self._lowest = theirs.astype(np.float32), lowest
        self._throwing, self._waiting = no_chances(highest + 1, len(theirs), lowest)
        self._last, self._second = np.zeros_like(self._throwing), np.zeros_like(self._throwing)
        self._last_back, self._second_back = np.zeros_like(self._last), np.zeros_like(self._last)
        self._column = np.arange(len(theirs))
        self._kept: dict[int, Chances] = {}
        """The last dart of low scores at each point, but for its chance to bust."""

    def solved(self) -> Duel:
        for before in range(self._lowest, len(self._throwing)):
            self._waiting[before] = self._waiting[before - 1] if before > self._lowest else 0.0
            for _ in range(ROUNDS):
                throwing, back = self._visit(before)
                waiting = self._before_their_visit(throwing, back, self._waiting[before])
                moved = np.abs(waiting - self._waiting[before]).max()
                self._waiting[before] = waiting
                if moved <= SURE:
                    break
            self._throwing[before] = throwing
            self._last_back[before] = self._second_back[before] = 0.0
            if before < BUSTS_BELOW:
                self._kept[before] = self._without_bust(before, self._waiting)
        return Duel(self._throwing, self._waiting)

    def _before_their_visit(self, throwing: Chances, back: Chances, waiting: Chances) -> Chances:
        """The chances before the opponent's visit. `back` is the chance that the player's own visit changes nothing."""
        if back.max() < RARELY:
            found: Chances = self._theirs @ throwing
            return found
        # A poor hand is back so often that it would take hundreds of rounds: all of them at once.
        changes = self._theirs @ (throwing - back * waiting).astype(float)
        return np.linalg.solve(np.eye(len(back)) - self._theirs * back, changes).astype(np.float32)

    def _visit(self, before: int) -> tuple[Chances, Chances]:
        """The chances with three darts in hand, from what `_waiting` says of the scores after the visit.

        The second array has those to be back at `before` after the visit.
        """
        nothing = np.zeros_like(self._waiting[: before + 1])
        nothing[before] = 1.0
        for left in range(max(self._lowest, before - 2 * MOST), before + 1):
            # Without a chance to bust it is the same as in the visit that began there.
            if left < BUSTS_BELOW or left == before:
                kept = self._kept.get(left) if left < before else None
                dart = self._without_bust(left, self._waiting) if kept is None else kept
                self._last[left], self._last_back[left] = self._best(dart, left, before, nothing)
        for left in range(max(self._lowest, before - MOST), before + 1):
            if left < BUSTS_BELOW + MOST or left == before:
                dart = self._without_bust(left, self._last)
                self._second[left], self._second_back[left] = self._best(dart, left, before, self._last_back)
        throwing, back = self._best(self._without_bust(before, self._second), before, before, self._second_back)
        throwing[: self._lowest] = back[: self._lowest] = 0.0
        return throwing, back

    def _without_bust(self, left: int, later: Chances) -> Chances:
        most = min(MOST, left - self._lowest)
        found: Chances = self._scores[:, : most + 1] @ later[left - most : left + 1][::-1]
        return found + self._finishes[:, left, None] if left <= MOST else found

    def _best(self, dart: Chances, left: int, before: int, later_back: Chances) -> tuple[Chances, Chances]:
        """The chances with the best aim against each score of the opponent, and those to be back at `before`."""
        most = min(MOST, left - self._lowest)
        lost = self._scores[:, most + 1 :].sum(axis=1)
        if left <= MOST:
            lost = lost - self._finishes[:, left]
        each = dart + lost[:, None] * self._waiting[before] if left < BUSTS_BELOW else dart
        best = each.argmax(axis=0)
        back = np.einsum("bs,sb->b", self._scores[best, : most + 1], later_back[left - most : left + 1][::-1])
        found: Chances = each[best, self._column]
        return found, back + (lost[best] if left < BUSTS_BELOW else 0.0)


def no_chances(high: int, other: int, lowest: int) -> tuple[Chances, Chances]:
    """The chances before anything is known, to throw next and to wait: whoever has nothing left has won."""
    throwing, waiting = np.zeros((high, other), np.float32), np.zeros((high, other), np.float32)
    waiting[0, lowest:] = 1.0
    return throwing, waiting


def _aims(policy: Policy, before: int, left: NDArray[np.intp], darts: int) -> NDArray[np.int16]:
    if darts < 3 and before < CAREFUL:
        found: NDArray[np.int16] = (policy.two if darts == 2 else policy.one)[before, before - left]
        return found
    return policy.free[darts, left]
