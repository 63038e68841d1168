"""A tournament of bots on virtual boards, through SIGKILLs: what the tests and `scripts/tournament-day` play."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from daemon.system.catalogue import faces, games
from engine.match import Header, Match
from engine.matchfile import open_match, read_action, read_header
from engine.play import replayed
from tests.rig import LIMIT_SECONDS, Daemon, until

SHORT: Final = {"start": 101, "out": "open"}
"""The shortest X01 that is still played in turns."""
SETUP: Final[dict[str, Any]] = {
    "tournament": 1,
    "name": "Friday",
    "format": "knockout",
    "pause": 0,
    "options": SHORT,
}
"""The command that makes one."""


@dataclass(frozen=True, slots=True)
class Organizer:
    """Sends commands to the tournament of a daemon over HTTP."""

    daemon: Daemon

    def ask(self, path: str = "/tournament.json", send: object = None, user: str | None = None) -> tuple[int, Any]:
        """Returns the status and the answer; waits until the pages are served."""
        body = None if send is None else json.dumps(send).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.daemon.http}{path}", body)
        if user is not None:
            request.add_header("Authorization", user)
        end = time.monotonic() + LIMIT_SECONDS
        while True:
            try:
                with urllib.request.urlopen(request, timeout=LIMIT_SECONDS) as answer:
                    text = answer.read()
                    return answer.status, json.loads(text) if path.endswith((".json", "/enter")) else text.decode()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, json.load(error)
            except (OSError, ValueError):
                # The daemon is starting, or was killed while it answered.
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def do(self, **command: Any) -> int:
        """Sends a command that must be accepted; returns the revision."""
        status, answer = self.ask(send=command)
        assert status == 200, answer
        return int(answer["revision"])

    def refused(self, **command: Any) -> str:
        """Sends a command that must be refused; returns the reason."""
        status, answer = self.ask(send=command)
        assert status != 200, answer
        return str(answer["reason"])

    def state(self) -> dict[str, Any]:
        """The tournament."""
        status, answer = self.ask()
        assert status == 200, answer
        found: dict[str, Any] = answer
        return found

    def until(self, wanted: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        """Waits for a state of the tournament."""
        states: list[dict[str, Any]] = []

        def seen() -> bool:
            states.append(self.state())
            return wanted(states[-1])

        until(seen, what)
        return states[-1]


def lasting(state: dict[str, Any] | None) -> dict[str, Any]:
    """The state without the forecast, which moves on with the clock."""
    return {key: value for key, value in (state or {}).items() if key != "ends"}


def done(state: dict[str, Any]) -> list[dict[str, Any]]:
    """The fixtures that were played."""
    return [fixture for fixture in state["fixtures"] if fixture["state"] == "done"]


def evening(
    folder: Path, players: int, boards: int, kills: int, say: Callable[[str], None] = lambda _: None, **setup: Any
) -> dict[str, Any]:
    """Plays a whole tournament; the daemon is killed `kills` times, each time after some more results.

    Returns its last state, after checking that every result is that of the match in the history.
    """
    names = [f"board-{number}" for number in range(1, boards + 1)]
    arguments = [part for name in names for part in ("--board", f"{name}=virtual@sim:?pace=0")]
    with Daemon(folder, *arguments) as daemon:
        organizer = Organizer(daemon)
        organizer.ask()
        organizer.do(**{"tournament": 1, "name": "Day", "format": "knockout", "pause": 0, "options": SHORT} | setup)
        for number in range(1, players + 1):
            organizer.do(enter={"name": f"Bot {number}", "bot": 10 + number % 20})
        organizer.do(draw="day")
        for kill in range(1, kills + 1):
            total = len([f for f in organizer.state()["fixtures"] if f["state"] not in ("bye", "void")])
            wanted = kill * total // (kills + 2)
            organizer.until(lambda state, wanted=wanted: len(done(state)) >= wanted, f"{wanted} results")  # type: ignore[misc]
            daemon.kill()
            say(f"kill {kill} after {wanted} of {total} matches")
            daemon.start()
        state = organizer.until(lambda state: state["state"] == "over", "the end")
        check_history(organizer, state)
        return state


def check_history(organizer: Organizer, state: dict[str, Any]) -> None:
    """Each result is that of one match in the history, between the same two, and no match counts twice."""
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    matches = [fixture["match"] for fixture in done(state)]
    assert len(set(matches)) == len(matches)
    for fixture in done(state):
        status, text = organizer.ask(f"/history/{fixture['match']}.jsonl")
        assert status == 200, text
        match = played(text.encode().splitlines())
        assert set(match.header.players) == {names[fixture["home"]], names[fixture["away"]]}
        assert match.finished
        assert match.game.winners(match.state) == (names[fixture["winner"]],)


def played(lines: list[bytes]) -> Match:
    """The match of a match file at its end."""
    header = read_header(lines[0])
    assert isinstance(header, Header)
    opened = open_match(header, games(), faces())
    assert isinstance(opened, Match)
    match = replayed(opened, map(read_action, lines[1:]))
    assert isinstance(match, Match)
    return match
