"""What a game from outside imports: its protocol, the values it takes and gives, and the suite for its tests.

`docs/games.md` builds a whole game with these names. A package names its game in the entry-point group `oche.games`.
"""

from engine.actions import (
    Action,
    Bounce,
    Choose,
    Combat,
    Correct,
    Deck,
    Defend,
    Done,
    First,
    Foul,
    GameAction,
    Move,
    Next,
    Roll,
    Throw,
    Undo,
)
from engine.aiming import aim
from engine.awards import Counted
from engine.cards import PACK, Card
from engine.conformance import check
from engine.darts import Dart, Points, Position, Zone
from engine.faces import Face, Faces
from engine.game import (
    Advice,
    Aim,
    AnyDart,
    AnyDeck,
    AnyRoll,
    Awaits,
    Event,
    EventKind,
    Game,
    Legal,
    Pattern,
    Step,
    Turn,
)
from engine.games.beds import CLOSE_FIRST, CLOSING, FINISHED, NOTHING, THROWING, effect, not_awaited
from engine.match import dart_text
from engine.options import Flag, Number, OneOf, Option, PerPlayer
from engine.refusals import Reason, Refusal
from engine.segments import BULL, CLOCKWISE, INNER_BULL, MISS, OUTER_BULL, PLAYABLE, SEGMENTS, Ring, Segment
from engine.statistics import GameFigures, Ratio, Statistics, Visit, rate

__all__ = [
    "BULL",
    "CLOCKWISE",
    "CLOSE_FIRST",
    "CLOSING",
    "FINISHED",
    "INNER_BULL",
    "MISS",
    "NOTHING",
    "OUTER_BULL",
    "PACK",
    "PLAYABLE",
    "SEGMENTS",
    "THROWING",
    "Action",
    "Advice",
    "Aim",
    "AnyDart",
    "AnyDeck",
    "AnyRoll",
    "Awaits",
    "Bounce",
    "Card",
    "Choose",
    "Combat",
    "Correct",
    "Counted",
    "Dart",
    "Deck",
    "Defend",
    "Done",
    "Event",
    "EventKind",
    "Face",
    "Faces",
    "First",
    "Flag",
    "Foul",
    "Game",
    "GameAction",
    "GameFigures",
    "Legal",
    "Move",
    "Next",
    "Number",
    "OneOf",
    "Option",
    "Pattern",
    "PerPlayer",
    "Points",
    "Position",
    "Ratio",
    "Reason",
    "Refusal",
    "Ring",
    "Roll",
    "Segment",
    "Statistics",
    "Step",
    "Throw",
    "Turn",
    "Undo",
    "Visit",
    "Zone",
    "aim",
    "check",
    "dart_text",
    "effect",
    "not_awaited",
    "rate",
]
