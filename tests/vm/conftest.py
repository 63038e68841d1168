"""The package, and the firmware that hangs on the machine's serial adapter."""

from tests.firmware.conftest import images
from tests.install.conftest import deb

__all__ = ["deb", "images"]
