"""DartSweeper: open the ring without stepping on a mine."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from typing import Final

from engine import kit
from engine.kit import About, Chooser, Kit, Next, Segment, Show, State, Text
from engine.segments import BULL, CLOCKWISE, SEGMENTS

NUMBERS: Final = len(CLOCKWISE)
BESIDE: Final = {number: (CLOCKWISE[at - 1], CLOCKWISE[(at + 1) % NUMBERS]) for at, number in enumerate(CLOCKWISE)}
"""The two neighbours of each number."""
CHAINED: Final = (*CLOCKWISE[::2], *CLOCKWISE[1::2])
"""The numbers in an order in which the count of a number ties each to one before it, so that few guesses are needed."""


@dataclass(frozen=True, slots=True)
class Options:
    mines: int = kit.number(4, 1, 10, Text("Mines", "Minen", "Mines cachées"))
    penalty: int = kit.number(3, 0, 20, Text("A mine costs", "Eine Mine kostet", "Une mine coûte"))
    rounds: int = kit.most_rounds(10, 50)


@dataclass(frozen=True, slots=True)
class Own:
    mines: frozenset[int] = frozenset()
    """The mined numbers; empty before they are laid."""
    spare: int = 0
    """Where a mine moves that the first number opened in the match would set off; 0 once one is open."""
    open: frozenset[int] = frozenset()


S = State[Options, Own]


def count(mines: frozenset[int], number: int) -> int:
    """How many neighbours of a number are mined."""
    return sum(each in mines for each in BESIDE[number])


def opens(state: S, bed: Segment) -> bool:
    return 0 < bed.number < BULL and bed.number not in state.own.open


def dart(state: S, bed: Segment) -> S:
    if not opens(state, bed):
        return state
    mines, opened = state.own.mines, state.own.open | {bed.number}
    if not state.own.open and bed.number in mines:
        mines = mines - {bed.number} | {state.own.spare}
    after = state.keep(Own(mines, 0, opened))
    after = after.brings(-state.options.penalty).ends() if bed.number in mines else after.brings(bed.multiplier)
    if not (mines <= opened or len(opened | mines) == NUMBERS):
        return after
    return after.is_won(*(side for side in after.sides if after.scores[side] == max(after.scores)))


Layouts = tuple[tuple[frozenset[int], float], ...]


def layouts(own: Own, mines: int) -> tuple[list[int], Layouts]:
    """The closed numbers that are next to an open one, and how they can be mined, with the chance of each layout.

    It uses only what is open: the mines that are left can be anywhere else.
    """
    gone = own.open & own.mines
    counts = tuple((number, count(own.mines, number)) for number in CLOCKWISE if number in own.open - gone)
    return known_layouts(own.open, gone, counts, mines)


@lru_cache(256)
def known_layouts(
    open_: frozenset[int], gone: frozenset[int], counts: tuple[tuple[int, int], ...], mines: int
) -> tuple[list[int], Layouts]:
    shown = dict(counts)
    edge = [number for number in CHAINED if number not in open_ and any(each in shown for each in BESIDE[number])]
    left = mines - len(gone)
    elsewhere = NUMBERS - len(open_) - len(edge)
    found = [frozenset[int]()]
    for at, number in enumerate(edge):
        undecided = set(edge[at + 1 :])
        found = [
            layout
            for before in found
            for layout in (before, before | {number})
            if all(fits(layout | gone, shown[each], each, undecided) for each in BESIDE[number] if each in shown)
        ]
    weights = [comb(elsewhere, left - len(layout)) if len(layout) <= left else 0 for layout in found]
    total = sum(weights)
    return edge, tuple((layout, weight / total) for layout, weight in zip(found, weights, strict=True) if weight)


def fits(mines: frozenset[int], shown: int, number: int, undecided: set[int]) -> bool:
    """Whether a number can still have as many mined neighbours as it shows."""
    certain = count(mines, number)
    return certain <= shown <= certain + sum(each in undecided for each in BESIDE[number])


@lru_cache(64)
def risks(own: Own, mines: int) -> dict[int, float]:
    """The chance of each closed number to be mined, from what is open."""
    closed = [number for number in CLOCKWISE if number not in own.open]
    if not own.open:
        return dict.fromkeys(closed, 0.0)
    edge, found = layouts(own, mines)
    left = mines - len(own.open & own.mines)
    elsewhere = sum(chance * (left - len(layout)) for layout, chance in found) / max(1, len(closed) - len(edge))
    return {
        number: sum(chance for layout, chance in found if number in layout) if number in edge else elsewhere
        for number in closed
    }


def worth(state: S, bed: Segment) -> float:
    if not opens(state, bed):
        return 0.0
    danger = risks(state.own, state.options.mines)[bed.number]
    return bed.multiplier * (1 - danger) - state.options.penalty * danger


def matters(state: S) -> Hashable:
    return tuple(risks(state.own, state.options.mines).items())


def decides(state: S, skill: float) -> Next | None:
    """No dart where even a triple in every closed number costs more than it brings."""
    return None if any(worth(state, SEGMENTS[f"T{number}"]) > 0 for number in CLOCKWISE) else Next()


def show(state: S, viewer: str | None) -> Show:
    own = state.own
    shown = own.open | own.mines if state.finished else own.open
    numbers = {str(n): "mine" if n in own.mines else count(own.mines, n) for n in sorted(shown)}
    left = {"mines_left": len(own.mines - own.open)} if own.mines else {}
    return Show({"open": numbers, **left})


def disguise(state: S, viewer: str | None, choose: Chooser) -> S:
    """Other mines under the closed numbers, which give the same counts."""
    own = state.own
    if state.finished or not own.mines:
        return state
    if not own.open:
        cards = choose.sample(CLOCKWISE, state.options.mines + 1)
        return state.keep(Own(frozenset(cards[1:]), cards[0]))
    edge, found = layouts(own, state.options.mines)
    layout, _ = choose.choice(found)
    elsewhere = [number for number in CLOCKWISE if number not in own.open and number not in edge]
    left = state.options.mines - len(own.open & own.mines) - len(layout)
    return state.keep(replace(own, mines=(own.mines & own.open) | layout | set(choose.sample(elsewhere, left))))


GAME: Final[Kit[Options, Own]] = Kit(
    name="dart_sweeper",
    title="DartSweeper",
    about=About(
        "B",
        Text(
            "Open the ring of numbers without stepping on a mine.",
            "Öffne den Zahlenring, ohne auf eine Mine zu treten.",
            "Ouvrez l’anneau des numéros sans marcher sur une mine.",
        ),
        aim=Text(
            "Score the most points on safe numbers. Four numbers are mined.",
            "Hol die meisten Punkte mit sicheren Zahlen. Vier Zahlen sind vermint.",
            "Marquez le plus de points sur les numéros sûrs. Quatre numéros sont minés.",
        ),
        turn=Text(
            "A dart in a closed number opens it: 1 point for a single, 2 for a double, 3 for a triple. It shows how "
            "many of its two neighbours are mined. A mine costs 3 points and ends your turn.",
            "Ein Dart in eine verdeckte Zahl öffnet sie: 1 Punkt für Single, 2 für Double, 3 für Triple. Sie zeigt, "
            "wie viele ihrer zwei Nachbarn vermint sind. Eine Mine kostet 3 Punkte und beendet deine Aufnahme.",
            "Une fléchette dans un numéro fermé l’ouvre : 1 point pour un simple, 2 un double, 3 un triple. Il montre "
            "combien de ses deux voisins sont minés. Une mine coûte 3 points et termine votre volée.",
        ),
        end=Text(
            "The match ends when all safe numbers are open, all mines have gone off, or after the last round. The most "
            "points win.",
            "Das Spiel endet, wenn alle sicheren Zahlen offen oder alle Minen hochgegangen sind, oder nach der letzten "
            "Runde. Die meisten Punkte gewinnen.",
            "La partie finit quand tous les numéros sûrs sont ouverts, que toutes les mines ont sauté, ou après le "
            "dernier tour. Le plus de points gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    chance=lambda state: None if state.own.mines else kit.NUMBER_DECK,
    drawn=lambda state, cards: state.keep(Own(frozenset(cards[: state.options.mines]), cards[state.options.mines])),
    dart=dart,
    points_to_begin=60,
    targets=lambda state: [number for number in sorted(CLOCKWISE) if number not in state.own.open],
    show=show,
    disguise=disguise,
    worth=worth,
    matters=matters,
    decides=decides,
    statistics_of=kit.POINTS,
)
