"""The events that the words of each dialect give."""

import pytest

from drivers import DRIVERS
from drivers.events import Rejected
from drivers.pipeline import Pipeline
from tests.drivers.boards import COLUMNS, RIGS, model, wired
from tests.drivers.session import MS, Session, on

WIRES = [
    ("maddarts", b"20;3\r\n", "T20"),
    ("maddarts", b"25;1\r\n25;2\r\n", "SB DB"),
    ("maddarts", b"0;1\r\n", "MISS"),
    ("maddarts", b"NULL\r\n", "no unmapped"),
    ("maddarts", b"21;1\r\n", "no range"),
    ("maddarts", b"25;3\r\n", "no range"),
    ("loewen-darts", b"320\r\n", "T20"),
    ("loewen-darts", b"101\r\n225\r\n125\r\n219\r\n", "S1 DB SB D19"),
    ("loewen-darts", b"325\r\n", "no range"),
    ("loewen-darts", b"0\r\n", "no unmapped"),
    ("loewen-darts", b"KNOPF\r\n", "button next"),
    ("loewen-darts", b"FEHLWURF\r\n", "MISS"),
    ("loewen-darts", b"PFEILE\r\n", "take-out"),
    ("loewen-darts", b"b\r\n", "no garbage"),
    ("loewen-dascr", b"320\r\n", "T20"),
    ("loewen-dascr", b"b\r\n", "button next"),
    ("loewen-dascr", b"m\r\n", "MISS"),
    ("loewen-dascr", b"u\r\n", "take-out"),
    ("loewen-dascr", b"u\r\n" * 50, "take-out"),
    ("online-dart", b"320\n125\n214\n", "T20 SB D14"),
    ("online-dart", b"101\n", "S1"),
    ("online-dart", b"225\n", "DB"),
    ("online-dart", b"996\n999\n", "button bounce button next"),
    ("online-dart", b"997\n", "MISS"),
    ("online-dart", b"998\n", "MISS"),
    ("online-dart", b"325\n", "no range"),
    ("online-dart", b"995\n", "no garbage"),
    ("online-dart", b"\xff\n", "no garbage"),
    ("number-ring", b"20:T\r\n", "T20"),
    ("number-ring", b"25:S\r\n25:D\r\n", "SB DB"),
    ("number-ring", b"25:T\r\n", "no range"),
    ("number-ring", b"0:S\r\n", "no unmapped"),
    # Beds that do not touch each other: of two that do, the second one is a doubt.
    ("suffix", b"20x3\n3x2\n11i\n4o\n16\n", "T20 D3 SI11 SO4 S16"),
    ("suffix", b"Bullseye\n", "SB"),
    ("suffix", b"Bullseyex2\n", "DB"),
    ("suffix", b"_44\n", "no unmapped"),
    ("suffix", b"20X3\n3X2\r\n11X1\n", "T20 D3 S11"),
    ("suffix", b"25X1\n", "SB"),
    ("suffix", b"25X2\r\n", "DB"),
    ("suffix", b"F0\r\n", "button next"),
    ("suffix", b"0X1\n", "no unmapped"),
    ("suffix", b"21X1\n", "no range"),
    ("suffix", b"25X3\n", "no range"),
    ("suffix", b"20X4\n", "no garbage"),
    ("suffix", b"F1\n", "no garbage"),
    ("suffix", b"\x1b[1;32mDartboard OK!\x1b[0m\r\n7X1\r\n", "no garbage S7"),
    ("score-only", b"60\r\n", "60:T20"),
    ("score-only", b"18\r\n", "18:T6/D9/S18"),
    ("score-only", b"50\r\n", "50:DB"),
    ("score-only", b"255\r\n", "no unmapped"),
    ("score-only", b"59\r\n", "no range"),
    ("json-segment", b'{"segment":"T20"}', "T20"),
    ("json-segment", b'{"segment": "SB"}{"segment":"MISSDART"}\n', "SB MISS"),
    ("json-segment", b'{"segment":"PLAYERBUTTON"}\n{"segment":"BACKUPBUTTON"}\n', "button next button undo"),
    ("json-segment", b'{"segment":"GAMEBUTTON"}\n', "button game"),
    ("json-segment", b'{"segment":"T99"}\n', "no unmapped"),
    ("json-segment", b'{"other":1}\n', "no garbage"),
    ("dartsout", b'new-dart {"board_id":16777215,"num":20,"zone":3}\n', "T20"),
    ("dartsout", b'new-dart {"board_id": 7, "num": 5, "zone": 0}\n{"num":6,"zone":1}\n', "SI5 SO6"),
    ("dartsout", b'new-dart {"num":0,"zone":1}\n', "SB"),
    ("dartsout", b'new-dart {"num":0,"zone":2}\n', "DB"),
    ("dartsout", b'next-player {"board_id":7}\nback\n', "button next button undo"),
    ("dartsout", b'new-dart {"num":-1,"zone":2}\n', "no range"),
    ("dartsout", b'new-dart {"num":0,"zone":3}\n', "no range"),
    ("dartsout", b'new-dart {"num":20,"zone":4}\n', "no unmapped"),
    ("dartsout", b'new-dart {"num":20}\n', "no garbage"),
    ("dartsout", b'new-game {"num":20,"zone":3}\n', "no garbage"),
    ("pidart", b"\x09", "T20"),
    ("pidart", b"\x00\x03", "SI8 SI9"),
    ("pidart", b"\x04\x0a", "DB T1"),
    ("pidart", b"\x11\x13", "T11 T9"),
    ("pidart", b"\x1a\x85", "SI1 button next"),
    ("pidart", b"\xff", "no unmapped"),
    ("raspuino", b"\x53", "T20"),
    ("raspuino", b"\x04\x06\x70", "DB SB no unmapped"),
    ("loewen-pikado", b"\x3f", "T20"),
    ("loewen-pikado", b"\x01\x40", "D12 T5"),
    ("loewen-pikado", b"\x1b", "DB"),
    ("loewen-pikado", b"\xfe", "button next"),
    ("loewen-pikado", b"\x00", "no range"),
    ("virtual", b"+0,1\n", "T20"),
    ("virtual", b"m\nt\n", "MISS take-out"),
    ("virtual", b"+20,1\n", "DB"),
    ("virtual", b"+21,0\n", "no range"),
    ("virtual", b"+20,3\n", "no unmapped"),
]


@pytest.mark.parametrize(("name", "wire", "expected"), WIRES)
def test_the_words_of_each_dialect(name: str, wire: bytes, expected: str) -> None:
    assert " ".join(on(name).at(5000, wire).events) == expected


def test_a_learnt_row_col_board() -> None:
    session = Session(Pipeline(wired("row-col", COLUMNS), DRIVERS["row-col"]))
    session.at(100, b"OpenDarts\r\n").at(3000, b"0,0\r\n").at(5000, b"undo\r\n").at(7000, b"missb\r\n")
    session.at(9000, b"miss\r\n").at(11000, b"next\r\n").at(13000, b"7,10\r\n").at(15000, b"32,1\r\n")
    assert session.events == [
        "awake",
        "S1",
        "button undo",
        "button miss",
        "MISS",
        "button next",
        "no unmapped",
        "no range",
    ]


def test_a_board_to_be_learnt_says_which_contact_it_was_once_for_a_press() -> None:
    pipeline = Pipeline(model("opendarts"), DRIVERS["row-col"])
    heard = [h for n in range(4) for h in pipeline.feed(b"3,7\r\n", n * 501 * MS)]
    assert heard == [Rejected("unmapped", 0, (3, 7)), *heard[1:]]
    assert [h for h in heard if isinstance(h, Rejected)] == heard


def test_characters_of_a_keypad_sketch_are_latin_1() -> None:
    board = wired("single-char", [(0xA7, 0), *[(n, 0) for n in range(64, 125)]])
    session = Session(Pipeline(board, DRIVERS["single-char"]))
    assert session.at(0, b"\xa7").at(1000, b"A\r\n").at(2000, b"\xa7").events == ["S1", "T1", "S1"]


def test_characters_of_a_keyboard_are_utf_8() -> None:
    board = wired("keyboard", [(0xA7, 0), *[(n, 0) for n in range(64, 125)]])
    session = Session(Pipeline(board, DRIVERS["keyboard"]))
    assert session.at(0, b"\xc2").at(2, b"\xa7").at(1000, b"A").events == ["S1", "T1"]


def test_every_bed_of_a_table_is_heard_as_it_is_written() -> None:
    for rig in RIGS.values():
        session = Session(rig.pipeline())
        for n, cell in enumerate(sorted(rig.beds)):
            session.at(10_000 + n * 4000, rig.encode(cell))
        heard = [e for e in session.until(1e7).events if e.split()[0] not in ("stuck", "freed", "mark")]
        beds = [rig.beds[cell] for cell in sorted(rig.beds)]
        if rig.name == "score-only":
            assert [e.partition(":")[0] for e in heard] == [str(bed.points) for bed in beds]
        elif rig.board.can.release:
            # Nothing opened here, so most crossings are joined by now.
            assert heard[0] == beds[0].text
        else:
            assert heard == [bed.text for bed in beds]
