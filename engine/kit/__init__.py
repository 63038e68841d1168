"""The kit: a game says only what is its own, and this plays the turns, rounds and ends. `docs/games.md` explains it."""

from engine.about import About
from engine.actions import Choose, Next
from engine.awards import Counted
from engine.cards import NUMBERS
from engine.game import AnyDeck, AnyRoll
from engine.kit.advice import advised_aim
from engine.kit.awards import any_dart, hits_counted, marks_counted, points_counted
from engine.kit.beds import (
    DOUBLES,
    FOUL,
    TRIPLES,
    Goal,
    Target,
    hits,
    in_ring_order,
    lit,
    marks,
    points,
)
from engine.kit.draft import Draft, numbers
from engine.kit.game import Asked, Kit
from engine.kit.handicap import below
from engine.kit.options import (
    beds,
    bull,
    equal,
    finish,
    flag,
    lives,
    most_rounds,
    number,
    one_of,
    rounds,
    targets,
    teams,
    tie,
)
from engine.kit.own import replaced
from engine.kit.state import HOUSE, State
from engine.kit.statistics import BEST, FEWEST, FEWEST_POINTS, HITS, LOWEST_TURN, POINTS, POINTS_AND_HITS, USEFUL
from engine.kit.usual import by_fewest, by_score
from engine.kit.view import Show
from engine.random_play import Chooser
from engine.refusals import Refusal
from engine.segments import Segment, plain
from engine.texts import Text

NUMBER_DECK = AnyDeck(frozenset(NUMBERS))
"""The number deck in any order, for `Kit.chance`; `Kit.drawn` gets its numbers, 1 to 20."""

__all__ = [
    "BEST",
    "DOUBLES",
    "FEWEST",
    "FEWEST_POINTS",
    "FOUL",
    "HITS",
    "HOUSE",
    "LOWEST_TURN",
    "NUMBER_DECK",
    "POINTS",
    "POINTS_AND_HITS",
    "TRIPLES",
    "USEFUL",
    "About",
    "AnyDeck",
    "AnyRoll",
    "Asked",
    "Choose",
    "Chooser",
    "Counted",
    "Draft",
    "Goal",
    "Kit",
    "Next",
    "Refusal",
    "Segment",
    "Show",
    "State",
    "Target",
    "Text",
    "advised_aim",
    "any_dart",
    "beds",
    "below",
    "bull",
    "by_fewest",
    "by_score",
    "equal",
    "finish",
    "flag",
    "hits",
    "hits_counted",
    "in_ring_order",
    "lit",
    "lives",
    "marks",
    "marks_counted",
    "most_rounds",
    "number",
    "numbers",
    "one_of",
    "plain",
    "points",
    "points_counted",
    "replaced",
    "rounds",
    "targets",
    "teams",
    "tie",
]
