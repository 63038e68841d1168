"""Lessons on a hundred unknown boards, with slips: no bed is wrong, few are in doubt, half of them are asked."""

from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.hearing import Grammar
from learning.layouts import ordered_layouts
from learning.lesson import Lesson
from learning.result import board_file, findings, picture, svg
from tests.learning.learnt import learn
from tests.learning.unknown import Person, draw

BOARDS = 100


def finish(lesson: Lesson, person: Person) -> None:
    while lesson.ask is not None:
        code = person.press(lesson.ask.name)
        lesson.skip() if code is None else lesson.heard(code)


def test_unknown_boards_are_learnt() -> None:
    results = [learn(seed) for seed in range(BOARDS)]
    assert [r for r in results if r.wrong] == []
    assert sum(r.doubted for r in results) < 0.01 * sum(r.beds for r in results)
    assert median(r.presses / r.beds for r in results if r.regular) < 0.5
    assert {r.kind.split()[0] for r in results} == {"blocks", "arcs", "folded", "shuffled", "irregular"}


def test_people_who_press_wrong_beds_and_take_back() -> None:
    results = [learn(seed, slips=0.02) for seed in range(40)]
    assert [r for r in results if r.wrong] == []


def test_nothing_is_inferred_from_a_board_without_order() -> None:
    board = next(b for b in map(draw, range(500)) if not b.regular and None not in b.codes.values())
    lesson = Lesson(board.byte)
    finish(lesson, Person(board, 1))
    assert {lesson.state_of(bed) for bed in lesson.beds()} <= {"proven", "doubted"}


def test_a_trusted_guess_is_dropped_when_a_later_press_contradicts_it() -> None:
    board = next(b for b in map(draw, range(500)) if b.kind.startswith("blocks 4x5") and None not in b.codes.values())
    lesson, person = Lesson(board.byte), Person(board, 1)
    while lesson.wiring() is None:
        assert lesson.ask is not None
        lesson.heard(str(person.press(lesson.ask.name)))
    asked = lesson.ask
    assert asked is not None
    lesson.heard("nobody expected this")
    if asked.name not in ("SB", "DB"):
        assert lesson.ask is not None and (lesson.ask.name, lesson.ask.why) == (asked.name, "again")


@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=st.integers(0, 300), at=st.integers(1, 25))
def test_undo_and_resume_are_as_if_nothing_had_been(seed: int, at: int) -> None:
    board = draw(seed)
    lesson, person = Lesson(board.byte), Person(board, 1)
    for _ in range(at):
        if lesson.ask is not None:
            code = person.press(lesson.ask.name)
            lesson.skip() if code is None else lesson.heard(code)
    asked, answers = lesson.ask, list(lesson.answers)
    assert Lesson(board.byte, answers).ask == asked
    lesson.heard("something else")
    lesson.undo()
    assert (lesson.ask, lesson.answers) == (asked, answers)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(codes=st.lists(st.none() | st.sampled_from("abcdefgh") | st.text("0123,", max_size=4), max_size=40))
def test_whatever_is_heard_a_lesson_goes_on(codes: list[str | None]) -> None:
    lesson = Lesson()
    for code in codes:
        lesson.skip() if code is None else lesson.heard(code)
    assert picture(lesson) and svg(lesson) and board_file(lesson, Grammar(False), "x")
    lesson.undo()


def test_a_dead_line_and_touching_lines_are_named() -> None:
    boards = [b for b in map(draw, range(200)) if b.regular]
    dead = next(b for b in boards if sum(c is None for c in b.codes.values()) > 3 and "4x5" in b.kind)
    lesson = Lesson(dead.byte)
    finish(lesson, Person(dead, 1))
    assert any("dead" in message or "Silent" in message for message in findings(lesson, [], {}))
    joined = next(b for b in boards if None not in b.codes.values() and len(set(b.codes.values())) < len(b.codes) - 3)
    lesson = Lesson(joined.byte)
    finish(lesson, Person(joined, 1))
    assert any("send the same" in message for message in findings(lesson, [], {}))


@pytest.mark.parametrize("layout", ordered_layouts(), ids=lambda layout: layout.name)
def test_every_layout_gives_each_number_a_place_of_its_own(layout: object) -> None:
    places = layout.places  # type: ignore[attr-defined]
    assert len(set(places.values())) == len(places) == 20
