"""A persistent list behaves like a tuple, at any length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import play
from engine.actions import Bounce, Undo
from engine.games import GAMES
from engine.match import Header, Match
from engine.matchfile import open_match
from engine.persistent_list import PART, persistent_list
from engine.play import replayed
from engine.refusals import Refusal

ROWS = st.integers(0, 3 * PART + 2).map(lambda length: tuple(range(length)))


@given(ROWS)
def test_it_has_its_values_in_order(values: tuple[int, ...]) -> None:
    row = persistent_list(values)
    assert tuple(row) == values
    assert len(row) == len(values)
    assert [row[at] for at in range(-len(values), len(values))] == list(values) * 2


@given(ROWS, st.integers(0, 4 * PART))
def test_it_is_cut_as_a_tuple_is(values: tuple[int, ...], at: int) -> None:
    row = persistent_list(values)
    assert row.upto(at) == persistent_list(values[:at])
    assert row.since(at) == values[at:]


@given(ROWS.filter(bool), st.data())
def test_a_value_is_replaced_in_its_place(values: tuple[int, ...], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(values) - 1))
    assert persistent_list(values).replaced(at, -1) == persistent_list((*values[:at], -1, *values[at + 1 :]))


@given(ROWS, st.integers(0, 4 * PART))
def test_there_is_nothing_behind_its_ends(values: tuple[int, ...], further: int) -> None:
    row = persistent_list(values)
    for at in (len(values) + further, -len(values) - further - 1):
        with pytest.raises(IndexError):
            row[at]


def test_a_match_has_an_end_whatever_its_file_says(monkeypatch: pytest.MonkeyPatch) -> None:
    header = Header("cricket", ("Ann",), {"rounds": 0})
    match = open_match(header, GAMES, {})
    assert isinstance(match, Match)
    monkeypatch.setattr(play, "MAX_ACTIONS", 3 * PART)
    for _ in range(3 * PART):
        match = replayed(match, [Bounce()])
        assert isinstance(match, Match)
    refusal = replayed(match, [Bounce()])
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "too_large"
    assert isinstance(replayed(match, [Undo(), Bounce()]), Match)
