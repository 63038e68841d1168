"""Input becomes presses: lines or bytes, repeat periods, releases, noise and ghosts."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.hearing import MS, Grammar, Hearing


def play(pieces: Sequence[tuple[float, bytes]], until_ms: float = 8000) -> tuple[Hearing, list[str]]:
    """Feeds pieces at their times in ms, with the ticks of `oche learn` between them."""
    hearing, pressed = Hearing(), list[str]()
    hearing.begin()
    now = 0.0
    for at, data in [*pieces, (until_ms, b"")]:
        while now + 100 < at:
            now += 100
            pressed += hearing.tick(round(now * MS))
        now = at
        pressed += hearing.feed(data, round(at * MS))
    return hearing, pressed


def test_lines_that_are_repeated() -> None:
    hearing, pressed = play([(n * 500, b"3,7\r\n") for n in range(6)] + [(6000, b"4,7\r\n"), (6500, b"4,7\r\n")])
    assert hearing.grammar == Grammar(False, "CR LF", 500.0)
    assert pressed == ["3,7", "4,7"]


@pytest.mark.parametrize(("end", "name"), [(b"\n", "LF"), (b"\r", "CR"), (b"\r\n", "CR LF")])
def test_the_end_of_lines(end: bytes, name: str) -> None:
    hearing, pressed = play([(0, b"B3" + end)])
    assert (hearing.grammar, pressed) == (Grammar(False, name), ["B3"])


def test_bytes_among_them_a_line_end() -> None:
    hearing, pressed = play([(0, b"\x53"), (6000, b"\x0a"), (7000, b"\x00")])
    assert (hearing.grammar, pressed) == (Grammar(True), ["\x53", "\n", "\x00"])


def test_a_first_hit_that_is_a_line_end() -> None:
    assert play([(0, b"\n"), (6000, b"A")])[1] == ["\n", "A"]


def test_releases_are_seen_and_are_no_presses() -> None:
    hearing, pressed = play(
        [(0, b"+0,1\n"), (3000, b"-0,1\n"), (6000, b"+2,5\n"), (6300, b"-2,5\n"), (7000, b"+0,1\n")]
    )
    assert hearing.grammar is not None and hearing.grammar.release == ("+", "-")
    assert pressed == ["+0,1", "+2,5", "+0,1"]


def test_a_contact_that_rings_is_one_press() -> None:
    assert play([(0, b"A"), (4, b"A"), (80, b"A"), (6000, b"B"), (6080, b"B")])[1] == ["A", "B"]


def test_what_hangs_before_the_lesson_is_noise_and_a_ghost_is_named() -> None:
    hearing = Hearing()
    hearing.feed(b"9,9\r\n", 0)
    hearing.feed(b"9,9\r\n", 500 * MS)
    hearing.begin()
    assert hearing.feed(b"9,9\r\n1,1\r\n", 1000 * MS) == ()
    assert hearing.tick(5000 * MS) == ("1,1",)
    assert hearing.feed(b"1,2\r\n", 6000 * MS) == ("1,2",)
    assert hearing.feed(b"5,2\r\n9,9\r\n", 6010 * MS) == ()
    assert hearing.ghosts == {"1,2": {"5,2"}}


@settings(max_examples=100, deadline=None, derandomize=True)
@given(pieces=st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=100)), max_size=12))
def test_any_bytes_at_any_time(pieces: list[tuple[int, bytes]]) -> None:
    hearing, now = Hearing(), 0
    for n, (after, data) in enumerate(pieces):
        now += after * MS
        if n == 2:
            hearing.begin()
        hearing.feed(data, now)
    assert len(hearing._bytes) <= 64
