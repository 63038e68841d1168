"""The legs of X01 that a player has thrown, for a ghost to throw again: the last, the best and the median one."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from daemon.session.ghost_legs import GhostLeg, GhostVisit, legs_to_json, rules_key
from engine.actions import Foul, Throw
from engine.games.x01_state import State
from engine.match import Match
from engine.statistics import Visit, visits
from twin.aims import bed_of

MOST_RULES: Final = 4
"""Of how many sets of rules (starts, ways in and out) a player's legs are kept: those with the most legs."""
MOST_VISITS: Final = 120
"""A longer leg is left out."""


@dataclass(frozen=True, slots=True)
class RecordedLeg:
    """A leg as a player threw it, by `key` of its rules."""

    key: str
    visits: GhostLeg
    finished: bool
    """Whether this player finished it; else it ends where the opponent won."""

    @property
    def darts(self) -> int:
        """The number of darts."""
        return sum(len(visit.beds) for visit in self.visits)


def legs_of(match: Match, player: str) -> Iterator[RecordedLeg]:
    """The legs of a match of X01 in which each dart of the player is known, the first one first."""
    if not isinstance(match.state, State):
        return
    own = [visit for visit in visits(match) if visit.player == player and isinstance(visit.start, State)]
    for _, group in groupby(own, key=lambda visit: visit.start.leg):
        of_leg = list(group)
        state: State = of_leg[0].start
        key = rules_key(state.rules, state.player)
        found = [_visit(visit) for visit in of_leg]
        if found[-1] is None:
            found.pop()  # The match was stopped in it.
        whole = tuple(visit for visit in found if visit is not None)
        if key is not None and 0 < len(whole) == len(found) <= MOST_VISITS:
            yield RecordedLeg(key, whole, of_leg[-1].last.end == "checkout")


def chosen_legs(matches: Iterable[Match], player: str) -> dict[str, dict[str, Any]]:
    """The legs by their word (`daemon.system.skills.LEGS`) and rules, as JSON. `matches` are the newest first."""
    by_rules: dict[str, list[RecordedLeg]] = {}
    for match in matches:
        for leg in reversed(list(legs_of(match, player))):
            by_rules.setdefault(leg.key, []).append(leg)
    usual = Counter({key: len(legs) for key, legs in by_rules.items()}).most_common(MOST_RULES)
    chosen: dict[str, dict[str, GhostLeg]] = {"last": {}, "best": {}, "median": {}}
    for key, _ in usual:
        legs = by_rules[key]
        chosen["last"][key] = legs[0].visits
        if finished := sorted((leg for leg in legs if leg.finished), key=lambda leg: leg.darts):
            chosen["best"][key], chosen["median"][key] = finished[0].visits, finished[len(finished) // 2].visits
    return {word: legs_to_json(found) for word, found in chosen.items()}


def _visit(visit: Visit[State]) -> GhostVisit | None:
    """A visit of a leg; None if a dart of it has no bed, or `next` ended it early, so that a ghost would throw the next
    visit's darts in it."""
    last, beds = visit.last, []
    for action, _ in visit.played:
        bed = bed_of(action) if isinstance(action, Throw) else None
        if isinstance(action, Foul) or (isinstance(action, Throw) and bed is None):
            return None
        beds += [] if bed is None else [bed.text]
    return GhostVisit(last.before.left - last.seats[last.player].left, tuple(beds)) if last.end else None
