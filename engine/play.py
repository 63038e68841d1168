"""What an action makes of a match: a dart, a choice, an undo or a correction."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.actions import Action, Choose, Correct, GameAction, Throw, Undo
from engine.awards import after_step, tallied, with_awards
from engine.corrections import correct, undo
from engine.darts import Points
from engine.game import Event
from engine.match import Edit, Match, TurnStart, dart_text
from engine.refusals import Refusal
from engine.replay import known_bed, new_awards, replay, unsure_points
from engine.segments import SEGMENTS

MAX_ACTIONS: Final = 100_000
"""The most actions that count in one match, which bounds memory. Further actions are refused."""


def apply(match: Match, action: Action) -> Match | Refusal:
    """The match after one action, or why it was refused. Pure; never raises."""
    match action:
        case Undo():
            return undo(match)
        case Correct():
            return correct(match, action)
        case _ if match.unsure is not None:
            return _choose_bed(match, match.unsure, action)
        case _:
            return _play(match, action)


def replayed(match: Match, actions: Iterable[Action | Refusal]) -> Match | Refusal:
    """The match after all these actions, or the first refusal, of the reader or of the rules."""
    for action in actions:
        outcome = action if isinstance(action, Refusal) else apply(match, action)
        if isinstance(outcome, Refusal):
            return outcome
        match = outcome
    return match


def _play(match: Match, action: GameAction) -> Match | Refusal:
    if isinstance(action, Throw) and isinstance(action.dart, Points):
        action = Throw(known_bed(action.dart))
    game, at = match.game, len(match.played)
    if at >= MAX_ACTIONS:
        return Refusal("too_large", f"This match has {MAX_ACTIONS:,} actions, the most possible; start another.")
    step = game.apply(match.state, action)
    played, edits = match.played.add(action), match.edits.add(Edit(at))
    if isinstance(step, Refusal):
        unsure = unsure_points(step, action)
        if unsure is None:
            return step
        about = {"player": match.turn.actor, "dart": dart_text(unsure)}
        event = Event("dart", about | {"candidates": [bed.text for bed in unsure.candidates]})
        return replace(match, played=played, edits=edits, unsure=unsure, events=(event,))
    begun, turns, void = match.turns[-1], match.turns, match.void
    was, turn = match.of_game, game.turn(step.state)
    earned = after_step(game, match.header.options, begun.state, match.state, was, step, turn, match.earned)
    events = step.events if earned is match.earned else with_awards(step.events, earned[len(match.earned) :])
    if turn.number != begun.number:
        start = TurnStart(at + 1, turn.number, step.state, tallied(begun.awards, earned))
        turns, earned, void = turns.add(start), (), ()
    # Not `replace`, which would take a tenth of the time of a dart.
    return Match(match.header, game, step.state, turn, turns, played, edits, None, void, earned, events)


def _choose_bed(match: Match, unsure: Points, action: GameAction) -> Match | Refusal:
    names = ", ".join(bed.text for bed in unsure.candidates)
    if not isinstance(action, Choose) or action.key != "segment":
        return Refusal("not_awaited", f"First choose the bed of the {unsure.points} points: {names}.")
    bed = SEGMENTS.get(str(action.value))
    if bed is None or bed not in unsure.candidates:
        return Refusal("not_a_choice", f"Choose one of the beds of the {unsure.points} points: {names}.")
    at, event = len(match.played) - 1, Event("choice", {"player": match.turn.actor, "segment": bed.text})
    known = Throw(bed)
    # The unsure dart has not changed the state yet.
    step = match.game.apply(match.state, known)
    if isinstance(step, Refusal):
        return step
    edits = match.edits.add(Edit(at, match.played[at]))
    chosen = replay(match, match.played.upto(at).add(known), edits, match.turns)
    return (
        chosen
        if isinstance(chosen, Refusal)
        else replace(chosen, events=(event, *new_awards(match, chosen, step.events)))
    )
