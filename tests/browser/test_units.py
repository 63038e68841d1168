"""The unit tests of what is not a page run in Node, its MQTT client against the daemon and a real mosquitto."""

import os
import subprocess
from pathlib import Path
from typing import Final

from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, takes_connections, until

ROOT: Final = Path(__file__).parents[2]


def test_the_units_of_the_pages_pass(tmp_path: Path) -> None:
    command = [str(ROOT / "scripts" / "npm"), "run", "--silent", "test"]
    with (
        Mosquitto(tmp_path) as broker,
        Daemon(tmp_path, "--board", "lounge=virtual@sim:?pace=600", "--broker", broker.url) as daemon,
    ):
        until(lambda: takes_connections(daemon.http), "the pages' port")
        environment = os.environ | {"MQTT_URL": f"ws://127.0.0.1:{daemon.http}/mqtt"}
        limit = 3 * LIMIT_SECONDS
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=limit, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "skipped 0" in ran.stdout, "the tests against the broker did not run"
