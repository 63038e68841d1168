"""`oche install-service`, and the udev rules that come from the board files."""

import fnmatch
import re
from pathlib import Path

import pytest

from boards.board import Board
from boards.identity import Fingerprint
from daemon.links.udev import own_rules, rules
from daemon.main import main
from daemon.system.catalogue import models
from daemon.system.secret_addresses import secrets_path
from daemon.system.urls import board_spec
from tests.install.conftest import ROOT
from tests.rig import OCHE
from tests.systemd import analyze, needs_systemd


def test_a_dry_run_writes_nothing_and_tells_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["install-service", "--dry-run", "--root", str(tmp_path), "--program", "/opt/pipx/venvs/oche/bin/oche"])
        == 0
    )
    told = capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    for part in ("--- /etc/systemd/system/oche.service", "--- /etc/udev/rules.d/70-oche.rules", "useradd --system"):
        assert part in told
    assert "ExecStart=/opt/pipx/venvs/oche/bin/oche run" in told


def test_below_a_root_the_files_are_written_and_nothing_is_started(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["install-service", "--root", str(tmp_path), "--program", "/usr/local/bin/oche"]
    assert main(arguments) == 0
    assert "to do:  systemctl restart oche.service" in capsys.readouterr().out
    unit = tmp_path / "etc/systemd/system/oche.service"
    assert "ExecStart=/usr/local/bin/oche run\n" in unit.read_text()
    config = tmp_path / "etc/oche/oche.toml"
    config.write_text('node = "mine"\n')
    assert main(arguments) == 0
    assert config.read_text() == 'node = "mine"\n'


def test_everybody_reads_the_configuration_and_the_service_alone_its_passwords(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["install-service", "--root", str(tmp_path), "--program", "/usr/local/bin/oche"]
    assert main(arguments) == 0
    config = tmp_path / "etc/oche/oche.toml"
    assert mode_of(config) == mode_of(tmp_path / "etc/systemd/system/oche.service") == 0o644
    # A configuration that somebody wrote is readable too; its passwords are not.
    for text in ('broker = "mqtt://ann:s3cret@pi.local"\n', 'broker = "mqtt://pi.local"\n'):
        config.write_text(text)
        config.chmod(0o600)
        assert main(arguments) == 0
        assert (config.read_text(), mode_of(config)) == (text.replace(":s3cret", ""), 0o644)
        assert "s3cret" in secrets_path(config).read_text()
        assert mode_of(secrets_path(config)) & 0o137 == 0
    # One whose password cannot be moved is closed.
    config.write_text("# mqtt://ann:s3cret@pi.local\n")
    config.chmod(0o644)
    assert main(arguments) == 0
    assert mode_of(config) & 0o137 == 0
    assert "stays closed" in capsys.readouterr().err


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_program_in_a_home_directory_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install-service", "--root", str(tmp_path), "--program", "/home/pi/.local/bin/oche"]) == 1
    assert "PIPX_HOME=/opt/pipx" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@needs_systemd
def test_the_units_that_ship_are_sound(tmp_path: Path) -> None:
    """The programs are replaced: systemd-analyze checks that they exist."""
    for unit in ("oche.service", "oche-kiosk.service", "oche-name.service"):
        text = (ROOT / "systemd" / unit).read_text()
        text = re.sub(r"^ExecStart=/usr/bin/(oche|cage) ", f"ExecStart={OCHE} ", text, flags=re.MULTILINE)
        text = text.replace("Requires=avahi-daemon.service\n", "")
        (tmp_path / unit).write_text(text)
    said = analyze("verify", "--man=no", *map(str, tmp_path.iterdir()))
    assert (said.returncode, said.stderr) == (0, "")


def test_each_model_that_can_be_told_has_its_rule() -> None:
    text = rules(models().values())
    for model in models().values():
        assert (f'ENV{{OCHE_BOARD}}="{model.name}"' in text) == bool(model.fingerprints), model.name
    (starts,) = [line for line in text.splitlines() if 'ENV{SYSTEMD_WANTS}+="oche.service"' in line]
    assert 'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device"' in starts, (
        "not its interfaces, which appear again when it is released"
    )
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in text


def test_a_rule_fits_what_its_board_file_fits() -> None:
    odd = 'Bob\'s "Best" [Darts] *'
    marks = (Fingerprint(0x1209, 0xEB0A, product=odd), Fingerprint(0x0403, 0x6001))
    text = rules([Board("bob", "Bob's", "suffix", fingerprints=marks)])
    pattern = re.findall(r'ATTRS\{product\}=="([^"]*)"', text)
    assert len(pattern) == 1
    for product in (odd, odd.upper(), f"The {odd} 2"):
        assert fnmatch.fnmatchcase(product, pattern[0])
    assert not fnmatch.fnmatchcase("Bob's best darts", pattern[0])
    # A generic chip without a product string: no rule may match it.
    assert "6001" not in text


def test_a_board_that_was_named_by_its_owner_may_be_opened_and_starts_the_service() -> None:
    named = ("bits=usb-bits@usb://1209:0B0A/G-17", "any=usb-codes@usb://1209:0b0b", "bar=maddarts@/dev/ttyUSB0")
    text = own_rules(board_spec(board) for board in named)
    assert text is not None
    marks = [line for line in text.splitlines() if line.startswith("ATTRS")]
    assert marks == [
        'ATTRS{idVendor}=="1209", ATTRS{idProduct}=="0b0a", ATTRS{serial}=="G-17", ENV{OCHE_BOARD}="bits"',
        'ATTRS{idVendor}=="1209", ATTRS{idProduct}=="0b0b", ENV{OCHE_BOARD}="any"',
    ]
    assert 'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", GROUP="plugdev"' in text
    assert own_rules([board_spec("bar=maddarts@/dev/ttyUSB0")]) is None
