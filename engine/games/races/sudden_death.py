"""Sudden Death: the lowest total of every round costs a life."""

from dataclasses import dataclass
from typing import Any, Final

from engine import kit
from engine.games.seats import with_seat
from engine.games.shared_texts import LAST_WITH_LIVES
from engine.kit import About, Kit, Segment, Show, State, Text

MISSED: Final = 60
"""What a dart off the board counts where the highest total pays."""
SAFE: Final = 60
"""The worth of a last dart that saves a life for now, besides its points."""


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives(1, 9)
    worst: str = kit.one_of(
        Text("A life is lost by", "Ein Leben kostet", "Perd une vie"),
        {
            "low": Text("the lowest total", "die niedrigste Summe", "le total le plus bas"),
            "high": Text("the highest total", "die höchste Summe", "le total le plus haut"),
        },
    )
    rounds: int = kit.most_rounds(50)


@dataclass(frozen=True, slots=True)
class Own:
    totals: tuple[int | None, ...] = ()
    """The total of each side in this round; None: it has not thrown yet, or is out."""


S = State[Options, Own]


def no_totals(state: S) -> S:
    return state.keep(Own((None,) * len(state.sides)))


def points(state: S, bed: Segment) -> int:
    return MISSED if state.options.worst == "high" and not bed.number else bed.points


def worst(state: S) -> int | None:
    """The total of this round that pays, so far; None: nobody has thrown."""
    totals = [total for total in state.own.totals if total is not None]
    return (min if state.options.worst == "low" else max)(totals, default=None)


def end_round(state: S) -> S:
    pay = [side for side in state.left_in if state.own.totals[side] == worst(state)]
    after = no_totals(state)
    if all(side in pay and state.scores[side] == 1 for side in state.left_in):
        return after  # Nobody would be left.
    for side in pay:
        after = after.loses_life(side=side)
    return after


def equals(state: S) -> int | None:
    """The points with which the last dart would equal the total that pays; None: it is not the last, or nobody pays."""
    mark = worst(state)
    return None if mark is None or len(state.darts) < 2 else mark - state.scored


def worth(state: S, bed: Segment) -> float:
    sign = 1 if state.options.worst == "low" else -1
    brought, mark = points(state, bed), equals(state)
    return sign * brought + (SAFE if mark is not None and sign * (brought - mark) > 0 else 0)


def show(state: S, viewer: str | None) -> Show:
    lowest = worst(state)
    match: dict[str, Any] = {} if lowest is None else {state.options.worst: lowest}
    totals = [{} if total is None else {"total": total} for total in state.own.totals]
    return Show(match, players=[{"lives": state.scores[side], **totals[side]} for side in state.sides])


GAME: Final[Kit[Options, Own]] = Kit(
    name="sudden_death",
    title="Sudden Death",
    about=About(
        "P",
        Text(
            "The lowest total of the round is out.",
            "Wer in der Runde am wenigsten wirft, fliegt raus.",
            "Le plus petit total du tour est éliminé.",
        ),
        aim=LAST_WITH_LIVES,
        turn=Text(
            "Three darts; their points are your total of the round. When all have thrown, everyone with the lowest "
            "total loses a life.",
            "Drei Darts; ihre Punkte sind deine Summe der Runde. Wenn alle geworfen haben, verliert ein Leben, wer die "
            "niedrigste Summe hat.",
            "Trois fléchettes ; leurs points font votre total du tour. Quand tous ont joué, ceux qui ont le plus petit "
            "total perdent une vie.",
        ),
        end=Text(
            "Without lives you are out, unless that would leave nobody. The last one in wins; at the limit the most "
            "lives.",
            "Ohne Leben bist du draußen, außer es bliebe niemand übrig. Der Letzte gewinnt; an der Rundengrenze die "
            "meisten Leben.",
            "Sans vie, on est éliminé, sauf s’il ne restait personne. Le dernier gagne ; à la limite de tours, le plus "
            "de vies.",
        ),
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    start=lambda state: no_totals(state).with_scores(state.options.lives),
    dart=lambda state, bed: state.counts(points(state, bed)),
    unthrown=lambda state: state.options.worst == "high",
    close=lambda state: state.keep(Own(with_seat(state.own.totals, state.at, state.scored))),
    end_round=end_round,
    targets=lambda state: ["T20"] if state.options.worst == "low" else [1],
    show=show,
    worth=worth,
    matters=lambda state: (equals(state),),
)
