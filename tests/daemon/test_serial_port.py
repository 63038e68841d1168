"""The serial port of a board: it gives what has arrived, and says when the device is gone."""

import fcntl
import os
import tty
from collections.abc import Iterator

import pytest
import serial
from hypothesis import given
from hypothesis import strategies as st

from daemon.links.serial_port import SerialPort

TIOCVHANGUP = 0x5437
"""Linux, asm-generic/ioctls.h."""


@pytest.fixture(scope="module")
def line() -> Iterator[tuple[int, SerialPort]]:
    """The end of the board, and the port."""
    board, ours = os.openpty()
    tty.setraw(board)
    port = SerialPort(os.ttyname(ours))
    os.close(ours)
    yield board, port
    port.close()
    os.close(board)


@given(said=st.lists(st.binary(min_size=1, max_size=300), max_size=5), size=st.integers(1, 1024))
def test_every_byte_is_read_once_and_then_nothing(line: tuple[int, SerialPort], said: list[bytes], size: int) -> None:
    board, port = line
    for piece in said:
        os.write(board, piece)
    heard = b""
    while piece := port.read(size):
        assert len(piece) <= size
        heard += piece
    assert heard == b"".join(said)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may hang up a terminal")
def test_a_terminal_that_hangs_up_is_gone() -> None:
    """It says that it can be read, and has nothing to read."""
    board, ours = os.openpty()
    port = SerialPort(os.ttyname(ours))
    fcntl.ioctl(ours, TIOCVHANGUP)
    assert os.read(port.fileno(), 10) == b""
    with pytest.raises(serial.SerialException, match="the device is gone"):
        port.read(10)
    port.close()
    os.close(ours)
    os.close(board)


def test_a_port_whose_device_is_gone_cannot_be_read() -> None:
    board, ours = os.openpty()
    port = SerialPort(os.ttyname(ours))
    os.close(ours)
    assert port.read(10) == b""
    os.close(board)
    with pytest.raises(serial.SerialException):
        port.read(10)
    port.close()
