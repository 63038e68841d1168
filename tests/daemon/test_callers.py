"""The example of docs/callers.md against the real daemon: the messages to a caller and to a WLED strip."""

import ast
import asyncio
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, web

from tests.mqtt_clients import Referee, Watcher
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, free_port, until

ROOT: Final = Path(__file__).parent.parent.parent
EXAMPLE: Final = ROOT / "docs" / "examples" / "caller.py"
GUIDE: Final = (ROOT / "docs" / "callers.md").read_text()
MATCH: Final = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 101, "legs": 2}}
VISITS: Final = (("T20", "S1", "MISS"), ("T20", "T20"), ("D20",), ("SB", "S19", "S20"))

WARM: Final = "zoe"
"""The player of the matches that are started until the example receives one."""


def play(referee: Referee) -> None:
    """Ann 61, Bob busts, Ann finishes 40, Bob begins the second leg."""
    referee.ask({"start": MATCH})
    for visit in VISITS:
        for dart in visit:
            assert referee.ask({"throw": dart})["ok"]
        referee.ask({"next": True})


async def receive(caller: int, wled: int, referee: Referee, until_event: int) -> tuple[list[dict[str, Any]], list[Any]]:
    """Returns the events at a listener and the requests to a WLED strip while a match is played."""
    events: list[dict[str, Any]] = []
    presets: list[Any] = []

    async def strip(request: web.Request) -> web.Response:
        presets.append(await request.json())
        return web.json_response({"success": True})

    app = web.Application()
    app.router.add_post("/json/state", strip)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", wled).start()
    try:
        async with (
            asyncio.timeout(LIMIT_SECONDS),
            ClientSession() as session,
            session.ws_connect(f"ws://127.0.0.1:{caller}/") as listener,
        ):
            playing = asyncio.create_task(asyncio.to_thread(play, referee))
            while len(events) < until_event:
                # darts-wled reads an event as a Python literal.
                event = ast.literal_eval((await listener.receive()).data)
                if event["player"] != WARM:
                    events.append(event)
            await playing
    finally:
        await runner.cleanup()
    return events, presets


def test_a_caller_and_lights_receive_a_match(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    caller, wled = free_port(), free_port()
    command = [sys.executable, str(EXAMPLE), "--broker-port", str(broker.port), "--port", str(caller), "--board", "den"]
    command += ["--wled", f"http://127.0.0.1:{wled}", "--preset", "busted=3", "--preset", "61=7"]
    with Daemon(tmp_path, "--board", "den=virtual@sim:?pace=0", "--broker", broker.url):
        referee = Referee(watcher, "den")
        referee.online()
        log = tmp_path / "caller.log"
        with log.open("wb") as out:
            example = subprocess.Popen(command, stdout=out, stderr=out)
        try:
            until(lambda: b"listening" in log.read_bytes(), "the example's port")
            # It prints its port before it has subscribed: a first match shows that it receives events.
            until(lambda: warmed_up(referee, log), "the example's first event")
            events, presets = asyncio.run(receive(caller, wled, referee, 20))
        finally:
            example.kill()
            example.wait()
    names = [event["event"] for event in events]
    assert names == [
        *("match-started", "game-started", "dart1-thrown", "dart2-thrown", "dart3-thrown", "darts-thrown"),
        *("darts-pulled", "dart1-thrown", "dart2-thrown", "busted", "darts-pulled", "dart1-thrown", "game-won"),
        *("darts-pulled", "game-started", "dart1-thrown", "dart2-thrown", "dart3-thrown", "darts-thrown"),
        *("darts-pulled",),
    ]
    first = events[2]
    assert first["player"] == "ann"
    assert first["game"] == {
        "mode": "X01",
        "dartNumber": "1",
        "dartValue": "60",
        "pointsLeft": "41",
        "fieldName": "t20",
        "fieldNumber": "20",
        "fieldMultiplier": "3",
    }
    assert events[5]["game"] == {"mode": "X01", "dartValue": "61", "pointsLeft": "40"}
    assert (events[9]["player"], events[9]["playerIndex"]) == ("bob", "1")
    assert events[12]["game"]["dartsThrownValue"] == "40"
    assert presets == [{"ps": 7}, {"ps": 3}]


def warmed_up(referee: Referee, log: Path) -> bool:
    referee.ask({"start": {"game": "x01", "players": [WARM]}})
    return b"match-started" in log.read_bytes()


def test_an_event_that_is_published_again_is_translated_once() -> None:
    translator = runpy.run_path(str(EXAMPLE))["Translator"]()
    event = {"id": "m-1-0", "event": "started", "players": ["Ann"]}
    assert [len(translator.translate(event)) for _ in range(2)] == [2, 0]


def test_the_guide_names_every_event_that_is_sent() -> None:
    sent = set(re.findall(r'_message\(f?"([a-z{}-]+)"', EXAMPLE.read_text()))
    named = {name.replace("1", "{number}") for name in re.findall(r"`([a-z0-9-]+)`", GUIDE)}
    assert sent
    assert sent <= named
