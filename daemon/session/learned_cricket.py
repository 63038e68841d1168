"""Where bots aim in Cricket: networks that learned it, where these know the rules of the match and the bot's spread."""

from engine.formats.state import in_leg
from engine.game import Aim
from engine.games.cricket_state import State
from engine.match import Match
from twin.cricket_policy import best_spot, can_aim


def learned_aim(match: Match, skill_mm: float) -> Aim | None:
    """Where a bot of this skill aims; None if no dart of Cricket is due, or the networks do not know its match."""
    state = in_leg(match.state)
    if not isinstance(state, State) or not can_aim(state, skill_mm):
        return None
    spot = best_spot(state, skill_mm)
    return Aim(spot.at.x, spot.at.y, spot.target.text, 0.0, spot.chance)
