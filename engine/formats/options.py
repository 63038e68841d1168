"""The options of formats, which every game takes beside its own, and those of a medley."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, cast

from engine.bullthrow import Again, Compare
from engine.options import Flag, Kind, Number, OneOf, Option, word_option
from engine.texts import Text

CHOICE: Final = "choice"
"""A leg of a medley whose game is chosen."""
MOST_LEGS: Final = 99
BEST_OF: Final = "best_of"
"""The option of that name, and the key of a header that means the same."""

Start = Literal["alternate", "loser", "winner", "bull"]
_START: Final = OneOf(("alternate", "loser", "winner", "bull"))


@dataclass(frozen=True, slots=True)
class Best:
    """How many legs win a set and how many sets the match. With `mode` `best_of` both are numbers to be played."""

    legs: int = 1
    sets: int = 1
    mode: Literal["first_to", "best_of"] = "first_to"
    clear: int = 0
    """How many legs one must be ahead to win the last set."""
    start: Start = "alternate"


@dataclass(frozen=True, slots=True)
class BullOff:
    """Whether the throw for the bull decides who starts, and how."""

    order: Literal["listed", "bull"] = "listed"
    compare: Compare = "auto"
    again: Again = "listed"
    decides: Literal["first", "all"] = "first"


_BEST: Final[Mapping[str, Kind]] = {
    "legs": Number(1, MOST_LEGS),
    "sets": Number(1, MOST_LEGS),
    "mode": OneOf(("first_to", "best_of")),
    "clear": Number(0, 2),
    "start": _START,
}


@dataclass(frozen=True, slots=True)
class BestOf:
    """A number of legs, of which most win, or an object that says how legs and sets are won."""

    def accepts(self, value: object, players: tuple[str, ...]) -> bool:
        if isinstance(value, dict):
            known = all(name in _BEST and _BEST[name].accepts(one, players) for name, one in value.items())
            return known and value.get("clear") != 1
        return Number(1, MOST_LEGS).accepts(value, players)

    def describe(self) -> str:
        return f"a number of legs from 1 to {MOST_LEGS}, or an object with {', '.join(_BEST)}"

    def schema(self) -> dict[str, Any]:
        about = {"type": "object", "properties": {name: kind.schema() for name, kind in _BEST.items()}}
        return {"anyOf": [Number(1, MOST_LEGS).schema(), about | {"additionalProperties": False}]}


@dataclass(frozen=True, slots=True)
class Legs:
    """A list of games with their options; where `choice` is true, also of legs whose game is chosen."""

    choice: bool

    def accepts(self, value: object, players: tuple[str, ...]) -> bool:
        if not isinstance(value, list) or not 0 < len(value) <= MOST_LEGS:
            return False
        return all((self.choice and one == CHOICE) or _is_leg(one) for one in value)

    def describe(self) -> str:
        more = f', or "{CHOICE}"' if self.choice else ""
        return f'a list of up to {MOST_LEGS} legs, each like {{"game": "x01", "options": {{}}}}{more}'

    def schema(self) -> dict[str, Any]:
        leg = {
            "type": "object",
            "properties": {"game": {"type": "string"}, "options": {"type": "object"}, "rules": {"type": "integer"}},
            "required": ["game"],
            "additionalProperties": False,
        }
        items = {"anyOf": [leg, {"const": CHOICE}]} if self.choice else leg
        return {"type": "array", "items": items, "minItems": 1, "maxItems": MOST_LEGS}


def _is_leg(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("game"), str):
        return False
    rules = value.get("rules", 1)
    known = value.keys() <= {"game", "options", "rules"}
    return known and isinstance(value.get("options", {}), dict) and type(rules) is int and rules > 0


@dataclass(frozen=True, slots=True)
class LeaguePoints:
    """Points for each leg won, and for the match."""

    def accepts(self, value: object, players: tuple[str, ...]) -> bool:
        each = Number(0, 100)
        return isinstance(value, dict) and all(
            name in ("leg", "match") and each.accepts(one, players) for name, one in value.items()
        )

    def describe(self) -> str:
        return "an object with leg and match, whole numbers from 0 to 100"

    def schema(self) -> dict[str, Any]:
        each = Number(0, 100).schema()
        return {"type": "object", "properties": {"leg": each, "match": each}, "additionalProperties": False}


_STARTS: Final = {
    "alternate": Text("the next one each leg", "reihum", "chacun son tour"),
    "loser": Text("the loser", "wer verloren hat", "le perdant"),
    "winner": Text("the winner", "wer gewonnen hat", "le gagnant"),
    "bull": Text("a throw for the bull", "ein Wurf aufs Bull", "un tir au bull"),
}

BULL_OPTIONS: Final = (
    word_option(
        "order",
        Text("Who starts", "Wer beginnt", "Qui commence"),
        "who starts: as listed, or by a throw for the bull",
        {
            "listed": Text("as listed", "wie aufgeführt", "dans l’ordre indiqué"),
            "bull": Text("throw for the bull", "Wurf aufs Bull", "tir au bull"),
        },
    ),
    word_option(
        "compare",
        Text("Compare darts by", "Vergleichen nach", "Comparer selon"),
        "how darts for the bull are compared",
        {
            "auto": Text("distance, else rings", "Abstand, sonst Ring", "la distance, sinon l’anneau"),
            "rings": Text("rings", "Ringen", "les anneaux"),
            "halls": Text("bull, then distance", "Bull, dann Abstand", "le bull, puis la distance"),
        },
    ),
    word_option(
        "again",
        Text("Equals throw again", "Gleiche werfen nochmals", "Les ex æquo relancent"),
        "the order in which equals throw again",
        {
            "listed": Text("in the same order", "in gleicher Folge", "dans le même ordre"),
            "reversed": Text("in reverse", "umgekehrt", "en ordre inverse"),
        },
    ),
    word_option(
        "decides",
        Text("The bull decides", "Das Bull entscheidet", "Le bull décide"),
        "what the throw for the bull decides: who starts, or the order of all",
        {
            "first": Text("who starts", "wer beginnt", "qui commence"),
            "all": Text("the whole order", "die ganze Reihenfolge", "tout l’ordre"),
        },
    ),
)

FORMAT_OPTIONS: Final = (
    Option(BEST_OF, BestOf(), None, "legs of the match", label=Text("Best of", "Best of", "Au meilleur de")),
    *BULL_OPTIONS,
)
"""What every game takes, except where it has an option of that name itself."""

USUAL: Final = [{"game": "x01", "options": {"start": 501}}, {"game": "cricket", "options": {}}]
"""The games on offer where a leg is chosen."""

MEDLEY_OPTIONS: Final = (
    Option("legs", Legs(choice=True), None, "the legs in their order", label=Text("Legs", "Legs", "Manches")),
    Option("games", Legs(choice=False), USUAL, "the games on offer for a leg that is chosen"),
    word_option(
        "play",
        Text("Play", "Gespielt wird", "On joue"),
        "whether the match ends when nobody can be caught",
        {
            "decided": Text("until it is decided", "bis zur Entscheidung", "jusqu’à la décision"),
            "all": Text("all legs", "jedes Leg", "toutes les manches"),
        },
    ),
    word_option(
        "chooser",
        Text("Who chooses", "Wer wählt", "Qui choisit"),
        "who chooses a game",
        {"cork": _STARTS["bull"], "loser": _STARTS["loser"], "winner": _STARTS["winner"]},
    ),
    Option(
        "no_repeat",
        Flag(),
        True,
        "the game of the leg before is not on offer",
        label=Text("No game twice in a row", "Kein Spiel zweimal nacheinander", "Jamais deux fois le même jeu"),
    ),
    Option("points", LeaguePoints(), {}, "points for each leg (1) and for the match (0)"),
    word_option(
        "start",
        Text("Legs are started by", "Legs beginnt", "Les manches sont commencées par"),
        "who starts a leg",
        _STARTS,
    ),
    *BULL_OPTIONS,
)


def best(value: Any) -> Best:
    """How a match is won by the option `best_of`."""
    if value is None:
        return Best()
    return Best(**value) if isinstance(value, dict) else Best(value, mode="best_of")


def bull_off(options: Mapping[str, Any]) -> BullOff:
    """The throw for the bull that the options ask for."""
    known = (each.name for each in fields(cast(Any, BullOff)))
    return BullOff(**{name: options[name] for name in known if name in options})
