"""What drills share in which a player can go out: who stands how well, and who got through."""

from typing import Any

from engine.kit import State


def rank(state: State[Any, Any], side: int) -> tuple[int, ...]:
    """Who is not out is first, then who went out latest, then the points."""
    return int(not state.out[side]), state.out[side], state.scores[side]


def completed(state: State[Any, Any]) -> list[dict[str, bool]]:
    """Who got through, for their entries, once the match is over."""
    return [{"completed": not out} if state.finished else {} for out in state.out]
