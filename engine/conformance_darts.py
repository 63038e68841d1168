"""Conformance of darts: a correction refers to the dart that the turn shows."""

from collections.abc import Iterator

from engine.actions import Foul, Throw
from engine.game import Step
from engine.match import Match, dart_text


def check_whose_darts(match: Match) -> Iterator[str]:
    """`correct` replaces the dart that is shown under its number, and the player whose turn it is threw that dart."""
    turn = match.turn
    if match.finished or not turn.correctable:
        return
    own = turn.darts[:-1] if match.unsure is not None and turn.apart else turn.darts
    threw = tuple(_thrown_in_turn(match))
    if len(threw) < len(own):
        yield f"{len(own)} darts are shown, and {len(threw)} were thrown"
    for number, (text, (actor, thrown)) in enumerate(zip(own, threw, strict=False), 1):
        if text != thrown:
            yield f"dart {number} is shown as {text}, and a correction of it corrects {thrown}"
        if actor != turn.player:
            yield f"dart {number} is {actor}'s, and {turn.player} may correct it"


def _thrown_in_turn(match: Match) -> Iterator[tuple[str, str]]:
    """Who threw each dart since the turn began, and its text; including void darts and an unsure one."""
    game, begun = match.game, match.turns[-1]
    state = begun.state
    for action in match.played.since(begun.at):
        if isinstance(action, Throw | Foul):
            yield game.turn(state).actor, dart_text(action.dart if isinstance(action, Throw) else None)
        step = game.apply(state, action)
        if isinstance(step, Step):
            state = step.state
