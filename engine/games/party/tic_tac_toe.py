"""Tic-Tac-Toe: three squares in a line, each won by hits on its number."""

from dataclasses import dataclass
from typing import Any, Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Kit, Segment, Show, State, Target, Text
from engine.segments import BULL

FIXED: Final = (20, 19, 18, 17, BULL, 16, 15, 14, 13)
LINES: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
URGENT: Final = 5
"""How much more a square is worth that completes a line of somebody."""


@dataclass(frozen=True, slots=True)
class Options:
    hits: int = kit.number(3, 1, 9, Text("Hits for a square", "Treffer für ein Feld", "Touches par case"))
    layout: str = kit.one_of(
        Text("Squares", "Felder", "Cases"),
        {"fixed": Text("20 to 13", "20 bis 13", "20 à 13"), "drawn": Text("drawn", "ausgelost", "tirées au sort")},
    )
    rounds: int = kit.most_rounds(20, 100)


@dataclass(frozen=True, slots=True)
class Own:
    squares: tuple[int, ...] = ()
    """The number of each square row by row; empty before they are drawn."""
    marks: tuple[tuple[int, ...], ...] = ()
    """The marks of each side on each square; who has all the hits owns it."""


S = State[Options, Own]
NONE: Final = (0,) * len(FIXED)


def laid(state: S, squares: tuple[int, ...]) -> S:
    return state.keep(Own(squares, (NONE,) * len(state.sides)))


def owns(state: S, side: int, square: int) -> bool:
    return state.own.marks[side][square] == state.options.hits


def is_free(state: S, square: int) -> bool:
    return not any(owns(state, side, square) for side in state.sides)


def dart(state: S, bed: Segment) -> S:
    own = state.own
    if not bed.number or bed.number not in own.squares:
        return state
    square = own.squares.index(bed.number)
    if not is_free(state, square):
        return state
    had = own.marks[state.at][square]
    has = min(state.options.hits, had + bed.multiplier)
    won = has == state.options.hits
    marks = tuple(
        with_seat(row, square, has if side == state.at else 0 if won else row[square])
        for side, row in enumerate(own.marks)
    )
    after = state.counts(has - had).keep(Own(own.squares, marks))
    return taken(after.gains(1), square) if won else after


def taken(state: S, square: int) -> S:
    """After a square has got an owner: the line or the whole board may be full."""
    if any(all(owns(state, state.at, each) for each in line) for line in LINES if square in line):
        return state.is_won()
    if sum(state.scores) < len(FIXED):
        return state
    best = max(rank(state, side) for side in state.sides)
    return state.is_won(*(side for side in state.sides if rank(state, side) == best))


def rank(state: S, side: int) -> tuple[int, ...]:
    """The most squares, then the most marks."""
    return state.scores[side], sum(state.own.marks[side])


def worth(state: S, bed: Segment) -> float:
    own = state.own
    if not bed.number or bed.number not in own.squares:
        return 0.0
    square = own.squares.index(bed.number)
    if not is_free(state, square):
        return 0.0
    counted = min(bed.multiplier, state.options.hits - own.marks[state.at][square])
    through = [[each for each in line if each != square] for line in LINES if square in line]
    other = 1 - state.at
    # A line is open for a side while the other side owns none of its squares.
    open_lines = sum(not any(owns(state, other, each) for each in line) for line in through)
    urgent = any(all(owns(state, side, each) for each in line) for side in state.sides for line in through)
    return counted * ((1 + open_lines) * (URGENT if urgent else 1) + own.marks[state.at][square])


def named(number: int) -> Target:
    return "bull" if number == BULL else number


def show(state: S, viewer: str | None) -> Show:
    own = state.own

    def about(square: int) -> dict[str, Any]:
        owner = [state.names(side)[0] for side in state.sides if owns(state, side, square)]
        marks = {state.names(side)[0]: own.marks[side][square] for side in state.sides if own.marks[side][square]}
        return {"target": named(own.squares[square]), "marks": marks, **({"owner": owner[0]} if owner else {})}

    return Show({"squares": [about(square) for square in range(len(own.squares))]})


GAME: Final[Kit[Options, Own]] = Kit(
    name="tic_tac_toe",
    title="Tic-Tac-Toe",
    about=About(
        "B",
        Text(
            "Three squares in a line, each won by hits on its number.",
            "Drei Felder in einer Reihe, jedes mit Treffern auf seine Zahl.",
            "Trois cases en ligne, chacune gagnée en touchant son numéro.",
        ),
        aim=Text(
            "Own three squares in a row, a column or a diagonal.",
            "Hol dir drei Felder in einer Zeile, Spalte oder Diagonale.",
            "Possédez trois cases en ligne, en colonne ou en diagonale.",
        ),
        turn=Text(
            "A single is one mark on the square of its number, a double two, a triple three. Three marks make the "
            "square yours, and nothing more counts there. The bull is in the middle.",
            "Ein Single ist ein Treffer im Feld seiner Zahl, ein Double zwei, ein Triple drei. Mit drei Treffern "
            "gehört dir das Feld, und dort zählt nichts mehr. Das Bull ist in der Mitte.",
            "Un simple est une marque sur la case de son numéro, un double deux, un triple trois. Trois marques "
            "vous donnent la case, et plus rien n’y compte. Le bull est au centre.",
        ),
        end=Text(
            "The first line wins. With all nine squares owned, or at the limit, the most squares win, then the most "
            "marks.",
            "Die erste Reihe gewinnt. Sind alle neun Felder vergeben, oder an der Rundengrenze, gewinnen die meisten "
            "Felder, dann die meisten Treffer.",
            "La première ligne gagne. Quand les neuf cases sont prises, ou à la limite de tours, le plus de cases "
            "gagne, puis le plus de marques.",
        ),
    ),
    seats=range(2, 17),
    sides=2,
    rules=Options,
    own=Own,
    start=lambda state: laid(state, FIXED) if state.options.layout == "fixed" else state,
    chance=lambda state: None if state.own.squares else kit.NUMBER_DECK,
    drawn=lambda state, cards: laid(state, (*cards[:4], BULL, *cards[4:8])),
    dart=dart,
    rank=rank,
    targets=lambda state: [named(n) for square, n in enumerate(state.own.squares) if is_free(state, square)],
    show=show,
    worth=worth,
    matters=lambda state: (state.own, state.at),
    statistics_of=kit.HITS,
)
