"""In which order a tournament ends."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.events import Report
from league.final_order import final_order
from league.record import Record
from tests.league.evening import do, drawn, now, play_all, played, score

FORMATS: Final[tuple[dict[str, Any], ...]] = (
    {"format": "knockout"},
    {"format": "knockout", "third_place": True},
    {"format": "double"},
    {"format": "round_robin"},
    {"format": "groups", "groups": 2, "advance": 2},
    {"format": "groups", "groups": 2, "advance": 2, "third_place": True},
    {"format": "swiss", "rounds": 3},
)
QUICK: Final = settings(max_examples=25, deadline=None)


def lower_wins(record: Record) -> Record:
    """Plays until it is over; the entrant with the lower number wins."""
    while ready := [pairing for pairing in now(record).standing.pairings.values() if pairing.state == "ready"]:
        pairing = ready[0]
        assert pairing.home
        assert pairing.away
        home = pairing.home < pairing.away
        record = do(record, Report(pairing.fixture.id, score(record, pairing.fixture, home=home)))
    return record


def order(record: Record) -> list[list[int]]:
    return [sorted(level) for level in final_order(now(record))]


def chooser(data: st.DataObject) -> Callable[[int], int]:
    """Draws numbers below n."""
    return data.draw(st.randoms(use_true_random=False)).randrange


@given(st.sampled_from(FORMATS), st.integers(4, 20), st.data())
@QUICK
def test_everybody_has_one_place_and_the_winner_the_first(
    keys: dict[str, Any], count: int, data: st.DataObject
) -> None:
    record = play_all(drawn(count, **keys), chooser(data))
    places = final_order(now(record))
    assert sorted(entrant for level in places for entrant in level) == list(range(1, count + 1))
    if winner := now(record).winner:
        assert places[0] == (winner,)
    else:
        assert len(places[0]) > 1


@given(st.sampled_from(FORMATS[:2]), st.integers(2, 33), st.data())
@QUICK
def test_nobody_comes_before_those_who_threw_them_out(keys: dict[str, Any], count: int, data: st.DataObject) -> None:
    record = play_all(drawn(count, **keys), chooser(data))
    place = {entrant: at for at, level in enumerate(final_order(now(record))) for entrant in level}
    for pairing in played(record):
        assert place[pairing.winner or 0] < place[pairing.loser or 0]


@pytest.mark.parametrize(
    ("count", "keys", "places"),
    [
        (7, FORMATS[0], [[1], [2], [3, 4], [5, 6, 7]]),
        (7, FORMATS[1], [[1], [2], [3], [4], [5, 6, 7]]),
        (4, FORMATS[2], [[1], [2], [3], [4]]),
        (8, FORMATS[2], [[1], [2], [3], [4], [5, 6], [7, 8]]),
        (4, FORMATS[3], [[1], [2], [3], [4]]),
        (8, FORMATS[4], [[1], [2], [3, 4], [5, 6], [7, 8]]),
        (8, FORMATS[5], [[1], [2], [3], [4], [5, 6], [7, 8]]),
    ],
)
def test_those_who_got_as_far_share_their_places(count: int, keys: dict[str, Any], places: list[list[int]]) -> None:
    """The stronger ones are drawn apart, and always win."""
    assert order(lower_wins(drawn(count, seeds=count, **keys))) == places


def test_there_is_no_order_while_a_tournament_goes_on() -> None:
    record = drawn(4, format="knockout")
    assert final_order(now(record)) == ()
    for _ in range(2):
        ready = next(pairing for pairing in now(record).standing.pairings.values() if pairing.state == "ready")
        record = do(record, Report(ready.fixture.id, score(record, ready.fixture, home=True)))
    assert final_order(now(record)) == ()
