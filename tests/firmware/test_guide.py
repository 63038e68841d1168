"""The guide from parts to a board: what it shows can be typed, and its pictures are those that are drawn."""

import re
import runpy
import shlex

import pytest

from daemon.cli.parser import parser
from tests.firmware.any_board import Part
from tests.firmware.avr_parts import FIRMWARE, LEONARDO, MEGA, UNO, pins
from tests.firmware.pico import PICO

GUIDE = (FIRMWARE / "README.md").read_text(encoding="utf-8")
SHOWN = [line for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL) for line in block.splitlines()]
COMMANDS = [line for line in [*SHOWN, *re.findall(r"`(oche [^`]+)`", GUIDE)] if line.startswith("oche ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_one(command: str) -> None:
    parser().parse_args(shlex.split(command, comments=True)[1:])


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("board", ["UNO", "PICO"])
def test_the_wiring_is_drawn_from_its_script(board: str) -> None:
    script = runpy.run_path(str(FIRMWARE.parent / "scripts" / "draw-wiring"))
    wiring = script[board]
    assert script["draw"](wiring) == (FIRMWARE / wiring.file).read_text(), "scripts/draw-wiring"
    part, numbers = (UNO, UNO_PINS) if board == "UNO" else (PICO, PICO_PINS)
    assert arduino(wiring.rows, numbers) == part.rows
    assert arduino(wiring.cols, numbers) == part.cols[: len(wiring.cols)]
    assert f"({wiring.file})" in GUIDE


UNO_PINS = {f"D{n}": ("D", n) for n in range(8)} | {f"D{n}": ("B", n - 8) for n in range(8, 14)} | {
    f"A{n}": ("C", n) for n in range(6)
}  # fmt: skip
PICO_PINS = {f"GP{n}": ("GP", n) for n in range(29)}
# Source: the pin tables of Arduino's AVR core.
MEGA_PINS = dict(
    zip(
        map(str, range(22, 50)),
        [("A", n) for n in range(8)]
        + [("C", n) for n in range(7, -1, -1)]
        + [("D", 7), ("G", 2), ("G", 1), ("G", 0)]
        + [("L", n) for n in range(7, -1, -1)],
        strict=True,
    )
)
LEONARDO_PORTS = pins("D2 D3 D1 D0 D4 C6 D7 E6 B4 B5 B6 B7 D6 C7 F7 F6 F5 F4 F1 F0")
LEONARDO_PINS = dict(zip([*map(str, range(14)), *(f"A{n}" for n in range(6))], LEONARDO_PORTS, strict=True))


def arduino(names: list[str], pins: dict[str, tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple(pins[name] for name in names)


@pytest.mark.parametrize(
    ("title", "part", "pins"),
    [
        ("Uno, Nano", UNO, UNO_PINS),
        ("Mega", MEGA, MEGA_PINS),
        ("Leonardo", LEONARDO, LEONARDO_PINS),
        ("Pico", PICO, PICO_PINS),
    ],
    ids=["uno", "mega", "leonardo", "pico"],
)
def test_the_pins_of_the_table_are_those_of_the_firmware(
    title: str, part: Part, pins: dict[str, tuple[str, int]]
) -> None:
    """The pins in the words of those who solder, against the ports that the rig presses."""
    table = GUIDE[GUIDE.index("| | rows 0 to 7") :]
    row = next(line for line in table.splitlines() if line.startswith(f"| {title}"))
    _, rows, cols, inputs = (cell.split() for cell in row.strip("| ").split(" | "))
    assert arduino(rows, pins) == part.rows
    assert arduino(cols, pins) == part.cols
    if part is PICO:
        assert arduino(inputs, pins) == part.inputs
