"""Actions: the lines of a match file, what players did and how dice and cards fell.

Every action is a frozen value whose JSON form is an object with one key. The
keys `by` and `at_ms`, which a recorded match adds, are not part of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import Card, card
from engine.darts import Dart, dart_from_json, dart_to_json
from engine.refusals import Refusal

REMARKS: Final = frozenset({"by", "at_ms"})
"""Keys that a recorded match adds to an action. The rules ignore them."""

Choice = int | str
"""The value of a choice: a number (`wild`), a card, a category, a zone or a segment by its text."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A dart landed."""

    dart: Dart


@dataclass(frozen=True, slots=True)
class Bounce:
    """A dart that bounced out and is thrown again."""


@dataclass(frozen=True, slots=True)
class Foul:
    """A dart that is used and scores nothing."""


@dataclass(frozen=True, slots=True)
class Next:
    """Closes the turn; before the third dart it ends the throws."""


@dataclass(frozen=True, slots=True)
class Roll:
    """The values of the dice, in order."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """A shuffled deck, its first card first."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """A choice that the rules ask for. `key` names it: `wild`, `card`, `category`, `zone` or `segment`."""

    key: str
    value: Choice


@dataclass(frozen=True, slots=True)
class Move:
    """Dart Wars: dart number `dart` (from 1) moves a troop from `start`; `to` is needed for a dart on a border."""

    dart: int
    start: str
    to: str | None = None
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Combat:
    """Dart Wars: announces the attack to fight now and, where several enemies are, against whom."""

    zone: str
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Defend:
    """Dart Wars: the master names who fights for the alliance."""

    by: str


@dataclass(frozen=True, slots=True)
class First:
    """Dart Wars: the attacker names who throws first."""

    player: str


@dataclass(frozen=True, slots=True)
class Done:
    """Dart Wars: the player ends their moves."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Replaces dart `dart` (from 1) of the turn `back` turns ago (0: this one) by `to`; None is a foul."""

    dart: int
    to: Dart | None
    back: int = 0


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes back the last action."""


GameAction = Throw | Bounce | Foul | Next | Roll | Deck | Choose | Move | Combat | Defend | First | Done
"""The actions that a game handles."""

Action = GameAction | Correct | Undo
"""The actions that a match handles: it does corrections and undo itself, for every game."""

EARLIER: Final = 3
"""How many turns before the current one can be corrected. A mistake is seen within them; older ones are undone."""
MAX_DICE: Final = 16
MAX_NAME: Final = 64


def action_to_json(action: Action) -> dict[str, Any]:
    """The JSON object of this action in a match file."""
    match action:
        case Throw(dart):
            return {"throw": dart_to_json(dart)}
        case Roll(dice):
            return {"roll": list(dice)}
        case Deck(cards):
            return {"deck": [str(c) for c in cards]}
        case Choose(key, value):
            return {"choose": {key: value}}
        case Move():
            body: dict[str, Any] = {"dart": action.dart, "from": action.start}
            if action.to is not None:
                body["to"] = action.to
            if action.passing:
                body["pass"] = True
            return {"move": body}
        case Combat(zone, against):
            return {"combat": {"zone": zone} if against is None else {"zone": zone, "against": against}}
        case Defend(by):
            return {"defend": {"by": by}}
        case First(player):
            return {"first": player}
        case Correct(number, to, back):
            which = {"dart": number} | ({"back": back} if back else {})
            return {"correct": which | ({"foul": True} if to is None else {"throw": dart_to_json(to)})}
        case Bounce() | Foul() | Next() | Done() | Undo():
            return {type(action).__name__.lower(): True}


def action_from_json(value: object) -> Action | Refusal:
    """Reads one action from parsed JSON. Refusal `unknown_action` or `bad_value`."""
    if not isinstance(value, dict):
        return Refusal("unknown_action", 'An action is an object with one key, like {"throw": "T20"}.')
    keys = [key for key in value if key not in REMARKS]
    if len(keys) != 1:
        return Refusal("unknown_action", f"An action has one key, its name; this one has {len(keys)}.")
    reader = _READERS.get(keys[0])
    if reader is None:
        return Refusal("unknown_action", f"{str(keys[0])[:20]!r} is not an action; use one of: {', '.join(_READERS)}.")
    return reader(value[keys[0]])


def _bad(message: str) -> Refusal:
    return Refusal("bad_value", message)


def _flag(name: str, action: Action) -> Callable[[object], Action | Refusal]:
    def read(value: object) -> Action | Refusal:
        return action if value is True else _bad(f'Write this action as {{"{name}": true}}.')

    return read


def _throw(value: object) -> Action | Refusal:
    dart = dart_from_json(value)
    return dart if isinstance(dart, Refusal) else Throw(dart)


def _roll(value: object) -> Action | Refusal:
    if isinstance(value, list) and 0 < len(value) <= MAX_DICE and all(_is_int(die) for die in value):
        return Roll(tuple(value))
    return _bad("A roll is the list of the values of the dice, like [7, 16, 10].")


def _deck(value: object) -> Action | Refusal:
    if not isinstance(value, list) or not 0 < len(value) <= 52:
        return _bad("A deck is the list of its cards, the top card first.")
    cards = tuple(found for text in value if isinstance(text, str) and (found := card(text)) is not None)
    if len(cards) != len(value):
        return _bad("A card is a rank and a suit, like 2H or TD.")
    return Deck(cards)


def _choose(value: object) -> Action | Refusal:
    if isinstance(value, dict) and len(value) == 1:
        key, choice = next(iter(value.items()))
        if isinstance(key, str) and len(key) <= MAX_NAME and (_is_int(choice) or _is_name(choice)):
            return Choose(key, choice)
    return _bad('A choice names one thing, like {"wild": 20} or {"card": "2H"}.')


def _move(value: object) -> Action | Refusal:
    match value:
        case {"dart": int() as dart, "from": str() as start, **rest} if rest.keys() <= {"to", "pass"}:
            to, passing = rest.get("to"), rest.get("pass", False)
            good = not isinstance(dart, bool) and 1 <= dart <= 3 and _is_name(start) and isinstance(passing, bool)
            if good and ((isinstance(to, str) and _is_name(to)) or "to" not in rest):
                return Move(dart, start, to if isinstance(to, str) else None, passing is True)
    return _bad('A move is {"dart": 1, "from": a zone}, with "to" for a border and "pass": true in passing.')


def _combat(value: Any) -> Action | Refusal:
    match value:
        case {"zone": str() as zone} if len(value) == 1 and _is_name(zone):
            return Combat(zone)
        case {"zone": str() as zone, "against": str() as against} if len(value) == 2 and zone and _is_name(against):
            return Combat(zone, against)
    return _bad('A combat is {"zone": a zone}, with "against" where more than one enemy is there.')


def _defend(value: object) -> Action | Refusal:
    match value:
        case {"by": by, **rest} if not rest and _is_name(by):
            return Defend(by)
    return _bad('Name the player who fights: {"by": a player}.')


def _first(value: object) -> Action | Refusal:
    return First(value) if isinstance(value, str) and _is_name(value) else _bad("Name the player who throws first.")


def _correct(value: object) -> Action | Refusal:
    match value:
        case {"dart": number, **rest} if _is_int(number) and number >= 1 and len(rest.keys() - {"back"}) == 1:
            back = rest.get("back", 0)
            if not isinstance(back, int) or not _is_int(back) or not 0 <= back <= EARLIER:
                return _bad(f'"back" is how many turns ago the dart was thrown, 0 to {EARLIER}.')
            if rest.get("foul") is True:
                return Correct(number, None, back)
            if "throw" in rest:
                dart = dart_from_json(rest["throw"])
                return dart if isinstance(dart, Refusal) else Correct(number, dart, back)
    return _bad(
        'A correction is {"dart": 2, "throw": "T20"} or {"dart": 2, "foul": true}, with "back" for earlier turns.'
    )


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_NAME


_READERS: Final[dict[str, Callable[[object], Action | Refusal]]] = {
    "throw": _throw,
    "bounce": _flag("bounce", Bounce()),
    "foul": _flag("foul", Foul()),
    "next": _flag("next", Next()),
    "roll": _roll,
    "deck": _deck,
    "choose": _choose,
    "move": _move,
    "combat": _combat,
    "defend": _defend,
    "first": _first,
    "done": _flag("done", Done()),
    "correct": _correct,
    "undo": _flag("undo", Undo()),
}
