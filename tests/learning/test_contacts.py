"""Boards on our own firmware are learned with any wiring, with bounces and held contacts, and over lossy lines."""

import random
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from daemon.links.link import Disconnected
from daemon.system.catalogue import model
from daemon.system.urls import board_url
from daemon.teach.matrix import Matrix
from daemon.teach.teacher import Teacher
from drivers.frames import frame
from learning.contacts import Contacts
from learning.hearing import MS
from learning.lesson import Lesson
from tests.learning.membrane import Cell, Membrane, membrane
from tests.learning.scanner import STEP_MS, Pupil, Scanner, played

HELLO = frame(bytes([1, 1, 1, 8, 10, 3, 1, 0, 64, 5, 0, 0, 0, 0, 0, 0]) + b"A board!")
SIZES = [(8, 10, 0), (8, 10, 3), (8, 16, 8)]


def finger(pupil: Pupil, cells: set[Cell], rng: random.Random) -> None:
    """Presses cells: contacts bounce, stay closed for a while, and bounce when they open."""
    for _ in range(rng.randrange(3)):
        pupil.scanner.press(cells)
        pupil.wait(STEP_MS)
        pupil.scanner.let_go(cells)
        pupil.wait(rng.choice([2, 6, 20]))
    pupil.scanner.press(cells)
    pupil.wait(rng.choice([30, 80, 200, 700, 4000]))
    for _ in range(rng.randrange(3)):
        pupil.scanner.let_go(cells)
        pupil.wait(rng.choice([2, 6, 14, 30]))
        pupil.scanner.press(cells)
        pupil.wait(STEP_MS * 2)
    pupil.scanner.let_go(cells)
    # Time to read the screen and find the next bed.
    pupil.wait(rng.choice([350, 600, 2000]))


def teach(pupil: Pupil, wired: Membrane, rng: random.Random, thumbs: float = 0.0) -> None:
    """Answers all questions."""
    while (ask := pupil.lesson.ask) is not None:
        cell = wired.cell(ask.name)
        if cell is None:
            pupil.lesson.skip()
            continue
        before = len(pupil.lesson.answers)
        if rng.random() < thumbs:
            beside = rng.choice([other for other in wired.cells.values() if other != cell])
            finger(pupil, {cell, beside}, rng)
            assert len(pupil.lesson.answers) == before, "two beds at once were taken for one"
            assert len(pupil.matrix.unclear) == 2
        finger(pupil, {cell}, rng)
        for _ in range(30):
            # A lossy line reports later, and the person waits for it.
            pupil.wait(0 if len(pupil.lesson.answers) > before else 100)
        assert len(pupil.lesson.answers) == before + 1, (ask, cell)


# The seed is not shrunk: a smaller one is not a simpler wiring.
@settings(max_examples=25, deadline=None, derandomize=True, phases=[Phase.generate])
@given(seed=st.integers(0, 10_000), size=st.sampled_from(SIZES), lost=st.sampled_from([0.0, 0.0, 0.003]))
def test_any_wiring_is_learned_and_plays(seed: int, size: tuple[int, int, int], lost: float) -> None:
    rows, cols, inputs = size
    wired, rng = membrane(seed, rows, cols, inputs), random.Random(seed)
    pupil = Pupil(Scanner(rows, cols, inputs), rng, lost)
    teach(pupil, wired, rng, thumbs=0.05)
    board = pupil.file()
    assert {str(bed): cell for cell, bed in board.contacts.items() if str(bed) in wired.cells} == wired.cells
    came = played(board, wired, Scanner(rows, cols, inputs))
    assert came == {name: name for name in came}


def test_presses_after_a_killed_lesson_are_no_answers_of_the_next() -> None:
    scanner, rng = Scanner(), random.Random(1)
    first = Pupil(scanner, rng)
    scanner.greeted = False
    scanner.press([(3, 7)])
    scanner.pass_time()
    scanner.let_go([(3, 7)])
    second = Pupil(scanner, rng)
    second.wait(500)
    assert not scanner.edges and second.lesson.answers == [] == first.lesson.answers
    finger(second, {(3, 7)}, rng)
    assert [answer.code for answer in second.lesson.answers] == ["3,7"]


def test_rows_that_touch_each_other_are_named_and_their_beds_play() -> None:
    """Whichever of the two is looked at first, a bed has one code."""
    wired, rng = membrane(4), random.Random(4)
    joined = {wired.cells["S20"][0], wired.cells["T1"][0]}
    pupil = Pupil(Scanner(), rng)
    while (ask := pupil.lesson.ask) is not None:
        cell = wired.cell(ask.name)
        if cell is None:
            pupil.lesson.skip()
        else:
            cells = [(row, cell[1]) for row in (joined if cell[0] in joined else {cell[0]})]
            rng.shuffle(cells)
            for one in cells:
                pupil.scanner.press([one])
                pupil.wait(STEP_MS)
            pupil.wait(100)
            pupil.scanner.let_go(cells)
            pupil.wait(500)
    low, high = sorted(joined)
    found = pupil.matrix.findings(pupil.lesson, 8, 10)
    assert found == [f"Rows {low} and {high} touch each other: what closes in one closes in the other."]
    assert pupil.matrix.ghosts == {}
    contacts = {cell: str(bed) for cell, bed in pupil.file().contacts.items()}
    apart = {bed: cell for bed, cell in wired.cells.items() if cell[0] not in joined}
    assert {bed: cell for cell, bed in contacts.items() if bed in apart} == apart
    assert not any(row == high for row, _ in contacts)


def together(contacts: Contacts, cells: list[Cell], at_ms: int) -> tuple[str, ...]:
    """Closes cells at the same time."""
    for cell in cells:
        assert contacts.closed(cell, at_ms * MS) == ()
    for cell in cells:
        contacts.opened(cell, (at_ms + 60) * MS)
    return contacts.tick((at_ms + 200) * MS)


@pytest.mark.parametrize("before", [True, False], ids=["alone before", "alone after"])
def test_a_bed_with_two_contacts_is_not_taken_for_touching_lines(before: bool) -> None:
    """As many a bull has. One of its lines has closed something by itself."""
    contacts, lesson = Contacts("oche-matrix"), Lesson(hold=False)
    contacts.begin()
    if before:
        assert together(contacts, [(3, 1)], 1000) == ("3,1",)
    assert together(contacts, [(5, 1), (5, 4)], 2000) == ()
    assert contacts.unclear == ("5,1", "5,4")
    assert together(contacts, [(5, 4), (5, 1)], 3000) == ("5,1",)
    if not before:
        assert contacts.touching() == [("column", 1, 4)]
        assert together(contacts, [(3, 4)], 4000) == ("3,4",)
    assert contacts.touching() == []
    assert not any("touch" in message for message in contacts.findings(lesson, 8, 10))
    # A thumb elsewhere on the same two lines is still asked again.
    assert together(contacts, [(6, 1), (6, 4)], 5000) == ()
    assert contacts.unclear == ("6,1", "6,4")


def test_one_of_two_rows_that_touch_each_other_may_come_first() -> None:
    """A touch that is shorter than a look at the matrix is seen in one of them alone."""
    contacts = Contacts("oche-matrix")
    contacts.begin()
    assert together(contacts, [(2, 4), (1, 4)], 1000) == ()
    assert together(contacts, [(1, 4), (2, 4)], 2000) == ("1,4",)
    contacts.closed((2, 6), 3000 * MS)
    contacts.opened((2, 6), 3020 * MS)
    contacts.closed((2, 6), 3040 * MS)
    contacts.closed((1, 6), 3040 * MS)
    assert contacts.tick(3200 * MS) == ("1,6",)
    assert (contacts.ghosts, contacts.touching()) == ({}, [("row", 1, 2)])


def test_a_wire_that_is_off_and_a_contact_that_hangs_are_named() -> None:
    wired, rng = membrane(4), random.Random(4)
    off = wired.cells["S20"][0]
    hanging = next(cell for cell in [(r, c) for r in range(8) for c in range(10)] if cell not in wired.cells.values())
    scanner = Scanner()
    scanner.press([hanging])
    pupil = Pupil(scanner, rng)
    while (ask := pupil.lesson.ask) is not None:
        cell = wired.cell(ask.name)
        if cell is None or cell[0] == off:
            pupil.lesson.skip()
        else:
            finger(pupil, {cell}, rng)
    found = pupil.matrix.findings(pupil.lesson, 8, 10)
    assert len(found) == 2
    assert found[0].startswith("Nothing came from ") and f"row {off}" in found[0]
    assert found[1].startswith(f"Contact {hanging[0]},{hanging[1]} was closed though nobody pressed it")


def test_a_contact_that_comes_after_a_press_is_a_part_of_it() -> None:
    contacts = Contacts("oche-matrix")
    contacts.begin()
    contacts.closed((1, 1), 1000 * MS)
    contacts.closed((1, 2), 1080 * MS)
    assert contacts.tick(1121 * MS) == ("1,1",)
    assert contacts.ghosts == {"1,1": {"1,2"}}
    # One whose edge was held up on the line.
    contacts.closed((1, 3), 1090 * MS)
    assert contacts.tick(2000 * MS) == ()
    assert contacts.ghosts == {"1,1": {"1,2", "1,3"}}


@pytest.mark.parametrize(("after_ms", "taken"), [(290, ()), (310, ("1,1",))])
def test_a_bed_that_touches_again_is_one_press(after_ms: int, taken: tuple[str, ...]) -> None:
    contacts = Contacts("oche-matrix")
    contacts.begin()
    contacts.closed((1, 1), 1000 * MS)
    contacts.tick(1200 * MS)
    contacts.opened((1, 1), 5000 * MS)
    contacts.closed((1, 1), (5000 + after_ms) * MS)
    assert contacts.tick(6000 * MS) == taken


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    edges=st.lists(
        st.tuples(st.integers(0, 400), st.tuples(st.integers(0, 8), st.integers(0, 15)), st.sampled_from("cchot")),
        max_size=60,
    )
)
def test_any_edges_at_any_time(edges: list[tuple[int, Cell, str]]) -> None:
    """Nobody can press quicker than a press is told, and none is told that did not close."""
    contacts, now, told = Contacts("oche-matrix"), 0, list[str]()
    closed = {f"{cell[0]},{cell[1]}" for _, cell, kind in edges if kind == "c"}
    for n, (after, cell, kind) in enumerate(edges):
        now += after * MS
        if n == 3:
            contacts.begin()
        match kind:
            case "c" | "h":
                told += contacts.closed(cell, now, kind == "h")
            case "o":
                contacts.opened(cell, now)
            case _:
                told += contacts.tick(now)
    assert set(told) <= closed
    assert len(told) <= now / (120 * MS) + 1


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    pieces=st.lists(
        st.tuples(
            st.integers(0, 2000),
            st.binary(max_size=60) | st.builds(frame, st.binary(min_size=1, max_size=30)) | st.just(HELLO),
        ),
        max_size=20,
    )
)
def test_any_bytes_at_any_time_are_borne(pieces: list[tuple[int, bytes]]) -> None:
    """What cannot be gone on with is a board that is away, with a sentence."""
    matrix, now = Matrix(), 0
    matrix.begin()
    for after, data in pieces:
        now += after * MS
        try:
            matrix.feed(data, now)
            matrix.tick(now)
        except Disconnected as why:
            assert why.reason in ("version", "silent")
            return
        matrix.answers()


@pytest.mark.parametrize(
    ("url", "written"), [("/dev/x", None), ("/dev/x?baud=115200", 115200), ("/dev/x?baud=1000000", None)]
)
def test_a_rate_of_its_own_is_in_the_file(url: str, written: int | None, tmp_path: Path) -> None:
    teacher = Teacher(board_url(url), tmp_path / "garage.toml", model("oche-matrix"))
    assert teacher._written_baud == written


def test_what_was_unclear_is_forgotten_with_the_next_answer(tmp_path: Path) -> None:
    teacher = Teacher(board_url("/dev/x"), tmp_path / "garage.toml", model("oche-matrix"))
    teacher.handle_input("s")
    assert not teacher.lesson.answers, "nobody has been asked yet"
    teacher._has_begun = True
    matrix = teacher.hearing
    assert isinstance(matrix, Matrix)
    matrix.begin()
    matrix.closed((1, 1), 0)
    matrix.closed((1, 2), 0)
    teacher._pressed(matrix.tick(200 * MS), 200 * MS)
    assert "closed together" in teacher.to_json()["problems"][0]
    teacher.handle_input("s")
    teacher._pressed(matrix.tick(300 * MS), 300 * MS)
    assert not any("closed together" in problem for problem in teacher.to_json()["problems"])
    assert [answer.code for answer in teacher.lesson.answers] == [None]
