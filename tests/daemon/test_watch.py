"""`oche watch` in a terminal: what it shows of every game, from the retained states alone."""

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from daemon.cli.watch import View, picture
from daemon.system.catalogue import faces, games
from engine import jsontext
from engine.match import Header, Match
from engine.matchfile import open_match
from engine.play import apply
from engine.random_play import random_action
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from tests.mqtt_clients import Referee, Watcher
from tests.rig import OCHE, Daemon, Mosquitto, oche, until

ESCAPES: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
BOARD: Final = ("--board", "den=virtual@sim:?pace=0&seed=1")


class Screen:
    """What a program has written to a terminal of 100 columns, without its escape codes."""

    def __init__(self, ours: int) -> None:
        self._ours = ours
        self._text = ""
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    @property
    def text(self) -> str:
        return ESCAPES.sub("", self._text)

    def clear(self) -> None:
        self._text = ""

    def shows(self, *words: str) -> None:
        until(lambda: all(word in self.text for word in words), f"{words} on the terminal")

    def _read(self) -> None:
        try:
            while data := os.read(self._ours, 65536):
                self._text += data.decode(errors="replace")
        except OSError:
            return  # The program at the other end is gone.


@contextmanager
def terminal(*arguments: str) -> Iterator[tuple[Screen, "subprocess.Popen[bytes]"]]:
    ours, theirs = os.openpty()
    environment = os.environ | {"COLUMNS": "100", "LINES": "40", "TERM": "xterm-256color"}
    process = subprocess.Popen([OCHE, "watch", *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    try:
        yield Screen(ours), process
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_a_terminal_follows_the_match(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    with Daemon(tmp_path, *BOARD, "--broker", broker.url) as daemon:
        referee = Referee(watcher, "den")
        referee.online()
        with terminal("--broker", broker.url) as (screen, _process):
            screen.shows("den", "no match", "online")
            referee.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})
            screen.shows("den: x01", "▶ Ann", "501", "awaits throw")
            referee.ask({"throw": "T20"})
            screen.shows("441", "T20")
            screen.clear()
            referee.ask({"next": True})
            screen.shows("▶ Bob")
            daemon.stop()
            screen.shows("the daemon is offline")
            broker.stop()
            screen.shows("reconnecting")
            screen.clear()
            broker.start()
            daemon.start()
            screen.shows("▶ Bob", "441", "online")


def test_once_prints_and_ends(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    command = [OCHE, "watch", "--once", "--broker", broker.url]
    nobody = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (nobody.returncode, nobody.stdout) == (1, "")
    assert "oche run" in nobody.stderr
    with Daemon(tmp_path, *BOARD, "--broker", broker.url):
        referee = Referee(watcher, "den")
        referee.online()
        referee.ask({"start": {"game": "cricket", "players": ["Ann", "Bob"]}})
        referee.ask({"throw": "T20"})
        referee.ask({"throw": "D19"})
        shown = subprocess.run(command, check=False, capture_output=True, text=True)
        other = subprocess.run([*command, "--board", "attic"], check=False, capture_output=True, text=True)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "\x1b" not in shown.stdout
    assert re.search(r"▶ Ann +0 +O +X +· +· +· +· +·", shown.stdout)
    assert "T20 D19" in shown.stdout
    assert other.returncode == 1


def test_no_broker_is_a_sentence() -> None:
    said = oche("watch", "--once", "--broker", "mqtt://127.0.0.1:1", check=False)
    assert said.returncode == 1
    assert said.stderr.startswith("No daemon at mqtt://127.0.0.1:1")


def test_a_terminal_says_why_it_shows_nothing(tmp_path: Path) -> None:
    nobody = "mqtt://127.0.0.1:1"
    with terminal("--broker", nobody) as (screen, _process):
        screen.shows(f"No daemon at {nobody}: Connection refused.")
    with Mosquitto(tmp_path) as broker, terminal("--broker", broker.url) as (screen, _process):
        screen.shows("No board answers. Is the daemon running? Start it with: oche run")


def test_a_board_that_is_not_there_says_why() -> None:
    status = {"state": "offline", "reason": "missing", "message": "/dev/ttyUSB0 is not there; is the board plugged in?"}
    text = drawn({"oche/n/board/b/status": jsontext.dump(status)})
    assert "/dev/ttyUSB0 is not there; is the board plugged in?" in text
    assert "missing" not in text


@pytest.mark.parametrize("game", list(games()))
def test_every_game_is_shown_at_every_moment(game: str) -> None:
    players, chance = ("Ann", "Bob", "Cid"), Random(4)
    match = open_match(Header(game, players, {}), games(), faces())
    assert isinstance(match, Match)
    for _ in range(120):
        text = drawn({"oche/n/board/b/match": jsontext.dump(match.view())})
        assert all(name in text for name in players)
        assert match.finished or f"awaits {match.turn.awaits}" in text
        if match.finished:
            return
        outcome = apply(match, random_action(match, list(SEGMENTS.values()), chance))
        assert not isinstance(outcome, Refusal)
        match = outcome


@pytest.mark.parametrize(
    ("houses", "sent", "said"),
    [
        ([{"node": "bob", "state": "here"}], [], ""),
        ([{"node": "bob", "state": "left"}], [], "The house bob has left the match."),
        (
            [{"node": "anna", "state": "away"}],
            ["S20", "T3"],
            "anna cannot be reached. These darts wait for it: S20 T3.",
        ),
    ],
    ids=["here", "left", "away"],
)
def test_a_house_that_is_away_is_named(houses: list[dict[str, str]], sent: list[str], said: str) -> None:
    match = {"game": "x01", "players": [{"name": "Ann"}], "turn": {}, "houses": houses, "sent": sent}
    text = drawn({"oche/n/board/b/match": jsontext.dump(match)})
    assert said in text
    assert ("house" in text) == bool(said)
    assert "reached" not in drawn({"oche/n/board/b/match": jsontext.dump(match | {"finished": True})})


def drawn(said: dict[str, str]) -> str:
    room = View()
    online = {"oche/n/status": '{"state": "online"}', "oche/n/board/b/status": '{"state": "online"}'}
    for topic, payload in (online | said).items():
        room.take(topic, payload.encode())
    console = Console(file=StringIO(), width=300)
    console.print(picture(room))
    file: Any = console.file
    return str(file.getvalue())


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "score", "marks", "x"]), inner)
    ),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {}, optional={"game": JSON, "players": st.lists(JSON, max_size=3), "finished": JSON, "houses": JSON}
    ),
    JSON,
)
def test_a_state_of_a_later_version_is_drawn_all_the_same(match: dict[str, Any], status: Any) -> None:
    drawn({"oche/n/board/b/match": jsontext.dump(match), "oche/n/status": jsontext.dump(status)})


@given(st.binary(max_size=40))
def test_what_is_no_state_is_passed_over(payload: bytes) -> None:
    room = View()
    for topic in ("oche/n/status", "oche/n/board/b/status", "oche/n/board/b/match", "oche", "other/n/status"):
        room.take(topic, payload)
    Console(file=StringIO()).print(picture(room))
