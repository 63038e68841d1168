"""What games on a course with lives share: the score is the steps done, and a turn without a step costs a life."""

from dataclasses import dataclass, replace
from typing import Any, Final

from engine.games.seats import with_seat
from engine.kit import Goal, Show, State, Text


@dataclass(frozen=True, slots=True)
class Own:
    lives: tuple[int, ...] = ()


S = State[Any, Own]

END: Final = Text(
    "The match ends when somebody has finished, or one is left in. At the limit who is farthest wins.",
    "Das Spiel endet, wenn jemand im Ziel oder nur einer übrig ist. An der Rundengrenze gewinnt, wer am weitesten ist.",
    "La partie finit quand quelqu’un arrive ou reste seul. À la limite de tours, le plus avancé gagne.",
)


def start(state: S) -> S:
    return state.keep(Own((state.options.lives,) * len(state.sides)))


def moved(state: S, course: int) -> S:
    """One step on, and there at the end of the course."""
    after = state.brings(1)
    return after if after.score < course else after.gets_there()


def close(state: S) -> S:
    """A turn without a step costs a life."""
    if state.scored:
        return state
    lives = state.own.lives[state.at] - 1
    after = state.keep(replace(state.own, lives=with_seat(state.own.lives, state.at, lives)))
    return after if lives else after.goes_out()


def rank(state: S, side: int) -> tuple[int, ...]:
    """The player who is farthest, then the one with the most lives."""
    return state.scores[side], state.own.lives[side]


def shown(state: S, course: tuple[Goal, ...]) -> Show:
    """The lives of each side, and what is next on the course."""
    return Show(
        {"track": len(course)},
        players=[
            {"lives": state.own.lives[side], **({"next": course[score]} if score < len(course) else {})}
            for side, score in enumerate(state.scores)
        ],
    )
