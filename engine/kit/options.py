"""The options of a game as the fields of a dataclass, and those that many games share.

    @dataclass(frozen=True, slots=True)
    class Options:
        rounds: int = rounds(8, 1, 50)
        start: str = one_of(START, {"up": UP, "down": DOWN})

The first value of `one_of` is the default.
"""

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, Final, TypeVar, cast

from engine.games.teams import TEAMS
from engine.options import Flag, Kind, Number, OneOf, Option, Targets
from engine.texts import Text

T = TypeVar("T")


def options_of(kind: type[Any]) -> tuple[Option, ...]:
    """The options that the fields of a dataclass describe. A field that is named `in_` is the option `in`."""
    return tuple(each.metadata["option"](each.name.rstrip("_")) for each in fields(kind))


def values_of(kind: type[T], given: Mapping[str, Any]) -> T:
    """The dataclass with these values of its options, all of which are given."""
    values = {each.name: given[each.name.rstrip("_")] for each in fields(cast(Any, kind))}
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def number(default: int, low: int, high: int, label: Text) -> Any:
    """A whole number from `low` to `high`."""
    return _option(Number(low, high), default, label)


def flag(default: bool, label: Text) -> Any:
    """True or false."""
    return _option(Flag(), default, label)


def one_of(label: Text, words: Mapping[str, Text]) -> Any:
    """One of some words, by default the first."""
    return _option(OneOf(tuple(words)), next(iter(words)), label, words)


def targets(default: tuple[int | str, ...], label: Text) -> Any:
    """A list of different numbers of the board and `bull`."""
    return _option(Targets(), default, label)


def _option(kind: Kind, default: Any, label: Text, words: Mapping[str, Text] | None = None) -> Any:
    shown = list(default) if isinstance(default, tuple) else default

    def made(name: str) -> Option:
        return Option(name, kind, shown, label.en[0].lower() + label.en[1:], label=label, words=words or {})

    return field(default=default, metadata={"option": made})


# Options that recur.


def rounds(default: int, low: int = 1, high: int = 50) -> Any:
    """The rounds of a match, or where it is won by getting somewhere their limit."""
    return number(default, low, high, Text("Rounds", "Runden", "Tours"))


def most_rounds(default: int, high: int = 200) -> Any:
    """The round after which a match that is won otherwise ends all the same."""
    return number(default, 1, high, Text("Rounds at most", "Höchstens Runden", "Tours au plus"))


def lives(default: int = 3, high: int = 21) -> Any:
    """The lives of each player at the start."""
    return number(default, 1, high, Text("Lives", "Leben", "Vies"))


def teams() -> Any:
    """Teams, which share a score."""
    return field(default=None, metadata={"option": lambda _: TEAMS})


def tie() -> Any:
    """What happens to those who are equal at the end."""
    return one_of(
        Text("Equal at the end", "Gleichstand am Ende", "Égalité à la fin"),
        {
            "shared": Text("share the win", "teilen den Sieg", "victoire partagée"),
            "play_on": Text("play on", "spielen weiter", "jouent encore"),
        },
    )


def finish() -> Any:
    """When a match ends in which somebody got there."""
    return one_of(
        Text("When somebody gets there", "Wenn jemand am Ziel ist", "Quand quelqu’un arrive"),
        {
            "at_once": Text("the match ends", "ist das Spiel aus", "la partie est finie"),
            "round": Text("the round is played", "wird die Runde gespielt", "on finit le tour"),
        },
    )


def bull() -> Any:
    """The points of the bulls."""
    return one_of(
        Text("Points of the bull", "Punkte des Bulls", "Points du bull"),
        {
            "split": Text("25 and 50", "25 und 50", "25 et 50"),
            "full": Text("both 50", "beide 50", "50 partout"),
        },
    )


def equal(*values: str) -> Any:
    """What a total does that equals the mark: `safe` or `costs`, the first by default."""
    words = {
        "safe": Text("is safe", "ist sicher", "suffit"),
        "costs": Text("costs a life", "kostet ein Leben", "coûte une vie"),
    }
    return one_of(
        Text("Equal to the mark", "Gleich der Marke", "Égal à la marque"), {name: words[name] for name in values}
    )


BED_WORDS: Final = {
    "any": Text("any", "jedes", "toutes"),
    "single": Text("singles", "Singles", "simples"),
    "double": Text("doubles", "Doubles", "doubles"),
    "triple": Text("triples", "Triples", "triples"),
}


def beds() -> Any:
    """Which beds of a number count."""
    return one_of(Text("Beds that count", "Felder, die zählen", "Zones qui comptent"), BED_WORDS)
