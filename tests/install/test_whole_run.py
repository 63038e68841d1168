"""`scripts/test` fails if a check or a test does. Its parts are replaced here: the real ones take minutes."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.install.conftest import ROOT


@pytest.mark.parametrize(("check", "tests", "code"), [(0, 0, 0), (1, 0, 1), (0, 3, 3), (1, 3, 1)])
def test_a_failed_check_or_test_fails_the_run(tmp_path: Path, check: int, tests: int, code: int) -> None:
    parts = {"scripts/setup": 0, "scripts/check": check, "tests/vm/image": 1, ".venv/bin/pytest": tests}
    for name, exit_code in parts.items():
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/sh\necho found by {name}: $*\nexit {exit_code}\n")
        program.chmod(0o755)
    shutil.copy(ROOT / "scripts/test", tmp_path / "scripts/test")
    done = subprocess.run([tmp_path / "scripts/test"], check=False, capture_output=True, text=True)
    assert done.returncode == code, done
    assert ("found by scripts/check" in done.stdout) == bool(check)
    some = subprocess.run([tmp_path / "scripts/test", "some"], check=False, capture_output=True, text=True)
    assert (some.returncode, "found by .venv/bin/pytest: some\n" in some.stdout) == (tests, True)
    assert "scripts/check" not in some.stdout
