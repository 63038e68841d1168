"""The embedded broker's configuration for mosquitto 2.0, and for the versions that bring their access rules as plugins.

The tests of the embedded broker start the mosquitto that is installed, whichever version that is.
"""

import subprocess
from pathlib import Path

import pytest

from daemon.mqtt import mosquitto
from tests.rig import MOSQUITTO, free_port, until


def _write(folder: Path, plugins: Path | None, host: str = "127.0.0.1") -> str:
    return mosquitto.write(folder, host, free_port(), "test", (), plugins).read_text()


@pytest.mark.parametrize("library", ["lib/x86_64-linux-gnu", "lib64"])
def test_plugins_are_found_next_to_their_program(tmp_path: Path, library: str) -> None:
    program = tmp_path / "usr/sbin/mosquitto"
    folder = tmp_path / "usr" / library / "mosquitto"
    for made in (program, *(folder / file for file in mosquitto.PLUGIN_FILES)):
        made.parent.mkdir(parents=True, exist_ok=True)
        made.touch()
    assert mosquitto.find_plugins(str(program)) == folder
    (folder / mosquitto.PLUGIN_FILES[0]).unlink()
    assert mosquitto.find_plugins(str(program)) is None


@pytest.mark.parametrize("host", ["127.0.0.1", "192.0.2.1"])
def test_a_version_with_plugins_gets_no_option_that_mosquitto_3_removes(tmp_path: Path, host: str) -> None:
    """`per_listener_settings`, and what it made `allow_anonymous`, `acl_file` and `password_file` mean."""
    text = _write(tmp_path, Path("/usr/lib/mosquitto"), host)
    keys = [line.split(maxsplit=1)[0] for line in text.splitlines() if line]
    assert not {"per_listener_settings", "allow_anonymous", "acl_file", "password_file"} & set(keys)
    assert keys.count("listener") == keys.count("listener_allow_anonymous") == (4 if host == "127.0.0.1" else 3)


@pytest.mark.parametrize("plugins", [None, Path("/usr/lib/mosquitto")])
def test_every_listener_but_the_daemons_has_an_access_list(tmp_path: Path, plugins: Path | None) -> None:
    _, port, daemon, *sockets = _write(tmp_path, plugins).split("\nlistener ")
    assert ("daemon.sock" in daemon, len(sockets)) == (True, 2)
    for listener in (port, *sockets):
        assert "acl_file " in listener or "plugin_use " in listener, listener


def test_the_configuration_is_good_for_the_installed_version(tmp_path: Path) -> None:
    config = mosquitto.write(tmp_path, "127.0.0.1", free_port(), "test", (), mosquitto.find_plugins(MOSQUITTO))
    with subprocess.Popen([MOSQUITTO, "-c", str(config)], stderr=subprocess.PIPE, text=True) as running:
        try:
            until((tmp_path / "guests.sock").exists, "the last socket")
        finally:
            running.terminate()
        _, said = running.communicate()
    assert "deprecated" not in said
    assert "Error" not in said
