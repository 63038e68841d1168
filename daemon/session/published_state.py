"""What everyone sees of a match in one state, written out as JSON before the state is committed.

A game may be somebody's own. What it can get wrong (a view that raises, a value that JSON has not) comes to light here,
where the dart can still be refused, and never between the disk and the screens.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

from daemon.session import payloads
from engine import jsontext
from engine.game import Event
from engine.match import Match


@dataclass(frozen=True, slots=True)
class Hand:
    """What one player alone may see. `seat` counts from 1."""

    seat: int
    player: str
    text: str

    def hinted(self, hint: dict[str, Any]) -> "Hand":
        """The same hand with a hint for its player."""
        return replace(self, text=jsontext.dump(json.loads(self.text) | {"hint": hint}))


@dataclass(frozen=True, slots=True)
class PublishedState:
    """The public state as a value and as text, the hands, and an event for each thing that happened."""

    state: dict[str, Any]
    text: str
    hands: tuple[Hand, ...]
    events: tuple[str, ...]

    def doubting(self, beds: tuple[str, ...]) -> str:
        """The public state with the beds of darts that may have been thrown."""
        return jsontext.dump(self.state | {"doubtful": list(beds)}) if beds else self.text


def published_state(
    match_id: str, match: Match, bots: dict[str, float], revision: int, events: tuple[Event, ...] = ()
) -> PublishedState:
    """What is seen of a match at a revision, after these facts. Raises whatever the game raises."""
    state = payloads.match_state(match_id, match, bots, revision)
    return PublishedState(
        state,
        jsontext.dump(state),
        tuple(
            Hand(seat, hand["name"], jsontext.dump(hand))
            for seat, hand in payloads.hands(match_id, match, state["players"], revision).items()
        ),
        tuple(jsontext.dump(event) for event in payloads.events(match_id, revision, events)),
    )
