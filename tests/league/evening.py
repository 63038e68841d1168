"""Plays tournaments from a seed: what the properties of all formats need."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.refusals import Refusal
from league.calls import players_of
from league.events import Call, Draw, Enter, Event, Report
from league.fixtures import NOBODY, Fixture
from league.pairings import Pairing
from league.record import Record
from league.setup import Setup, setup_from_json
from league.state import Tournament


def setup(**keys: Any) -> Setup:
    """A valid setup."""
    found = setup_from_json({"tournament": 1, "name": "Friday"} | keys)
    assert isinstance(found, Setup), found
    return found


def do(record: Record, event: Event, at: float = 0.0) -> Record:
    """The record after an event that must be accepted."""
    found = record.act(event, at)
    assert isinstance(found, Record), f"{event}: {found}"
    return found


def drawn(count: int, seed: str = "seed", seeds: int = 0, **keys: Any) -> Record:
    """A tournament of `count` players after the draw; the first `seeds` of them are seeded."""
    record = do(Record(), setup(**keys))
    for number in range(1, count + 1):
        record = do(record, Enter(f"P{number}", (f"P{number}",), number if number <= seeds else None))
    return do(record, Draw(seed))


def now(record: Record) -> Tournament:
    """The tournament of a record that has one."""
    assert record.tournament is not None
    return record.tournament


def ready(record: Record) -> list[Pairing]:
    """The pairings that can be played."""
    return [pairing for pairing in now(record).standing.pairings.values() if pairing.state == "ready"]


def score(record: Record, fixture: Fixture, *, home: bool) -> tuple[int, int]:
    """The shortest win of a side."""
    legs = now(record).play_of(fixture).best_of // 2 + 1
    return (legs, 0) if home else (0, legs)


def play_all(
    record: Record,
    choose: Callable[[int], int],
    before: Callable[[Record], Record] = lambda record: record,
    most: int = 2000,
) -> Record:
    """Plays in any order until it is over. `choose(n)` returns a number below n; `before` may do more each time."""
    for _ in range(most):
        record = before(record)
        if not (found := ready(record)):
            return record
        pairing = found[choose(len(found))]
        record = do(record, Report(pairing.fixture.id, score(record, pairing.fixture, home=choose(2) == 0)))
    raise AssertionError("it does not end")


def played(record: Record) -> list[Pairing]:
    """The pairings with a result that somebody played."""
    return [pairing for pairing in now(record).standing.pairings.values() if pairing.state == "done"]


def defeats(record: Record) -> Mapping[int, int]:
    """How often each entrant has lost."""
    found: dict[int, int] = {entrant.number: 0 for entrant in now(record).entrants}
    for pairing in now(record).standing.pairings.values():
        if pairing.state in ("done", "walkover") and pairing.loser:
            found[pairing.loser] += 1
    return found


def pairs(pairings: Iterable[Pairing]) -> list[frozenset[int | None]]:
    """Who met whom."""
    return [
        frozenset((pairing.home, pairing.away)) for pairing in pairings if NOBODY not in (pairing.home, pairing.away)
    ]


def on_boards(record: Record) -> list[str]:
    """The players who are on a board, once for each board."""
    tournament = now(record)
    pairings = tournament.standing.pairings
    return [player for fixture in tournament.calls for player in players_of(tournament, pairings[fixture])]


def call(record: Record, fixture: str, board: str) -> Record | Refusal:
    """The record after a call, or why it is refused."""
    return record.act(Call(fixture, board), 0.0)
