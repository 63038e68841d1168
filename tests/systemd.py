"""systemd's own opinion of the units, where `systemd-analyze` can work."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def _can_work() -> bool:
    """Whether it is installed and has a folder in `/run`: version 257 makes it if it is missing, which takes root."""
    return shutil.which("systemd-analyze") is not None and (os.geteuid() == 0 or Path("/run/systemd").is_dir())


needs_systemd = pytest.mark.skipif(
    not _can_work(), reason="systemd is not installed, or does not run and we are not root"
)


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], check=False, capture_output=True, text=True)
