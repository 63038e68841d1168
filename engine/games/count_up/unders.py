"""Unders: stay at or under the lowest total so far, or lose a life."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.shared_texts import LAST_WITH_LIVES, LIVES_DECIDE
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives()
    miss: int = kit.number(60, 0, 180, Text("Points for a miss", "Punkte für einen Fehlwurf", "Points d’un raté"))
    equal: str = kit.equal("safe", "costs")
    rounds: int = kit.most_rounds(50)


@dataclass(frozen=True, slots=True)
class Own:
    mark: int = 180
    """The lowest total so far."""


S = State[Options, Own]


def points(state: S, bed: Segment) -> int:
    return bed.points if bed.number else state.options.miss


def close(state: S) -> S:
    total, mark = state.scored, state.own.mark
    if total > mark or (total == mark and state.options.equal == "costs"):
        return state.loses_life()
    return state.keep(Own(total))


def show(state: S, viewer: str | None) -> Show:
    return Show({"mark": state.own.mark}, players=[{"lives": state.scores[side]} for side in state.sides])


GAME: Final[Kit[Options, Own]] = Kit(
    name="unders",
    title="Unders",
    about=About(
        "P",
        Text(
            "Stay under the lowest turn so far, or lose a life.",
            "Bleib unter der niedrigsten Aufnahme, sonst verlierst du ein Leben.",
            "Restez sous la plus basse volée, ou perdez une vie.",
        ),
        aim=LAST_WITH_LIVES,
        turn=Text(
            "The three darts together must not exceed the mark: the lowest turn so far. A miss, or a dart you do not "
            "throw, counts 60.",
            "Die drei Darts zusammen dürfen die Marke nicht übersteigen: die bisher niedrigste Aufnahme. Ein Fehlwurf "
            "oder nicht geworfener Dart zählt 60.",
            "Les trois fléchettes ne doivent pas dépasser la marque : la plus basse volée. Une fléchette ratée ou non "
            "lancée compte 60.",
        ),
        end=LIVES_DECIDE,
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    start=lambda state: state.with_scores(state.options.lives),
    dart=lambda state, bed: state.counts(points(state, bed)),
    unthrown=lambda state: True,
    close=close,
    targets=lambda state: ["S1"],
    show=show,
    worth=lambda state, bed: -points(state, bed),
    matters=lambda _state: (),
    statistics_of=kit.LOWEST_TURN,
)
