"""The firmware that hangs on the machine's serial adapter."""

from tests.firmware.conftest import images

__all__ = ["images"]
