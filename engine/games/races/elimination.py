"""Elimination (Knockout, Legs): beat the total of the player before you, or lose a life."""

from dataclasses import dataclass
from typing import Any, Final

from engine import kit
from engine.games.races import _lives
from engine.games.shared_texts import LAST_WITH_LIVES, LIVES_DECIDE
from engine.kit import About, Kit, Segment, Show, State, Text

SAFE: Final = 60
"""The worth of a last dart that saves a life, besides its points."""


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives()
    equal: str = kit.equal("costs", "safe")
    rounds: int = kit.most_rounds(50)


@dataclass(frozen=True, slots=True)
class Own:
    mark: int | None = None
    """The total of the turn before; the first turn of the match has none."""


S = State[Options, Own]


def need(state: S) -> int:
    """The points that are still missing to be safe."""
    mark = state.own.mark
    return 0 if mark is None else max(0, mark - state.scored + (state.options.equal == "costs"))


def close(state: S) -> S:
    after = state.loses_life() if need(state) else state
    return after.keep(Own(state.scored))


def worth(state: S, bed: Segment) -> float:
    """A high mark for the next is good, but the last dart is to be safe first."""
    last = len(state.darts) == 2 and need(state) > 0
    return bed.points + (SAFE if last and bed.points >= need(state) else 0)


def show(state: S, viewer: str | None) -> Show:
    mark: dict[str, Any] = {} if state.own.mark is None else {"mark": state.own.mark}
    return Show(mark, {"need": need(state)}, [{"lives": lives} for lives in state.scores])


GAME: Final[Kit[Options, Own]] = Kit(
    name="elimination",
    title="Elimination",
    about=About(
        "P",
        Text(
            "Beat the player before you, or lose a life.",
            "Überbiete die Aufnahme vor dir, sonst verlierst du ein Leben.",
            "Battez la volée précédente, ou perdez une vie.",
        ),
        aim=LAST_WITH_LIVES,
        turn=Text(
            "The three darts together must beat the mark, the total of the player before you. Less, or the same, costs "
            "a life. Your total is then the mark for the next.",
            "Die drei Darts zusammen müssen die Marke überbieten, die Summe vor dir. Weniger oder gleich viel kostet "
            "ein Leben. Deine Summe ist dann die Marke für den Nächsten.",
            "Les trois fléchettes doivent dépasser la marque, le total du joueur précédent. Moins, ou autant, coûte "
            "une vie. Votre total devient alors la marque du suivant.",
        ),
        end=LIVES_DECIDE,
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    start=_lives.start,
    dart=lambda state, bed: state.counts(bed.points),
    close=close,
    targets=lambda state: ["T20"],
    show=show,
    worth=worth,
    matters=lambda state: min(61, need(state)) if len(state.darts) == 2 else 0,
)
