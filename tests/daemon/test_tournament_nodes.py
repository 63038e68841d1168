"""A tournament of one node on boards of another at the same broker: over a SIGKILL of either, and by whose right."""

import contextlib
import queue
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from daemon.tournament.node_boards import seen_match
from tests.daemon.tournament_evening import SHORT, Organizer, done
from tests.houses.pair import SharedBroker
from tests.mqtt_clients import Referee, Watcher
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, until

NOT_AUTHORIZED: Final = 135
"""The reason code of MQTT 5."""


def test_boards_of_another_node_take_part_and_either_node_can_be_killed(tmp_path: Path) -> None:
    for folder in ("bus", "hall", "annex"):
        (tmp_path / folder).mkdir()
    with (
        Mosquitto(tmp_path / "bus") as bus,
        Daemon(tmp_path / "hall", "--board", "one=virtual@sim:?pace=0", "--broker", bus.url) as hall,
        Daemon(tmp_path / "annex", "--board", "two=virtual@sim:?pace=0", "--broker", bus.url, node="annex") as annex,
    ):
        organizer, watcher = Organizer(hall), Watcher(bus.port)
        one, two = Referee(watcher, "one"), Referee(watcher, "two", "annex")
        one.online()
        two.online()
        setup = {"tournament": 1, "name": "Hall", "format": "knockout", "pause": 0, "best_of": 1, "options": SHORT}
        organizer.do(**setup, nodes=["annex"])
        for name in ("Ann", "Bob", "Cem", "Dora"):
            organizer.do(enter={"name": name})
        organizer.do(draw="x")

        def on_both(state: dict[str, Any]) -> bool:
            return {fixture.get("board") for fixture in state["fixtures"]} >= {"one", "annex/two"}

        state = organizer.until(on_both, "a call to both boards")
        names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
        fixture = next(fixture for fixture in state["fixtures"] if fixture.get("board") == "annex/two")
        players = [names[fixture["home"]], names[fixture["away"]]]
        began = two.state(lambda match: [p["name"] for p in match["players"]] == players, "the match in the annex")
        assert two.ask({"throw": "T20"})["ok"]
        annex.kill()
        annex.start()
        hall.kill()
        assert two.ask({"throw": "S20"})["ok"]
        hall.start()
        # It goes on while the node of the tournament sees it, which knows nothing of its begin.
        nowhere = {"call": {"fixture": fixture["id"], "board": "nowhere"}}
        until(lambda: "annex/two" in organizer.ask(send=nowhere)[1]["message"], "the board of the annex known again")
        for bed in ("S20", "next", "S1", "S1", "S1", "next", "S1", "next"):
            assert two.ask({"next": True} if bed == "next" else {"throw": bed})["ok"]
        state = organizer.until(lambda state: len(done(state)) == 1, "the result of the annex")
        ended = done(state)[0]
        assert (ended["id"], ended["score"], ended["match"]) == (fixture["id"], [1, 0], began["match"])
        # Undo in the annex takes the result back.
        assert two.ask({"undo": True})["ok"]
        organizer.until(lambda state: not done(state), "the result taken back")
        hall.kill()
        assert two.ask({"next": True})["ok"]
        # It was over while the node of the tournament was away.
        hall.start()
        organizer.until(lambda state: len(done(state)) == 1, "the result again")
        watcher.close()


def test_the_organizer_alone_may_command_the_boards_of_other_nodes(tmp_path: Path) -> None:
    broker = SharedBroker(tmp_path / "hub", "hall", "annex", organizer="hall")
    nodes = [tmp_path / name for name in ("hall", "annex")]
    broker.start()
    try:
        with contextlib.ExitStack() as stack:
            daemons = []
            for folder in nodes:
                folder.mkdir()
                words = ("--board", "one=virtual@sim:?pace=0", "--broker", broker.url(folder.name))
                daemons.append(stack.enter_context(Daemon(folder, *words, node=folder.name)))
            organizer = Organizer(daemons[0])
            setup = {"tournament": 1, "name": "Hall", "format": "knockout", "pause": 0, "best_of": 1, "options": SHORT}
            organizer.do(**setup, nodes=["annex"], boards=["annex/one"])
            for name in ("Ann", "Bob", "Cem", "Dora"):
                organizer.do(enter={"name": name, "bot": 10})
            organizer.do(draw="x")
            state = organizer.until(lambda state: state["state"] == "over", "the end")
            assert len({fixture["match"] for fixture in done(state)}) == 3
            # All were played in the annex, whose history has them.
            other = Organizer(daemons[1])
            assert all(other.ask(f"/history/{fixture['match']}.jsonl")[0] == 200 for fixture in done(state))
            # The annex may not do the same in the hall.
            assert publishes(broker.url("annex"), "oche/hall/board/one/command") == NOT_AUTHORIZED
            assert publishes(broker.url("hall"), "oche/annex/board/none/command") != NOT_AUTHORIZED
            assert publishes(broker.url("hall"), "oche/annex/board/one/match") == NOT_AUTHORIZED
    finally:
        broker.kill()


def test_a_daemon_with_a_broker_of_its_own_refuses_other_nodes(tmp_path: Path) -> None:
    with Daemon(tmp_path, "--board", "one=virtual@sim:?pace=0") as daemon:
        setup = {"tournament": 1, "name": "Hall", "format": "knockout", "nodes": ["annex"]}
        assert Organizer(daemon).refused(**setup) == "not_allowed"
        assert Organizer(daemon).refused(**setup | {"nodes": ["+/status"]}) == "bad_value"


def publishes(url: str, topic: str) -> int:
    """The reason code with which the broker takes an empty message from the user of an address."""
    address = urlsplit(url)
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.username_pw_set(address.username, address.password)
    codes: queue.SimpleQueue[int] = queue.SimpleQueue()

    def connected(*_: object) -> None:
        client.publish(topic, b"", qos=1)

    client.on_connect = connected
    client.on_publish = lambda _client, _data, _number, reason, _properties: codes.put(reason.value)
    client.connect(address.hostname or "", address.port or 0)
    client.loop_start()
    try:
        return codes.get(timeout=LIMIT_SECONDS)
    finally:
        client.disconnect()
        client.loop_stop()


def test_what_is_no_match_is_not_seen_as_one() -> None:
    good = {"match": "m", "game": "x01", "revision": 3, "players": [{"name": "Ann", "legs": 1}, {"name": "Bob"}]}
    seen = seen_match(good | {"finished": True, "winners": ["Ann"], "turn": {"darts": ["T20"]}})
    assert seen is not None
    assert (seen.players, seen.finished, seen.winners, dict(seen.legs)) == (("Ann", "Bob"), True, ("Ann",), {"Ann": 1})
    assert seen.is_begun
    wrongs: list[object] = [None, 7, [], {}, good | {"players": "Ann"}, good | {"players": [7]}]
    for wrong in (*wrongs, good | {"revision": "3"}):
        assert seen_match(wrong) is None
