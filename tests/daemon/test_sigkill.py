"""Promise 1, the process: a dart that was shown is never lost or counted twice, whenever the daemon is killed."""

from pathlib import Path
from typing import Final

from tests.faults.cuts import evening

KILLS: Final = 40
"""`scripts/soak kills` makes more."""


def test_killed_at_any_moment(tmp_path: Path) -> None:
    assert evening(tmp_path, KILLS, seed=1) > 0
