"""Swiss rounds: entrants with about the same points meet, and nobody meets the same entrant twice if it can be avoided.

No library: the ones that exist rank and pair for chess or card games, and a maximum matching of a graph (networkx)
would be a package of two megabytes for twenty lines. Backtracking is enough. As long as more than 2 r + 2 entrants are
left after r rounds, each of them has met fewer than half of the others, so a pairing exists (Dirac's theorem): the
search never goes back beyond the last 2 r + 2.
"""

from collections.abc import Collection, Sequence

from league.fixtures import NOBODY

Pair = tuple[int, int]

MOST_ROUNDS = 15
"""More rounds would make the part of the search that goes back too long; with more, everybody can meet everybody."""


def pair(standings: Sequence[int], met: Collection[frozenset[int]]) -> tuple[Pair, ...]:
    """Pairs the entrants of `standings`, the leader first; each with the nearest below whom they have not met.

    With an odd number somebody has a bye, `(entrant, NOBODY)`: the lowest who can have one and had none. `met` has the
    pairs of earlier rounds, byes too. A pair meets again only where no other pairing exists.
    """
    order = tuple(standings) if len(standings) % 2 == 0 else (*standings, NOBODY)
    again = 0
    while True:
        found = _search(order, met, again, set())
        if found is not None:
            return found
        again += 1


def _search(
    left: tuple[int, ...], met: Collection[frozenset[int]], again: int, failed: set[tuple[tuple[int, ...], int]]
) -> tuple[Pair, ...] | None:
    """A pairing of `left` in which at most `again` pairs have met before; `None` if there is none."""
    if not left:
        return ()
    if (left, again) in failed:
        return None
    first = left[0]
    for index in range(1, len(left)):
        repeated = frozenset((first, left[index])) in met
        if repeated and not again:
            continue
        rest = _search(left[1:index] + left[index + 1 :], met, again - repeated, failed)
        if rest is not None:
            return ((first, left[index]), *rest)
    failed.add((left, again))
    return None
