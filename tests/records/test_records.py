"""Promise 6: a journal of any released version is opened and its matches go on."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from daemon.main import main
from daemon.record.journal_file import SCHEMA
from daemon.record.reader import History
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

RECORDS = sorted(Path(__file__).parent.glob("schema-*"))
ADDED = ("match", "revision", "schema", "options")


def of_old(now: Any, then: Any) -> Any:
    """The value `now`, reduced to the fields of `then`: a later version can have more, at any depth."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {key: of_old(now[key], value) for key, value in then.items() if key in now}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [of_old(one, other) for one, other in zip(now, then, strict=True)]
    return now


def test_the_schema_of_this_version_has_a_record() -> None:
    assert {int(record.name.removeprefix("schema-")) for record in RECORDS} == set(range(1, SCHEMA + 1))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_the_match_of_an_old_journal_goes_on(
    record: Path, tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    expected: dict[str, Any] = json.loads((record / "expected.json").read_text())
    (tmp_path / "data").mkdir()
    shutil.copy(record / "oche.db", tmp_path / "data" / "oche.db")
    boards = ("--board", f"lounge=maddarts@{pty.path}", "--board", "den=virtual@sim:")
    with Daemon(tmp_path, *boards, "--broker", broker.url) as daemon:
        for board, picture in expected["match"].items():
            referee = Referee(watcher, board)
            referee.online()
            shown = referee.state(lambda _: True, "the match")
            assert of_old(shown, picture) == picture
        lounge = Referee(watcher, "lounge")
        assert lounge.send(expected["command"]) == expected["reply"], "the command is not remembered"
        pty.say(b"20;3\r\n")
        hit = watcher.wait(
            lambda m: m.topic.endswith("lounge/hit") and m.payload["segment"] == "T20", "the next dart"
        ).payload
        assert hit["seq"] == expected["hits"]["lounge"] + 1
        assert daemon.stop() == 0
    with sqlite3.connect(tmp_path / "data" / "oche.db") as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    db.close()


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_an_old_match_is_exported_and_replayed(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = json.loads((record / "expected.json").read_text())
    shutil.copy(record / "oche.db", tmp_path / "oche.db")
    assert len(History(tmp_path).matches()) == 3
    for picture in expected["match"].values():
        assert main(["export", picture["match"], "--data", str(tmp_path)]) == 0
        file = tmp_path / "match.jsonl"
        file.write_text(capsys.readouterr().out)
        assert main(["replay", "--json", str(file)]) == 0
        end = json.loads(capsys.readouterr().out)
        played = {key: value for key, value in picture.items() if key not in ADDED}
        assert of_old(end, played) == played
