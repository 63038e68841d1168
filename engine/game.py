"""The protocol of a game: pure functions from a state and an action to the next state.

The match handles undo and correction for all games; a game knows nothing of these,
or of files, boards and displays. Dice and cards arrive as actions. Read
`engine/games/x01.py` first as an example.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from engine.actions import Deck, Foul, GameAction, Roll, Throw
from engine.cards import Card
from engine.darts import Dart
from engine.faces import Face
from engine.options import Option
from engine.refusals import Refusal

Awaits = Literal["roll", "deck", "throw", "choose", "move", "combat", "defend", "next", "nothing"]
"""What a match waits for. `move` is any action of Dart Wars between the throws and the combats."""

EventKind = Literal[
    "dart", "roll", "deal", "card", "choice", "turn", "score", "award", "bust", "checkout", "leg", "set", "round",
    "out", "zone", "visited", "combat", "conquest", "decided", "won",
    "corrected", "undone", "ignored", "started", "stopped",
]  # fmt: skip
"""Every kind of event: the `event` of an event message. `docs/bus.md` lists their fields."""


class Event(NamedTuple):
    """Something that just happened, for sound and light. `data` holds JSON values.

    This, `Step` and `Turn` are made for every dart, and a frozen dataclass takes up to four times as long to make.
    """

    kind: EventKind
    data: Mapping[str, Any] = {}


S = TypeVar("S")


class Step(NamedTuple, Generic[S]):
    """The state after an action, and the events of that action."""

    state: S
    events: tuple[Event, ...] = ()


class Turn(NamedTuple):
    """Whose turn it is and what it waits for.

    `number` grows by one with every turn of the match and tells the match which darts
    belong together. `player` is whose turn it is, `actor` who must act now. `darts` are
    texts for displays (`T20`, a zone, `FOUL`). Only the referee and `player` may correct
    them, and only if `correctable`; darts for the bull, for example, are not.
    """

    number: int
    player: str
    actor: str
    darts: tuple[str, ...]
    awaits: Awaits
    correctable: bool = True
    apart: bool = False
    """Whether a dart thrown now is separate, as in a combat: not among `darts`, and only undo takes it back."""


@dataclass(frozen=True, slots=True)
class AnyDart:
    """Pattern: every dart for which `accepts` is true, and fouls if `foul` is true."""

    accepts: Callable[[Dart], bool]
    foul: bool = True

    def matches(self, action: GameAction) -> bool:
        return (isinstance(action, Throw) and self.accepts(action.dart)) or (isinstance(action, Foul) and self.foul)


@dataclass(frozen=True, slots=True)
class AnyRoll:
    """Pattern: every roll of `count` dice with `sides` sides."""

    count: int
    sides: int

    def matches(self, action: GameAction) -> bool:
        return (
            isinstance(action, Roll)
            and len(action.dice) == self.count
            and all(1 <= d <= self.sides for d in action.dice)
        )


@dataclass(frozen=True, slots=True)
class AnyDeck:
    """Pattern: these cards in any order."""

    cards: frozenset[Card]

    def matches(self, action: GameAction) -> bool:
        return isinstance(action, Deck) and len(action.cards) == len(self.cards) and set(action.cards) == self.cards


Pattern = AnyDart | AnyRoll | AnyDeck


@dataclass(frozen=True, slots=True)
class Legal:
    """Every action that is legal now: listed, or by pattern where there are too many to list."""

    actions: tuple[GameAction, ...] = ()
    patterns: tuple[Pattern, ...] = ()

    def allows(self, action: GameAction) -> bool:
        """Whether the action is listed or matches a pattern."""
        return action in self.actions or any(pattern.matches(action) for pattern in self.patterns)


@dataclass(frozen=True, slots=True)
class Aim:
    """Advice where to throw: a point in board radii, the name of the target there, and the average worth of the throw.

    `odds` is the chance to hit `target`, 0 to 1, for the skill that the advice was asked for.
    """

    x: float
    y: float
    target: str
    value: float
    odds: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What a bot does and a hint says: throw at an aim, or take an action. Both None: nothing to do."""

    aim: Aim | None = None
    action: GameAction | None = None


def with_earlier(game: "Game[S]", state: S, before: S | None) -> S:
    """The state of a leg whose view has figures of the match, such as an average, which go on over its legs.

    They begin with those of the players in `before`, the end of the leg before; None: they are those of this leg alone.
    A game that has such figures has a method `with_earlier(state, before)`, which changes nothing else.
    """
    own: Callable[[S, S | None], S] | None = getattr(game, "with_earlier", None)
    return state if own is None else own(state, before)


def only_sides(game: "Game[Any]") -> int:
    """The only number of sides that can play a game, its attribute `sides`; 0 for any number. More players than that
    make as many teams."""
    sides: int = getattr(game, "sides", 0)
    return sides


class Game(Protocol[S]):
    """A game. States are frozen dataclasses of plain values, which `engine.codec` stores.

    Functions never raise and never change their arguments.
    """

    @property
    def name(self) -> str:
        """The name in match files and topics: lower-case letters, digits and `_`."""
        ...

    @property
    def title(self) -> str:
        """The name that displays show."""
        ...

    @property
    def seats(self) -> range:
        """The possible numbers of players."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of a match."""
        ...

    @property
    def state_type(self) -> type[S]:
        """The dataclass of its states, by which `engine.codec` reads stored ones."""
        ...

    @property
    def needs_segments(self) -> bool:
        """Whether a board that reports only points cannot be used."""
        ...

    def face(self, options: Mapping[str, Any]) -> str | None:
        """The name of the face that a match with these options is played on; None for the beds of the board."""
        ...

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> S | Refusal:
        """The first state. `players` are different names, as many as `seats` allows; `options` are complete."""
        ...

    def apply(self, state: S, action: GameAction) -> Step[S] | Refusal:
        """The next state and its events, or why the action is not legal now."""
        ...

    def turn(self, state: S) -> Turn:
        """Whose turn it is, its darts, and what it waits for."""
        ...

    def winners(self, state: S) -> tuple[str, ...] | None:
        """The names of the winners; None until the match is over."""
        ...

    def view(self, state: S, viewer: str | None) -> dict[str, Any]:
        """The state as JSON, as `viewer` may see it; None is the public view.

        It has `players` (a list of objects with at least `name` and `score`), the game's own keys,
        and in `turn` what the game adds about the turn.
        """
        ...

    def legal(self, state: S) -> Legal:
        """Exactly the actions that `apply` accepts now."""
        ...

    def advice(self, state: S, skill_mm: float) -> Advice:
        """What a player should do whose darts have this standard deviation in x and in y, in mm."""
        ...
