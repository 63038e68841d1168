"""What displays have seen of a simulated node: in place of the broker, a file with a line for each change."""

import json
import os
from pathlib import Path
from typing import Any

from daemon.mqtt.outgoing import Outgoing
from tests.day.clock import SimulatedLoop


class Seen(Outgoing):
    """What displays have seen: a line for each change, written at once, so that it outlives a SIGKILL."""

    def __init__(self, path: Path, loop: SimulatedLoop) -> None:
        super().__init__("oche/day", lambda _name: False)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._loop = loop
        self.connected.set()

    def note(self, kind: str, **more: Any) -> None:
        """Writes a line."""
        os.write(self._file, (json.dumps({"kind": kind, "at": round(self._loop.now, 3)} | more) + "\n").encode())

    def count_dropped(self) -> None:
        raise AssertionError("nothing is dropped")

    def _publish(self, topic: str, text: str, **how: Any) -> None:
        match topic.split("/"):
            case ["tournament"] if text:
                self._tournament(json.loads(text))
            case ["board", name, "match"]:
                state = json.loads(text) if text else {}
                players = [player["name"] for player in state.get("players", ())]
                about = {key: state[key] for key in ("match", "revision", "finished") if key in state}
                self.note("match", board=name, players=players, **about)
            case ["board", name, "hit"]:
                hit = json.loads(text)
                self.note("hit", board=name, seq=hit["seq"], segment=hit["segment"])
            case ["board", name, "event"] if '"ignored"' in text:
                self.note("ignored", board=name)
        if (taken := how.get("taken")) is not None:
            self._loop.call_soon(taken)

    def _tournament(self, state: dict[str, Any]) -> None:
        fixtures = state["fixtures"]
        names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
        self.note(
            "tournament",
            revision=state["revision"],
            calls=[[f["id"], f["board"], names[f["home"]], names[f["away"]]] for f in fixtures if "board" in f],
            results={f["id"]: [f["score"], f.get("match")] for f in fixtures if f["state"] == "done"},
            late=sum("late" in f for f in fixtures),
            damaged=len(state.get("damaged", ())),
            ends=state.get("ends"),
        )
