"""Runs a command of `oche` to its end."""

import os
import subprocess
from pathlib import Path

from tests.rig import LIMIT_SECONDS, OCHE


def oche(*arguments: str, folder: Path) -> tuple[int, str]:
    """Runs a command. Returns its exit code and its stderr."""
    environment = os.environ | {"XDG_STATE_HOME": str(folder)}
    done = subprocess.run(
        [OCHE, *arguments], check=False, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment
    )
    return done.returncode, done.stderr
