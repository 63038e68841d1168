"""Options of a match: the kinds of values, and the check of given values.

Each game lists its options as data, which check match files and generate the
form on the phone and the JSON Schemas.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from engine.refusals import Refusal
from engine.texts import Text


class Kind(Protocol):
    """A kind of value that an option accepts."""

    def accepts(self, value: object, players: tuple[str, ...]) -> bool:
        """Whether a parsed JSON value is of this kind, in a match of these players."""
        ...

    def describe(self) -> str:
        """The accepted values in words that follow "is"."""
        ...

    def schema(self) -> dict[str, Any]:
        """The accepted values as JSON Schema, as far as that can express them."""
        ...


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def accepts(self, value: object, players: tuple[str, ...]) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high

    def describe(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a list of words."""

    words: tuple[str, ...]

    def accepts(self, value: object, players: tuple[str, ...]) -> bool:
        return isinstance(value, str) and value in self.words

    def describe(self) -> str:
        return "one of " + ", ".join(self.words)

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def accepts(self, value: object, players: tuple[str, ...]) -> bool:
        return isinstance(value, bool)

    def describe(self) -> str:
        return "true or false"

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class PerPlayer:
    """A number for some of the players, by name; a whole one unless `whole` is false.

    `instead_of` is the option whose number the others have; empty if the others have nothing.
    """

    low: int
    high: int
    whole: bool = True
    instead_of: str = ""

    def accepts(self, value: object, players: tuple[str, ...]) -> bool:
        kinds = int if self.whole else int | float
        return isinstance(value, dict) and all(
            name in players and isinstance(one, kinds) and not isinstance(one, bool) and self.low <= one <= self.high
            for name, one in value.items()
        )

    def describe(self) -> str:
        kind = "whole numbers" if self.whole else "numbers"
        return f"an object from players' names to {kind} from {self.low} to {self.high}"

    def schema(self) -> dict[str, Any]:
        number = Number(self.low, self.high).schema() | ({} if self.whole else {"type": "number"})
        return {"type": "object", "additionalProperties": number}


@dataclass(frozen=True, slots=True)
class Targets:
    """A list of different numbers of the board and `bull`."""

    def accepts(self, value: object, players: tuple[str, ...]) -> bool:
        if not isinstance(value, list) or not 0 < len(value) <= 21:
            return False
        good = all(t == "bull" if isinstance(t, str) else Number(1, 20).accepts(t, players) for t in value)
        return good and len(set(value)) == len(value)

    def describe(self) -> str:
        return 'a list of different numbers from 1 to 20 and "bull"'

    def schema(self) -> dict[str, Any]:
        number = Number(1, 20).schema()
        return {"type": "array", "items": {"anyOf": [number, {"const": "bull"}]}, "minItems": 1, "uniqueItems": True}


@dataclass(frozen=True, slots=True)
class Preset:
    """A named value, for people who do not know what to choose."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Option:
    """One option. A `default` of None means that the game decides, as `help` says.

    A new option raises the version of its game's rules to `since`. Matches by older
    rules refuse the option and play with the value `before`.
    """

    name: str
    kind: Kind
    default: Any
    help: str
    since: int = 1
    before: Any = None
    presets: tuple[Preset, ...] = ()
    """Named values to offer, the easiest first."""
    label: Text | None = None
    """Its name for people. Without one the pages have it, or show `help`."""
    words: Mapping[str, Text] = field(default_factory=dict)
    """The values of a `OneOf` for people."""

    def value(self, rules: int) -> Any:
        """The value if none was given, by this version of the rules."""
        return self.default if rules >= self.since else self.before


def word_option(name: str, label: Text, about: str, words: Mapping[str, Text]) -> Option:
    """An option that is one of these words, by default the first."""
    return Option(name, OneOf(tuple(words)), next(iter(words)), about, label=label, words=words)


MATCH_OPTIONS: Final = (
    Option("manual_chance", Flag(), False, "dice and cards are typed in by the players"),
    Option(
        "auto_next", Number(1, 600), None, "seconds from the last dart until the turn closes by itself; default: never"
    ),
    Option(
        "turn_seconds",
        Number(5, 600),
        None,
        "seconds for a turn, which the pages count down; nothing happens at the end; default: no clock",
        label=Text(
            "Clock for a turn (seconds)", "Uhr für eine Aufnahme (Sekunden)", "Chronomètre par volée (secondes)"
        ),
    ),
    word_option(
        "house",
        Text("Awards", "Auszeichnungen", "Récompenses"),
        "by whose custom awards are given",
        {
            "hall": Text("as in Japanese halls", "wie in japanischen Hallen", "comme dans les salles japonaises"),
            "us": Text("as in American bars", "wie in amerikanischen Bars", "comme dans les bars américains"),
            "steel": Text("as in steel darts", "wie im Steeldart", "comme aux fléchettes en acier"),
        },
    ),
    Option(
        "low_ton_from",
        Number(100, 101),
        100,
        "the points from which a turn is a low ton",
        label=Text("Low ton from", "Low Ton ab", "Low ton à partir de"),
    ),
    Option(
        "high_ton_to",
        Number(179, 180),
        None,
        "the points up to which a turn is a high ton; default: 179, and in other houses than halls 180",
        label=Text("High ton up to", "High Ton bis", "High ton jusqu’à"),
    ),
)
"""Options of every match. The games ignore them; the daemon and the awards apply them."""


def newest_rules(known: tuple[Option, ...]) -> int:
    """The newest version of the rules of a game with these options."""
    return max((option.since for option in known), default=1)


def check_options(
    known: tuple[Option, ...], given: Mapping[str, Any], players: tuple[str, ...], rules: int
) -> Mapping[str, Any] | Refusal:
    """The value of every option by this version of the rules. Refusal `unknown_option` or `bad_option`."""
    by_name = {option.name: option for option in known + MATCH_OPTIONS if option.since <= rules}
    for name, value in given.items():
        option = by_name.get(name)
        if option is None:
            return Refusal("unknown_option", f"There is no option {name[:30]!r}; use one of: {', '.join(by_name)}.")
        if not option.kind.accepts(value, players):
            return Refusal("bad_option", f"The option {name} is {option.kind.describe()}.")
    return {option.name: given.get(option.name, option.value(rules)) for option in known}
