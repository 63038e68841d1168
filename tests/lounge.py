"""A daemon with a virtual board, the lounge, and a broker of its own: where pages are looked at."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, Mosquitto, takes_connections, until


@contextmanager
def lounge(place: Path) -> Iterator[tuple[Referee, str]]:
    """Who commands the board, and the origin of the pages, once the board is online and the pages answer."""
    with (
        Mosquitto(place) as broker,
        watching(broker.port) as watcher,
        Daemon(place, "--board", "lounge=virtual@sim:?pace=600", "--broker", broker.url) as daemon,
    ):
        referee = Referee(watcher, "lounge")
        referee.online()
        until(lambda: takes_connections(daemon.http), "the pages' port")
        yield referee, f"http://127.0.0.1:{daemon.http}"
