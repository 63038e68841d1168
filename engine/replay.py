"""Plays a turn again after one of its actions was changed or taken back.

Replaying the whole record was not chosen: an undo after ten thousand darts would take a second.
"""

from typing import Final

from engine.actions import Bounce, Foul, GameAction, Throw
from engine.awards import after_step, tallied, with_awards
from engine.darts import Dart, Points
from engine.game import Event
from engine.match import Edit, Match, TurnStart, dart_shown
from engine.persistent_list import PersistentList
from engine.refusals import Refusal

_TAKES_A_DART: Final = Throw | Foul | Bounce


def replay(
    match: Match, played: PersistentList[GameAction], edits: PersistentList[Edit], turns: PersistentList[TurnStart]
) -> Match | Refusal:
    """The match with these actions, replayed from the start of the last turn."""
    game, state = match.game, turns[-1].state
    turn = game.turn(state)
    unsure: Points | None = None
    void: tuple[str, ...] = ()
    earned: tuple[Event, ...] = ()
    first = turns[-1].at
    for at, action in enumerate(played.since(first), first):
        # A live dart is refused here, so a correction has ended the visit before this one.
        if isinstance(action, _TAKES_A_DART) and turn.awaits == "next":
            if not isinstance(action, Bounce):
                void += (dart_shown(action),)
            continue
        step = game.apply(state, action)
        if isinstance(step, Refusal):
            unsure = unsure_points(step, action) if at == len(played) - 1 else None
            if unsure is None:
                return Refusal(
                    "correction_illegal", f"An action after it would not be legal ({step.message}) Undo instead."
                )
            break
        begun, was, turn = turns[-1], turn, game.turn(step.state)
        earned = after_step(game, match.header.options, begun.state, state, was, step, turn, earned)
        state = step.state
        if turn.number != begun.number:
            start = TurnStart(at + 1, turn.number, state, tallied(begun.awards, earned))
            turns, earned, void = turns.add(start), (), ()
    return Match(match.header, game, state, turn, turns, played, edits, unsure, void, earned, match.events)


def known_bed(dart: Dart) -> Dart:
    """The dart, with points that only one bed gives replaced by that bed."""
    return dart.candidates[0] if isinstance(dart, Points) and len(dart.candidates) == 1 else dart


def unsure_points(refusal: Refusal, action: GameAction) -> Points | None:
    """The points of a throw that was refused because its bed must be chosen first, or None."""
    if refusal.reason == "which_segment" and isinstance(action, Throw) and isinstance(action.dart, Points):
        return action.dart
    return None


def new_awards(before: Match, after: Match, events: tuple[Event, ...] = ()) -> tuple[Event, ...]:
    """These events, with the awards of the turn that the match did not have before."""
    known = [event.data["award"] for event in before.earned]
    return with_awards(events, (event for event in after.earned if event.data["award"] not in known))
