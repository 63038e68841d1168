"""Pictures and sounds of players: what is kept, who changes it, and that it is forgotten with the player."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.history.match_import import read_match_file
from daemon.main import main
from daemon.people import player_files
from daemon.people.player_files import MOST_BYTES, MOST_PLAYERS, SLOTS, files_of, forget, kind_of, listed, put, remove
from daemon.record.journal import Imported, Journal
from daemon.system.catalogue import faces, games
from engine.refusals import Refusal
from tests.daemon.house import unremovable
from tests.rig import LIMIT_SECONDS, Daemon, free_port, oche, takes_connections, until

PNG: Final = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
MP3: Final = b"ID3" + b"\0" * 20


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PNG, "png"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 10, "jpg"),
        (b"GIF89a" + b"\0" * 10, "gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "webp"),
        (b"RIFF\0\0\0\0WAVEfmt ", "wav"),
        (b"OggS" + b"\0" * 10, "ogg"),
        (b"\0\0\0\x20ftypM4A ", "m4a"),
        (MP3, "mp3"),
        (b"\xff\xfb\x90\x64", "mp3"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
        (b"<!doctype html>", None),
        (b"\xff", None),
        (b"", None),
    ],
)
def test_the_kind_of_a_file_is_in_its_first_bytes(content: bytes, kind: str | None) -> None:
    assert kind_of(content) == kind


@given(st.binary(max_size=40))
def test_no_bytes_raise(content: bytes) -> None:
    kind_of(content)


def test_a_file_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    assert put(tmp_path, "Ann", "picture", PNG) is None
    [first] = listed(tmp_path)["ann"].values()
    assert put(tmp_path, "Ann", "picture", PNG + b"1") is None
    assert put(tmp_path, "Ann", "walk_on", MP3) is None
    files = listed(tmp_path)["ann"]
    assert files.keys() == {"picture", "walk_on"}
    assert files["picture"] != first
    assert len(list((tmp_path / "people" / "ann").iterdir())) == 2
    remove(tmp_path, "Ann", "picture")
    remove(tmp_path, "Ann", "picture")
    assert listed(tmp_path)["ann"].keys() == {"walk_on"}


@pytest.mark.parametrize(
    ("slot", "content"),
    [("picture", MP3), ("walk_on", PNG), ("picture", b"<svg/>"), ("picture", PNG + b"\0" * MOST_BYTES)],
)
def test_what_is_not_kept(tmp_path: Path, slot: Any, content: bytes) -> None:
    assert isinstance(put(tmp_path, "Ann", slot, content), Refusal)
    assert listed(tmp_path) == {}


def test_the_players_with_files_are_bounded(tmp_path: Path) -> None:
    for number in range(MOST_PLAYERS):
        assert put(tmp_path, f"Player {number}", "won", MP3) is None
    assert isinstance(put(tmp_path, "Ann", "won", MP3), Refusal)
    assert put(tmp_path, "Player 0", "bust", MP3) is None
    # All of them fit into a backup that can be restored.
    from daemon.cli.backup import MOST_BYTES as BACKUP

    assert MOST_PLAYERS * len(SLOTS) * MOST_BYTES < BACKUP


def test_players_whose_files_were_removed_hide_no_others(tmp_path: Path) -> None:
    assert put(tmp_path, "Former", "won", MP3) is None
    remove(tmp_path, "Former", "won")
    assert list((tmp_path / "people").iterdir()) == []
    # An empty folder, as a write that failed leaves it, is not one more player either.
    for number in range(MOST_PLAYERS + 1):
        (tmp_path / "people" / f"empty-{number}").mkdir()
    for number in range(MOST_PLAYERS):
        assert put(tmp_path, f"Player {number}", "won", MP3) is None
    assert listed(tmp_path).keys() == {f"player-{number}" for number in range(MOST_PLAYERS)}
    assert isinstance(put(tmp_path, "Empty 0", "won", MP3), Refusal)


def test_a_player_is_forgotten_in_packs_as_well(tmp_path: Path) -> None:
    put(tmp_path, "Ann", "won", MP3)
    put(tmp_path, "Bob", "won", MP3)
    pack = tmp_path / "callers" / "Russ"
    pack.mkdir(parents=True)
    for name in ("player_ann.ogg", "player_anna.ogg", "180.ogg"):
        (pack / name).touch()
    assert len(files_of(tmp_path, "Ann")) == 2
    assert forget(tmp_path, "Ann") == []
    assert files_of(tmp_path, "Ann") == []
    assert listed(tmp_path).keys() == {"bob"}
    assert {path.name for path in pack.iterdir()} == {"player_anna.ogg", "180.ogg"}


def test_a_file_that_cannot_be_removed_keeps_no_other(tmp_path: Path) -> None:
    stays = unremovable(tmp_path, "ann")
    put(tmp_path, "Ann", "won", MP3)
    (stays.parent / "player_ann.wav").touch()
    assert forget(tmp_path, "Ann") == [stays]
    assert files_of(tmp_path, "Ann") == [stays]


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    broker = f"embedded://127.0.0.1:{free_port()}"
    with Daemon(tmp_path, "--board", "den=virtual@sim:", "--broker", broker) as running:
        until(lambda: takes_connections(running.http), "the pages")
        yield running


def ask(daemon: Daemon, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    request = Request(f"http://127.0.0.1:{daemon.http}{path}", body, headers, method=method)
    try:
        with urlopen(request) as answer:
            return answer.status, answer.read()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read()


def status_before_the_body(daemon: Daemon, path: str, length: int) -> int:
    """The answer to a request that has sent its headers alone."""
    client = HTTPConnection("127.0.0.1", daemon.http, timeout=LIMIT_SECONDS)
    try:
        client.putrequest("PUT", path)
        client.putheader("Content-Length", str(length))
        client.endheaders()
        return client.getresponse().status
    finally:
        client.close()


def test_files_over_http(daemon: Daemon) -> None:
    assert ask(daemon, "/players/Ann%20B/picture", "PUT", PNG)[0] == 200
    assert ask(daemon, "/players/Ann%20B/walk_on", "PUT", PNG)[0] == 422
    assert status_before_the_body(daemon, "/players/Ann%20B/walk_on", MOST_BYTES + 1) == 413
    assert ask(daemon, "/players/Ann%20B/hat", "PUT", PNG)[0] in (404, 405)
    # From another site, and from a host name that only looks like this machine.
    assert ask(daemon, "/players/Ann/picture", "PUT", PNG, Origin="http://evil.example")[0] == 403
    assert ask(daemon, "/people.json", Host="evil.example")[0] == 403
    people = json.loads(ask(daemon, "/people.json?player=Ann%20B&player=Bob")[1])
    assert people.keys() == {"Ann B"}
    assert ask(daemon, people["Ann B"]["picture"]) == (200, PNG)
    assert ask(daemon, "/players/Ann%20B/colour", "PUT", b"#0060ff")[0] == 200
    for wrong in (b"", b"blue", b"#0060ff0", b"\xff"):
        assert ask(daemon, "/players/Ann%20B/colour", "PUT", wrong)[0] == 422, wrong
    assert json.loads(ask(daemon, "/people.json?player=Ann%20B")[1])["Ann B"]["colour"] == "#0060ff"
    assert ask(daemon, "/players/Ann%20B/colour", "DELETE")[0] == 200
    assert ask(daemon, "/players/Ann%20B/colour", "PUT", b"#00c0a0")[0] == 200
    assert json.loads(ask(daemon, "/people.json")[1]) == {}
    absent = "picture-0000000000000000.png"
    for user, name in (("ann-b", "users.json"), ("..%2f", "users.json"), ("ann-b", absent), ("a" * 300, absent)):
        assert ask(daemon, f"/people/{user}/{name}")[0] == 404, user
    assert ask(daemon, "/players/Ann%20B", "DELETE")[0] == 200
    assert ask(daemon, people["Ann B"]["picture"])[0] == 404
    assert json.loads(ask(daemon, "/people.json?player=Ann%20B")[1]) == {}
    assert ask(daemon, "/players/Ann%20B", "DELETE")[0] == 404
    assert ask(daemon, "/players/Ann/picture", "PUT", PNG)[0] == 200
    assert ask(daemon, "/players/Ann/picture", "DELETE")[0] == 200
    assert json.loads(ask(daemon, "/people.json?player=Ann")[1]) == {}


def test_files_are_in_backups_and_forgotten_at_the_terminal(tmp_path: Path, daemon: Daemon) -> None:
    assert ask(daemon, "/players/Ann/won", "PUT", MP3)[0] == 200
    until((daemon.data / "oche.db").is_file, "the journal")
    file, restored = tmp_path / "backup.tar.gz", tmp_path / "restored"
    commands = (["backup", str(file), "--data", str(daemon.data)], ["restore", str(file), "--data", str(restored)])
    for command in commands:
        oche(*command)
    assert player_files.listed(restored) == player_files.listed(daemon.data) != {}
    oche("forget", "Ann", "--data", str(restored))
    assert player_files.listed(restored) == {}


def test_a_player_with_the_same_user_name_keeps_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.closing(Journal(tmp_path)) as journal:
        header = json.dumps({"match": 1, "game": "x01", "players": ["Ann", "Bob"], "options": {}})
        read = read_match_file(f'{header}\n{{"throw":"MISS"}}'.encode(), games(), faces())
        assert isinstance(read, Imported)
        asyncio.run(journal.write(read))
    put(tmp_path, "Ann", "won", MP3)
    assert main(["forget", "ANN.", "--data", str(tmp_path)]) == 1
    assert "Nobody called ANN." in capsys.readouterr().err
    assert listed(tmp_path).keys() == {"ann"}
    assert main(["forget", "Ann", "--data", str(tmp_path)]) == 0
    assert listed(tmp_path) == {}
