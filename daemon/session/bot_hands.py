"""Bots that throw with the hand of a player: a friend who is not there, or somebody's own hand of an earlier month.

A command names the hand, and the match records its spread: so a match plays on, and is replayed, after the player was
forgotten. A ghost throws the very darts of a leg as well (`daemon/session/ghost_legs.py`), where X01 is played.
"""

from collections.abc import Callable
from dataclasses import replace

from daemon.session.commands import Fair, Start
from daemon.session.ghost_legs import Ghost
from daemon.system.skills import LAST, HandOf
from engine.aiming import COARSEST_MM, FINEST_MM
from engine.refusals import Refusal


def with_spreads(
    ask: Start | Fair, spread_of: Callable[[HandOf], float | None], ghost_of: Callable[[HandOf], Ghost | None]
) -> Start | Fair | Refusal:
    """Returns what is asked with a spread for every bot, and the darts of every ghost; a refusal where a hand is not
    known.

    `spread_of` returns the spread of a hand in mm, `ghost_of` the darts of its leg, None where these are not known.
    They may read a file.
    """
    bots, ghosts = dict(ask.bots), {}
    for bot, hand in ask.hands.items():
        spread = spread_of(hand)
        if spread is None:
            return _unknown(hand)
        bots[bot] = min(max(spread, FINEST_MM), COARSEST_MM)
        if hand.leg is not None:
            if (ghost := ghost_of(hand)) is None:
                return Refusal("no_hand", f"No leg of X01 is known of {hand.player} that a ghost could throw again.")
            ghosts[bot] = ghost
    if isinstance(ask, Fair):
        return replace(ask, bots=bots, hands={})
    return replace(ask, bots=bots, hands={}, ghosts=ghosts)


def _unknown(hand: HandOf) -> Refusal:
    when = {None: "", LAST: " of an earlier month"}.get(hand.month, f" of {hand.month}")
    enough = "100 darts" if hand.month is None else "60 darts of a month"
    return Refusal(
        "no_hand",
        f"No hand{when} is known of {hand.player}. It is worked out from {enough} on, "
        f"when the page /players/{hand.player} is opened.",
    )
