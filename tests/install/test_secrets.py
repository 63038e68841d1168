"""Passwords of the configuration are in the secrets file, so that every user may read the rest."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.setup.config_file import write_config
from daemon.system.address_secrets import without_secret
from daemon.system.config import load_settings
from daemon.system.config_parser import ConfigFile, parse, read_config, split_secrets, with_secrets
from daemon.system.config_writer import toml_of
from daemon.system.keep_secrets import keep_secrets_apart
from daemon.system.secret_addresses import read_secrets, secrets_path
from daemon.system.urls import UsageError
from tests.install.conftest import ROOT
from tests.rig import oche

WITH_PASSWORDS = ConfigFile(
    node="lounge",
    broker="mqtt://ann:s3cret@homeassistant.local",
    boards={"bar": "suffix@tcp://bar:5000?token=t0p&pace=2", "den": "maddarts@/dev/ttyUSB0"},
)

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="another user has to be asked, which takes root")


def test_what_is_written_is_readable_without_its_passwords_and_whole_for_its_owner(tmp_path: Path) -> None:
    config = tmp_path / "etc" / "oche.toml"
    write_config(config, WITH_PASSWORDS, None, is_system=False)
    assert config.stat().st_mode & 0o777 == 0o644
    for secret in ("s3cret", "t0p"):
        assert secret not in config.read_text()
        assert secret in secrets_path(config).read_text()
    assert secrets_path(config).stat().st_mode & 0o007 == 0
    assert read_config(config) == WITH_PASSWORDS
    assert load_settings(str(config), [], None, None, str(tmp_path), None).broker.password == "s3cret"
    # Without passwords the file is deleted.
    write_config(config, WITH_PASSWORDS.model_copy(update={"broker": None, "boards": {}}), None, is_system=False)
    assert not secrets_path(config).exists()


def test_a_password_goes_to_no_other_broker(tmp_path: Path) -> None:
    config = tmp_path / "oche.toml"
    write_config(config, WITH_PASSWORDS, None, is_system=False)
    config.write_text(config.read_text().replace("homeassistant.local", "elsewhere.example"))
    assert load_settings(str(config), [], None, None, str(tmp_path), None).broker.password is None


@pytest.mark.parametrize(
    "written",
    [
        '"mqtt://ann:s3cret@homeassistant.local"',
        "'mqtt://ann:s3cret@homeassistant.local'",
        '"mqtt://ann:s3\\u0063ret@homeassistant.local"',
    ],
)
def test_an_old_configuration_keeps_working_and_is_split_as_it_stands(tmp_path: Path, written: str) -> None:
    config = tmp_path / "oche.toml"
    whole = "mqtt://ann:s3cret@homeassistant.local"
    config.write_text(f"# mine\nbroker = {written} # the house\n[boards]\na = 'virtual@sim:'\n")
    config.chmod(0o640)
    before = read_config(config)
    assert before.broker == whole
    assert keep_secrets_apart(config)
    assert config.read_text() == (
        "# mine\nbroker = \"mqtt://ann@homeassistant.local\" # the house\n[boards]\na = 'virtual@sim:'\n"
    )
    assert config.stat().st_mode & 0o777 == 0o644
    assert read_config(config) == before
    # The next upgrade changes nothing.
    assert keep_secrets_apart(config)
    assert read_config(config) == before


@pytest.mark.parametrize(
    "text",
    [
        '# broker = "mqtt://ann:s3cret@old"\n',
        "this is not TOML: mqtt://ann:s3cret@pi",
    ],
    ids=["a comment", "not TOML"],
)
def test_what_cannot_be_split_stays_as_it_is_and_closed(tmp_path: Path, text: str) -> None:
    config = tmp_path / "oche.toml"
    config.write_text(text)
    config.chmod(0o640)
    command = [sys.executable, "-m", "daemon.system.keep_secrets", str(config)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "stays closed" in done.stderr, "Traceback" in done.stderr) == (1, True, False)
    assert (config.read_text(), config.stat().st_mode & 0o777) == (text, 0o640)
    assert not secrets_path(config).exists()


def test_the_shipped_configuration_has_no_password(tmp_path: Path) -> None:
    config = tmp_path / "oche.toml"
    config.write_text((ROOT / "systemd/oche.toml").read_text())
    assert keep_secrets_apart(config)
    assert config.read_text() == (ROOT / "systemd/oche.toml").read_text()


def test_setup_leaves_no_password_in_a_comment(tmp_path: Path) -> None:
    config = tmp_path / "oche.toml"
    config.write_text('# was: broker = "mqtt://ann:s3cret@old"\nnode = "lounge"  # mine\n')
    write_config(config, WITH_PASSWORDS, None, is_system=False)
    assert config.read_text().splitlines()[:2] == ['# was: broker = "mqtt://ann@old"', 'node = "lounge"  # mine']
    assert read_config(config) == WITH_PASSWORDS


def test_a_secret_of_a_web_hook_costs_no_comment(tmp_path: Path) -> None:
    config = tmp_path / "oche.toml"
    rules = (
        "[[show]]  # the hook of the bar\n"
        'when = { event = "bust" }\n'
        'http = { url = "http://hook.local/x?token=abc" }  # was http://ann:s3cret@old\n'
        'wled = { at = "http://wled.local", color = "#ff0000" }  # was http://wled?token=t0p\n'
    )
    config.write_text(f"# mine\n{rules}")
    write_config(config, parse(config.read_text(), ""), None, is_system=False)
    written = config.read_text()
    assert "# mine" in written and "# the hook of the bar" in written
    assert 'url = "http://hook.local/x?token=abc"' in written
    assert "# was http://ann@old\n" in written and "# was http://wled\n" in written
    # It can be read by every user, and nothing of it is to be hidden.
    config.chmod(0o640)
    assert keep_secrets_apart(config)
    assert (config.read_text(), config.stat().st_mode & 0o777) == (written, 0o644)


@pytest.mark.parametrize("text", ["addresses = 5", "[addresses]\na = 5", "[other]", "\x00", "a = ["])
def test_a_damaged_secrets_file_is_reported_without_its_content(tmp_path: Path, text: str) -> None:
    config = tmp_path / "oche.toml"
    secrets_path(config).write_text(f'{text}\n#"mqtt://ann:s3cret@pi"')
    with pytest.raises(UsageError) as said:
        read_secrets(config)
    assert "s3cret" not in str(said.value)


@needs_root
def test_another_user_reads_the_configuration_and_not_the_passwords(open_to_all: Path) -> None:
    # Other users may not read pytest's own folders.
    config = open_to_all / "oche.toml"
    write_config(config, WITH_PASSWORDS, None, is_system=False)
    script = (
        "import os; from pathlib import Path; from daemon.system import config; "
        f"config.SYSTEM_FILE = Path({str(config)!r}); os.setuid(65534); "
        "found = config.load_settings(None, [], None, None, '/nowhere', None); "
        "print(found.broker.user, found.broker.password, *(path.name for path in found.unread))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["ann", "None", "oche.secrets.toml"]), done.stderr
    # A closed configuration counts as none.
    config.chmod(0o600)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["None", "None", "oche.toml"]), done.stderr


def test_a_named_configuration_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    done = oche("run", "--config", str(tmp_path), check=False)
    assert (done.returncode, "cannot be read" in done.stderr) == (2, True)


NAMES = st.text("abcdefghijklmnopqrstuvwxyz0123456789.-", min_size=1, max_size=12)
SECRETS = st.text("abcXYZ0123456789%!$&*()_+=;,.~:@", min_size=1, max_size=12)


@given(user=NAMES, password=SECRETS, host=NAMES, token=st.none() | NAMES)
def test_no_password_is_left_in_what_everybody_reads(user: str, password: str, host: str, token: str | None) -> None:
    broker = f"mqtt://{user}:{password}@{host}"
    board = f"suffix@tcp://{host}:5000" + ("" if token is None else f"?token={token}")
    config = ConfigFile(broker=broker, boards={"a": board})
    plain, secrets = split_secrets(config)
    assert with_secrets(plain, secrets) == config
    assert plain.broker == f"mqtt://{user}@{host}"
    assert plain.boards == {"a": f"suffix@tcp://{host}:5000"}
    assert without_secret(plain.broker) == plain.broker
    assert parse(toml_of(plain), "x") == plain
    assert json.dumps(password) not in toml_of(plain)
