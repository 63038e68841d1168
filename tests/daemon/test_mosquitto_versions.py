"""The embedded broker's configuration for mosquitto 2.0, and for the versions that bring their access rules as plugins.

The tests of the embedded broker start the mosquitto that is installed, whichever version that is.
"""

import asyncio
import logging
import subprocess
from pathlib import Path
from typing import Final

import pytest

from daemon.mqtt import mosquitto
from daemon.mqtt.broker_process import pass_on
from tests.rig import MOSQUITTO, free_port, until

START_OF_2_1: Final = b"""\
1795373559: Info: running mosquitto as user: root.
1795373559: Warning: Mosquitto should not be run as root/administrator.
1795373559: Restored 3 base messages
1795373559: Restored 3 retained messages
1795373559: Restored 0 clients
1795373559: Restored 0 subscriptions
1795373559: Restored 0 client messages
"""
"""What version 2.1.2 writes although it is told to write errors alone."""


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


def test_only_what_is_wrong_with_the_broker_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    error = "1795373559: Error: Unable to open the access list."

    async def hear() -> None:
        said = asyncio.StreamReader()
        said.feed_data(START_OF_2_1 + error.encode() + b"\n")
        said.feed_eof()
        await pass_on(said)

    with caplog.at_level(logging.INFO):
        asyncio.run(hear())
    assert len(caplog.records) == START_OF_2_1.count(b"\n") + 1
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == [f"mosquitto: {error}"]
