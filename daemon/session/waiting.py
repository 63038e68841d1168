"""What waits for the answer of the house that records the match, as JSON under the id of its command."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.refusals import Refusal


@dataclass(frozen=True, slots=True)
class _Action:
    """A throw is meant for one `dart` of one `turn` alone, by their numbers."""

    id: str
    body: dict[str, Any]
    dart: int | None = None
    turn: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingHit(_Action):
    """A dart of the board itself: its hit `seq` is in the journal, and it waits over a restart too."""

    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCommand(_Action):
    """A command of this house, or what the board asks for: it is forgotten at a restart, and `answered` is called once.

    With `exact` it is meant for the state that was shown here, of so many lines.
    """

    exact: int | None = None
    answered: Callable[[Refusal | None], None] = lambda _: None


Waiting = WaitingHit | WaitingCommand
