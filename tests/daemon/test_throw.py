"""`oche throw` with several texts: one after the other, until one is refused."""

import json
import subprocess
from pathlib import Path

from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, oche


def test_the_first_refusal_ends_it(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    with Daemon(tmp_path, "--board", "lounge=virtual@sim:", "--broker", broker.url):
        lounge = Referee(watcher, "lounge")
        lounge.online()
        assert lounge.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]

        def throw(*texts: str) -> subprocess.CompletedProcess[str]:
            return oche("throw", "--broker", broker.url, "--board", "lounge", *texts, check=False)

        done = throw("T20", "T19", "T18", "T17", "next", "T16")
        assert (done.returncode, done.stdout.count("done, revision")) == (1, 3)
        assert done.stderr.startswith("not_awaited: ")
        assert done.stderr.endswith(" Not sent: next T16\n")
        state = lounge.state(lambda state: state["turn"]["darts"] == ["T20", "T19", "T18"], "three darts")
        assert state["turn"]["player"] == "Ann"
        # One invalid word: nothing is sent.
        assert throw("next", "T21").returncode == 2
        assert throw("next", "T1").returncode == 0
        assert lounge.state(lambda state: state["turn"]["darts"] == ["T1"], "Bob")["turn"]["player"] == "Bob"
        # What JSON says of the id is kept, and what else the reply says is printed.
        own = throw('{"id": "mine", "throw": "T2"}', '{"id": null, "hint": true}')
        first, second, hint = own.stdout.splitlines()
        assert (own.returncode, own.stderr) == (0, "")
        assert first.startswith("done, ") and second.startswith("done, ")
        assert json.loads(hint)["hint"]["aim"]
        for wrong in ('{"throw": {"at": [NaN, 0]}}', '{"throw": "\\ud800"}', '{"throw":', "[" * 2000):
            assert throw(wrong).returncode == 2
        away = oche("throw", "--broker", broker.url, "--board", "cellar", "T20", check=False)
        assert (away.returncode, away.stderr.partition(".")[0]) == (1, "No board named cellar answers")
