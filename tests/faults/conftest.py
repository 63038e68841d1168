"""Fixtures of the fault tests: data directories of daemons, to be damaged."""

import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.faults.damage import evening

SEED: Final = 20_261_122


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """The data directories of a daemon that was killed, and of one that was not."""
    folders = {killed: tmp_path_factory.mktemp("evening") for killed in (True, False)}
    for killed, folder in folders.items():
        evening(folder, SEED, killed=killed)
    return folders


@pytest.fixture
def folder(tmp_path: Path, evenings: dict[bool, Path]) -> Path:
    """A data directory with matches that are over and some in progress."""
    shutil.copytree(evenings[False], tmp_path / "folder")
    return tmp_path / "folder"


@pytest.fixture
def killed(tmp_path: Path, evenings: dict[bool, Path]) -> Path:
    """The same of a daemon that was killed: the last evening is in the log alone."""
    shutil.copytree(evenings[True], tmp_path / "killed")
    return tmp_path / "killed"
