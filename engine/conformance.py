"""What every game owes to the rest of the house, as checks that any game can be put through.

A check is handed a game and a source of choices, plays, and yields a sentence
for every promise that it saw broken; none is a pass. A game from outside runs
the same ones: `assert not list(check(GAME, ("Ann", "Bob"), {}, None, Random(seed)))`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from engine import match as matches
from engine.actions import (
    Action,
    Bounce,
    Correct,
    Deck,
    Foul,
    GameAction,
    Throw,
    Undo,
    action_from_json,
    action_to_json,
)
from engine.codec import from_json, to_json
from engine.conformance_darts import check_whose_darts
from engine.conformance_events import check_events
from engine.darts import Dart, Points
from engine.faces import Face
from engine.game import EventKind, Game
from engine.match import Match
from engine.random_play import Chooser, Record, Unplayable, random_action, random_match, some_actions, some_darts, start
from engine.refusals import Reason, Refusal
from engine.segments import SEGMENTS

__all__ = ["Chooser", "Record", "Unplayable", "check", "random_action", "random_match", "start"]

_LOOKS: Final = 30
"""How many moments of a long match are looked at closely."""


def check(
    game: Game[Any], players: tuple[str, ...], options: Mapping[str, Any], face: Face | None, choose: Chooser
) -> Iterator[str]:
    """Every promise, on one random match: the broken ones, with the action after which they were."""
    try:
        record = random_match(game, players, options, face, choose)
    except Unplayable as broken:
        yield str(broken)
        return
    match = matches.begin(record.header, game, record.begun)
    darts, strangers = some_darts(face), tuple(some_actions(players, face))
    # All of it at every step would be the same checks again and again, for seconds.
    often = min(0.1, _LOOKS / len(record.actions)) if record.actions else 0.0
    for number, action in enumerate(record.actions):
        look = number == 0 or choose.random() < often
        if look:
            found = [*check_state(match), *check_whose_darts(match)]
            found = found or [*check_legal(match, strangers), *check_corrections(match, darts, choose)]
            yield from (f"before action {number + 1}, {action}: {broken}" for broken in found)
        outcome = matches.apply(match, action)
        if isinstance(outcome, Refusal):
            yield f"action {number + 1}, {action}, was legal when it was played and is refused now: {outcome}"
            return
        found = [*check_step(match, outcome), *(check_undo(match, outcome) if look else ())]
        if found:
            yield from (f"after action {number + 1}, {action}: {broken}" for broken in found)
            return
        match = outcome
    if not match.finished:
        yield f"the match has not ended after {len(record.actions)} actions"
    at_the_end = [*check_state(match)] or [*check_legal(match, strangers), *check_record(match, record)]
    yield from (f"at the end: {broken}" for broken in at_the_end)
    if not at_the_end:
        yield from check_events(matches.begin(record.header, game, record.begun), record.actions)
    yield from check_secrets(record, match, choose)


def check_step(before: Match, outcome: matches.Match) -> Iterator[str]:
    """Turn numbers grow by one, and facts are JSON of the kinds that there are."""
    old, new = before.game.turn(before.state).number, before.game.turn(outcome.state).number
    if new not in (old, old + 1):
        yield f"turn {old} became turn {new}"
    for event in outcome.events:
        if event.kind not in get_args(EventKind) or not _is_json(event.data):
            yield f"{event} is not JSON of a known kind"


def check_state(match: Match) -> Iterator[str]:
    """States survive storage; every view is JSON and has what all games share; advice is legal."""
    game, state = match.game, match.state
    stored = json.dumps(to_json(state))
    if from_json(game.state_type, json.loads(stored)) != state:
        yield "the state is another one after storage"
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
    yield from _check_advice(match)


def _check_advice(match: Match) -> Iterator[str]:
    awaits, advice = match.game.turn(match.state).awaits, match.game.advice(match.state, 15.0)
    given = (advice.aim is not None) + (advice.action is not None)
    if given != (0 if awaits in ("roll", "deck", "nothing") else 1):
        yield f"{awaits} is awaited, and the advice is {advice}"
    if advice.aim is not None and (awaits != "throw" or not 0.0 <= advice.aim.odds <= 1.0 + 1e-9):
        yield f"{awaits} is awaited, and the aim is {advice.aim}"
    if advice.action is not None and not match.game.legal(match.state).allows(advice.action):
        yield f"the advice {advice.action} is not legal"


def check_legal(match: Match, strangers: Sequence[GameAction]) -> Iterator[str]:
    """What is listed as legal is accepted; all else is refused with a reason, and changes nothing."""
    game, state, legal = match.game, match.state, match.game.legal(match.state)
    before = json.dumps(to_json(state))
    if match.finished and (legal.actions or legal.patterns):
        yield f"the match is finished, and {legal} is legal"
    for action in (*legal.actions, *strangers):
        step = game.apply(state, action)
        refused = isinstance(step, Refusal) and not _asks(step, action)
        if refused == legal.allows(action):
            yield f"{action} is {'listed' if refused else 'not listed'} as legal, and the answer is {step}"
        if isinstance(step, Refusal) and (step.reason not in get_args(Reason) or not step.message.endswith(".")):
            yield f"{action} is refused without a known reason and a sentence: {step}"
        if match.finished and isinstance(step, Refusal) and step.reason != "finished":
            yield f"{action} after the end is refused as {step}"
        if action_from_json(json.loads(json.dumps(action_to_json(action)))) != action:
            yield f"{action} is another one after a match file"
    if match.finished and not isinstance(matches.apply(match, Correct(1, SEGMENTS["T20"])), Refusal):
        yield "a dart was corrected after the end"
    if json.dumps(to_json(state)) != before:
        yield "an action changed the state that it was given"


def check_undo(before: Match, after: Match) -> Iterator[str]:
    """Taking the last action back is as if it had never been."""
    undone = matches.apply(after, Undo())
    if isinstance(undone, Refusal):
        yield f"undo was refused: {undone}"
    elif undone != before:
        yield "undo did not bring the match before back"


def check_corrections(match: Match, darts: Sequence[Dart], choose: Chooser) -> Iterator[str]:
    """A correction anywhere in the turn is a replay of the corrected record, or is refused as the replay would be."""
    shown = len(match.turn.darts)
    for number in range(1, shown + 2):
        dart = choose.choice((*darts, None))
        outcome = matches.apply(match, Correct(number, dart))
        apart = number == shown and match.unsure is not None and match.turn.apart
        if match.finished or number > shown or not match.turn.correctable or apart:
            if not isinstance(outcome, Refusal):
                yield f"dart {number} of {shown} was corrected, though there is none to correct"
            continue
        replayed = _played_again(match, number, dart)
        if isinstance(outcome, Refusal) or isinstance(replayed, Refusal):
            if not (isinstance(outcome, Refusal) and isinstance(replayed, Refusal)):
                yield f"dart {number} corrected to {dart}: the match says {outcome}, a replay {replayed}"
            continue
        if outcome.state != replayed.state or outcome.view() != replayed.view():
            yield f"dart {number} corrected to {dart} is not what a replay with that dart gives"
        yield from check_undo(match, outcome)


def _played_again(match: Match, number: int, dart: Dart | None) -> Match | Refusal:
    """The match with this dart of the turn in place of the one that was, played again from the start of the turn.

    That the turn begins where the record says is `check_record`'s to find.
    """
    first = match.turns[-1].at
    played = list(match.played.since(first))
    thrown = [i for i, action in enumerate(played) if isinstance(action, Throw | Foul)]
    played[thrown[number - 1]] = Foul() if dart is None else Throw(dart)
    again = matches.begin(match.header, match.game, match.turns[-1].state)
    void: tuple[str, ...] = ()
    for action in played:
        if isinstance(action, Throw | Foul | Bounce) and again.turn.awaits == "next":
            if not isinstance(action, Bounce):
                void += (matches.dart_text(action.dart if isinstance(action, Throw) else None),)
            continue
        outcome = matches.apply(again, action)
        if isinstance(outcome, Refusal):
            return outcome
        again = outcome
    return Match(
        again.header, again.game, again.state, again.turns, again.played, again.edits, again.unsure, again.void + void
    )


def check_record(match: Match, record: Record) -> Iterator[str]:
    """The record, written out and read in again, plays to the same end; undo goes back to the start and no further."""
    lines = [json.dumps(action_to_json(action)) for action in record.actions]
    actions = [action_from_json(json.loads(line)) for line in lines]
    begun = again = matches.begin(match.header, match.game, match.turns[0].state)
    states = [again.state]
    for action in actions:
        outcome = action if isinstance(action, Refusal) else matches.apply(again, action)
        if isinstance(outcome, Refusal):
            yield f"the record cannot be played again: {outcome}"
            return
        again = outcome
        states.append(again.state)
    if again != match:
        yield "the record plays to another end"
    for number in range(len(actions), 0, -1):
        outcome = matches.apply(match, Undo())
        if isinstance(outcome, Refusal) or outcome.state != states[number - 1]:
            yield f"undo of action {number}: {outcome if isinstance(outcome, Refusal) else 'wrong state'}"
            return
        match = outcome
    back = matches.apply(match, Undo())
    if match.view() != begun.view() or not isinstance(back, Refusal) or back.reason != "nothing_to_undo":
        yield "undo does not end at the start of the match"


def check_secrets(record: Record, match: Match, choose: Chooser) -> Iterator[str]:
    """Nobody's view depends on a card that he has not been shown.

    At a random moment two cards that an eye has never seen change places in
    the deck, and the match is played again: that eye must see no difference.
    """
    at = choose.choice(range(len(record.actions) + 1))
    views = _views(match, record.actions[:at], record.header.players)
    deck = next((a for a in record.actions[:at] if isinstance(a, Deck)), None)
    for viewer, seen in views.items():
        if '"deck":' in seen or seen.count('"hand":') > (viewer is not None) * len(seen.split("\n")):
            yield f"{viewer or 'everyone'} sees a deck or another's hand"
        hidden = [] if deck is None else [card for card in deck.cards if f'"{card}"' not in seen]
        if deck is None or len(hidden) < 2:
            continue
        one, other = choose.sample(hidden, 2)
        cards = tuple(other if card == one else one if card == other else card for card in deck.cards)
        actions = [Deck(cards) if action is deck else action for action in record.actions[:at]]
        if _views(match, actions, (viewer,) if viewer else ()).get(viewer) != seen:
            who = viewer or "everyone"
            yield f"after action {at} the view of {who} tells apart {one} and {other}, which they cannot see"


def _views(match: Match, actions: Sequence[Action], players: Sequence[str]) -> dict[str | None, str]:
    """All that each eye has seen from the start, one view a line."""
    again = matches.begin(match.header, match.game, match.turns[0].state)
    seen: dict[str | None, list[str]] = {viewer: [] for viewer in (None, *players)}
    for action in actions:
        outcome = matches.apply(again, action)
        again = again if isinstance(outcome, Refusal) else outcome
        for viewer, lines in seen.items():
            lines.append(json.dumps(again.view(viewer)))
    return {viewer: "\n".join(lines) for viewer, lines in seen.items()}


def _asks(step: Refusal, action: GameAction) -> bool:
    return step.reason == "which_segment" and isinstance(action, Throw) and isinstance(action.dart, Points)


def _is_json(value: object) -> bool:
    """Whether a value is the same after JSON (no tuples, no keys that are numbers), and holds no null."""
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
