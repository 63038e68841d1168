"""Fixtures of the tests that run the whole daemon, and one way of drawing examples for all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.mqtt_clients import Watcher
from tests.rig import Mosquitto, PtyBoard

# The same examples in every run: what fails for one fails for all. New ones are drawn by the longer runs.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker outside the daemon."""
    with Mosquitto(tmp_path) as running:
        yield running


@pytest.fixture
def watcher(broker: Mosquitto) -> Iterator[Watcher]:
    """A subscriber to everything at that broker."""
    client = Watcher(broker.port)
    yield client
    client.close()


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[PtyBoard]:
    """A serial port with the test at its other end."""
    board = PtyBoard(tmp_path)
    yield board
    board.unplug()
