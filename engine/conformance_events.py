"""Conformance of events: which kinds a game must send, when, and with which fields.

A kind means the same in every game, so that a display understands games that it
does not know. `docs/bus.md` documents the same for authors of displays.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.actions import Action, Choose, Deck, Foul, Roll, Throw
from engine.game import Event, EventKind, Turn
from engine.match import Match, dart_text
from engine.play import apply
from engine.refusals import Refusal

FIELDS: Final[Mapping[EventKind, Mapping[str, type]]] = {
    "started": {"game": str, "players": list},
    "stopped": {},
    "roll": {"player": str, "roll": list},
    "deal": {"cards": int},
    "card": {"player": str, "card": str},
    "dart": {"player": str, "dart": str},
    "choice": {"player": str},
    "bust": {"player": str, "left": int},
    "checkout": {"player": str, "points": int, "darts": list},
    "leg": {"player": str, "legs": int},
    "set": {"player": str, "sets": int},
    "score": {"player": str, "points": int, "score": int},
    "award": {"player": str, "award": str, "points": int},
    "turn": {"player": str},
    "round": {"round": int},
    "out": {"player": str, "round": int, "place": int},
    "zone": {"player": str},
    "visited": {"player": str, "zone": str, "troops": int},
    "combat": {"zone": str, "winner": str, "loser": str},
    "conquest": {"owner": str, "master": str},
    "decided": {"winners": list},
    "won": {"winners": list},
    "corrected": {"dart": int, "from": str, "to": str, "scores": dict},
    "undone": {},
    "ignored": {"hit": str, "reason": str, "message": str},
}
"""The fields of each kind of event in every game, with their types. A game may add others."""

_TURN_RESULTS: Final = frozenset({"score", "bust", "checkout"})
"""Kinds that tell the result of a turn in games that count points."""

_SCORE_CHANGES: Final = frozenset({"zone", "visited", "combat", "conquest"})
"""Kinds that tell why a score changed in games without points."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A match between two actions, with what the checks compare, computed once."""

    match: Match
    turn: Turn
    view: Mapping[str, Any]

    @property
    def scores(self) -> Mapping[str, int]:
        """The score of every player, including the house."""
        return {player["name"]: player["score"] for player in self.view["players"]}

    @property
    def leg(self) -> tuple[Any, ...]:
        """What tells apart the legs of a match in a format, and what is between them."""
        return tuple(self.view.get(key) for key in ("leg", "again", "playing"))


def _moment(match: Match) -> _Moment:
    return _Moment(match, match.turn, match.view())


def check_events(match: Match, actions: Iterable[Action]) -> Iterator[str]:
    """Replays a match and yields a message for each event that is missing or wrong, with the action."""
    before = begun = _moment(match)
    sent: list[Event] = []
    have_result: set[tuple[Any, bool]] = set()
    for number, action in enumerate(actions, 1):
        outcome = apply(before.match, action)
        if isinstance(outcome, Refusal):
            return
        after = _moment(outcome)
        found = [*_check_fields(before, after, outcome.events), *_check_step(before, action, after, outcome.events)]
        sent += outcome.events
        if _is_over(before, after):
            found += _check_turn(begun, before, after, sent)
            if before.turn.correctable and not before.turn.apart:
                have_result.add((before.view.get("playing"), any(_is_result(event, before) for event in sent)))
            begun, sent = after, []
        yield from (f"after action {number}, {action}: {fault}" for fault in found)
        before = after
    if len(have_result) > len({playing for playing, _ in have_result}):
        yield "some turns end with score, bust or checkout, and some with none of them"


def _is_over(before: _Moment, after: _Moment) -> bool:
    """Whether the action closed the turn."""
    return after.match.finished or after.turn.number != before.turn.number


def _is_result(event: Event, before: _Moment) -> bool:
    return event.kind in _TURN_RESULTS and event.data.get("player") == before.turn.player


def _check_fields(before: _Moment, after: _Moment, events: Sequence[Event]) -> Iterator[str]:
    """Each event has the fields of its kind, and its player is in the match."""
    for event in events:
        for field, kind in FIELDS[event.kind].items():
            # In Python a bool is an int; in JSON it is not.
            if type(event.data.get(field)) is not kind:
                yield f"{event} has no {field} that is {kind.__name__}"
        player = event.data.get("player")
        # The house of a game is gone when the next leg, of another game, has begun.
        if player is not None and player not in after.scores and player not in before.scores:
            yield f"{event} names {player}, who is not in the match"


def _check_step(before: _Moment, action: Action, after: _Moment, events: Sequence[Event]) -> Iterator[str]:
    yield from _check_dart(before, action, events)
    yield from _expect("roll", events, 1 if isinstance(action, Roll) else 0)
    if isinstance(action, Deck):
        yield from _expect("deal", events, 1)
    ended = after.match.finished and not before.match.finished
    yield from _expect("won", events, int(ended))
    if ended and events and (events[-1].kind != "won" or events[-1].data["winners"] != after.view["winners"]):
        yield f"the last event of the match is {events[-1]}, and the winners are {after.view['winners']}"
    yield from _check_turns_begin(before, after, events)
    began = after.view.get("round") not in (None, before.view.get("round"))
    yield from _expect("round", events, int(began))
    for event in events:
        if event.kind == "round" and event.data.get("round") != after.view.get("round"):
            yield f"{event} is not about the round that begins, {after.view.get('round')}"
    if before.leg != after.leg:
        return  # The scores are those of another leg.
    last = {str(event.data.get("player")): event for event in events if event.kind == "score"}
    for player, event in last.items():
        if event.data.get("score") != after.scores.get(player):
            yield f"{event} is not the score of {player}, {after.scores.get(player)}"


def _expect(kind: EventKind, events: Sequence[Event], count: int) -> Iterator[str]:
    found = sum(event.kind == kind for event in events)
    if found != count:
        yield f"{found} events of the kind {kind}, expected {count}"


def _check_dart(before: _Moment, action: Action, events: Sequence[Event]) -> Iterator[str]:
    """One `dart` for each dart, and another one when an unsure dart gets its bed."""
    chosen = isinstance(action, Choose) and before.match.unsure is not None
    yield from _expect("dart", events, int(chosen or isinstance(action, Throw | Foul)))
    for event in events:
        if event.kind == "dart" and event.data.get("player") != before.turn.actor:
            yield f"{event} should name {before.turn.actor}"
        if event.kind == "dart" and isinstance(action, Foul) and event.data.get("dart") != dart_text(None):
            yield f"{event} should be a foul"


def _check_turns_begin(before: _Moment, after: _Moment, events: Sequence[Event]) -> Iterator[str]:
    """One `turn` for each turn that begins; a turn that waits for the deck is sent when the cards are dealt."""
    begins = after.turn.number != before.turn.number and not after.match.finished
    dealt = before.turn.awaits == "deck" != after.turn.awaits
    found = [event for event in events if event.kind == "turn"]
    if not dealt:
        yield from _expect("turn", events, int(begins and after.turn.awaits != "deck"))
    if any(event.data.get("player") != after.turn.player for event in found):
        yield f"{found} is not about the turn of {after.turn.player}"


def _check_turn(begun: _Moment, before: _Moment, after: _Moment, sent: Sequence[Event]) -> Iterator[str]:
    """A turn has at most one `score` of its player, and an event for every change of a score."""
    player = before.turn.player
    scores = [event for event in sent if event.kind == "score" and event.data.get("player") == player]
    if len(scores) > 1:
        yield f"the turn of {player} has more than one score: {scores}"
    if begun.leg != after.leg:
        return
    if begun.scores != after.scores and not any(event.kind in _TURN_RESULTS | _SCORE_CHANGES for event in sent):
        yield f"no event tells why the scores changed in the turn of {player}, from {begun.scores} to {after.scores}"
