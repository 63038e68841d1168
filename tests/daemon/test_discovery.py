"""Which device is which board: USB ids nominate, strings decide, and others get a message that says what to type."""

from boards.board import Board
from boards.identity import Fingerprint, Port
from daemon.links.discovery import judge, spec_of, unclaimed
from daemon.system.catalogue import models
from daemon.system.urls import board_spec

FTDI = Port("/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0", 0x0403, 0x6001, "FT232R USB UART")


def test_a_device_that_identifies_itself_is_accepted() -> None:
    device = Port("/dev/ttyACM0", 0x2341, 0x8036, "oche json-segment", "Workshop", "EB00-01:77")
    judged = judge(device, models())
    assert judged.model == "json-segment"
    spec = spec_of(judged)
    assert (spec.name, spec.url.place) == ("json-segment-000177", "/dev/ttyACM0")
    # What it is called does not depend on where it is plugged in.
    elsewhere = Port("/dev/ttyACM3", 0x2341, 0x8036, "OCHE Json-Segment", "Workshop", "EB00-01:77")
    assert spec_of(judge(elsewhere, models())).name == spec.name


def test_a_generic_chip_is_refused_with_what_to_type() -> None:
    judged = judge(FTDI, models())
    assert judged.model is None
    assert "oche setup" in judged.message
    assert f'lounge = "MODEL@{FTDI.device}"' in judged.message


def test_numbers_alone_decide_nothing() -> None:
    plain = Port("/dev/ttyACM0", 0x1209, 0xEB0A, "Some gadget")
    assert judge(plain, models()).model is None
    numbers_only = Board("club", "The club's board", "suffix", fingerprints=(Fingerprint(0x1209, 0xEB0A),))
    judged = judge(plain, {"club": numbers_only})
    assert judged.model is None
    assert "could be club" in judged.message


def test_a_tie_is_refused() -> None:
    mark = Fingerprint(0x2341, 0x8036, product="darts")
    both = {name: Board(name, name, "suffix", fingerprints=(mark,)) for name in ("club", "pub")}
    judged = judge(Port("/dev/ttyACM0", 0x2341, 0x8036, "Darts"), both)
    assert judged.model is None
    assert "club and pub" in judged.message


def test_a_board_that_must_be_learned_says_so() -> None:
    adapter = Port("/dev/ttyUSB0", 0x0403, 0x6001, "oche-matrix", "", "7")
    judged = judge(adapter, models())
    assert judged.model is None
    assert "`oche learn /dev/ttyUSB0`" in judged.message


def test_a_port_that_has_a_board_is_left_to_it() -> None:
    assert list(unclaimed([FTDI], [board_spec(f"lounge=maddarts@{FTDI.device}")])) == []
    assert list(unclaimed([FTDI], [board_spec("lounge=maddarts@/dev/ttyUSB7")])) == [FTDI]
