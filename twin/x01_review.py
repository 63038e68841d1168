"""What a player's darts in X01 cost or gained, measured by the visits that their hand needs from each score."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.actions import Throw
from engine.games.x01_checkouts import fits
from engine.games.x01_state import State
from engine.match import Match
from engine.segments import Segment
from engine.statistics import visits
from twin.aims import bed_of
from twin.bed_integrals import Floats
from twin.hand import Hand
from twin.x01_policy import Policy, lowest_of, odds_of, within_visit
from twin.x01_routes import DARTS


@dataclass(frozen=True, slots=True)
class Dart:
    """A dart with `left` points and `darts` in hand, and by how many darts it put back the finish; negative: brought it
    nearer."""

    left: int
    darts: int
    bed: Segment
    cost: float
    scored: int
    """The points that it took off. A bust gives back those of the darts before it."""


class Review:
    """Rates the darts of one hand. `policy` is for double out."""

    def __init__(self, hand: Hand, policy: Policy) -> None:
        self._policy = policy
        self._odds = odds_of(hand, policy.points, "double", full_bull=False)
        self._within = lru_cache(None)(self._in_hand)

    @property
    def average(self) -> float:
        """Points of a visit in a leg from 501, with the best aims and average luck."""
        return float(501 / self._policy.visits[0, 501])

    def darts(self, match: Match, player: str) -> Iterator[Dart]:
        """The player's darts in a match of X01 with double out, from states in which they have opened."""
        for visit in visits(match):
            state = visit.start
            for action, after in visit.played:
                if isinstance(action, Throw) and isinstance(state, State) and match.game.turn(state).actor == player:
                    found = self._rated(state, bed_of(action))
                    if found is not None:
                        yield found
                state = after

    def _rated(self, state: State, bed: Segment | None) -> Dart | None:
        seat, rules, darts = state.seats[state.player], state.rules, DARTS - len(state.darts)
        left, before = seat.left, state.before.left
        usual = rules.closing == "double" and not rules.full_bull and not rules.freeze
        if bed is None or state.end or not seat.is_in or not usual or before >= len(self._policy.visits[0]):
            return None
        later = self._within(before)
        now = later[darts][left] if darts < DARTS else float(self._policy.visits[3, before])
        then = left - bed.points
        if then >= lowest_of("double"):
            return Dart(left, darts, bed, DARTS * float(later[darts - 1][then] - now), bed.points)
        if then == 0 and fits(bed, "double"):
            return Dart(left, darts, bed, DARTS * float(-now), bed.points)
        # A bust takes back what the darts before it have scored.
        return Dart(left, darts, bed, DARTS * float(self._policy.visits[0, before] - now), left - before)

    def _in_hand(self, before: int) -> tuple[Floats, Floats, Floats]:
        return within_visit(self._policy, self._odds, "double", before)
