"""What games with lives share: the last card of the rules, and the lives in the view where the score is the lives."""

from typing import Any, Final

from engine.kit import Show, State, Text

END: Final = Text(
    "Without lives you are out; the last one in wins. At the limit the most lives win.",
    "Ohne Leben bist du draußen; wer übrig bleibt, gewinnt. An der Rundengrenze gewinnen die meisten Leben.",
    "Sans vie, on est éliminé ; le dernier gagne. À la limite de tours, le plus de vies gagne.",
)

LAST: Final = Text(
    "Be the last one with lives.",
    "Hab als Letzter noch Leben.",
    "Soyez le dernier à avoir des vies.",
)


def start(state: State[Any, Any]) -> State[Any, Any]:
    """The score is the lives."""
    return state.with_scores(state.options.lives)


def shown(state: State[Any, Any], **match: Any) -> Show:
    """The lives of each side, and what else there is about the match."""
    return Show(match, players=[{"lives": lives} for lives in state.scores])
