"""The Debian package of a hall: built, and checked by lintian and systemd."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.install.conftest import ROOT, build_deb

EXPOSURE = 3.0
"""The most that `systemd-analyze security` may say of the service."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_deb(tmp_path_factory.mktemp("hall"), "--hall", "--quick", "--version", "1.0")


def test_it_needs_the_program_of_the_same_version(hall: Path) -> None:
    fields = subprocess.run(["dpkg-deb", "-f", hall], check=True, capture_output=True, text=True).stdout
    assert re.search(r"^Depends: .*\boche \(= 1\.0\+deb12\)$", fields, re.MULTILINE), fields
    assert "Recommends: postgresql\n" in fields
    said = subprocess.run([ROOT / "scripts/build-deb", "--hall", "--arch", "armhf"], check=False, capture_output=True)
    assert (said.returncode, b"armhf" in said.stderr) == (2, True)


def test_lintian_finds_nothing(hall: Path) -> None:
    said = subprocess.run(["lintian", "--allow-root", hall], check=False, capture_output=True, text=True)
    assert said.stdout == ""


def test_the_service_is_as_closed_as_it_can_be() -> None:
    for unit in ("oche-hall", "oche-hall-role"):
        command = ["systemd-analyze", "security", "--offline=yes", str(ROOT / f"systemd/{unit}.service")]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = re.search(r"exposure level for \S+: ([0-9.]+)", said)
        assert found, said
        assert float(found[1]) <= EXPOSURE, f"{unit}: {found[1]}"
