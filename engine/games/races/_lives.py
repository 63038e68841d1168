"""What games share in which the score is the lives: the start, and the lives in the view."""

from typing import Any

from engine.kit import Show, State


def start(state: State[Any, Any]) -> State[Any, Any]:
    """The score is the lives."""
    return state.with_scores(state.options.lives)


def shown(state: State[Any, Any], **match: Any) -> Show:
    """The lives of each side, and what else there is about the match."""
    return Show(match, players=[{"lives": lives} for lives in state.scores])
