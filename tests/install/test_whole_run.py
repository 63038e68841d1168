"""`scripts/test` fails if a check does, or a test twice. Its parts are replaced here: the real ones take minutes."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.install.conftest import ROOT
from tests.rig import LIMIT_SECONDS, until


@pytest.mark.parametrize(("check", "tests", "code"), [(0, 0, 0), (1, 0, 1), (0, 3, 3), (0, 1, 1), (1, 3, 1)])
def test_a_failed_check_or_test_fails_the_run(tmp_path: Path, check: int, tests: int, code: int) -> None:
    parts = {"scripts/setup": 0, "scripts/check": check, "tests/vm/image": 1, ".venv/bin/pytest": tests}
    for name, exit_code in parts.items():
        write_program(tmp_path / name, f"#!/bin/sh\necho found by {name}: $*\nexit {exit_code}\n")
    shutil.copy(ROOT / "scripts/test", tmp_path / "scripts/test")
    done = subprocess.run([tmp_path / "scripts/test"], check=False, capture_output=True, text=True)
    assert done.returncode == code, done
    assert ("found by scripts/check" in done.stdout) == bool(check)
    some = subprocess.run([tmp_path / "scripts/test", "some"], check=False, capture_output=True, text=True)
    assert (some.returncode, "found by .venv/bin/pytest: some\n" in some.stdout) == (tests, True)
    assert "scripts/check" not in some.stdout


WAVERING = """
from pathlib import Path

import pytest


@pytest.mark.parametrize("n", range({tests}))
def test_wavers(n: int) -> None:
    seen = Path(f"seen-{{n}}")
    times = int(seen.read_text()) if seen.exists() else 0
    seen.write_text(str(times + 1))
    assert times >= {failures}
"""


@pytest.mark.parametrize(
    ("tests", "failures", "code", "said"),
    [(2, 1, 0, "failed beside the others and passed alone"), (2, 2, 1, "again, alone"), (6, 1, 1, "6 failed")],
    ids=["passes alone", "fails alone", "many fail"],
)
def test_a_few_failed_tests_run_once_more_alone(
    tmp_path: Path, tests: int, failures: int, code: int, said: str
) -> None:
    for name in ("scripts/setup", "scripts/check", "tests/vm/image"):
        write_program(tmp_path / name, "#!/bin/sh\n")
    write_program(tmp_path / ".venv/bin/pytest", f'#!/bin/sh\nexec {sys.executable} -m pytest "$@"\n')
    write_program(tmp_path / ".venv/bin/python", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    shutil.copy(ROOT / "scripts/test", tmp_path / "scripts/test")
    shutil.copy(ROOT / "tests/run_again.py", tmp_path / "tests/run_again.py")
    (tmp_path / "tests/test_wavering.py").write_text(WAVERING.format(tests=tests, failures=failures))
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\ntestpaths = ["tests"]\n')
    done = subprocess.run(
        [tmp_path / "scripts/test"], check=False, capture_output=True, text=True, env=without_this_run()
    )
    assert done.returncode == code, done
    assert said in done.stdout
    named = "  tests/test_wavering.py::test_wavers[0]\n" in done.stdout
    assert named == (code == 0)


def test_its_end_is_the_end_of_pytest(tmp_path: Path) -> None:
    for name in ("scripts/setup", "scripts/check", "tests/vm/image"):
        write_program(tmp_path / name, "#!/bin/sh\n")
    number = tmp_path / "number"
    write_program(
        tmp_path / ".venv/bin/pytest", f"#!/bin/sh\necho $$ >{number}.new; mv {number}.new {number}; exec sleep 1000\n"
    )
    shutil.copy(ROOT / "scripts/test", tmp_path / "scripts/test")
    with subprocess.Popen([tmp_path / "scripts/test"]) as run:
        until(number.exists, "pytest runs")
        run.terminate()
        assert run.wait(LIMIT_SECONDS) == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(int(number.read_text()), 0)


def without_this_run() -> dict[str, str]:
    """The environment without what tells pytest that it is a worker of this run."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
