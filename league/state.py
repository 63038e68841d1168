"""The state of a tournament after some events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from league.fixtures import Entrant, Fixture, Play, Result
from league.pairings import Pairing, Standing, standing
from league.setup import Setup


@dataclass(frozen=True, slots=True)
class Left:
    """A match that was called to a board and does not count any more: it may still be played there.

    `began` is when it was called, and `at` when it ceased to count, in seconds. It ends `at_once` if its call was moved
    or taken back; otherwise what made it void may be taken back, and the match goes on.
    """

    board: str
    pairing: Pairing
    began: float
    at: float
    at_once: bool


@dataclass(frozen=True)
class Tournament:
    """The state after some events. `seed` is that of the draw, empty before it.

    `calls` are the fixtures on boards, `held` those whose call was taken back: they are not called by themselves.
    `left` are the matches that may still be on a board although they do not count any more. `began` is when each was
    called and `ended` when its result came, in seconds. `reopened` are the results whose match went on at its board
    afterwards, and how it ended there; `None` while it goes on.
    """

    setup: Setup
    entrants: tuple[Entrant, ...] = ()
    withdrawn: frozenset[int] = frozenset()
    seed: str = ""
    fixtures: tuple[Fixture, ...] = ()
    results: Mapping[str, Result] = field(default_factory=dict)
    calls: Mapping[str, str] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    left: tuple[Left, ...] = ()
    closed: bool = False
    began: Mapping[str, float] = field(default_factory=dict)
    ended: Mapping[str, float] = field(default_factory=dict)
    reopened: Mapping[str, tuple[int, int] | None] = field(default_factory=dict)

    @cached_property
    def standing(self) -> Standing:
        """Every pairing and table as they stand."""
        legs = self.setup.play.best_of // 2 + 1
        return standing(self.fixtures, self.results, self.withdrawn, self.setup.table, self.seed, legs)

    @property
    def drawn(self) -> bool:
        """Whether the draw was made."""
        return bool(self.seed)

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.drawn and not any(pairing.open for pairing in self.standing.pairings.values())

    @property
    def winner(self) -> int | None:
        """Who has won: the winner of the last final, else the first of the table. `None` while it is not over, and if
        the first place is shared."""
        if not self.over:
            return None
        finals = [p for p in self.standing.pairings.values() if p.fixture.from_end == 1 and p.fixture.stage != "third"]
        if finals:
            return finals[-1].winner or None
        table = next(iter(self.standing.tables.values()))
        rows = [row for row in table if row.entrant not in self.withdrawn]
        shared = len(rows) > 1 and rows[1].place == rows[0].place
        return rows[0].entrant if rows and not shared else None

    def by_number(self, number: int) -> Entrant:
        """The entrant with a number."""
        return next(entrant for entrant in self.entrants if entrant.number == number)

    def by_name(self, name: str) -> Entrant | None:
        """The entrant with a name."""
        return next((entrant for entrant in self.entrants if entrant.name == name), None)

    def play_of(self, fixture: Fixture) -> Play:
        """What is played in a fixture."""
        return self.setup.play_of(fixture.from_end)
