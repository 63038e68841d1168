"""Board files that are good, and that no text at all makes the checker fail."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.board import Board, Can, Press, Ring, Shape
from boards.board_files import board_from_toml
from boards.identity import Fingerprint, Speech
from boards.problems import Problem
from drivers import DRIVERS, shapes
from engine.segments import PLAYABLE, SEGMENTS

SHAPES = shapes()


MODELS = Path(__file__).parents[2] / "boards" / "models"


MATRIX = {
    "matrix": Shape(8, 11, False, Can(inner_outer=True, buttons=("next",), miss=True)),
    "named": Shape(0, 0, False, Can(miss=True)),
    "letters": Shape(256, 1, True, Can()),
}


HEAD = """name = "mine"
title = "My board"
dialect = "matrix"
source = "measured"
"""


def grid(texts: list[str], columns: int = 11) -> str:
    rows = [texts[n : n + columns] for n in range(0, len(texts), columns)]
    lines = [" ".join(map(str, range(columns)))]
    lines += [f"{n} {' '.join(row + ['.'] * (columns - len(row)))}" for n, row in enumerate(rows)]
    return 'grid = """\n' + "\n".join(lines) + '\n"""\n'


BEDS = [bed.text for bed in PLAYABLE]


GOOD = HEAD + grid(BEDS)


def read(text: str, filename: str = "mine.toml") -> Board | tuple[Problem, ...]:
    return board_from_toml(text, filename, MATRIX)


def good(text: str) -> Board:
    board = read(text)
    assert isinstance(board, Board), board
    return board


def wrong(text: str, filename: str = "mine.toml") -> list[str]:
    problems = read(text, filename)
    assert isinstance(problems, tuple)
    assert all(problem.file == filename for problem in problems)
    return [str(problem).removeprefix(f"{filename}: ") for problem in problems]


def only(text: str, filename: str = "mine.toml") -> str:
    (problem,) = wrong(text, filename)
    return problem


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.toml")), ids=lambda path: path.stem)
def test_what_ships_is_good(path: Path) -> None:
    board = board_from_toml(path.read_text(encoding="utf-8"), path.name, SHAPES)
    assert isinstance(board, Board), board
    assert board.name == path.stem
    assert board.learn or board.contacts or not SHAPES[board.dialect].rows


def test_every_dialect_has_a_board() -> None:
    boards = [board_from_toml(p.read_text(encoding="utf-8"), p.name, SHAPES) for p in MODELS.glob("*.toml")]
    used = {board.dialect for board in boards if isinstance(board, Board)}
    assert used == set(DRIVERS)


def test_a_grid() -> None:
    board = good(GOOD)
    assert board.contacts[(0, 0)] is SEGMENTS["S1"]
    assert len(board.contacts) == 62
    assert board.segments() == PLAYABLE
    assert not board.can.inner_outer and board.can.buttons == ("next",)


def test_contacts_in_addition_to_a_grid() -> None:
    board = good(GOOD + '[contacts]\n"7,10" = "button:undo"\n"7,9" = "takeout"\n')
    assert board.contacts[(7, 10)] == Press("undo")
    assert board.can.buttons == ("next", "undo") and board.can.takeout
    assert board.buttons() == ("undo",)


def test_inner_and_outer_singles_stand_for_the_single() -> None:
    texts = [t for bed in BEDS for t in ([f"SI{bed[1:]}", f"SO{bed[1:]}"] if bed[0] == "S" and bed != "SB" else [bed])]
    board = good(HEAD + grid(texts))
    assert board.can.inner_outer and len(board.contacts) == 82


def test_the_lights_of_our_firmware() -> None:
    cells = "[contacts]\n" + "".join(f'"{n % 8},{n // 8}" = "{bed}"\n' for n, bed in enumerate(BEDS))
    head = HEAD.replace('"matrix"', '"oche-matrix"')
    board = board_from_toml(head + "[lights]\nleds = 60\nfirst = 59\nclockwise = false\n" + cells, "mine.toml", SHAPES)
    assert isinstance(board, Board), board
    assert board.ring == Ring(60, 59, clockwise=False)
    problems = board_from_toml(head + "[lights]\nleds = 60\nfirst = 60\n" + cells, "mine.toml", SHAPES)
    assert "The LEDs of a ring of 60 are 0 to 59." in str(problems)
    assert "cannot be told this" in only(GOOD + "[lights]\nleds = 1\n")
    assert "Did you mean" in only(GOOD + "[lights]\nled = 1\n")


def test_no_contact_is_on_the_pin_of_a_light() -> None:
    cells = "[contacts]\n" + "".join(f'"{n % 8},{n // 8}" = "{bed}"\n' for n, bed in enumerate(BEDS))
    inputs = '"8,4" = "button:next"\n"8,5" = "MISS"\n'
    head = HEAD.replace('"matrix"', '"oche-matrix"')
    for lights, taken in (("leds = 9", ["8,5"]), ("lamp = true", ["8,4"]), ("leds = 9\nlamp = true", ["8,5", "8,4"])):
        problems = board_from_toml(f"{head}[lights]\n{lights}\n{cells}{inputs}", "mine.toml", SHAPES)
        assert isinstance(problems, tuple)
        assert [problem.message.split()[2] for problem in problems] == taken
        assert isinstance(board_from_toml(f"{head}[lights]\n{lights}\n{cells}", "mine.toml", SHAPES), Board)


def test_keys() -> None:
    keys = "".join(f'"{chr(n)}" = "{bed}"\n' for n, bed in enumerate(BEDS, 0xC0))
    board = good(HEAD.replace("matrix", "letters") + "[keys]\n" + keys)
    assert board.contacts[(0xC0, 0)] is SEGMENTS["S1"]


def test_times_usb_and_the_rest() -> None:
    text = HEAD.replace('"matrix"', '"named"') + (
        'baud = 57600\nlacks = ["miss"]\n[pace]\nrepeat_ms = 700\n'
        '[[usb]]\nvid = "2341"\npid = "0043"\nproduct = "darts"\n'
        'manufacturer = "me"\nserial = "OD-17*"\n[speech]\nhello = "?"\nnames = ["mine #"]\nlines = ["#,#"]\n'
    )
    board = good(text)
    assert board.baud == 57600 and not board.can.miss
    assert board.pace.changes() == {"repeat_ms": 700.0}
    assert board.fingerprints == (Fingerprint(0x2341, 0x43, "darts", "me", "OD-17*"),)
    assert board.speech == Speech(b"?", ("mine #",), ("#,#",))


def test_masked_contacts() -> None:
    assert good('masked = ["0,3"]\n' + GOOD).masked == {(0, 3)}


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=400) | st.sampled_from(GOOD.splitlines()).flatmap(lambda line: st.just(GOOD.replace(line, ""))))
def test_any_text_is_a_board_or_a_list_of_problems(text: str) -> None:
    board = read(text)
    assert isinstance(board, Board) or (board and all(isinstance(problem, Problem) for problem in board))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_good_file_with_a_piece_cut_out(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(GOOD)))
    end = data.draw(st.integers(start, min(len(GOOD), start + 60)))
    read(GOOD[:start] + data.draw(st.text(max_size=5)) + GOOD[end:])
