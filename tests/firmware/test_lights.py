"""The lights of a board: a ring of WS2812 on a Pico, by what leaves its pin, and a lamp on every part that has one."""

import statistics
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from boards.board import Ring
from drivers.driver import Moment
from drivers.frames import frame
from drivers.oche_lights import lights
from engine.segments import CLOCKWISE, SEGMENTS
from tests.firmware.any_board import AnyBoard
from tests.firmware.avr_parts import MEGA
from tests.firmware.conftest import Make
from tests.firmware.host import Host
from tests.firmware.measure import BOOT_MS, START, connected, latencies
from tests.firmware.pico import Emulator, PicoBoard, is_installed, pico_image
from tests.firmware.simavr import PORTS

on_a_pico = pytest.mark.skipif(
    not is_installed(), reason="the compiler or the emulator for the Pico is missing: scripts/setup test"
)

BLACK, RED, GREEN, PURPLE, WHITE = 0, 0x003000, 0x300000, 0x003020, 0x202020
FRAME_MS = 16.4 * 5
"""A frame is shown at least this often, and begins within this after a word."""


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    emulator = Emulator()
    yield emulator
    emulator.end()


@pytest.fixture
def pico(images: Path, emulator: Emulator) -> PicoBoard:
    return PicoBoard(emulator, pico_image(images, "BAUD=1000000"))


def lit(board: AnyBoard, ring: Ring) -> Host:
    """A board that has started, and knows its host and its lights."""
    board.run_ms(BOOT_MS)
    host = Host(board)
    host.decoder.light(ring)
    board.run_until(START)
    assert not host.faults
    return host


def shown(board: PicoBoard, moment: Moment) -> list[int]:
    """What the ring shows a moment later."""
    board.say(lights(moment))
    board.run_ms(FRAME_MS)
    return board.rings[-1][1]


@on_a_pico
@pytest.mark.parametrize(
    "ring", [Ring(60), Ring(20, 19), Ring(24, 5, clockwise=False), Ring(12, 3), Ring(240, 100, clockwise=False)]
)
def test_each_number_has_its_share_of_the_ring(ring: Ring, pico: PicoBoard) -> None:
    lit(pico, ring)
    colours = {20: GREEN, 3: RED, 19: PURPLE, 5: WHITE}
    wanted = [BLACK] * ring.leds
    for n in range(ring.leds):
        place = (ring.first + (n if ring.clockwise else -n)) % ring.leds
        wanted[place] = colours.get(CLOCKWISE[n * 20 // ring.leds], BLACK)
    assert shown(pico, Moment("throwing", (20, "D3", "T19", "S5"))) == wanted
    assert pico.shorts == 0


@on_a_pico
def test_a_dart_flashes_and_slowly_enough(pico: PicoBoard) -> None:
    """Three flashes in a second are the most that people with photosensitive epilepsy should see."""
    lit(pico, Ring(20))
    pico.say(lights(Moment("throwing", landed=SEGMENTS["T20"])))
    pico.run_ms(1000)
    states = [colours for _, colours in pico.rings[-14:]]
    assert {tuple(colours) for colours in states} == {(PURPLE, *[BLACK] * 19), (BLACK,) * 20}
    assert sum(a != b for a, b in pairwise(states)) in (3, 4)


@on_a_pico
def test_a_bull_is_the_whole_ring_and_no_target_lights_the_board(pico: PicoBoard) -> None:
    lit(pico, Ring(20))
    assert shown(pico, Moment("throwing", ("bull", 20))) == [GREEN] + [GREEN >> 2] * 19
    assert shown(pico, Moment("throwing")) == [WHITE >> 2] * 20
    assert shown(pico, Moment("idle")) == [BLACK] * 20


@on_a_pico
def test_what_is_not_a_target_runs_around_the_ring(pico: PicoBoard) -> None:
    lit(pico, Ring(20))
    for saying in ("takeout", "next", "won"):
        pico.say(lights(Moment(saying)))
        pico.run_ms(FRAME_MS)
        since = len(pico.rings)
        pico.run_ms(300)
        frames = [colours for _, colours in pico.rings[since:]]
        assert len(frames) >= 4
        assert all(a == b[1:] + b[:1] for a, b in pairwise(frames)), saying


@on_a_pico
def test_lights_delay_no_dart(
    pico: PicoBoard, images: Path, emulator: Emulator, record_property: Callable[[str, object], None]
) -> None:
    """With the longest ring that never rests a pass over the matrix takes as long as without: at most 1 us a row."""

    def passes(board: PicoBoard, host: Host) -> tuple[float, float]:
        board.passes_us()
        latencies(board, 100, host)
        found = board.passes_us()
        assert len(found) > 2000
        return statistics.median(found), max(found)

    host = lit(pico, Ring(240, lamp=True))
    pico.say(lights(Moment("won")))
    median, longest = passes(pico, host)
    assert len(pico.rings) > 3 and pico.rings[-1][1] != pico.rings[-2][1]
    bare = PicoBoard(emulator, pico_image(images, "BAUD=1000000"))
    bare_median, bare_longest = passes(bare, connected(bare))
    record_property("us", f"{median} / {longest}, without {bare_median} / {bare_longest}")
    assert median <= bare_median + 1
    assert longest <= bare_longest + 8


@on_a_pico
def test_the_pins_of_the_lights_are_inputs_no_more(pico: PicoBoard) -> None:
    host = lit(pico, Ring(8, lamp=True))
    for word in ("won", "takeout", "idle"):
        pico.say(lights(Moment(word)))
        pico.run_ms(600)
    for number in (4, 5, 3):
        pico.press(number, True)
        pico.run_ms(5)
    assert [(c.row, c.col) for c in host.contacts] == [(8, 3)]
    assert pico.shorts == 0


@on_a_pico
def test_a_plain_led_goes_with_the_lamp(pico: PicoBoard) -> None:
    lit(pico, Ring(lamp=True))
    pico.lamps.clear()
    pico.say(lights(Moment("takeout")))
    pico.run_ms(FRAME_MS)
    pico.say(lights(Moment("throwing")))
    pico.run_ms(FRAME_MS)
    assert [(pin, is_on) for _, pin, is_on in pico.lamps] == [(25, True), (27, True), (25, False), (27, False)]


@on_a_pico
def test_what_no_ring_can_be_is_refused(pico: PicoBoard) -> None:
    host = lit(pico, Ring(20))
    pico.rings.clear()
    for which, value in ((4, 241), (4, 1 << 10), (5, 240)):
        pico.say(frame(bytes([0x83, which]) + value.to_bytes(2, "little")))
    pico.run_ms(1100)
    assert host.decoder.counters["board_rejected"] == 3
    assert {len(colours) for _, colours in pico.rings} == {20}


@on_a_pico
def test_a_pico_that_was_reset_is_told_again(pico: PicoBoard) -> None:
    lit(pico, Ring(20))
    pico.reset()
    pico.rings.clear()
    pico.run_ms(BOOT_MS)
    assert shown(pico, Moment("bust"))[:2] == [RED, RED]


def test_a_lamp_shows_the_same_words(make: Make) -> None:
    """On a Mega; a host of before firmware 1.2 says on or off alone."""
    board = make(MEGA)
    lit(board, Ring(60, lamp=True))

    def is_on() -> bool:
        return bool(board.avr.peek(PORTS["B"] + 2) & 0x80)

    def seen(said: bytes) -> list[bool]:
        board.say(said)
        states = []
        for _ in range(12):
            board.run_ms(100)
            states.append(is_on())
        return states

    assert all(seen(lights(Moment("takeout"))))
    assert not any(seen(lights(Moment("throwing", (20,)))))
    assert (
        seen(lights(Moment("throwing", landed=SEGMENTS["D1"])))
        == [True] * 2 + [False] * 3 + [True] * 2 + [False] * 3 + [True] * 2
    )
    assert all(seen(frame(b"\x84\x01")))
    assert not any(seen(frame(b"\x84\x00")))
