"""How soon a dart is on the line, and how many of two quick ones are heard: of our firmware and of the stand-ins alike.

In ms of virtual time, from the contact that closes to the end of the last byte
of its report. It does not vary from run to run.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.firmware.any_board import MS, AnyBoard, Cell
from tests.firmware.avr_parts import UNO, image
from tests.firmware.board import Board
from tests.firmware.host import Host
from tests.firmware.standin import Heard328, Standin

BOOT_MS: Final = 120
START: Final = (BOOT_MS + 10) * MS
APART_MS: Final = 20
"""Between two darts of a pair."""
HOLD_MS: Final = 10
"""How long a dart holds its contact."""


def connected(board: AnyBoard) -> Host:
    """A board that has started and knows its host."""
    board.run_ms(BOOT_MS)
    host = Host(board)
    board.run_until(START)
    assert host.decoder.answers() == b"" and not host.faults
    return host


def latencies(board: AnyBoard, count: int, host: Host | None = None) -> list[float]:
    """Of our firmware, at random phases of scan and heartbeat; `host` is that of a board at its start."""
    host, rng = host or connected(board), random.Random(7)
    cells = [(r, c) for r in range(8) for c in range(10)]
    gap, closed = 3 * MS, []
    for n in range(count):
        at = START + n * gap + rng.randrange(gap // 2)
        board.dart(at, cells[n * 7 % 80], MS)
        closed.append(at)
    board.run(count * gap + 30 * MS)
    assert host.darts == [cells[n * 7 % 80] for n in range(count)]
    return [(end - at) / MS for end, at in zip(_ends(board), closed, strict=True)]


def _ends(board: AnyBoard) -> list[int]:
    """When the last byte of each frame of a closed contact was out."""
    found, line = [], bytearray()
    for byte, cycle in board.sent:
        line.append(byte)
        if byte == 0:
            # The code byte, then the type: nothing of it is coded, for no zero stands before it.
            if line[1] == 0x10:
                found.append(cycle)
            line.clear()
    return found


def standin_latencies(standin: Standin, folder: Path, count: int) -> list[float]:
    """Of a stand-in, at random phases of its scan; each dart when it is not blind."""
    rig, rng = Heard328(standin, folder), random.Random(7)
    rig.run_ms(2600)
    times = []
    for n in range(count):
        since = len(rig.board.sent)
        at = rig.board.now + MS + rng.randrange(3 * MS)
        rig.board.dart(at, divmod(n * 7 % 62, 10), HOLD_MS * MS)
        rig.board.run_ms(standin.blind_ms + 50)
        report = rig.board.sent[since:]
        times.append((next(end for byte, end in report if byte == 10 or not standin.line) - at) / MS)
    rig.board.end()
    return times


def _pairs(board: Board, run_ms: Callable[[float], None], count: int, every_ms: float) -> None:
    """Two darts, one after the other, in beds that share neither row nor column."""
    rng = random.Random(11)
    for _ in range(count):
        first: Cell = (rng.randrange(6), rng.randrange(10))
        second = ((first[0] + rng.randrange(1, 6)) % 6, (first[1] + rng.randrange(1, 10)) % 10)
        for n, cell in enumerate((first, second)):
            board.dart(board.now + (1 + n * APART_MS) * MS + rng.randrange(MS), cell, HOLD_MS * MS)
        run_ms(every_ms)


def pairs(folder: Path, count: int) -> int:
    """Returns how many darts of these pairs our firmware reports."""
    board = Board(UNO, image(UNO.name, folder))
    host = connected(board)
    _pairs(board, board.run_ms, count, 200)
    board.end()
    return len(host.darts)


def standin_pairs(standin: Standin, folder: Path, count: int) -> int:
    """Returns how many darts of these pairs the stand-in's driver reports."""
    rig = Heard328(standin, folder)
    rig.run_ms(2600)
    _pairs(rig.board, rig.run_ms, count, standin.blind_ms + 300)
    rig.board.end()
    return len(rig.darts)
