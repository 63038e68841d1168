"""The chance to win Yatzy-Dart between two, from sheets that each of them fills alone.

No dart changes the sheet of the other player. So each total of one is compared with each of the other: that tells more
than as many matches, and the same sheets serve for every handicap. They are played by the rules, as matches are.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from random import Random
from statistics import fmean, pvariance

from daemon.session.rollouts import Computed, played_out
from engine.games.yatzy_dart import State
from engine.match import Match


class YatzyChance:
    """Works out the chance in matches that have not begun, of the same hands with one handicap and another.

    At most `most` sheets of each player are filled, fewer if time is short: `is_over` says whether a part of it, from 0
    to 1, is over. Totals are those without a handicap.
    """

    def __init__(self, random: Random, most: int, is_over: Callable[[float], bool]) -> None:
        self._random, self._most, self._is_over = random, most, is_over
        self._totals: dict[str, list[int]] = {}

    def of(self, match: Match, hands: Mapping[str, float]) -> Computed | None:
        """The chances in a match of two; None in other matches. `hands` are spreads in mm."""
        state = match.state
        if not isinstance(state, State) or len(state.players) != 2:
            return None
        if not self._totals:
            self._fill(match, state, hands)
        first, second = (
            [total + seat.sheet.given for total in self._totals[name]]
            for name, seat in zip(state.players, state.seats, strict=True)
        )
        share, error = share_of_first(first, second)
        return Computed(dict(zip(state.players, (share, 1 - share), strict=True)), error)

    def _fill(self, match: Match, state: State, hands: Mapping[str, float]) -> None:
        # One player after the other: the plans of turns that are kept are those of one hand.
        for seat, (part, name) in enumerate(zip((0.5, 1.0), state.players, strict=True)):
            begun = alone(state, seat)
            totals: list[int] = []
            while not totals or (len(totals) < self._most and not self._is_over(part)):
                end = played_out(match.game, begun, hands, self._random)
                assert end is not None  # a sheet is full after 45 darts
                totals.append(end.seats[0].sheet.total)
            self._totals[name] = totals


def alone(state: State, seat: int) -> State:
    """A match before its first dart for one of its players alone, without their handicap."""
    own = state.seats[seat]
    return replace(state, players=(state.players[seat],), seats=(replace(own, sheet=replace(own.sheet, given=0)),))


def share_of_first(first: Sequence[int], second: Sequence[int]) -> tuple[float, float]:
    """The chance that a total of the first player is higher than one of the second, and its standard error.

    Equal totals count half. The error is that of E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the
    areas under two or more correlated receiver operating characteristic curves" (1988), for one curve.
    """
    above, below = _shares_above(first, second), _shares_above(second, first)
    return fmean(above), sqrt(pvariance(above) / len(above) + pvariance(below) / len(below))


def _shares_above(totals: Sequence[int], others: Sequence[int]) -> list[float]:
    """The part of the `others` that each total is above; equal ones count half."""
    others = sorted(others)
    return [(bisect_left(others, total) + bisect_right(others, total)) / 2 / len(others) for total in totals]
