"""People who slip, press twice, and press too soon: no bed is wrong and sure, and each is told what happened."""

import pytest

from engine.segments import SEGMENTS
from learning.contacts import SLOW_COLUMNS, Contacts
from learning.hearing import MS, Grammar, Hearing
from learning.lesson import Answer, Lesson
from learning.presses import Presses
from learning.words import words_for_surprise
from tests.learning.wirings import KINDS, hold

LESSONS = 4
"""Of each kind; `python -m tests.learning.wirings 2000` is the whole table."""


@pytest.mark.parametrize("kind", KINDS)
def test_no_bed_is_wrong_and_sure(kind: str) -> None:
    held = [hold(kind, seed) for seed in range(LESSONS)]
    assert [h for h in held if h.wrong] == []


def test_three_slips_between_the_bulls_are_found() -> None:
    """Seed 38: the outer bull is answered with the inner one, which then takes the outer one's code twice."""
    held = hold("arcs of 5", 38)
    assert (held.wrong, held.doubted) == ((), ())


def test_bulls_that_were_swapped_without_a_surprise_are_found() -> None:
    lesson, code = Lesson(hold=False), {"SB": "9,9", "DB": "8,8"}
    wrong = {"SB": "8,8", "DB": "9,9"}
    asked: list[str] = []
    while lesson.ask is not None and not lesson.ask.name.startswith("button:"):
        name = lesson.ask.name
        if name in code:
            # Both at first, and the inner one once more.
            lesson.heard((wrong if asked.count(name) < (1 if name == "SB" else 2) else code)[name])
            asked.append(name)
        else:
            lesson.heard(f"{SEGMENTS[name].number},{'SDT'.index(name[0])}")
    assert {name: lesson.code_of(SEGMENTS[name]) for name in code} == code
    assert {lesson.state_of(SEGMENTS[name]) for name in code} == {"proven"}


@pytest.mark.parametrize("seed", range(6))
def test_eight_by_eight_takes_thirty_presses_at_most(seed: int) -> None:
    held = hold("8 x 8, blocks of 8", seed, slips=0.0, twice=0.0)
    assert (held.wrong, held.doubted) == ((), ()) and held.presses <= 30


def test_a_wrong_bed_that_is_pressed_twice_confirms_nothing() -> None:
    lesson, presses = Lesson(hold=False), Presses()
    asked = []
    for code, at_ms in (("0,0", 0), ("0,0", 2000), ("0,1", 4000), ("0,1", 4600), ("0,2", 6000)):
        if presses.counts(code, at_ms * MS):
            asked.append(lesson.ask.name if lesson.ask else "")
            lesson.heard(code)
    assert asked == ["SO20", "SI20", "SO1", "SI1"]


@pytest.mark.parametrize(("after_ms", "counts"), [(200, False), (1500, False), (1501, True)])
def test_the_same_code_counts_again_after_a_second_and_a_half(after_ms: int, counts: bool) -> None:
    presses = Presses()
    assert presses.counts("a", 0)
    assert presses.counts("a", after_ms * MS) is counts
    presses.forget()
    assert presses.counts("a", (after_ms + 1) * MS)


def answered(*answers: tuple[str, str]) -> Lesson:
    return Lesson(False, [Answer(asked, code) for asked, code in answers], hold=False)


def test_a_surprise_names_whose_code_it_is() -> None:
    lesson = answered(("SO20", "0,0"), ("SI20", "0,0"), ("SO1", "0,1"), ("SI1", "0,1"))
    assert lesson.surprise == ""
    lesson.heard("0,1")
    assert lesson.surprise == "S1" and lesson.ask is not None and lesson.ask.why == "again"
    assert words_for_surprise(lesson.surprise, "0,1", "S18") == "'0,1' is the code of S1."


def test_a_bed_that_is_asked_again_and_takes_anothers_code_puts_that_one_in_doubt() -> None:
    lesson = answered(("SO20", "0,0"), ("SI20", "0,0"), ("SO1", "0,1"), ("SI1", "0,1"), ("S18", "0,2"))
    lesson.repeat(SEGMENTS["S18"])
    assert lesson.ask is not None and (lesson.ask.name, lesson.ask.why) == ("S18", "again")
    lesson.heard("0,1")
    lesson.heard("0,1")
    assert lesson.ask is not None and lesson.ask.name == "S1"
    assert {lesson.state_of(SEGMENTS[name]) for name in ("S1", "S18")} == {"doubted"}


def test_left_is_how_many_presses_there_are_at_most() -> None:
    lesson = Lesson(hold=False)
    assert lesson.left == 62
    lesson.heard("0,0")
    assert lesson.left == 61


def test_a_bed_that_is_pressed_again_too_soon_on_a_slow_board_is_said() -> None:
    hearing = Hearing(Grammar(False, "LF", 500.0))
    hearing.begin()
    assert hearing.feed(b"3,7\n", 0) == ("3,7",)
    assert hearing.feed(b"3,7\n", 500 * MS) == () and not hearing.too_soon
    assert hearing.feed(b"3,7\n", 1010 * MS) == () and not hearing.too_soon
    assert hearing.feed(b"3,7\n", 1800 * MS) == () and hearing.too_soon


def test_slow_columns_are_named_as_what_they_are() -> None:
    """Each contact closes that of the next row too."""
    contacts = Contacts("oche-matrix")
    contacts.begin()
    at_ms = 0
    for row in (1, 4, 6):
        for _ in range(2):
            at_ms += 2000
            for cell in ((row, 3), (row + 1, 3)):
                contacts.closed(cell, at_ms * MS)
                contacts.opened(cell, (at_ms + 60) * MS)
            contacts.tick((at_ms + 200) * MS)
    assert contacts.touching_words() == [SLOW_COLUMNS]
