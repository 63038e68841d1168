"""Who has won a match whose last turn still waits for `next`.

Games keep a turn open after its last dart, so that it can be corrected; a match ends when the turn closes. People want
to know at once. Asking the game what `next` would do needs no rule of its own for any game.
"""

from engine.actions import Next
from engine.match import Match
from engine.refusals import Refusal


def decided(match: Match) -> tuple[str, ...] | None:
    """The winners, if the match is over or `next` is all that it waits for; `None` otherwise."""
    winners = match.game.winners(match.state)
    if winners is not None or match.unsure is not None or match.turn.awaits != "next":
        return winners
    try:
        step = match.game.apply(match.state, Next())
    except Exception:
        # A faulty game of another package: its `next` is refused when somebody says it, and its darts count until then.
        return None
    return None if isinstance(step, Refusal) else match.game.winners(step.state)
