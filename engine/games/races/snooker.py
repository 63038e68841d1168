"""Snooker: red, colour, red, colour; then the colours in order."""

from dataclasses import dataclass, replace
from typing import Final

from engine import kit
from engine.kit import About, Kit, Segment, Show, State, Target, Text
from engine.segments import BULL

COLOURS: Final = (16, 17, 18, 19, 20, BULL)
NAMES: Final = ("yellow", "green", "brown", "blue", "pink", "black")
VALUES: Final = {number: at + 2 for at, number in enumerate(COLOURS)}
"""The points of the colours; a red is worth 1."""
RED: Final = 3
"""The worth of a red in advice: after it a colour is on."""


@dataclass(frozen=True, slots=True)
class Options:
    reds: int = kit.number(15, 1, 15, Text("Reds", "Rote", "Rouges"))
    foul: int = kit.number(4, 0, 7, Text("Points for a foul", "Punkte für ein Foul", "Points d’une faute"))
    rounds: int = kit.most_rounds(40)
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    reds: tuple[int, ...] = ()
    """The reds that are left."""
    gone: int = 0
    """How many colours have been potted in order."""
    free: bool = False
    """Whether any colour is on, because the last dart potted a red."""


S = State[Options, Own]


def on(own: Own) -> tuple[int, ...]:
    """The balls on: those to hit."""
    if own.free:
        return COLOURS
    return own.reds or COLOURS[own.gone : own.gone + 1]


def in_play(own: Own, number: int) -> bool:
    return number in own.reds or number in COLOURS[own.gone :]


def dart(state: S, bed: Segment) -> S:
    own, number = state.own, bed.number
    if number not in on(own):
        after = state.ends()
        if in_play(own, number):
            for side in state.others:
                after = after.gains(state.options.foul, side)
        return after
    if number in own.reds:
        reds = tuple(red for red in own.reds if red != number)
        return state.brings(1).keep(replace(own, reds=reds, free=True))
    after = state.brings(VALUES[number])
    if own.free:
        return after.keep(replace(own, free=False))
    after = after.keep(replace(own, gone=own.gone + 1))
    if after.own.gone < len(COLOURS):
        return after
    return after.is_won(*(side for side in after.sides if after.scores[side] == max(after.scores)))


def worth(state: S, bed: Segment) -> float:
    own = state.own
    if bed.number in on(own):
        return VALUES.get(bed.number, RED)
    return -state.options.foul if in_play(own, bed.number) else 0.0


def lit(number: int) -> Target:
    return "bull" if number == BULL else number


def ball(own: Own) -> str:
    """What is on: a red, any colour, or one of them."""
    return "colour" if own.free else "red" if own.reds else NAMES[min(own.gone, len(NAMES) - 1)]


def show(state: S, viewer: str | None) -> Show:
    own = state.own
    over = own.gone == len(COLOURS)
    return Show({"reds": list(own.reds)}, {"break": state.scored, **({} if over else {"on": ball(own)})})


GAME: Final[Kit[Options, Own]] = Kit(
    name="snooker",
    title="Snooker",
    about=About(
        "B",
        Text(
            "Red, colour, red, colour; then the colours in order.",
            "Rot, Farbe, Rot, Farbe; dann die Farben der Reihe nach.",
            "Rouge, couleur, rouge, couleur ; puis les couleurs dans l’ordre.",
        ),
        aim=Text(
            "Have the most points when the black is potted.",
            "Hab die meisten Punkte, wenn die Schwarze versenkt ist.",
            "Ayez le plus de points quand la noire est empochée.",
        ),
        turn=Text(
            "Reds are 1 to 15, worth 1 and gone when hit. After a red any colour is on: 16 to 20 and the bull, worth 2 "
            "to 7. A dart in no ball ends your turn. A ball that is not on is a foul: 4 points for the others.",
            "Rote sind 1 bis 15, 1 Punkt und danach weg. Nach einer Roten kommt eine Farbe: 16 bis 20 oder Bull, 2 bis "
            "7 Punkte. Ein Dart in keine Kugel beendet die Aufnahme. Eine falsche ist ein Foul: 4 Punkte für die "
            "anderen.",
            "Les rouges sont 1 à 15, 1 point puis empochées. Après une rouge, une couleur : 16 à 20 ou le bull, 2 à 7 "
            "points. Une fléchette hors bille termine la volée. Une mauvaise bille est une faute : 4 points pour les "
            "autres.",
        ),
        end=Text(
            "When no red is left the colours go in order, from 16 to the bull. The match ends with the bull, or at the "
            "limit.",
            "Ist keine Rote mehr da, fallen die Farben der Reihe nach, von 16 bis Bull. Mit dem Bull oder an der "
            "Rundengrenze ist Schluss.",
            "Quand il n’y a plus de rouge, les couleurs partent dans l’ordre, de 16 au bull. La partie finit au bull, "
            "ou à la limite de tours.",
        ),
    ),
    seats=range(2, 9),
    rules=Options,
    own=Own,
    start=lambda state: state.keep(Own(tuple(range(1, state.options.reds + 1)))),
    begin=lambda state: state.keep(replace(state.own, free=False)) if state.own.free else state,
    dart=dart,
    points_to_begin=147,
    targets=lambda state: [lit(number) for number in on(state.own)],
    show=show,
    worth=worth,
    matters=lambda state: state.own,
)
