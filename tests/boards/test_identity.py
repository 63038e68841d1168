"""Which board is this? VID:PID only nominates, generic chips never match, ties are refused; every reason is given."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from boards.identity import GENERIC_CHIPS, Fingerprint, Marks, Port, Speech, recognise

OWN = Fingerprint(0x1209, 0x0B0A, product="Garage board")
MINE = Marks("mine", (OWN,), Speech(b"?", ("Garage #",), ("#,#",)), 9600)
PORT = Port("/dev/ttyACM0", 0x1209, 0x0B0A, "Garage Board 2", "Me", "G-17", "1-1.4")


def test_its_own_product_decides() -> None:
    found = recognise(PORT, [MINE])
    assert found.model == "mine"
    assert found.candidates[0].reasons == ("1209:0b0a fits", "product 'Garage Board 2' fits 'Garage board'")


def test_numbers_alone_nominate() -> None:
    found = recognise(PORT, [replace(MINE, fingerprints=(Fingerprint(0x1209, 0x0B0A),))])
    assert found.model is None
    assert [(c.weight, c.reasons) for c in found.candidates] == [
        ("nominated", ("1209:0b0a fits", "others can have these numbers too"))
    ]
    assert "oche listen MODEL@/dev/ttyACM0" in found.message


def test_another_product_and_another_number_do_not_fit() -> None:
    assert recognise(replace(PORT, product="Lamp"), [MINE]).candidates[0].reasons[-1] == (
        "its product must be 'Garage board', this has 'Lamp'"
    )
    assert recognise(replace(PORT, pid=1), [MINE]).candidates[0].reasons == ("it is 1209:0b0a, this is 1209:0001",)
    assert recognise(Port("/dev/ttyS0"), [MINE]).candidates[0].reasons == ("it is 1209:0b0a, this is not a USB device",)


def test_a_serial_number_is_a_pattern() -> None:
    by_serial = replace(MINE, fingerprints=(Fingerprint(0x1209, 0x0B0A, serial="G-*"),))
    assert recognise(PORT, [by_serial]).model == "mine"
    assert recognise(replace(PORT, serial="H-17"), [by_serial]).model is None


def test_a_tie_is_refused_and_explained() -> None:
    found = recognise(PORT, [replace(MINE, model="yours"), MINE])
    assert found.model is None
    assert found.message.startswith("A tie: mine and yours match alike, so none is taken.")
    assert {c.weight for c in found.candidates} == {"matched"}


def test_a_generic_chip_says_what_to_type() -> None:
    found = recognise(Port("/dev/ttyUSB0", 0x1A86, 0x7523, "USB Serial"), [MINE])
    assert found.model is None
    assert found.message == (
        "1a86:7523 is a chip that many devices have: it tells nothing about the board. "
        "Name the model: oche listen MODEL@/dev/ttyUSB0"
    )


@settings(deadline=None, derandomize=True)
@given(
    chip=st.sampled_from([*sorted(GENERIC_CHIPS), (9025, 67), (10755, 66)]),
    manufacturer=st.none() | st.text(max_size=5),
    product=st.sampled_from(["USB Serial", "Arduino Uno", "FT232R USB UART", "CP2102N USB to UART Bridge Controller"]),
    named=st.booleans(),
)
def test_a_generic_chip_never_matches_by_what_its_factory_gave_it(
    chip: tuple[int, int], manufacturer: str | None, product: str, named: bool
) -> None:
    """Whatever a board file says: the checker refuses such marks, and they would not decide if it did not."""
    mark = Fingerprint(*chip, product=product if named else None, manufacturer=manufacturer)
    port = Port("/dev/ttyUSB0", *chip, product=product, manufacturer=manufacturer or "", serial="A1234")
    assert recognise(port, [replace(MINE, fingerprints=(mark,))]).model is None


def test_it_says_its_name() -> None:
    found = recognise(Port("/dev/ttyUSB0", 0x1A86, 0x7523), [MINE], b"\x00\xff\x00\r\nGarage 12\r\n3,")
    assert found.model == "mine" and found.candidates[0].reasons[-1] == "it said 'Garage 12', which is its name"


def test_lines_nominate_and_their_number_is_shown() -> None:
    other = Marks("other", (), Speech(lines=("#:T",)), 9600)
    found = recognise(Port("/dev/pts/1"), [MINE, other], b"\xf3boot\r\n3,7\r\n10,2\r\n")
    assert found.model is None and found.message.startswith("mine fits, but nothing that only one model has")
    assert {c.model: (c.weight, c.reasons[-1]) for c in found.candidates} == {
        "mine": ("nominated", "2 of 3 lines are like #,#"),
        "other": ("no", "0 of 3 lines are like #:T"),
    }


def test_silence_is_reported() -> None:
    assert recognise(PORT, [MINE], b"3,").candidates[0].reasons[-1].startswith("no whole line was heard")
    mute = Marks("mute", (), Speech(), 9600)
    assert recognise(PORT, [mute], b"x\n").candidates[0].reasons == ("its file does not say what it sounds like",)


@settings(deadline=None, derandomize=True)
@given(heard=st.binary(max_size=200), pattern=st.text(st.sampled_from("#,;T(*+?[\\"), min_size=1, max_size=20))
def test_anything_can_be_heard(heard: bytes, pattern: str) -> None:
    recognise(PORT, [Marks("any", (), Speech(names=(pattern,), lines=(pattern,)), 9600)], heard)
