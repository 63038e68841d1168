"""The final order of a tournament that is over, as far as its matches and tables tell it."""

from collections.abc import Iterable
from itertools import chain, groupby

from league.fixtures import NOBODY
from league.pairings import Pairing
from league.state import Tournament


def final_order(tournament: Tournament) -> tuple[tuple[int, ...], ...]:
    """The entrants by their places, the first one first; those in one group share their places. Empty while the
    tournament goes on.

    After a knock-out those whose last round was the same share their places. Whoever did not get beyond their group
    comes after it, by their place there.
    """
    if not tournament.over:
        return ()
    places: list[tuple[int, ...]] = []
    placed = {NOBODY}

    def add(entrants: Iterable[int | None]) -> None:
        added = [entrant for entrant in dict.fromkeys(entrants) if entrant is not None and entrant not in placed]
        if added:
            places.append(tuple(added))
            placed.update(added)

    add([tournament.winner])
    for pairings in _knockout_rounds(tournament):
        # The match for the third place tells those apart who lost the semi-finals.
        if any(pairing.fixture.stage == "third" for pairing in pairings):
            add(pairing.winner for pairing in pairings)
        add(side for pairing in pairings for side in (pairing.home, pairing.away))
    rows = sorted(chain.from_iterable(tournament.standing.tables.values()), key=lambda row: row.place)
    for _, level in groupby(rows, key=lambda row: row.place):
        add(row.entrant for row in level)
    return tuple(places)


def _knockout_rounds(tournament: Tournament) -> list[list[Pairing]]:
    """The rounds outside the groups, the last one first. Whoever loses on the winners' side plays on."""
    rounds: dict[tuple[int, int], list[Pairing]] = {}
    for pairing in tournament.standing.pairings.values():
        if pairing.fixture.group is None:
            rounds.setdefault((_side_of_the_draw(pairing), -pairing.fixture.round), []).append(pairing)
    return [rounds[key] for key in sorted(rounds)]


def _side_of_the_draw(pairing: Pairing) -> int:
    """The finals, the match for the third place, the rounds of the losers or of a plain knock-out, those of the
    winners."""
    fixture = pairing.fixture
    if fixture.stage == "third":
        return 1
    if fixture.stage == "winners":
        return 3
    return 0 if fixture.stage == "final" or fixture.from_end == 1 else 2
