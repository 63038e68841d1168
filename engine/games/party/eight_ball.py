"""Eight Ball: clear your seven balls, then the eight; too early and you lose."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Kit, Segment, Show, State, Target, Text

BALLS: Final = (tuple(range(1, 8)), tuple(range(9, 16)))
OTHERS_BALL: Final = -0.7
EARLY: Final = -7.0


@dataclass(frozen=True, slots=True)
class Options:
    eight: str = kit.one_of(
        Text("The eight is", "Die Acht ist", "La huit est"),
        {
            "8": Text("the number 8", "die Zahl 8", "le numéro 8"),
            "bull": Text("the inner bull", "das Bullseye", "le bull central"),
        },
    )
    rounds: int = kit.most_rounds(30, 100)


@dataclass(frozen=True, slots=True)
class Own:
    left: tuple[tuple[int, ...], ...] = BALLS
    """The balls of each side that are on the table."""


S = State[Options, Own]


def is_eight(state: S, bed: Segment) -> bool:
    return bed.text == "DB" if state.options.eight == "bull" else bed.number == 8


def eight(state: S) -> Target:
    return "DB" if state.options.eight == "bull" else 8


def potted(state: S, side: int, number: int) -> S:
    left = tuple(ball for ball in state.own.left[side] if ball != number)
    return state.keep(Own(with_seat(state.own.left, side, left)))


def dart(state: S, bed: Segment) -> S:
    other, left = 1 - state.at, state.own.left
    if bed.number in left[state.at]:
        return potted(state.brings(1), state.at, bed.number)
    if bed.number in left[other]:
        return potted(state.gains(1, other), other, bed.number).ends()
    if is_eight(state, bed):
        return state.is_won(other if left[state.at] else state.at)
    return state.ends()


def worth(state: S, bed: Segment) -> float:
    left = state.own.left
    if bed.number in left[state.at]:
        return 1.0
    if bed.number in left[1 - state.at]:
        return OTHERS_BALL
    if is_eight(state, bed):
        return EARLY if left[state.at] else 1.0
    return 0.0


GAME: Final[Kit[Options, Own]] = Kit(
    name="eight_ball",
    title="Eight Ball",
    about=About(
        "B",
        Text(
            "Clear your seven balls, then the eight; too early and you lose.",
            "Versenk deine sieben Kugeln, dann die Acht; zu früh, und du verlierst.",
            "Empochez vos sept billes, puis la huit ; trop tôt, et vous perdez.",
        ),
        aim=Text(
            "Pot your balls, 1 to 7 or 9 to 15, and then the eight.",
            "Versenk deine Kugeln, 1 bis 7 oder 9 bis 15, und dann die Acht.",
            "Empochez vos billes, 1 à 7 ou 9 à 15, puis la huit.",
        ),
        turn=Text(
            "A dart in any bed of one of your balls pots it. A ball of the other side is potted for them, and like "
            "every other dart this ends your turn. With the eight before its time you lose.",
            "Ein Dart in ein Feld einer deiner Kugeln versenkt sie. Eine Kugel der Gegenseite zählt für diese und "
            "beendet deine Aufnahme, wie jeder andere Dart. Mit der Acht vor der Zeit verlierst du.",
            "Une fléchette dans le numéro d’une de vos billes l’empoche. Une bille adverse compte pour l’adversaire et "
            "termine votre volée, comme toute autre fléchette. La huit avant l’heure, et vous perdez.",
        ),
        end=Text(
            "The eight ends the match. At the limit the most own balls potted win.",
            "Die Acht beendet das Spiel. An der Rundengrenze gewinnen die meisten eigenen versenkten Kugeln.",
            "La huit termine la partie. À la limite de tours, le plus de billes empochées gagne.",
        ),
    ),
    seats=range(2, 17),
    sides=2,
    rules=Options,
    own=Own,
    dart=dart,
    targets=lambda state: state.own.left[state.at] or (eight(state),),
    dangers=lambda state: [
        *state.own.left[1 - state.at],
        *([eight(state)] if state.own.left[state.at] else []),
    ],
    show=lambda state, viewer: Show(players=[{"balls": list(balls)} for balls in state.own.left]),
    worth=worth,
    matters=lambda state: (state.at, state.own.left),
    statistics_of=kit.HITS,
)
