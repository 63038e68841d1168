"""Promise 1, the machine: what was shown is there after a power cut, none of it twice, and the database is sound."""

import os
from pathlib import Path
from typing import Final

import pytest

from tests.faults.cuts import evening
from tests.faults.mounts import volatile

CUTS: Final = 12
"""`scripts/soak power` makes more."""


def test_the_power_goes_at_any_moment(tmp_path: Path) -> None:
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        pytest.skip("no /dev/fuse: power cuts cannot be made here")
    with volatile(tmp_path / "disk") as mount:
        assert evening(tmp_path, CUTS, seed=1, mount=mount) > 0


def test_the_disk_of_the_test_forgets_what_was_not_synced(tmp_path: Path) -> None:
    """The proof of the instrument: what was synced stays, what was only written goes in some of the cuts."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        pytest.skip("no /dev/fuse: power cuts cannot be made here")
    left = {"synced": 0, "written": 0}
    with volatile(tmp_path / "disk") as mount:
        for cut in range(20):
            content = bytes([65 + cut]) * 600
            for name in left:
                with (mount / name).open("wb") as file:
                    file.write(content)
                    file.flush()
                    if name == "synced":
                        os.fsync(file.fileno())
            folder = os.open(mount, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
            (mount / ".cut").write_text(str(cut))
            for name in left:
                left[name] += (mount / name).read_bytes() == content
    assert left["synced"] == 20
    assert 0 < left["written"] < 20
