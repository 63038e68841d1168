"""What the tests of access have in common, and those of the history."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.history.archive import Archive
from daemon.record.journal import Journal
from daemon.system.catalogue import faces, games
from tests.daemon.house import House, open_house
from tests.daemon.past import Past


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as house:
        yield house


@pytest.fixture(scope="module")
def lasting_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One for all tests of a file that leave its match and each other's users alone."""
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
def past(tmp_path: Path) -> Iterator[Past]:
    with contextlib.closing(Journal(tmp_path)) as journal:
        yield Past(journal)


@pytest.fixture
def archive(past: Past) -> Archive:
    """The history of what is added to `past`."""
    return Archive(past.journal, games(), faces())
