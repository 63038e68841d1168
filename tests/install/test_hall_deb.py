"""The Debian package of a hall: built, checked by lintian and systemd, installed, removed and purged."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.install.conftest import ROOT, Tree, build_deb, new_tree

UNIT = "/usr/lib/systemd/system/oche-hall.service"
EXPOSURE = 3.0
"""The most that `systemd-analyze security` may say of the service."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_deb(tmp_path_factory.mktemp("hall"), "--hall", "--quick", "--version", "1.0")


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    made = new_tree(tmp_path_factory.mktemp("system") / "debian")
    yield made
    made.close()


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


def test_install_remove_and_purge(system: Tree, hall: Path) -> None:
    # The program and PostgreSQL are not in this system: only what the package itself does is looked at.
    system.path("/tmp/hall.deb").write_bytes(hall.read_bytes())
    install = ("dpkg", "--force-depends", "--install", "/tmp/hall.deb")
    system.run(*install)
    assert "oche-hall" in system.run("id", "-nG", "oche-hall").stdout
    assert "enabled" in system.run("systemctl", "is-enabled", "oche-hall").stdout
    config = system.path("/etc/default/oche-hall")
    assert system.run("stat", "-c", "%U:%G %a", "/etc/default/oche-hall").stdout.strip() == "root:oche-hall 640"
    program = system.path("/usr/bin/oche")
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    said = system.run("systemd-analyze", "verify", "--man=no", UNIT, check=False)
    assert (said.returncode, said.stderr) == (0, "")

    # What was configured survives a removal, and the user does: its name is that of a role in PostgreSQL.
    config.write_text("HTTP=0.0.0.0:8090\nOPTIONS=\n")
    system.run("dpkg", "--remove", "oche-hall")
    assert not system.path(UNIT).exists()
    assert "0.0.0.0" in config.read_text()
    system.run(*install)
    assert "0.0.0.0" in config.read_text()
    assert "enabled" in system.run("systemctl", "is-enabled", "oche-hall").stdout

    system.run("dpkg", "--force-depends", "--purge", "oche-hall")
    assert system.run("getent", "passwd", "oche-hall", check=False).returncode != 0
    left = system.run("find", "/etc", "/var/lib/systemd", "/usr/lib", "-name", "*oche-hall*").stdout
    assert left == ""
