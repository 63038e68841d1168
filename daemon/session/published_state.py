"""The payloads of a match in one state, as JSON text that is made before the state is committed.

A game may come from another package. If its view raises, or holds a value that JSON does not have, the dart can still
be refused here; after the commit it could not.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from daemon.session import payloads
from daemon.session.ghost_legs import Follows
from engine import jsontext
from engine.game import Event
from engine.match import Match


@dataclass(frozen=True, slots=True)
class Hand:
    """What only the player in a seat may see. `seat` counts from 1."""

    seat: int
    player: str
    text: str

    def hinted(self, hint: payloads.HintBody) -> "Hand":
        """The same hand with a hint for its player."""
        return replace(self, text=jsontext.dump(json.loads(self.text) | {"hint": hint}))


@dataclass(frozen=True, slots=True)
class PublishedState:
    """The public state as a value and as JSON, the hands, and the events as JSON."""

    state: payloads.MatchState
    text: str
    hands: tuple[Hand, ...]
    events: tuple[str, ...]

    def adding(self, more: Mapping[str, Any]) -> str:
        """The public state as JSON, with more fields."""
        return jsontext.dump({**self.state, **more}) if more else self.text


def published_state(
    match_id: str,
    match: Match,
    bots: dict[str, float],
    revision: int,
    events: tuple[Event, ...] = (),
    earlier: tuple[payloads.EarlierTurn, ...] = (),
    began: datetime | None = None,
    boards: Mapping[str, str] = MappingProxyType({}),
    ghosts: Mapping[str, Follows] = MappingProxyType({}),
) -> PublishedState:
    """Makes the payloads of a match at a revision. Raises whatever the game raises.

    `earlier` are the turns whose darts can be corrected; `began` is when the turn began, if its time is to be shown;
    `boards` are those at which the players throw, if the match is on several; `ghosts` says what the next dart of each
    ghost comes from.
    """
    state = payloads.match_state(match_id, match, bots, revision, earlier)
    if boards:
        # The house has no board.
        state["players"] = [
            {**player, "board": boards[player["name"]]} if player["name"] in boards else player
            for player in state["players"]
        ]
    if ghosts:
        state["ghosts"] = dict(ghosts)
    if began is not None:
        state["turn"]["began"] = f"{began:%Y-%m-%dT%H:%M:%S}.{began.microsecond // 1000:03}Z"
    return PublishedState(
        state,
        jsontext.dump(state),
        tuple(
            Hand(seat, hand["name"], jsontext.dump(hand))
            for seat, hand in payloads.hands(match_id, match, state).items()
        ),
        tuple(jsontext.dump(event) for event in payloads.events(match_id, revision, events)),
    )
