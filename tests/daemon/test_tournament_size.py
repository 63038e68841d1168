"""The state of a tournament fits into a packet of the bus, however many play and however long their names are."""

from dataclasses import replace
from typing import Any

import pytest

from daemon.tournament.payloads import state_of
from daemon.tournament.state_size import MOST_BYTES, check_size, longest
from engine import jsontext
from engine.refusals import Refusal
from league.events import Draw, Enter
from league.fixtures import Result
from league.record import Record
from league.state import Tournament
from tests.league.evening import do, now, setup


def largest(count: int, players: int, letter: str, length: int, **keys: Any) -> Tournament:
    """A tournament after the draw whose entrants all have names of this length."""
    record = do(Record(), setup(best_of=99, **keys))
    for number in range(count):
        names = [f"{number}-{player}".ljust(length, letter) for player in range(players)]
        record = do(record, Enter(f"{number}".ljust(length, letter), tuple(names)))
    return now(do(record, Draw("x")))


def over(tournament: Tournament) -> Tournament:
    """The same after its last match; Swiss rounds are not drawn by this."""
    while ready := [p for p in tournament.standing.pairings.values() if p.state == "ready"]:
        results = dict(tournament.results)
        for pairing in ready:
            assert pairing.home
            assert pairing.away
            ended = Result(pairing.fixture.id, pairing.home, pairing.away, (50, 49), match="20261122-225734-36cc19")
            results[pairing.fixture.id] = ended
        tournament = replace(tournament, results=results)
    return tournament


@pytest.mark.parametrize(
    ("count", "players", "letter", "length", "keys"),
    [
        (128, 1, "x", 32, {"format": "groups", "groups": 16, "advance": 4}),
        (32, 1, "ü", 64, {"format": "round_robin"}),
        (128, 8, "x", 60, {"format": "knockout", "third_place": True}),
        (128, 4, "x", 60, {"format": "double"}),
    ],
)
def test_a_large_tournament_fits_until_its_end(
    count: int, players: int, letter: str, length: int, keys: dict[str, Any]
) -> None:
    drawn = largest(count, players, letter, length, **keys)
    assert check_size(drawn) is None
    state = state_of(over(drawn), "20261122-225734-028e4d", 9999, 8, 0.0)
    assert state["state"] == "over"
    assert len(jsontext.dump(state).encode()) <= longest(drawn) <= MOST_BYTES


def test_swiss_rounds_that_are_not_drawn_yet_count_too() -> None:
    one, eight = (largest(128, 1, "x", 8, format="swiss", rounds=rounds) for rounds in (1, 8))
    assert 5 * longest(one) > longest(eight) > 3 * longest(one)
    assert check_size(eight) is None


@pytest.mark.parametrize(
    ("players", "letter", "keys"),
    [(8, "ü", {"format": "knockout"}), (4, "x", {"format": "swiss", "rounds": 8})],
)
def test_names_that_would_not_fit_are_refused(players: int, letter: str, keys: dict[str, Any]) -> None:
    found = check_size(largest(128, players, letter, 64, **keys))
    assert isinstance(found, Refusal)
    assert found.reason == "too_large"
