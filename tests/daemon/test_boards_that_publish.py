"""Boards that publish their darts: through the broker to hits, and no further."""

from pathlib import Path

from daemon.people.access import User, access_list
from tests.daemon.guest import OVER_THE_NETWORK, Guest
from tests.daemon.house import make_user
from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, Mosquitto, free_port, oche, until

TOPIC = "dartboard/1"
LOUNGE = ("--board", f"lounge=online-dart@mqtt:{TOPIC}")
BAR = ("--board", "bar=maddarts@mqtt:darts/bar?template=%7B/sector%7D;%7B/multiplier%7D")


def test_what_boards_publish_are_hits_over_a_broker_that_restarts(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as broker, Daemon(tmp_path, "--broker", broker.url, *LOUNGE, *BAR):
        with watching(broker.port) as watcher:
            # What was published before, and is kept by the broker, is of another day.
            watcher.publish(TOPIC, b"301", retain=True)
            Referee(watcher, "lounge").online()
            Referee(watcher, "bar").online()
            watcher.publish(TOPIC, b"320")
            watcher.publish("darts/bar", {"sector": 19, "multiplier": 2, "battery": 80})
            watcher.publish("darts/bar", {"sector": 19})
            watcher.publish("darts/bar", {"sector": 1, "multiplier": 1})
            watcher.wait(lambda m: m.topic.endswith("bar/hit") and m.payload["segment"] == "S1", "the bar's last dart")
            watcher.wait(lambda m: m.topic.endswith("lounge/hit"), "the lounge's dart")
            assert [hit["segment"] for hit in watcher.all("lounge/hit")] == ["T20"]
            assert [hit["segment"] for hit in watcher.all("bar/hit")] == ["D19", "S1"]
            watcher.wait(
                lambda m: m.topic.endswith("bar/status") and m.payload.get("counters", {}).get("garbage") == 1,
                "the payload that the template does not fit",
            )
        broker.stop()
        broker.start()
        with watching(broker.port) as watcher:
            Referee(watcher, "lounge").online()
            watcher.publish(TOPIC, b"305")
            watcher.wait(lambda m: m.topic.endswith("lounge/hit") and m.payload["segment"] == "T5", "a dart afterwards")


def test_a_board_may_publish_at_its_topic_and_nothing_else(tmp_path: Path) -> None:
    port, data = free_port(), tmp_path / "data"
    password = make_user(data, "lounge", "board")
    with Daemon(tmp_path, "--broker", f"embedded://{OVER_THE_NETWORK}:{port}", *LOUNGE, *BAR) as daemon:
        found: list[Guest] = []

        def came_in() -> bool:
            found.append(Guest(port, "lounge", password, websocket=False))
            return not found[-1].refused

        until(came_in, "the board's connection")
        assert daemon.pid
        with watching(daemon.http, websocket=True) as watcher:
            Referee(watcher, "lounge").online()
            Referee(watcher, "bar").online()
            board = found[-1]
            for topic, payload in (
                ("darts/bar", b'{"sector": 20, "multiplier": 3}'),
                ("oche/test/board/lounge/hit", b'{"segment": "D1"}'),
                ("oche/test/board/lounge/command", b'{"id": "x", "start": {"game": "x01", "players": ["Eve"]}}'),
                ("oche/test/board/lounge/command/lounge", b'{"id": "x", "start": {"game": "x01", "players": ["Eve"]}}'),
                (TOPIC, b"320"),
            ):
                board.publish(topic, payload)
            watcher.wait(lambda m: m.topic.endswith("lounge/hit") and m.payload["segment"] == "T20", "its own dart")
            assert len(watcher.all("lounge/hit")) == 1
            assert not watcher.all("bar/hit") and not watcher.all("/reply") and not watcher.all("/match")
            assert not board.seen
            board.close()


def test_an_outside_broker_gets_the_same_rules(tmp_path: Path) -> None:
    data, out, config = tmp_path / "data", tmp_path / "files", tmp_path / "oche.toml"
    make_user(data, "lounge", "board")
    config.write_text(f'[boards]\nlounge = "online-dart@mqtt:{TOPIC}"\nbar = "suffix@/dev/ttyUSB0"\n')
    oche("broker-config", "--out", out, "--node", "test", "--config", config, "--data", data)
    listed = (out / "oche.acl").read_text()
    assert f"user lounge\ntopic write {TOPIC}\n" in listed
    assert f"topic read {TOPIC}\n" in listed.partition("user oche-daemon\n")[2]


def test_the_access_list_of_a_board() -> None:
    listed = access_list("n", [User("lounge", "board", ""), User("attic", "board", "")], {"lounge": TOPIC})
    assert [text for text in listed.splitlines() if text and not text.startswith("#")] == [
        "user lounge",
        f"topic write {TOPIC}",
        "user attic",
    ]
