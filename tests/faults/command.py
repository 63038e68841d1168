"""Runs a command of `oche` to its end."""

from pathlib import Path

from tests import rig


def oche(*arguments: str, folder: Path) -> tuple[int, str]:
    """Runs a command. Returns its exit code and its stderr."""
    done = rig.oche(*arguments, check=False, environment={"XDG_STATE_HOME": str(folder)})
    return done.returncode, done.stderr
