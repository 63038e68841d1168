"""A forgotten person is in no file of a tournament: neither in an old one, nor in the running one or a damaged line."""

import contextlib
import http.client
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.record.journal import Journal
from daemon.tournament import tournament_file
from daemon.tournament.forgetting import forget, naming, without_name
from league.state import Tournament
from tests.daemon.tournament_evening import SHORT, Organizer, lasting
from tests.mqtt_clients import Referee, watching
from tests.rig import LIMIT_SECONDS, Daemon, free_port, oche

ZOE = "Zoë Quark"
SETUP: dict[str, Any] = {"tournament": 1, "name": "Friday", "format": "knockout", "pause": 0, "options": SHORT}
EVENTS: list[dict[str, Any]] = [
    SETUP,
    {"enter": {"name": "Ann"}},
    {"enter": {"name": ZOE, "seed": 1}},
    {"withdraw": ZOE},
    {"enter": {"name": f"{ZOE}/Bob", "players": [ZOE, "Bob"]}},
    {"enter": {"name": "Player 1"}},
    {"enter": {"name": f"{ZOE}son"}},
    {"draw": "x"},
    {"result": {"fixture": "R1-1", "score": [2, 0]}},
    {"withdraw": f"{ZOE}/Bob"},
]


def content(events: list[dict[str, Any]]) -> bytes:
    """A file of these events."""
    return b"".join(
        tournament_file.line_of({"at": n, "event": event, "id": f"cli-{n}"}) for n, event in enumerate(events)
    )


def written(data: Path, name: str, events: list[dict[str, Any]]) -> Path:
    """The same in a data directory."""
    path = tournament_file.create(data, name)
    path.write_bytes(content(events))
    return path


def after(events: bytes) -> tuple[tournament_file.Loaded, Tournament]:
    """What a file says, without a damaged line, and its tournament."""
    loaded = tournament_file.read(events)
    assert loaded.damaged == ()
    assert loaded.record.tournament is not None
    return loaded, loaded.record.tournament


def test_the_name_is_replaced_and_the_tournament_is_the_same() -> None:
    old = content(EVENTS)
    new = without_name(old, ZOE)
    assert new is not None
    (before, was), (loaded, now) = after(old), after(new)
    assert [(e.name, e.players) for e in now.entrants] == [
        ("Ann", ("Ann",)),
        ("Player 2/Bob", ("Player 2", "Bob")),
        ("Player 1", ("Player 1",)),
        (f"{ZOE}son", (f"{ZOE}son",)),  # somebody else
    ]
    assert (now.fixtures, now.results, now.withdrawn) == (was.fixtures, was.results, was.withdrawn)
    assert (loaded.lines, loaded.ids) == (before.lines, before.ids)
    assert without_name(new, ZOE) is None


@pytest.mark.parametrize(
    ("team", "new"), [("The Anns", "The Anns"), ("Team Ann", "Team Player 1"), ("A" * 64, "A" * 64)]
)
def test_the_name_of_a_team_changes_where_it_has_that_of_the_person(team: str, new: str) -> None:
    changed = without_name(content([SETUP, {"enter": {"name": team, "players": ["Ann", "Bob"]}}]), "Ann")
    assert changed is not None
    assert [(e.name, e.players) for e in after(changed)[1].entrants] == [(new, ("Player 1", "Bob"))]


def test_the_name_of_a_team_that_would_be_too_long_is_replaced_whole() -> None:
    team = f"Ann {'x' * 58}"
    changed = without_name(
        content([SETUP, {"enter": {"name": team, "players": ["Ann", "B"]}}, {"withdraw": team}]), "Ann"
    )
    assert changed is not None
    assert after(changed)[1].entrants == ()
    assert b"Ann" not in changed


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_damaged_line_with_the_name_is_blanked_and_all_lines_keep_their_numbers(data: st.DataObject) -> None:
    old = bytearray(content(EVENTS))
    old[data.draw(st.integers(0, len(old) - 1))] ^= data.draw(st.integers(1, 255))
    tail = data.draw(st.sampled_from([b"", f'0badc0de {{"enter": "{ZOE}'.encode(), json.dumps(ZOE).encode()]))
    new = without_name(bytes(old) + tail, ZOE)
    assert new is not None
    before, loaded = tournament_file.read(bytes(old)), tournament_file.read(new)
    assert (loaded.lines, loaded.damaged) == (before.lines, before.damaged)
    assert f'"{ZOE}"'.encode() not in new
    assert f"{ZOE}/".encode() not in new


def test_all_files_are_written_anew_and_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    paths = [written(tmp_path, name, EVENTS) for name in ("a", "b")]
    other = written(tmp_path, "c", [SETUP, {"enter": {"name": "Ann"}}])
    left = paths[0].with_name(".a.jsonl-x1")
    left.write_bytes(paths[0].read_bytes())
    untouched = other.stat().st_ino
    assert naming(tmp_path, ZOE) == paths
    done = forget(tmp_path, ZOE)
    assert (done.contents, done.stay) == ({path: path.read_bytes() for path in paths}, [])
    assert naming(tmp_path, ZOE) == []
    assert (left.exists(), other.stat().st_ino) == (False, untouched)
    assert [path.stat().st_mode & 0o777 for path in paths] == [0o600, 0o600]


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_written(tmp_path: Path) -> None:
    stays = tmp_path / tournament_file.FOLDER / "a.jsonl"
    stays.mkdir(parents=True)
    path = written(tmp_path, "b", EVENTS)
    assert naming(tmp_path, ZOE) == [stays, path]
    assert forget(tmp_path, ZOE).stay == [stays]
    assert naming(tmp_path, ZOE) == [stays]


def test_the_command_forgets_who_has_only_entered(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    path = written(tmp_path, "a", EVENTS)
    done = oche("forget", ZOE, "--data", tmp_path, check=False)
    assert (done.returncode, done.stdout) == (0, f"{ZOE} is forgotten in 0 matches and 1 tournament.\n"), done.stderr
    assert naming(tmp_path, ZOE) == []
    assert tournament_file.load(path).damaged == ()
    assert oche("forget", ZOE, "--data", tmp_path, check=False).returncode == 1


def asked_to_forget(daemon: Daemon, name: str) -> tuple[int, Any]:
    """The status and the answer of the page's request."""
    with contextlib.closing(http.client.HTTPConnection("localhost", daemon.http, timeout=LIMIT_SECONDS)) as client:
        client.request("DELETE", f"/players/{quote(name)}")
        answer = client.getresponse()
        return answer.status, json.load(answer)


def test_a_running_daemon_refuses_while_they_are_called_then_forgets_and_goes_on(tmp_path: Path) -> None:
    port = free_port()
    board = ("--board", "one=virtual@sim:?pace=600", "--broker", f"embedded://127.0.0.1:{port}")
    with Daemon(tmp_path, *board) as daemon, watching(port) as watcher:
        one, organizer = Referee(watcher, "one"), Organizer(daemon)
        one.online()
        # The board is taken, so a match that is called to it does not begin.
        assert one.ask({"start": {"game": "x01", "players": ["Cem", "Dora"]}})["ok"]
        organizer.do(**SETUP)
        for name in (ZOE, "Bob"):
            organizer.do(enter={"name": name})
        organizer.do(draw="x")
        organizer.do(call={"fixture": "R1-1", "board": "one"})
        status, said = asked_to_forget(daemon, ZOE)
        assert (status, said["reason"], "board one" in said["message"]) == (409, "not_allowed", True)
        assert ZOE in [entrant["name"] for entrant in organizer.state()["entrants"]]
        organizer.do(call={"fixture": "R1-1"})
        revision = organizer.state()["revision"]
        assert asked_to_forget(daemon, ZOE) == (200, {"ok": True, "matches": 0})
        assert naming(daemon.data, ZOE) == []
        state = organizer.state()
        assert [entrant["name"] for entrant in state["entrants"]] == ["Player 1", "Bob"]
        watcher.wait(
            lambda m: m.topic == "oche/test/tournament" and lasting(m.payload) == lasting(state), "the state on the bus"
        )
        assert organizer.do(result={"fixture": "R1-1", "score": [2, 0]}) == revision + 1
        path = tournament_file.newest(daemon.data)
        assert path is not None
        loaded, tournament = after(path.read_bytes())
        assert (loaded.lines, tournament.over) == (revision + 1, True)
        assert asked_to_forget(daemon, ZOE)[0] == 404
