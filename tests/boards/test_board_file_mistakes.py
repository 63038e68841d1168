"""Mistakes in board files: one test for each rule that the checker has, and all mistakes of a file at once."""

from boards.board import Board, ReportLayout
from boards.board_files import board_from_toml
from boards.identity import CHIP_STRINGS, GENERIC_CHIPS
from tests.boards.test_board_files import BEDS, GOOD, HEAD, SHAPES, good, grid, only, wrong


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
