"""Darts Bingo: the same card for all; a line or the whole card wins."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Kit, Segment, Show, State, Target, Text

WIDE: Final = 4
SQUARES: Final = WIDE * WIDE
LINES: Final = tuple(
    frozenset(line)
    for line in (
        *(range(row * WIDE, row * WIDE + WIDE) for row in range(WIDE)),
        *(range(column, SQUARES, WIDE) for column in range(WIDE)),
        range(0, SQUARES, WIDE + 1),
        range(WIDE - 1, SQUARES - 1, WIDE - 1),
    )
)
COMPLETES: Final = 4.0
HELPS: Final = 2.0
"""The worth of a square that completes a line, and of one in a line with two or three marked; of others 1."""


@dataclass(frozen=True, slots=True)
class Options:
    goal: str = kit.one_of(
        Text("To win", "Zum Sieg", "Pour gagner"),
        {"line": Text("a line", "eine Reihe", "une ligne"), "full": Text("the card", "die Karte", "la grille")},
    )
    beds: str = kit.beds()
    joker: bool = kit.flag(True, Text("The bull is a joker", "Das Bull ist ein Joker", "Le bull est un joker"))
    rounds: int = kit.most_rounds(30, 100)
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    card: tuple[int, ...] = ()
    """The numbers row by row; empty before they are drawn."""
    marked: tuple[frozenset[int], ...] = ()
    """The squares that each side has marked."""


S = State[Options, Own]


def square(state: S, bed: Segment) -> int | None:
    """The square that a bed marks."""
    own = state.own
    if bed.is_bull:
        free = (at for at in range(SQUARES) if at not in own.marked[state.at])
        return next(free, None) if state.options.joker else None
    if bed.number not in own.card or not kit.hits(bed, bed.number, state.options.beds):
        return None
    at = own.card.index(bed.number)
    return None if at in own.marked[state.at] else at


def dart(state: S, bed: Segment) -> S:
    at, own = square(state, bed), state.own
    if at is None:
        return state
    marked = own.marked[state.at] | {at}
    after = state.brings(1).keep(Own(own.card, with_seat(own.marked, state.at, marked)))
    if state.options.goal == "full":
        there = len(marked) == SQUARES
    else:
        there = any(at in line and line <= marked for line in LINES)
    return after.gets_there() if there else after


def worth(state: S, bed: Segment) -> float:
    at = square(state, bed)
    if at is None:
        return 0.0
    if state.options.goal == "full":
        return 1.0
    marked = most_marked(state.own.marked[state.at], at)
    return COMPLETES if marked == WIDE - 1 else HELPS if marked > 1 else 1.0


@lru_cache(1024)
def most_marked(marked: frozenset[int], at: int) -> int:
    """How many squares are marked in the fullest line through a square."""
    return max(len(line & marked) for line in LINES if at in line)


def targets(state: S) -> list[Target]:
    own = state.own
    free = [number for at, number in enumerate(own.card) if at not in own.marked[state.at]]
    bull: list[Target] = ["bull"] if state.options.joker else []
    return [*(target for number in free for target in kit.lit(number, state.options.beds)), *bull]


def show(state: S, viewer: str | None) -> Show:
    own = state.own
    return Show(
        {"card": list(own.card)},
        players=[{"marked": [own.card[at] for at in sorted(marked)]} for marked in own.marked],
    )


GAME: Final[Kit[Options, Own]] = Kit(
    name="bingo",
    title="Darts Bingo",
    about=About(
        "B",
        Text(
            "One card of sixteen numbers for all: who has a line first?",
            "Eine Karte mit sechzehn Zahlen für alle: wer hat zuerst eine Reihe?",
            "Une grille de seize numéros pour tous : qui a une ligne en premier ?",
        ),
        aim=Text(
            "Mark four numbers of the card in a row, a column or a long diagonal.",
            "Markiere vier Zahlen der Karte in einer Zeile, Spalte oder langen Diagonale.",
            "Cochez quatre numéros de la grille, en ligne, en colonne ou en grande diagonale.",
        ),
        turn=Text(
            "A dart in a number of the card marks it for you. A bull marks your first open square, in reading order.",
            "Ein Dart in eine Zahl der Karte markiert sie für dich. Ein Bull markiert dein erstes freies Feld, in "
            "Leserichtung.",
            "Une fléchette dans un numéro de la grille le coche pour vous. Un bull coche votre première case libre, "
            "dans l’ordre de lecture.",
        ),
        end=Text(
            "The round in which somebody gets there is played to its end; of those who got there the most squares "
            "win. At the limit the most squares win.",
            "Die Runde, in der jemand am Ziel ist, wird zu Ende gespielt; von denen am Ziel gewinnen die meisten "
            "Felder. An der Rundengrenze gewinnen die meisten Felder.",
            "Le tour où quelqu’un y arrive est joué jusqu’au bout ; parmi les arrivés, le plus de cases gagne. À la "
            "limite de tours, le plus de cases gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    chance=lambda state: None if state.own.card else kit.NUMBER_DECK,
    drawn=lambda state, cards: state.keep(Own(cards[:SQUARES], (frozenset(),) * len(state.sides))),
    dart=dart,
    finish="round",
    targets=targets,
    show=show,
    worth=worth,
    matters=lambda state: (state.own.card, state.own.marked[state.at]),
    statistics_of=kit.HITS,
)
