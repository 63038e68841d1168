"""The conformance suite for games: checks of what the program requires of every game.

A check plays random matches and yields a message for each requirement that is not
met. Third-party games run the same suite:
`assert not list(check(GAME, ("Ann", "Bob"), {}, None, Random(seed)))`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from engine.actions import (
    Bounce,
    Correct,
    Foul,
    GameAction,
    Throw,
    Undo,
    action_from_json,
    action_to_json,
)
from engine.codec import from_json, to_json
from engine.conformance_advice import check_advice
from engine.conformance_darts import check_whose_darts
from engine.conformance_events import check_events
from engine.conformance_secrets import check_disguise, check_secrets
from engine.darts import Dart, Points
from engine.faces import Face
from engine.game import EventKind, Game
from engine.match import Match, begin, dart_text
from engine.play import apply
from engine.random_play import (
    Chooser,
    Record,
    Unplayable,
    played_on,
    random_action,
    random_match,
    some_actions,
    some_darts,
    start,
)
from engine.refusals import Reason, Refusal
from engine.segments import SEGMENTS

__all__ = ["Chooser", "Record", "Unplayable", "check", "check_match", "random_action", "random_match", "start"]

_LOOKS: Final = 30
"""How many moments of a long match get all checks, on average."""


def check(
    game: Game[Any], players: tuple[str, ...], options: Mapping[str, Any], face: Face | None, choose: Chooser
) -> Iterator[str]:
    """Plays one random match and yields a message for each requirement that is not met, with the action."""
    opened = start(game, players, options, face)
    if isinstance(opened, Refusal):
        yield f"the match cannot begin: {opened}"
        return
    yield from check_match(opened, face, choose)


def check_match(match: Match, face: Face | None, choose: Chooser) -> Iterator[str]:
    """Plays a match on from its first state and yields a message for each requirement that is not met."""
    try:
        record = played_on(match, face, choose)
    except Unplayable as error:
        yield str(error)
        return
    game, players = match.game, match.header.players
    darts, samples = some_darts(face), tuple(some_actions(players, face))
    # All checks at every step would take seconds and find no more.
    often = min(0.1, _LOOKS / len(record.actions)) if record.actions else 0.0
    for number, action in enumerate(record.actions):
        look = number == 0 or choose.random() < often
        if look:
            found = [*check_state(match), *check_whose_darts(match), *check_disguise(match, choose)]
            found = found or [*check_legal(match, samples), *check_corrections(match, darts, choose)]
            yield from (f"before action {number + 1}, {action}: {fault}" for fault in found)
        outcome = apply(match, action)
        if isinstance(outcome, Refusal):
            yield f"action {number + 1}, {action}, was legal when it was played and is refused now: {outcome}"
            return
        found = [*check_step(match, outcome), *(check_undo(match, outcome) if look else ())]
        if found:
            yield from (f"after action {number + 1}, {action}: {fault}" for fault in found)
            return
        match = outcome
    if not match.finished:
        yield f"the match has not ended after {len(record.actions)} actions"
    at_the_end = [*check_state(match)] or [*check_legal(match, samples), *check_record(match, record)]
    yield from (f"at the end: {fault}" for fault in at_the_end)
    if not at_the_end:
        yield from check_events(begin(record.header, game, record.begun), record.actions)
    yield from check_secrets(record, match, choose)


def check_step(before: Match, outcome: Match) -> Iterator[str]:
    """Turn numbers grow by one; events are JSON of a known kind."""
    old, new = before.game.turn(before.state).number, before.game.turn(outcome.state).number
    if new not in (old, old + 1):
        yield f"turn {old} became turn {new}"
    for event in outcome.events:
        if event.kind not in get_args(EventKind) or not _is_json(event.data):
            yield f"{event} is not JSON of a known kind"


def check_state(match: Match) -> Iterator[str]:
    """States survive storage; every view is JSON with the common keys; advice is legal."""
    game, state = match.game, match.state
    stored = json.dumps(to_json(state))
    if from_json(game.state_type, json.loads(stored)) != state:
        yield "the state changes when it is stored and read"
    for viewer in (None, *match.header.players):
        view = match.view(viewer)
        if not _is_json(view):
            yield f"the view of {viewer or 'everyone'} is not plain JSON without nulls"
        if [p.get("name") for p in view["players"] if not p.get("house")] != list(match.header.players):
            yield f"the view of {viewer or 'everyone'} does not have the players in their order"
        if not all(isinstance(p.get("score"), int) for p in view["players"]):
            yield f"the view of {viewer or 'everyone'} has a player without a score"
    awaits = game.turn(state).awaits
    if (awaits == "nothing") != match.finished or bool(match.view()["winners"]) != match.finished:
        yield f"finished is {match.finished}, with {awaits} awaited and the winners {match.view()['winners']}"
    yield from check_advice(match)


def check_legal(match: Match, samples: Sequence[GameAction]) -> Iterator[str]:
    """Legal actions are accepted; all others are refused with a reason and change nothing."""
    game, state, legal = match.game, match.state, match.game.legal(match.state)
    before = json.dumps(to_json(state))
    if match.finished and (legal.actions or legal.patterns):
        yield f"the match is finished, and {legal} is legal"
    for action in (*legal.actions, *samples):
        step = game.apply(state, action)
        refused = isinstance(step, Refusal) and not _asks(step, action)
        if refused == legal.allows(action):
            yield f"{action} is {'listed' if refused else 'not listed'} as legal, and the answer is {step}"
        if isinstance(step, Refusal) and (step.reason not in get_args(Reason) or not step.message.endswith(".")):
            yield f"{action} is refused without a known reason or without a message that ends in a full stop: {step}"
        if match.finished and isinstance(step, Refusal) and step.reason != "finished":
            yield f"{action} after the end is refused as {step}"
        if action_from_json(json.loads(json.dumps(action_to_json(action)))) != action:
            yield f"{action} changes when a match file stores it"
    if match.finished and not isinstance(apply(match, Correct(1, SEGMENTS["T20"])), Refusal):
        yield "a dart was corrected after the end"
    if json.dumps(to_json(state)) != before:
        yield "apply changed the state that it was given"


def check_undo(before: Match, after: Match) -> Iterator[str]:
    """Undo restores the match before the last action."""
    undone = apply(after, Undo())
    if isinstance(undone, Refusal):
        yield f"undo was refused: {undone}"
    elif undone != before:
        yield "undo did not restore the match before the action"


def check_corrections(match: Match, darts: Sequence[Dart], choose: Chooser) -> Iterator[str]:
    """A correction in the turn equals a replay of the corrected record, and is refused if the replay is."""
    shown = len(match.turn.darts)
    for number in range(1, shown + 2):
        dart = choose.choice((*darts, None))
        outcome = apply(match, Correct(number, dart))
        apart = number == shown and match.unsure is not None and match.turn.apart
        if match.finished or number > shown or not match.turn.correctable or apart:
            if not isinstance(outcome, Refusal):
                yield f"dart {number} of {shown} was corrected, but cannot be"
            continue
        again = _replayed_turn(match, number, dart)
        if isinstance(outcome, Refusal) or isinstance(again, Refusal):
            if not (isinstance(outcome, Refusal) and isinstance(again, Refusal)):
                yield f"dart {number} corrected to {dart}: the match says {outcome}, a replay {again}"
            continue
        if outcome.state != again.state or outcome.view() != again.view():
            yield f"dart {number} corrected to {dart} is not what a replay with that dart gives"
        yield from check_undo(match, outcome)


def _replayed_turn(match: Match, number: int, dart: Dart | None) -> Match | Refusal:
    """The match with this dart of the turn replaced, replayed from the start of the turn.

    `check_record` checks that the turn begins where the match says.
    """
    first = match.turns[-1].at
    played = list(match.played.since(first))
    thrown = [i for i, action in enumerate(played) if isinstance(action, Throw | Foul)]
    played[thrown[number - 1]] = Foul() if dart is None else Throw(dart)
    again = begin(match.header, match.game, match.turns[-1].state, match.turns[-1].awards)
    void: tuple[str, ...] = ()
    for action in played:
        if isinstance(action, Throw | Foul | Bounce) and again.turn.awaits == "next":
            if not isinstance(action, Bounce):
                void += (dart_text(action.dart if isinstance(action, Throw) else None),)
            continue
        outcome = apply(again, action)
        if isinstance(outcome, Refusal):
            return outcome
        again = outcome
    return Match(
        again.header,
        again.game,
        again.state,
        again.of_game,
        again.turns,
        again.played,
        again.edits,
        again.unsure,
        again.void + void,
        again.earned,
    )


def check_record(match: Match, record: Record) -> Iterator[str]:
    """The record, written and read again, plays to the same end; undo goes back to the start and no further."""
    lines = [json.dumps(action_to_json(action)) for action in record.actions]
    actions = [action_from_json(json.loads(line)) for line in lines]
    begun = again = begin(match.header, match.game, match.turns[0].state)
    states = [again.state]
    for action in actions:
        outcome = action if isinstance(action, Refusal) else apply(again, action)
        if isinstance(outcome, Refusal):
            yield f"the record cannot be replayed: {outcome}"
            return
        again = outcome
        states.append(again.state)
    if again != match:
        yield "a replay of the record ends in another match"
    for number in range(len(actions), 0, -1):
        outcome = apply(match, Undo())
        if isinstance(outcome, Refusal) or outcome.state != states[number - 1]:
            yield f"undo of action {number}: {outcome if isinstance(outcome, Refusal) else 'wrong state'}"
            return
        match = outcome
    back = apply(match, Undo())
    if match.view() != begun.view() or not isinstance(back, Refusal) or back.reason != "nothing_to_undo":
        yield "undo does not end at the start of the match"


def _asks(step: Refusal, action: GameAction) -> bool:
    return step.reason == "which_segment" and isinstance(action, Throw) and isinstance(action.dart, Points)


def _is_json(value: object) -> bool:
    """Whether a value survives JSON unchanged (no tuples, no number keys) and has no null in it."""
    try:
        same = json.loads(json.dumps(value, allow_nan=False)) == value
    except (TypeError, ValueError):
        return False
    return same and not _holds_none(value)


def _holds_none(value: object) -> bool:
    match value:
        case dict():
            return any(map(_holds_none, value.values()))
        case list():
            return any(map(_holds_none, value))
        case _:
            return value is None
