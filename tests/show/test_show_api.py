"""Rules that are made on the page: kept, tried and obeyed by the real daemon, and the guide's own five lines."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from daemon.system.show_file import FILE
from daemon.web import show_api
from tests.mqtt_clients import Referee, Watcher
from tests.rig import LIMIT_SECONDS, Daemon, free_port, takes_connections, until
from tests.show.strip import FIRST, Strip, strip

GUIDE: Final = Path("docs/show.md").read_text("utf-8")
FIVE_LINES: Final = re.findall(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)[0]
MATCH: Final = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 501}}
MAXIMUM: Final = {"when": {"total": 180}, "words": "$player: $total!"}
CLOSED: Final = "http://127.0.0.1:9"
"""Nothing listens at the discard port."""


class ShowDaemon(Daemon):
    """A daemon with one board, `den`, whose broker has a port for programs."""

    def __init__(self, folder: Path, rules: str = "") -> None:
        self.program_port = free_port()
        (folder / "oche.toml").write_text(rules, encoding="utf-8")
        at = f"embedded://127.0.0.1:{self.program_port}"
        super().__init__(folder, "--config", str(folder / "oche.toml"), "--board", "den=virtual@sim:", "--broker", at)

    def start(self) -> None:
        super().start()
        until(lambda: takes_connections(self.http), "the pages' port")

    def ask(self, path: str, body: Any = None) -> tuple[int, Any]:
        """Gets or posts JSON; returns the status and the JSON of the answer."""
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(f"http://127.0.0.1:{self.http}{path}", data), timeout=LIMIT_SECONDS) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            return error.code, json.load(error)

    def save(self, rule: dict[str, Any] | None, at: int | None = None) -> Any:
        """Saves a rule as the page does; returns the new state of all rules."""
        version = self.ask("/show.json")[1]["version"]
        status, found = self.ask("/show.json", {"version": version, "at": at, "rule": rule})
        assert status == 200, found
        return found


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[ShowDaemon]:
    with ShowDaemon(tmp_path) as running:
        yield running


@pytest.fixture
def watcher(daemon: ShowDaemon) -> Iterator[Watcher]:
    found = Watcher(daemon.program_port)
    yield found
    found.close()


def throw_maximum(referee: Referee) -> None:
    assert referee.ask({"start": MATCH})["ok"]
    for _ in range(3):
        assert referee.ask({"throw": "T20"})["ok"]


def test_a_rule_is_kept_obeyed_and_removed_without_a_restart(daemon: ShowDaemon, watcher: Watcher) -> None:
    status, before = daemon.ask("/show.json")
    assert status == 200
    assert before["rules"] == []
    assert before["boards"] == ["den"]
    assert daemon.save(MAXIMUM)["rules"] == [{"values": MAXIMUM, "mistakes": []}]
    tried = daemon.ask("/show/try", {"rule": MAXIMUM})[1]
    assert tried == {"ok": True, "results": [{"output": "words"}]}, "the process runs, and has read the rules"
    watcher.wait(lambda message: message.topic.endswith("/show"), "the trial")
    referee = Referee(watcher, "den")
    referee.online()

    def words() -> set[str]:
        return {shown["words"] for shown in watcher.all("/show")}

    throw_maximum(referee)
    until(lambda: words() == {"Ann: 180!"}, "what the rule shows")
    daemon.save({**MAXIMUM, "words": "changed"}, 0)
    throw_maximum(referee)
    until(lambda: "changed" in words(), "what the changed rule shows")
    assert daemon.save(None, 0)["rules"] == []
    assert "[[show]]" not in (daemon.data / FILE).read_text()


def test_mistakes_come_all_at_once_with_their_places(daemon: ShowDaemon) -> None:
    bad = {"when": {"total": "many"}, "wled": [{"at": "x", "preset": 0}], "words": "$who"}
    for path, body in (("/show.json", {"version": "", "rule": bad}), ("/show/try", {"rule": bad})):
        status, found = daemon.ask(path, body)
        assert status == 422
        assert {tuple(mistake["path"]) for mistake in found["mistakes"]} == {
            ("when", "total"),
            ("wled", 0, "at"),
            ("wled", 0, "preset"),
            ("words",),
        }
    assert daemon.ask("/show.json", {"version": "old", "rule": MAXIMUM})[0] == 409
    bodies: list[dict[str, Any]] = [
        {},
        {"version": 3, "rule": MAXIMUM},
        {"version": "", "at": -1},
        {"version": "", "rule": 3},
    ]
    for body in bodies:
        assert daemon.ask("/show.json", body)[0] == 400
    assert daemon.ask("/show/try", {"rule": 1})[0] == 400
    assert daemon.ask("/show/lights", {"at": "ftp://x"})[0] == 422
    assert daemon.ask("/show/lights", [])[0] == 400


def test_a_file_with_mistakes_is_named_and_the_rest_acts(tmp_path: Path) -> None:
    daemon = ShowDaemon(tmp_path)
    daemon.data.mkdir()
    (daemon.data / FILE).write_text(
        "[[show]]\nwhen = { total = 1979-05-27 }\nwords = 'x'\n[[show]]\nwhen = { total = 2 }\nwords = 'y'\n"
    )
    with daemon:
        until(lambda: "Rule 1 of show.toml does nothing" in daemon.log(), "the message")
        rules = daemon.ask("/show.json")[1]["rules"]
    assert [len(rule["mistakes"]) for rule in rules] == [1, 0]


def test_a_number_that_json_does_not_have_is_shown_as_text(tmp_path: Path) -> None:
    daemon = ShowDaemon(tmp_path)
    daemon.data.mkdir()
    (daemon.data / FILE).write_text("[[show]]\nwhen = { total = 3 }\npriority = nan\nwords = 'x'\n")
    with daemon:
        assert daemon.ask("/show.json")[1]["rules"][0]["values"]["priority"] == "NaN"


def test_the_files_have_a_limit_altogether(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show_api, "MOST_ALTOGETHER", 10)
    folder = tmp_path / "show"
    assert show_api._keep(folder, "a.mp3", bytes(6)) is None
    (folder / ".left").write_bytes(bytes(2))
    refused = show_api._keep(folder, "b.mp3", bytes(3))
    assert refused is not None
    assert "is full" in refused.message
    assert show_api._keep(folder, "a.mp3", bytes(8)) is None
    assert sorted(path.name for path in folder.iterdir()) == [".left", "a.mp3"]


def test_a_rule_with_many_letters_is_tried(daemon: ShowDaemon) -> None:
    numbers = [1e15] * 9_000  # written with four times as many signs as they may come with
    for payload in ("\u00e4" * 30_000, numbers):
        rule = {"when": {"total": 180}, "http": [{"url": f"{CLOSED}/", "body": payload}]}
        text = json.dumps({"rule": rule}, ensure_ascii=False).replace("1000000000000000.0", "1e15")
        address = f"http://127.0.0.1:{daemon.http}/show/try"
        with urlopen(Request(address, text.encode()), timeout=LIMIT_SECONDS) as answer:
            found = json.load(answer)
        assert [result["output"] for result in found["results"]] == ["http"]


def test_each_output_of_a_trial_says_what_came_of_it(daemon: ShowDaemon) -> None:
    rule = {
        "when": {"event": ["won"]},
        "wled": [{"at": CLOSED, "preset": 1}, {"at": "mqtt:house/strip", "preset": 1}],
        "http": [{"url": f"{CLOSED}/$player"}],
        "mqtt": [{"topic": "house/x", "payload": {"who": "$winners"}}],
        "sound": "none.mp3",
        "words": "$winners",
    }
    found: dict[str, Any] = {}

    def connected() -> bool:
        found.update(daemon.ask("/show/try", {"rule": rule})[1])
        return all("away" not in result.get("message", "") for result in found["results"])

    until(connected, "its connection to the broker")
    said = {(result["output"], result.get("number")): result.get("message", "") for result in found["results"]}
    assert said.keys() == {
        *(("wled", 0), ("wled", 1), ("http", 0), ("mqtt", 0)),
        *(("sound", None), ("words", None)),
    }
    assert {key for key, message in said.items() if message} == {("wled", 0), ("http", 0), ("sound", None)}
    assert "none.mp3" in said["sound", None]


def test_the_guide_leads_to_a_strip_that_flashes_and_is_as_before_afterwards(tmp_path: Path) -> None:
    async def work() -> Strip:
        async with asyncio.timeout(LIMIT_SECONDS), strip() as found:
            rules = FIVE_LINES.replace("http://wled.local", found.at).replace("seconds = 5", "seconds = 0.5")
            assert found.at in rules
            assert "seconds = 0.5" in rules
            with ShowDaemon(tmp_path, rules) as daemon:
                await asyncio.to_thread(play, daemon)
                await found.told(2)
                lights = {"at": found.at}
                listed = (await asyncio.to_thread(daemon.ask, "/show/lights", lights))[1]
                assert (listed["ok"], listed["name"]) == (True, "Ring")
        return found

    def play(daemon: ShowDaemon) -> None:
        watcher = Watcher(daemon.program_port)
        referee = Referee(watcher, "den")
        referee.online()
        # The process of the rules may still start: a trial of nothing is answered as soon as it has subscribed.
        until(lambda: "results" in daemon.ask("/show/try", {"rule": MAXIMUM})[1], "the process of the rules")
        watcher.wait(lambda message: message.topic.endswith("/show"), "its connection")
        throw_maximum(referee)
        watcher.close()

    flash, after = asyncio.run(work()).seen[:2]
    assert flash == {"on": True, "seg": [{"col": [[255, 0, 0]], "fx": 88}]}
    segment = {key: FIRST["seg"][0][key] for key in ("id", "on", "col", "fx", "sx", "ix", "pal")}
    assert after == {"on": True, "bri": 40, "seg": [segment]}
