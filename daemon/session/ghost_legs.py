"""Legs of X01 from the record, thrown again dart by dart by a bot: a ghost. Pure functions.

The darts are those of a player who may be forgotten: they are read from the file of their hand
(`daemon/people/hand_files.py`), and gone with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from daemon.session.x01_plans import x01_state
from engine.games.x01_state import Rules
from engine.match import Match
from engine.segments import SEGMENTS, Segment, plain

Follows = Literal["record", "hand"]
"""What the next dart of a ghost comes from."""


class GhostVisit(NamedTuple):
    """The points of a visit, 0 for a bust, and the beds of its darts."""

    points: int
    beds: tuple[str, ...]


GhostLeg = tuple[GhostVisit, ...]


@dataclass(frozen=True, slots=True)
class Ghost:
    """The legs of a player that a bot throws again, by the rules that they were thrown by (`rules_key`)."""

    player: str
    legs: Mapping[str, GhostLeg]


def rules_key(rules: Rules, seat: int) -> str | None:
    """A word for the rules of a leg of X01; a leg by other rules, with another start, says nothing. None with teams."""
    if rules.teams or rules.freeze or seat >= len(rules.starts):
        return None
    return f"{rules.starts[seat]}-{rules.opening}-{rules.closing}-{'full' if rules.full_bull else 'split'}"


def next_bed(match: Match, bot: str, ghost: Ghost) -> Segment | None:
    """The bed of the next dart that the record has for a bot; None where it has none.

    The darts of the leg so far must be those of the record: after a correction the rest would finish another score.
    """
    state = x01_state(match.state)
    if state is None or bot not in state.rules.players:
        return None
    at = state.rules.players.index(bot)
    leg = ghost.legs.get(rules_key(state.rules, at) or "", ())
    closed, thrown = state.seats[at].visits, state.darts if at == state.player else ()
    if closed != tuple(visit.points for visit in leg[: len(closed)]):
        return None
    beds = [bed for visit in leg[len(closed) : len(closed) + 2] for bed in visit.beds]
    if len(beds) <= len(thrown) or not all(map(_same, thrown, beds)):
        return None
    return SEGMENTS[beds[len(thrown)]]


def follows(match: Match, ghosts: Mapping[str, Ghost]) -> dict[str, Follows]:
    """What the next dart of each ghost comes from."""
    return {bot: "hand" if next_bed(match, bot, ghost) is None else "record" for bot, ghost in ghosts.items()}


def _same(one: str, other: str) -> bool:
    """Whether two beds are the same to a board that may tell the halves of a single apart, or may not."""
    return one == other or (one in SEGMENTS and plain(SEGMENTS[one]) == plain(SEGMENTS[other]))


def legs_to_json(legs: Mapping[str, GhostLeg]) -> dict[str, Any]:
    """The legs as JSON, by the rules."""
    return {key: [[visit.points, *visit.beds] for visit in leg] for key, leg in legs.items()}


def legs_from_json(value: object) -> dict[str, GhostLeg]:
    """The legs in JSON. What is damaged is left out."""
    if not isinstance(value, dict):
        return {}
    read = ((str(key), _leg(leg)) for key, leg in value.items())
    return {key: leg for key, leg in read if leg}


def _leg(value: object) -> GhostLeg:
    visits = []
    for visit in value if isinstance(value, list) else ():
        match visit:
            case [int() as points, *beds] if all(isinstance(bed, str) and bed in SEGMENTS for bed in beds):
                visits.append(GhostVisit(points, tuple(beds)))
            case _:
                return ()
    return tuple(visits)
