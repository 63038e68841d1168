"""The package, the firmware that hangs on the machine's serial adapter, and the machine of an evening."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.rig
from tests.firmware.conftest import images
from tests.install.conftest import deb
from tests.vm.evening import Evening, tell
from tests.vm.machine import BOOT_SECONDS

__all__ = ["deb", "images"]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory, deb: Path) -> Iterator[Evening]:
    patch = pytest.MonkeyPatch()
    # Beside the other tests of the suite, the machine gets a seventh of a processor.
    patch.setattr(tests.rig, "LIMIT_SECONDS", BOOT_SECONDS)
    night = Evening(tmp_path_factory.mktemp("vm"), deb)
    try:
        # Here, not in the first test: one that failed is run again alone.
        tell("power on to an answer", night.machine.power_on())
        yield night
    finally:
        night.close()
        patch.undo()
