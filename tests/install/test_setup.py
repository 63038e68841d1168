"""`oche setup`: its questions, a dart of a board, and a configuration that `oche run` plays with."""

import os
import signal
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daemon.system.config import load_settings
from daemon.system.config_parser import ConfigFile, TlsFiles, parse
from daemon.system.config_writer import toml_of
from daemon.system.secret_addresses import secrets_path
from tests.firmware.avr_parts import FIRMWARE, needs_emulator
from tests.firmware.live import LiveBoard
from tests.mqtt_clients import Referee, Watcher
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, Mosquitto, PtyBoard, again_and_again, free_port, self_signed


class Conversation:
    """`oche setup` in a process: waits for its questions, and answers them."""

    def __init__(self, config: Path) -> None:
        command = [OCHE, "setup", "--config", str(config), "--seconds", "20"]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.said = ""

    def answer(self, question: str, text: str) -> None:
        self.until(question)
        self.until(": ")
        self.type(text)

    def type(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()

    def until(self, words: str) -> None:
        assert self._process.stdout is not None
        began = len(self.said)
        while words not in self.said[began:]:
            char = self._process.stdout.read(1)
            assert char, f"{words!r} never came: {self.said}"
            self.said += char

    def end(self) -> int:
        rest, _ = self._process.communicate(timeout=LIMIT_SECONDS)
        self.said += rest
        return self._process.returncode

    def kill(self) -> None:
        """Kills the command and its children, as a closed terminal does."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate(timeout=LIMIT_SECONDS)

    def hang_up(self) -> int:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.stdout is not None
        self.said += self._process.stdout.read()
        self._process.stdout.close()
        return self._process.wait(LIMIT_SECONDS)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "etc" / "oche.toml"


@pytest.fixture
def thrower(pty: PtyBoard) -> Iterator[PtyBoard]:
    """A board with two darts a second."""
    with again_and_again(lambda: pty.say(b"19;3\r\n"), 0.5):
        yield pty


def test_from_the_first_question_to_a_match(
    config: Path, thrower: PtyBoard, tmp_path: Path, broker: Mosquitto, watcher: Watcher
) -> None:
    talk = Conversation(config)
    talk.answer("Where is the board?", str(thrower.path))
    talk.answer("Which model is it?", "madarts")
    talk.until("not in the list")
    talk.answer("Which model is it?", "maddarts")
    talk.answer("What is its name?", "Lounge!")
    talk.until("cannot name a board")
    talk.answer("What is its name?", "lounge")
    talk.until("T19. It works.")
    talk.answer("Is that the bed?", "yes")
    talk.answer("2. The broker", f"mqtt://127.0.0.1:{free_port()}")
    talk.until("Nothing answers")
    talk.answer("Its address", broker.url)
    talk.answer("Who may see the pages?", "no")
    assert talk.end() == 0, talk.said
    assert f"oche run --config {config}" in talk.said

    written = tomllib.loads(config.read_text())
    assert written == {"broker": broker.url, "boards": {"lounge": f"maddarts@{thrower.path}"}}
    with Daemon(tmp_path, "--config", str(config)):
        Referee(watcher, "lounge").online()
        watcher.wait(lambda m: m.topic.endswith("/lounge/hit") and m.payload["segment"] == "T19", "a dart")


def test_the_end_of_input_writes_nothing(config: Path) -> None:
    talk = Conversation(config)
    talk.answer("Where is the board?", "none")
    talk.until("Its address")
    assert talk.hang_up() == 1
    assert "Nothing was written." in talk.said
    assert not config.exists()


def test_asked_again_it_keeps_what_was_there(config: Path) -> None:
    config.parent.mkdir()
    config.write_text('# ours\nnode = "pub"\n[boards]\nlounge = "maddarts@/dev/ttyUSB0"\n')
    talk = Conversation(config)
    talk.answer("Where is the board?", "none")
    talk.answer("Its address", "")
    talk.answer("Who may see the pages?", "yes")
    assert talk.end() == 0
    assert tomllib.loads(config.read_text()) == {
        "node": "pub",
        "http": "0.0.0.0:8080",
        "boards": {"lounge": "maddarts@/dev/ttyUSB0"},
    }
    assert config.read_text().startswith('# ours\nnode = "pub"\n')
    assert ".local:8080" in talk.said
    # A QR code of half blocks has many lines.
    assert sum("▄" in line for line in talk.said.splitlines()) > 8
    assert config.stat().st_mode & 0o777 == 0o644
    assert not secrets_path(config).exists()


def test_a_board_that_has_to_be_learned_is_learned_by_name(config: Path, pty: PtyBoard) -> None:
    talk = Conversation(config)
    talk.answer("Where is the board?", str(pty.path))
    talk.answer("Which model is it?", "any-line")
    talk.answer("What is its name?", "lounge")
    talk.until(f"oche learn {pty.path}")
    talk.until("hold it for three seconds.")
    talk.type("back")
    talk.until("What is its name?")
    talk.kill()
    assert not config.exists()


@needs_emulator
def test_a_matrix_on_our_own_firmware_is_learned_by_its_name(config: Path, tmp_path: Path) -> None:
    live = LiveBoard(FIRMWARE / "images" / "atmega328p.hex", tmp_path)
    talk = Conversation(config)
    try:
        talk.answer("Where is the board?", str(live.path))
        talk.answer("Which model is it?", "oche-matrix")
        talk.answer("What is its name?", "garage")
        talk.until("Press the outer single 20.")
        live.dart((3, 7), hold_ms=60)
        talk.until("heard '3,7'")
        talk.until("Press the inner single 20.")
    finally:
        talk.kill()
        live.close()


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
CONFIGS = st.builds(
    ConfigFile,
    node=st.none() | TEXTS,
    http=st.none() | TEXTS,
    broker=st.none() | TEXTS,
    tls=st.none() | st.builds(TlsFiles, certificate=TEXTS, key=TEXTS),
    home_assistant=st.booleans(),
    boards=st.dictionaries(TEXTS, TEXTS, max_size=3),
)
WRITTEN_BY_HAND = """\
# The pub.
node = 'pub'  # its name on the bus
home_assistant = true
boards.bar = "maddarts@/dev/ttyUSB0"  # over the bar
"""


@given(CONFIGS, CONFIGS.map(toml_of) | st.sampled_from(["", WRITTEN_BY_HAND]))
@example(ConfigFile(boards={"a": "x@/dev/serial/by-id/🎯"}), "")
@example(ConfigFile(broker='mqtt://u:p"\\@h', boards={"a-1": "x@/dev/ä b\x7f"}), "")
def test_what_it_writes_is_read_back(config: ConfigFile, before: str) -> None:
    assert parse(toml_of(config, before), "x") == config


def test_comments_and_order_of_the_owner_stay() -> None:
    changed = ConfigFile(node="pub", http="0.0.0.0:8080", boards={"bar": "maddarts@/dev/ttyUSB1", "den": "x@sim:"})
    assert toml_of(changed, WRITTEN_BY_HAND).splitlines()[:3] == WRITTEN_BY_HAND.splitlines()[:3]
    assert 'boards.bar = "maddarts@/dev/ttyUSB1"  # over the bar' in toml_of(changed, WRITTEN_BY_HAND)


def test_the_shipped_configuration_can_be_used(tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "systemd/oche.toml"
    assert load_settings(str(shipped), [], None, None, str(tmp_path), "n").boards == ()
    everything = tmp_path / "all.toml"
    _, key = self_signed(tmp_path)
    # A certificate made here replaces the one of the file.
    lines = shipped.read_text().replace("/etc/oche/", f"{tmp_path}/").splitlines()
    everything.write_text(
        "\n".join(
            ln[1:] if ln.startswith("#") else "" if ln.startswith("# ") else ln
            for ln in lines
            if not ln.startswith("# ")
        )
    )
    settings = load_settings(str(everything), [], None, None, str(tmp_path), None)
    assert (settings.node, settings.boards[0].model) == ("lounge", "maddarts")
    assert settings.tls is not None
    assert settings.tls.key == key
