"""The chance to win a leg and a match of X01, computed from the players' hands: nothing is drawn.

Everybody is taken to play for the fewest visits. What a player does then depends on their own score alone, so the
chance follows from how many visits each of them still needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from engine.aiming import spots
from engine.games.x01_checkouts import Rule
from engine.geometry import BOARD_MM
from twin.bed_integrals import Floats
from twin.hand import Hand
from twin.x01_duel import visit_end, visit_ends
from twin.x01_policy import Odds, Policy, best_policy, lowest_of, odds_of

SOLVED: Final = 501
"""The highest score for which aims are solved. From above it only points count, as they do from there."""
POINTS: Final = 180
"""The most points of a visit."""
RARE: Final = 1e-6
"""The chance to need more visits from which no more of them are counted."""
MOST_VISITS: Final = 3_000
"""How many visits are counted at most. Whoever needs more shares the leg: hands that never finish have no winner."""
MOST_LEGS: Final = 5_000
"""How many standings of a match are looked at; those of longer matches take too long."""


@dataclass(frozen=True, slots=True)
class Player:
    """A hand's way of playing X01: its policy, what its darts do, and the chance of each score after a visit."""

    out: Rule
    policy: Policy
    odds: Odds
    ends: Floats
    """By the score before the visit (rows to `solved`) and the points that it takes off (columns to POINTS)."""

    @property
    def solved(self) -> int:
        """The highest score for which aims are solved."""
        return len(self.ends) - 1

    def after(self, before: int, left: int, darts: int) -> Floats:
        """The chance of each score up to `before` after a visit, with `left` points and `darts` in hand."""
        found = np.zeros(before + 1)
        if darts == 3 and left == before:
            taken = np.arange(min(before, POINTS) + 1)
            found[before - taken] = self.ends[min(before, self.solved), taken]
        elif before <= self.solved:
            found[:] = visit_end(self.policy, self.odds, self.out, before, left, darts)
        else:
            # No visit busts from here: as from the highest score that is solved.
            shift = before - self.solved
            found[shift:] = visit_end(self.policy, self.odds, self.out, self.solved, left - shift, darts)
        return found


def player_of(hand: Hand, out: Rule, full_bull: bool, highest: int = SOLVED) -> Player:
    """Solves how a hand plays, up to a score, with the points at which the game's advice aims.

    Of the free points there are thirteen times as many, which take as much longer. They help both players: in either of
    two pairs of hands they moved the chance by 0.2 %.
    """
    right, up = hand.right_mm, hand.up_mm
    points = [(at.x * BOARD_MM - right, at.y * BOARD_MM - up) for at in (spot.at for spot in spots(hand.skill_mm))]
    solved = best_policy(odds_of(hand, points, out, full_bull), out, highest)
    odds = odds_of(hand, solved.points, out, full_bull)
    ends, by_points = visit_ends(solved, odds, out), np.zeros((highest + 1, POINTS + 1))
    for before in range(highest + 1):
        taken = np.arange(min(before, POINTS) + 1)
        by_points[before, taken] = ends[before, before - taken]
    return Player(out, solved, odds, by_points)


def visits_to_finish(player: Player, highest: int) -> Floats:
    """The chance to have finished by the number of visits (rows, from 0) and the score (columns, to `highest`)."""
    rows = np.minimum(np.arange(highest + 1), player.solved)
    # A score below 0 is never left: what an impossible number of points would lead to is 0.
    each = player.ends[rows]
    done = np.zeros(highest + 1)
    done[0] = 1.0
    found = [done]
    lowest = lowest_of(player.out)
    while 1 - found[-1][lowest:].min() > RARE and len(found) < MOST_VISITS:
        padded = np.concatenate([np.zeros(POINTS), found[-1]])
        windows = np.lib.stride_tricks.sliding_window_view(padded, POINTS + 1)[:, ::-1]
        after = np.einsum("st,st->s", each, windows)
        after[0], after[1:lowest] = 1.0, 0.0
        found.append(after)
    return np.array(found)


def leg_chances(waits: Sequence[Floats]) -> list[float]:
    """The chance of each player to finish first, in the order of play.

    Each of `waits` has the chance that a player has finished by the number of their visits from now on, from 0.
    """
    length = max(len(each) for each in waits)
    # Beyond the last row counted nothing changes.
    by = [np.concatenate([each, np.full(length - len(each), each[-1])]) for each in waits]
    found = []
    for at, own in enumerate(by):
        chance = np.diff(own)
        for other, theirs in enumerate(by):
            if other != at:
                # Who plays earlier has had as many visits, who plays later one less.
                chance = chance * (1 - (theirs[1:] if other < at else theirs[:-1]))
        found.append(float(chance.sum()))
    rest = 1 - sum(found)
    return [chance + rest / len(found) for chance in found]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands between two legs: what each player has won, and how many legs have been played."""

    legs: tuple[int, ...]
    sets: tuple[int, ...]
    played: int


def match_chances(
    leg: Sequence[float], by_starter: Sequence[Sequence[float]], now: Standing, legs: int, sets: int
) -> list[float] | None:
    """The chance of each player to win the match. None if it is too long for that.

    `leg` are the chances in the leg that is played, `by_starter[s]` those in a leg that player `s` begins; the next
    player begins the next leg. `legs` win a set and `sets` the match.
    """
    count = len(leg)
    if legs**count * sets**count * count > MOST_LEGS:
        return None

    @lru_cache(None)
    def after(who: int, legs_won: tuple[int, ...], sets_won: tuple[int, ...], starter: int) -> tuple[float, ...]:
        """The chances once player `who` has won the leg that `starter` began."""
        legs_won = (*legs_won[:who], legs_won[who] + 1, *legs_won[who + 1 :])
        if legs_won[who] == legs:
            sets_won = (*sets_won[:who], sets_won[who] + 1, *sets_won[who + 1 :])
            if sets_won[who] == sets:
                return tuple(float(at == who) for at in range(count))
            legs_won = (0,) * count
        return over_leg(legs_won, sets_won, (starter + 1) % count)

    @lru_cache(None)
    def over_leg(legs_won: tuple[int, ...], sets_won: tuple[int, ...], starter: int) -> tuple[float, ...]:
        return mixed(by_starter[starter], legs_won, sets_won, starter)

    def mixed(
        chances: Sequence[float], legs_won: tuple[int, ...], sets_won: tuple[int, ...], starter: int
    ) -> tuple[float, ...]:
        ways = [after(who, legs_won, sets_won, starter) for who in range(count)]
        return tuple(sum(chances[who] * ways[who][at] for who in range(count)) for at in range(count))

    return list(mixed(leg, now.legs, now.sets, now.played % count))
