"""Overs: reach the mark with every turn, or lose a life."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.games.shared_texts import LAST_WITH_LIVES, LIVES_DECIDE
from engine.kit import About, Kit, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives()
    against: str = kit.one_of(
        Text("Throw against", "Wirf gegen", "Jouez contre"),
        {
            "record": Text("the record of the match", "den Rekord des Spiels", "le record de la partie"),
            "own": Text("your own last turn", "deine letzte Aufnahme", "votre volée précédente"),
        },
    )
    equal: str = kit.equal("safe", "costs")
    rounds: int = kit.most_rounds(50)


@dataclass(frozen=True, slots=True)
class Own:
    marks: tuple[int, ...] = ()
    """The mark of each player; the record of the match is the same for all."""


S = State[Options, Own]


def start(state: S) -> S:
    lives = state.with_scores(state.options.lives)
    return lives.keep(Own((0,) * len(state.sides)))


def need(state: S) -> int:
    """The points that are still missing to be safe."""
    mark = state.own.marks[state.at]
    return max(0, mark - state.scored + (mark > 0 and state.options.equal == "costs"))


def close(state: S) -> S:
    after = state.loses_life() if need(state) else state
    if state.options.against == "own":
        return after.keep(Own(with_seat(state.own.marks, state.at, state.scored)))
    return after.keep(Own((max(state.own.marks[0], state.scored),) * len(state.sides)))


def show(state: S, viewer: str | None) -> Show:
    lives = [{"lives": state.scores[side]} for side in state.sides]
    return Show({"mark": state.own.marks[state.at]}, {"need": need(state)}, lives)


GAME: Final[Kit[Options, Own]] = Kit(
    name="overs",
    title="Overs",
    about=About(
        "P",
        Text(
            "Reach the record with every turn, or lose a life.",
            "Erreiche mit jeder Aufnahme den Rekord, sonst verlierst du ein Leben.",
            "Atteignez le record à chaque volée, ou perdez une vie.",
        ),
        aim=LAST_WITH_LIVES,
        turn=Text(
            "The three darts together must reach the mark, the highest turn so far. Less costs a life; more is the new "
            "mark.",
            "Die drei Darts zusammen müssen die Marke erreichen, die bisher höchste Aufnahme. Weniger kostet ein "
            "Leben, mehr ist die neue Marke.",
            "Les trois fléchettes doivent atteindre la marque, la plus haute volée. Moins coûte une vie ; plus devient "
            "la nouvelle marque.",
        ),
        end=LIVES_DECIDE,
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    start=start,
    dart=lambda state, bed: state.counts(bed.points),
    close=close,
    targets=lambda state: ["T20"],
    show=show,
    matters=lambda _state: (),
)
