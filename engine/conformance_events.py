"""Events as the contract has them: which kinds a game must send, when, and with which fields.

A display that knows one game understands the events of another, because a name
means the same in all of them. `docs/bus.md` tells the same to its readers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import match as matches
from engine.actions import Action, Choose, Deck, Foul, Roll, Throw
from engine.game import Event, EventKind, Turn
from engine.match import Match, dart_text
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
    "won": {"winners": list},
    "corrected": {"dart": int, "from": str, "to": str, "scores": dict},
    "undone": {},
    "ignored": {"hit": str, "reason": str, "message": str},
}
"""The fields that an event of this kind has in every game, with their types. A game may add others."""

_SETTLES: Final = frozenset({"score", "bust", "checkout"})
"""Kinds of which one tells what a turn came to, in games that count points."""

_MOVES: Final = frozenset({"zone", "visited", "combat", "conquest"})
"""Kinds that tell why a score changed, in games whose score is not one of points."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A match between two actions, with what the checks compare: computed once for both."""

    match: Match
    turn: Turn
    view: Mapping[str, Any]

    @property
    def scores(self) -> Mapping[str, int]:
        """Every player's score, the house's too."""
        return {player["name"]: player["score"] for player in self.view["players"]}


def _moment(match: Match) -> _Moment:
    return _Moment(match, match.turn, match.view())


def check_events(match: Match, actions: Iterable[Action]) -> Iterator[str]:
    """Every event of a match, played from its first action on: broken promises, with the action that broke them."""
    before = begun = _moment(match)
    told: list[Event] = []
    settled: set[bool] = set()
    for number, action in enumerate(actions, 1):
        outcome = matches.apply(before.match, action)
        if isinstance(outcome, Refusal):
            return
        after = _moment(outcome)
        found = [*_check_fields(after, outcome.events), *_check_step(before, action, after, outcome.events)]
        told += outcome.events
        if _is_over(before, after):
            found += _check_turn(begun, before, after, told)
            if before.turn.correctable and not before.turn.apart:
                settled.add(any(_tells(event, before) for event in told))
            begun, told = after, []
        yield from (f"after action {number}, {action}: {broken}" for broken in found)
        before = after
    if len(settled) > 1:
        yield "some turns are settled by score, bust or checkout, and some by none of them"


def _is_over(before: _Moment, after: _Moment) -> bool:
    """Whether the turn that went on is closed."""
    return after.match.finished or after.turn.number != before.turn.number


def _tells(event: Event, before: _Moment) -> bool:
    return event.kind in _SETTLES and event.data.get("player") == before.turn.player


def _check_fields(after: _Moment, events: Sequence[Event]) -> Iterator[str]:
    """Each event has the fields of its kind, and its player is one of the match."""
    for event in events:
        for field, kind in FIELDS[event.kind].items():
            # A bool is an int to Python, and not to a display.
            if type(event.data.get(field)) is not kind:
                yield f"{event} has no {field} that is {kind.__name__}"
        player = event.data.get("player")
        if player is not None and player not in after.scores:
            yield f"{event} is about {player}, who does not play"


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
    began = after.view.get("round") != before.view.get("round")
    yield from _expect("round", events, int(began))
    for event in events:
        if event.kind == "round" and event.data.get("round") != after.view.get("round"):
            yield f"{event} is not about the round that begins, {after.view.get('round')}"
    last = {str(event.data.get("player")): event for event in events if event.kind == "score"}
    for player, event in last.items():
        if event.data.get("score") != after.scores.get(player):
            yield f"{event} is not the score of {player}, {after.scores.get(player)}"


def _expect(kind: EventKind, events: Sequence[Event], count: int) -> Iterator[str]:
    found = sum(event.kind == kind for event in events)
    if found != count:
        yield f"{found} events {kind}, and {count} are due"


def _check_dart(before: _Moment, action: Action, events: Sequence[Event]) -> Iterator[str]:
    """One `dart` for every dart of a player, and for one whose bed was asked for another when it is known."""
    settles = isinstance(action, Choose) and before.match.unsure is not None
    yield from _expect("dart", events, int(settles or isinstance(action, Throw | Foul)))
    for event in events:
        if event.kind == "dart" and event.data.get("player") != before.turn.actor:
            yield f"{event} is a dart of {before.turn.actor}"
        if event.kind == "dart" and isinstance(action, Foul) and event.data.get("dart") != dart_text(None):
            yield f"{event} is a foul"


def _check_turns_begin(before: _Moment, after: _Moment, events: Sequence[Event]) -> Iterator[str]:
    """A turn that begins is told once; one that begins with cards that are not there yet, when they are dealt."""
    begins = after.turn.number != before.turn.number and not after.match.finished
    dealt = before.turn.awaits == "deck" != after.turn.awaits
    found = [event for event in events if event.kind == "turn"]
    if not dealt:
        yield from _expect("turn", events, int(begins and after.turn.awaits != "deck"))
    if any(event.data.get("player") != after.turn.player for event in found):
        yield f"{found} is not about the turn of {after.turn.player}"


def _check_turn(begun: _Moment, before: _Moment, after: _Moment, told: Sequence[Event]) -> Iterator[str]:
    """A turn is settled once, and none that changes a score passes in silence."""
    player = before.turn.player
    scores = [event for event in told if event.kind == "score" and event.data.get("player") == player]
    if len(scores) > 1:
        yield f"the turn of {player} is settled more than once: {scores}"
    if begun.scores != after.scores and not any(event.kind in _SETTLES | _MOVES for event in told):
        yield f"no event tells why the scores changed in the turn of {player}, from {begun.scores} to {after.scores}"
