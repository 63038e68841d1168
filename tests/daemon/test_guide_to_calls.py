"""The example of the guide to boards that call, as it is written there."""

import json
import re
import shlex
import subprocess
from pathlib import Path

from tests.mqtt_clients import watching
from tests.rig import Daemon, free_port, takes_connections, until

GUIDE = Path(__file__).parents[2] / "docs/boards-that-call.md"


def test_the_example_of_the_guide(tmp_path: Path) -> None:
    block = re.search(r"^```sh\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert block is not None
    port, broker = free_port(), free_port()
    start, *requests = block[1].replace("8765", str(port)).splitlines()
    assert len(requests) == 3
    with Daemon(tmp_path, *shlex.split(start)[2:], "--broker", f"embedded://127.0.0.1:{broker}"):
        until(lambda: takes_connections(port) and takes_connections(broker), "the ports")
        with watching(broker) as watcher:
            for request in requests:
                said = subprocess.run([*shlex.split(request), "-sS"], capture_output=True, text=True, check=True)
                assert json.loads(said.stdout) == {"ok": True}
            watcher.wait(lambda m: m.topic.endswith("garage/hit") and m.payload["segment"] == "D5", "the second dart")
            assert [hit["segment"] for hit in watcher.all("garage/hit")] == ["T20", "D5"]


def test_every_address_of_the_guide_is_one() -> None:
    from daemon.system.config import board_specs
    from daemon.system.config_parser import parse

    blocks = re.findall(r"^```toml\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for text in blocks:
        boards = parse(text, "the guide").boards
        assert len(board_specs(f"{name}={address}" for name, address in boards.items())) == len(boards)
