"""`/metrics` of a running daemon, read with Prometheus' own parser."""

from pathlib import Path
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

from daemon.record.write_times import BOUNDS
from daemon.web.metrics import FORMAT
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard, takes_connections, until


def figures(daemon: Daemon) -> dict[tuple[str, ...], float]:
    with urlopen(f"http://127.0.0.1:{daemon.http}/metrics") as answer:
        assert answer.headers["Content-Type"] == FORMAT
        text = answer.read().decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_what_prometheus_reads(tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard) -> None:
    with Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url) as daemon:
        Referee(watcher, "lounge").online()
        until(lambda: takes_connections(daemon.http), "the pages")
        pty.say(b"20;3\r\n19;1\r\nrubbish\r\n")
        watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] == 2, "the second hit")
        # As noise of a board that starts, or as what cannot be read: that depends on how late the daemon reads it.
        until(lambda: any(key[0] == "oche_board_events_total" for key in figures(daemon)), "the counter")
        found = figures(daemon)
        assert found["oche_darts_total", "lounge"] == 2
        assert found["oche_board_online", "lounge"] == 1
        assert found["oche_board_stuck_beds", "lounge"] == 0
        assert found["oche_broker_connected",] == 1
        assert found["oche_journal_damaged",] == 0
        buckets = [found["oche_journal_write_seconds_bucket", bound] for bound in (*map(str, BOUNDS), "+Inf")]
        assert buckets == sorted(buckets)
        assert buckets[-1] == found["oche_journal_write_seconds_count",] >= 2
        assert found["oche_journal_write_seconds_sum",] > 0
        pty.unplug()
        until(lambda: figures(daemon)["oche_board_online", "lounge"] == 0, "the board's end")
        broker.stop()
        until(lambda: figures(daemon)["oche_broker_connected",] == 0, "the broker's end")
