"""The contract of a game: pure functions from a state and an action to the next state.

A game knows nothing of undo, correction, files, boards or displays: the match
does these once for all. Chance comes in as an action. A game that a newcomer
wants to read first is `engine/games/x01.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from engine.actions import Deck, Foul, GameAction, Roll, Throw
from engine.cards import Card
from engine.darts import Dart
from engine.faces import Face
from engine.options import Option
from engine.refusals import Refusal

Awaits = Literal["roll", "deck", "throw", "choose", "move", "combat", "defend", "next", "nothing"]
"""What a match waits for. `move` stands for every action of Dart Wars between the throws and the combats."""

EventKind = Literal[
    "dart", "roll", "deal", "card", "choice", "turn", "score", "award", "bust", "checkout", "leg", "set", "round",
    "out", "zone", "visited", "combat", "conquest", "won", "corrected", "undone", "ignored", "started", "stopped",
]  # fmt: skip
"""What can have happened: the `event` of an event message. `docs/bus.md` says what each carries."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that just happened, for sound and light. `data` is JSON."""

    kind: EventKind
    data: Mapping[str, Any] = field(default_factory=dict)


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The state after an action, and what happened on the way."""

    state: S
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is and what it waits for.

    `number` grows by one with every turn of the match, so that the match knows
    which darts belong together; `darts` are as shown (`T20`, a zone, `FOUL`).
    A turn whose darts cannot be corrected (a throw for the bull) says so.

    Besides the referee only `player` may correct these darts, whoever acts. Darts
    that are thrown apart (for the bull, in a combat) follow those of the turn, are
    never among `darts`, and are put right by undo alone.
    """

    number: int
    player: str
    actor: str
    darts: tuple[str, ...]
    awaits: Awaits
    correctable: bool = True
    apart: bool = False
    """Whether a dart that is thrown now is none of `darts`."""


@dataclass(frozen=True, slots=True)
class AnyDart:
    """Pattern: every dart for which `accepts` holds; a foul too, where `foul` says so."""

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
    """Pattern: every order of just these cards."""

    cards: frozenset[Card]

    def matches(self, action: GameAction) -> bool:
        return isinstance(action, Deck) and len(action.cards) == len(self.cards) and set(action.cards) == self.cards


Pattern = AnyDart | AnyRoll | AnyDeck


@dataclass(frozen=True, slots=True)
class Legal:
    """Every action that is legal now: one by one, or by pattern where there are too many to write down."""

    actions: tuple[GameAction, ...] = ()
    patterns: tuple[Pattern, ...] = ()

    def allows(self, action: GameAction) -> bool:
        """Whether an action is one of these."""
        return action in self.actions or any(pattern.matches(action) for pattern in self.patterns)


@dataclass(frozen=True, slots=True)
class Aim:
    """Where to throw: a point in board radii, the name of what is there, and what the throw is worth on average.

    `odds` is the chance to hit `target`, 0 to 1, for the skill that was asked about.
    """

    x: float
    y: float
    target: str
    value: float
    odds: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What a bot would do and a hint would say: aim a dart, or take an action."""

    aim: Aim | None = None
    action: GameAction | None = None


class Game(Protocol[S]):
    """A game. States are frozen dataclasses of plain values, so that `engine.codec` can store them.

    `apply` never raises and never changes what it is given. `view` for the eye
    of a player holds what he may see; for None what everyone may see.
    """

    @property
    def name(self) -> str:
        """The word of match files and topics: small letters, digits and `_`."""
        ...

    @property
    def title(self) -> str:
        """What people read."""
        ...

    @property
    def seats(self) -> range:
        """How many can play."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be set for a match of it."""
        ...

    @property
    def state_type(self) -> type[S]:
        """The dataclass of its states: `engine.codec` reads stored ones by it."""
        ...

    @property
    def needs_segments(self) -> bool:
        """Whether a board that reports points alone is of no use here."""
        ...

    def face(self, options: Mapping[str, Any]) -> str | None:
        """The name of the face that is played on, or None for the beds themselves."""
        ...

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> S | Refusal:
        """The first state. `players` are as many as `seats` says and all different; `options` checked and complete."""
        ...

    def apply(self, state: S, action: GameAction) -> Step[S] | Refusal:
        """The next state with what happened, or why the action is not legal now."""
        ...

    def turn(self, state: S) -> Turn:
        """Whose turn it is, its darts, and what is awaited."""
        ...

    def winners(self, state: S) -> tuple[str, ...] | None:
        """None while the match goes on."""
        ...

    def view(self, state: S, viewer: str | None) -> dict[str, Any]:
        """`players` (a list, `name` and `score` at least), the game's own keys, and what it adds to `turn`."""
        ...

    def legal(self, state: S) -> Legal:
        """The actions that `apply` takes now: these, and no others."""
        ...

    def advice(self, state: S, skill_mm: float) -> Advice:
        """What to do for one whose darts spread with this standard deviation in x and in y, in mm."""
        ...
