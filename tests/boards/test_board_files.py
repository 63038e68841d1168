"""Board files: one test for each rule that the checker has, and all mistakes of a file at once."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.board import Board, Can, Press, ReportLayout, Ring, Shape
from boards.board_files import board_from_toml
from boards.identity import CHIP_STRINGS, GENERIC_CHIPS, Fingerprint, Speech
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


# ---- what ships ----


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


# ---- what is read ----


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


# ---- what is refused, a rule each ----


def test_no_toml() -> None:
    assert "This is not TOML" in only("name = ")


def test_too_large() -> None:
    assert "more than 65536" in only("#" * 70_000)


def test_too_deep() -> None:
    assert "This is not TOML" in only("a = " + "[" * 5000 + "]" * 5000)


def test_a_missing_key() -> None:
    assert only(GOOD.replace('title = "My board"\n', "")) == "title: This is missing."


def test_an_unknown_key() -> None:
    assert only("verifed = true\n" + GOOD) == "verifed: There is no such key. Did you mean 'verified'?"
    assert "Did you mean 'repeat_ms'?" in only(GOOD + "[pace]\nrepeat = 4\n")
    assert only(GOOD + "[pace]\nxyz = 4\n") == "pace.xyz: There is no such key."


def test_a_wrong_type() -> None:
    assert only('verified = "yes"\n' + GOOD).startswith("verified: ")


def test_a_bad_name() -> None:
    assert wrong(GOOD.replace('"mine"', '"Mine!"'))[0].startswith("name: ")


def test_a_name_that_is_not_the_file_s() -> None:
    assert only(GOOD, "other.toml") == "name: The file is called other.toml, so its name must be 'other'."


def test_an_unknown_dialect() -> None:
    problem = only(GOOD.replace('"matrix"', '"matrx"'))
    assert "There is no dialect 'matrx'. Did you mean 'matrix'?" in problem and "letters, matrix, named" in problem


def test_an_unknown_segment() -> None:
    problems = wrong(GOOD.replace("T20", "t20"))
    assert "'t20' is not a segment. Did you mean 'T20'?" in problems[0]
    assert problems[1] == "grid: No contact is T20: every bed must be reachable."


def test_a_bad_button() -> None:
    assert "'button:' is not a button" in only(GOOD + '[contacts]\n"7,10" = "button:"\n')


def test_a_bed_that_no_contact_reaches() -> None:
    assert only(HEAD + grid(BEDS[:-2])) == "grid: No contact is SB, DB: every bed must be reachable."


def test_a_bed_on_two_contacts() -> None:
    assert "T5 is on 2 contacts" in only(HEAD + grid([*BEDS, "T5"]))
    assert good(HEAD + grid([*BEDS, "DB", "SB", "S5"]))


def test_a_contact_twice() -> None:
    assert "Contact 0,0 is there twice" in only(GOOD + '[contacts]\n"0,0" = "S1"\n')


def test_a_row_twice_and_a_column_twice() -> None:
    text = GOOD.replace("\n1 ", "\n0 ", 1)
    assert any("Row 0 is there twice" in problem for problem in wrong(text))
    assert any("A column is there twice" in p for p in wrong(GOOD.replace("0 1 2 3", "0 1 1 3")))


def test_a_row_that_is_too_short() -> None:
    problem = wrong(GOOD.replace("\n0 S1 ", "\n0 "))[0]
    assert problem.startswith("grid row 0: The row has 10 cells and the first line 11 columns")


def test_a_row_without_a_number() -> None:
    assert any("'x' is not the number" in problem for problem in wrong(GOOD.replace("\n3 ", "\nx ")))


def test_an_empty_grid() -> None:
    assert "grid: The grid is empty." in wrong(HEAD + 'grid = ""\n')


def test_a_contact_out_of_range() -> None:
    problem = only(GOOD + '[contacts]\n"8,0" = "button:a"\n')
    assert "Contact 8,0 is out of range: the dialect has rows 0 to 7 and columns 0 to 10" in problem


def test_a_contact_that_is_none() -> None:
    assert "A contact is a row and a column" in only(GOOD + '[contacts]\n"8;0" = "button:a"\n')


def test_a_table_that_is_missing() -> None:
    assert "needs a table" in only(HEAD)
    assert good(HEAD + "learn = true\n").learn


def test_a_table_that_is_not_needed() -> None:
    assert "leave the table out" in only(GOOD.replace('"matrix"', '"named"'))


def test_learning_what_is_known() -> None:
    assert "nothing to learn" in only("learn = true\n" + GOOD)
    assert "nothing to learn" in only(HEAD.replace('"matrix"', '"named"') + "learn = true\n")


def test_keys_for_a_matrix_and_a_grid_for_characters() -> None:
    assert any("write a grid instead" in p for p in wrong(HEAD + '[keys]\n"a" = "T20"\n'))
    assert any("write a table [keys] instead" in p for p in wrong(GOOD.replace('"matrix"', '"letters"')))


def test_a_key_of_two_characters() -> None:
    assert any(
        "A key is one character" in p for p in wrong(HEAD.replace("matrix", "letters") + '[keys]\n"ab" = "T20"\n')
    )


def test_a_masked_contact_that_is_not_there() -> None:
    assert "'9,9' is not a contact of the table" in only('masked = ["9,9"]\n' + GOOD)


def test_a_time_out_of_range() -> None:
    assert only(GOOD + "[pace]\nrepeat_ms = -1\n").startswith("pace.repeat_ms: ")


def test_a_baud_out_of_range() -> None:
    assert only("baud = 12\n" + GOOD).startswith("baud: ")


def test_lacks_what_no_board_can_lack_or_the_dialect_has_not() -> None:
    assert "Did you mean 'takeout'?" in only('lacks = ["take-out"]\n' + GOOD)
    assert "has no takeout" in only('lacks = ["takeout"]\n' + GOOD)


def test_a_generic_chip_alone() -> None:
    for vid, pid in [*GENERIC_CHIPS, (0x2341, 0x43), (0x2A03, 0x10)]:
        text = GOOD + f'[[usb]]\nvid = "{vid:04x}"\npid = "{pid:04X}"\n'
        assert "a serial chip that many devices have" in only(text)
        assert "a serial chip that many devices have" in only(text + 'manufacturer = "Arduino"\n')
        assert good(text + 'product = "my board"\n').fingerprints[0].decides
        assert good(text + 'serial = "GARAGE*"\n').fingerprints[0].decides


def test_a_generic_chip_by_the_name_that_it_has_from_the_factory() -> None:
    for text in CHIP_STRINGS:
        usb = f'[[usb]]\nvid = "1a86"\npid = "7523"\nproduct = "{text.title()}"\n'
        assert "a serial chip that many devices have" in only(GOOD + usb)


def test_a_serial_number_that_fits_everything() -> None:
    for pattern in ("*", "???*", "ab*c"):
        said = only(GOOD + f'[[usb]]\nvid = "1209"\npid = "0001"\nserial = "{pattern}"\n')
        assert said == "usb.0.serial: Name at least 4 characters of the serial number: others fit too."


def test_a_mark_that_is_there_twice() -> None:
    usb = '[[usb]]\nvid = "1209"\npid = "0001"\n'
    assert only(GOOD + usb + usb) == "usb.1: This mark is there twice."


def test_lines_that_are_none() -> None:
    assert "speech.lines: '##' is not a line" in only(GOOD + '[speech]\nlines = ["##"]\n')
    assert "speech.lines: '3\\n' is not a line" in only(GOOD + '[speech]\nlines = ["3\\n"]\n')
    assert only(GOOD + '[speech]\nlines = [""]\n').startswith("speech.lines.0: ")


def test_a_name_that_a_dart_could_be() -> None:
    assert "'#,#' names nobody" in only(GOOD + '[speech]\nnames = ["#,#"]\n')


def test_a_hello_that_is_not_ascii_or_is_too_long() -> None:
    assert only(GOOD + '[speech]\nhello = "ü"\n') == "speech.hello: What is written to a board is ASCII."
    assert only(GOOD + f'[speech]\nhello = "{"x" * 33}"\n').startswith("speech.hello: ")


def test_where_the_reports_of_a_usb_board_are() -> None:
    said = only(GOOD + "[report]\nfirst = 1\n")
    assert said == "report: The dialect matrix has no USB reports: leave this out."
    assert only(GOOD + "[report]\nendpoint = 1\n").startswith("report.endpoint: ")
    assert "Did you mean 'first'?" in only(GOOD + "[report]\nfrist = 1\n")
    usb = HEAD.replace('"matrix"', '"usb-bits"') + "learn = true\n[report]\nendpoint = 0x82\nid = 1\nfirst = 1\n"
    board = board_from_toml(usb, "mine.toml", SHAPES)
    assert isinstance(board, Board) and board.report == ReportLayout(None, 0x82, 1, 1, None)


def test_an_unknown_key_of_a_mark_or_of_speech() -> None:
    assert "Did you mean 'serial'?" in only(GOOD + '[[usb]]\nvid = "1209"\npid = "0001"\nserail = "1234"\n')
    assert "Did you mean 'lines'?" in only(GOOD + '[speech]\nline = ["#"]\n')


def test_a_bad_usb_number() -> None:
    assert only(GOOD + '[[usb]]\nvid = "0x2341"\npid = "0043"\n').startswith("usb.0.vid: ")


def test_all_mistakes_at_once() -> None:
    text = GOOD.replace("T20", "T21").replace("D7", ".") + 'masked = ["9,9"]\nlacks = ["eyes"]\n[pace]\n'
    problems = wrong(text, "other.toml")
    assert [problem.split(":")[0] for problem in problems] == ["name", "grid row 5", "grid", "masked", "lacks"]


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
