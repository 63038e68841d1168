"""What each dart of a match may have been aimed at.

Nobody says where they aim. But every game advises where a player of a certain skill should aim, given the state. A
player is taken to choose as the advice for one of eleven skills, and how often they choose as each of them is fitted
together with their hand.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from engine.actions import Throw
from engine.darts import Position
from engine.game import Game
from engine.geometry import BOARD_MM, segment_at
from engine.match import Match
from engine.segments import Segment
from engine.statistics import visits
from twin.fit import Point, Thrown

log = logging.getLogger(__name__)

WAYS: Final = (7.0, 9.0, 12.0, 15.0, 18.0, 22.0, 27.0, 33.0, 40.0, 50.0, 60.0)
"""The skills in mm whose advice is asked for, from a county player's to a newcomer's. With three of them a player whose
own lies between two looked as if they missed to one side. With six of them the fit found fewer hands."""


def thrown(matches: Iterable[Match], player: str, most: int) -> list[Thrown]:
    """The player's darts whose aim can be told, from the newest match back, at most `most` and the rest of a match."""
    found: Counter[tuple[tuple[Point, ...], Segment]] = Counter()
    for match in matches:
        try:
            found.update(list(_of_match(match, player)))
        except Exception:  # A plug-in game can raise anything: nothing of this match counts.
            log.exception("the aims of a match of %s cannot be told", match.game.name)
        if found.total() >= most:
            break
    return [Thrown(aims, bed, count) for (aims, bed), count in found.items()]


def _of_match(match: Match, player: str) -> Iterator[tuple[tuple[Point, ...], Segment]]:
    for visit in visits(match):
        state = visit.start
        for action, after in visit.played:
            if isinstance(action, Throw) and match.game.turn(state).actor == player:
                bed, aims = bed_of(action), _aims(match.game, state)
                if bed is not None and aims is not None:
                    yield aims, bed
            state = after


def bed_of(action: Throw) -> Segment | None:
    """The bed of a dart, None if the board did not say it."""
    match action.dart:
        case Segment() as bed:
            return bed
        case Position() as at:
            return segment_at(at)
        case _:
            return None  # Points, or a zone of another face.


def _aims(game: Game[Any], state: Any) -> tuple[Point, ...] | None:
    advised = [game.advice(state, skill).aim for skill in WAYS]
    found = tuple((aim.x * BOARD_MM, aim.y * BOARD_MM) for aim in advised if aim is not None)
    return found if len(found) == len(WAYS) else None
