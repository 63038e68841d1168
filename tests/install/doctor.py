"""Runs `oche doctor` and reads what it found."""

import json
from pathlib import Path
from typing import Any

from tests.rig import free_port, oche


class Doctor:
    """Runs `oche doctor` with one data directory; `root` is a folder that stands for the machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "data").mkdir(exist_ok=True)
        self.port = free_port()

    def ask(
        self, *arguments: str, board: str | None = None, root: Path | None = None, forks: bool = True
    ) -> tuple[int, list[dict[str, Any]]]:
        """Returns the exit code and the troubles."""
        command = ["doctor", "--json", "--seconds", "1.5", "--config", str(self._config()), *arguments]
        if "--http" not in arguments:
            command += ["--http", f"127.0.0.1:{self.port}"]
        if "--data" not in arguments:
            command += ["--data", str(self._folder / "data")]
        if board is not None:
            command += ["--board", board]
        if root is not None:
            command += ["--root", str(root)]
        done = oche(*command, check=False, forks=forks)
        assert done.stderr == "", done.stderr
        troubles: list[dict[str, Any]] = json.loads(done.stdout)
        assert all(trouble["wrong"].endswith(".") and trouble["do"] for trouble in troubles)
        return done.returncode, troubles

    def _config(self) -> Path:
        path = self._folder / "empty.toml"
        path.write_text("")
        return path


def command_of(folder: Path, data: Path) -> list[str]:
    """The words of `oche doctor` with an empty configuration in `folder`."""
    (folder / "empty.toml").write_text("")
    return ["doctor", "--config", str(folder / "empty.toml"), "--data", str(data)]


def only(troubles: list[dict[str, Any]], check: str) -> dict[str, Any]:
    """Returns the only trouble of a check. Other checks may find faults of the machine that runs the tests."""
    found = [trouble for trouble in troubles if trouble["check"] == check]
    assert len(found) == 1, troubles
    return found[0]


def kinds(troubles: list[dict[str, Any]]) -> set[str]:
    return {trouble["check"] for trouble in troubles}
