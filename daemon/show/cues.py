"""A cue: one event of a board with the facts that a rule can ask for. Pure."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

REMEMBERED: Final = 500
"""Ids of events that are remembered: the bus can publish an event again, with the same id."""
TOTALS: Final = ("score", "checkout")
"""The events whose `points` are the total of a turn."""


@dataclass(frozen=True)
class Cue:
    """An event, and the state of its match right after it. Whatever they lack is None or empty."""

    board: str
    event: Mapping[str, Any]
    state: Mapping[str, Any]

    @cached_property
    def kind(self) -> str:
        """What happened, as `event` on the bus."""
        return _text(self.event.get("event"))

    @cached_property
    def player(self) -> str:
        """The player it is about, or the one whose turn it is."""
        return _text(self.event.get("player")) or _text(self.turn.get("player"))

    @cached_property
    def winners(self) -> tuple[str, ...]:
        """Who won, of the event `won`."""
        return _names(self.event.get("winners"))

    @cached_property
    def game(self) -> str:
        """The key of the game."""
        return _text(self.state.get("game"))

    @cached_property
    def turn(self) -> Mapping[str, Any]:
        """The turn of the state."""
        found = self.state.get("turn")
        return found if isinstance(found, dict) else {}

    @cached_property
    def darts(self) -> tuple[str, ...]:
        """The darts of the turn so far."""
        return _names(self.turn.get("darts"))

    @cached_property
    def segment(self) -> str | None:
        """The bed of a `dart`, its two singles not told apart; None for other events."""
        return plain(_text(self.event.get("dart"))) if self.kind == "dart" else None

    @cached_property
    def dart(self) -> int | None:
        """Which dart of its turn a `dart` is, from 1."""
        return max(1, len(self.darts)) if self.kind == "dart" else None

    @cached_property
    def total(self) -> int | None:
        """The points of a turn."""
        return _number(self.event.get("points")) if self.kind in TOTALS else None

    @cached_property
    def marks(self) -> int | None:
        """The marks of a turn."""
        return _number(self.event.get("marks")) if self.kind in TOTALS else None

    @cached_property
    def left(self) -> int | None:
        """What the player has left: of the event, or their score."""
        found = _number(self.event.get("left"))
        return _number(self.seat.get("score")) if found is None else found

    @cached_property
    def award(self) -> str | None:
        """The key of an award."""
        return _text(self.event.get("award")) or None

    @cached_property
    def is_bot(self) -> bool:
        """Whether a bot plays for the player."""
        bots = self.state.get("bots")
        return isinstance(bots, dict) and self.player in bots

    @cached_property
    def players(self) -> tuple[Mapping[str, Any], ...]:
        """The players of the state, in their order."""
        found = self.state.get("players")
        return tuple(one for one in found if isinstance(one, dict)) if isinstance(found, list) else ()

    @cached_property
    def seat(self) -> Mapping[str, Any]:
        """What the state says of the player."""
        return next((one for one in self.players if one.get("name") == self.player), {})

    @cached_property
    def fields(self) -> dict[str, str]:
        """The fields that a text of a rule can contain, as text."""
        values = {
            "player": self.player,
            "board": self.board,
            "game": self.game,
            "event": self.kind,
            "segment": self.segment,
            "dart": self.dart,
            "total": self.total,
            "left": self.left,
            "award": self.award,
            "winners": ", ".join(self.winners),
        }
        return {name: "" if value is None else str(value) for name, value in values.items()}


@dataclass(slots=True)
class BoardFollower:
    """Makes cues of the messages of one board. The state arrives before the events that belong to it."""

    board: str
    state: Mapping[str, Any] = field(default_factory=dict)
    seen: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def take_state(self, state: object) -> None:
        """Takes the retained state of the match; anything that is not an object clears it."""
        self.state = state if isinstance(state, dict) else {}

    def take_event(self, event: object) -> Cue | None:
        """Returns the cue of an event; None for one that was seen before, and for what is no event."""
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            return None
        if isinstance(known := event.get("id"), str):
            if known in self.seen:
                return None
            self.seen.append(known)
        return Cue(self.board, event, self.state)


def plain(bed: str) -> str:
    """Returns a bed without the difference of inner and outer singles: `S20` for `SI20` and `SO20`."""
    return "S" + bed[2:] if bed[:2] in ("SI", "SO") else bed


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _names(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
