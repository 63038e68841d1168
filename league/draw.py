"""The draw: who is where at the start. The same seed gives the same draw on every machine and in every version."""

import hashlib
from collections.abc import Iterable, Sequence

from league.fixtures import NOBODY, Entrant


def lot(seed: str, *names: object) -> str:
    """Returns a text that sorts entrants at random.

    Not `random.shuffle`: Python may change it, and a tournament is replayed by later versions.
    """
    return hashlib.sha256("\n".join((seed, *map(str, names))).encode()).hexdigest()


def ranking(entrants: Iterable[Entrant], seed: str) -> tuple[int, ...]:
    """The numbers of the entrants from the strongest: those with a seed by it, then the others by lot."""
    found = sorted(entrants, key=lambda e: (e.seed is None, e.seed or 0, lot(seed, e.number), e.number))
    return tuple(entrant.number for entrant in found)


def seed_lines(size: int) -> tuple[int, ...]:
    """The ranks from 1 down the lines of a knock-out of `size`, a power of two: the first two meet in the final alone.

    For 8: 1 8 4 5 2 7 3 6, so neighbours play the first round.
    """
    lines: tuple[int, ...] = (1,)
    while len(lines) < size:
        total = 2 * len(lines) + 1
        lines = tuple(rank for line in lines for rank in (line, total - line))
    return lines


def bracket(ranked: Sequence[int]) -> tuple[int, ...]:
    """The lines of a knock-out; `NOBODY` where there is a bye, which the best ranks have."""
    size = 1 << max(1, (len(ranked) - 1).bit_length())
    return tuple(ranked[rank - 1] if rank <= len(ranked) else NOBODY for rank in seed_lines(size))


def snake(ranked: Sequence[int], groups: int) -> tuple[tuple[int, ...], ...]:
    """Deals the entrants into groups, forwards and backwards in turn, so that all groups are about equally strong."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for index, entrant in enumerate(ranked):
        row, column = divmod(index, groups)
        dealt[column if row % 2 == 0 else groups - 1 - column].append(entrant)
    return tuple(tuple(group) for group in dealt)
