"""Connect Four: darts drop discs into seven columns, and four in a line win."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Kit, Refusal, Segment, Show, State, Target, Text

COLUMNS: Final = 7
ROWS: Final = 6
FOUR: Final = 4
DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (1, -1))
WINS: Final = 10
STOPS: Final = 8
"""The worth of a column that wins, and of one where another would win."""


@dataclass(frozen=True, slots=True)
class Options:
    columns: tuple[Target, ...] = kit.targets(tuple(range(14, 21)), Text("Columns", "Spalten", "Colonnes"))
    rounds: int = kit.most_rounds(30, 100)
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    columns: tuple[tuple[int, ...], ...] = ((),) * COLUMNS
    """The sides whose discs are in each column, from the bottom."""


S = State[Options, Own]


def refuses(options: Options, players: tuple[str, ...]) -> Refusal | None:
    if len(options.columns) != COLUMNS or "bull" in options.columns:
        return Refusal("bad_option", f"Columns are {COLUMNS} numbers, without the bull.")
    return None


def reach(own: Own, side: int, column: int, row: int, step: tuple[int, int]) -> int:
    """How many discs of a side follow each other from a place on, without that place."""
    across, up = step
    count = 0
    while True:
        column, row = column + across, row + up
        if not (0 <= column < COLUMNS and 0 <= row < len(own.columns[column]) and own.columns[column][row] == side):
            return count
        count += 1


def longest(own: Own, side: int, column: int, row: int) -> int:
    """The longest line through a place, with a disc of the side there."""
    return max(
        1 + reach(own, side, column, row, (across, up)) + reach(own, side, column, row, (-across, -up))
        for across, up in DIRECTIONS
    )


def dart(state: S, bed: Segment) -> S:
    own, columns = state.own, state.options.columns
    if bed.number not in columns:
        return state
    column = columns.index(bed.number)
    row = len(own.columns[column])
    if row == ROWS:
        return state
    line = longest(own, state.at, column, row)
    dropped = Own(with_seat(own.columns, column, (*own.columns[column], state.at)))
    after = state.counts(1).keep(dropped).with_score(max(state.score, line))
    if line >= FOUR:
        return after.is_won()
    if row < ROWS - 1 or any(len(discs) < ROWS for discs in dropped.columns):
        return after
    best = max(rank(after, side) for side in after.sides)
    return after.is_won(*(side for side in after.sides if rank(after, side) == best))


def rank(state: S, side: int) -> tuple[int, ...]:
    """The longest line, then how many of that length."""
    own, length = state.own, state.scores[side]
    lines = sum(
        reach(own, side, column, row, (-across, -up)) == 0 and 1 + reach(own, side, column, row, (across, up)) == length
        for column, discs in enumerate(own.columns)
        for row, owner in enumerate(discs)
        if owner == side
        for across, up in DIRECTIONS
    )
    return length, lines


def worth(state: S, bed: Segment) -> float:
    own, columns = state.own, state.options.columns
    if bed.number not in columns:
        return 0.0
    column = columns.index(bed.number)
    row = len(own.columns[column])
    if row == ROWS:
        return 0.0
    line = longest(own, state.at, column, row)
    if line >= FOUR:
        return WINS
    return STOPS if any(longest(own, side, column, row) >= FOUR for side in state.others) else line


def targets(state: S) -> list[Target]:
    full = zip(state.options.columns, state.own.columns, strict=True)
    return [number for number, discs in full if len(discs) < ROWS]


def show(state: S, viewer: str | None) -> Show:
    names = [state.names(side)[0] for side in state.sides]
    grid = [[names[side] for side in discs] for discs in state.own.columns]
    return Show({"columns": list(state.options.columns), "grid": grid})


GAME: Final[Kit[Options, Own]] = Kit(
    name="connect_four",
    title="Connect Four",
    about=About(
        "B",
        Text(
            "Drop discs into seven columns; four in a line win.",
            "Wirf Steine in sieben Spalten; vier in einer Reihe gewinnen.",
            "Glissez des jetons dans sept colonnes ; quatre en ligne gagnent.",
        ),
        aim=Text(
            "Be the first with four discs in a row, a column or a diagonal.",
            "Hab als Erster vier Steine in einer Zeile, Spalte oder Diagonale.",
            "Alignez le premier quatre jetons, en ligne, en colonne ou en diagonale.",
        ),
        turn=Text(
            "A dart in any bed of a column’s number drops one disc of yours on its lowest free place. The columns are "
            "14 to 20, six high. A full column takes nothing.",
            "Ein Dart in ein Feld der Zahl einer Spalte wirft einen deiner Steine auf ihren untersten freien Platz. "
            "Die Spalten sind 14 bis 20 und sechs hoch. Eine volle Spalte nimmt nichts mehr.",
            "Une fléchette dans le numéro d’une colonne y glisse un de vos jetons, à la place libre la plus basse. "
            "Les colonnes vont de 14 à 20, sur six rangs. Une colonne pleine ne prend rien.",
        ),
        end=Text(
            "Four in a line win. With the grid full, or at the limit, the longest line wins, then the most lines of "
            "that length.",
            "Vier in einer Reihe gewinnen. Ist das Gitter voll, oder an der Rundengrenze, gewinnt die längste Reihe, "
            "dann die meisten dieser Länge.",
            "Quatre en ligne gagnent. Si la grille est pleine, ou à la limite de tours, la plus longue ligne gagne, "
            "puis le plus de lignes de cette longueur.",
        ),
    ),
    seats=range(2, 5),
    rules=Options,
    refuses=refuses,
    own=Own,
    dart=dart,
    rank=rank,
    targets=targets,
    show=show,
    worth=worth,
    matters=lambda state: (state.own, state.at),
    statistics_of=kit.HITS,
)
