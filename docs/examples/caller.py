"""Translates the events of an oche board for callers and lights. docs/callers.md says how to use it.

It subscribes to the topics of one board, or of all, and sends two things: the events of darts-caller, on a plain
WebSocket, and presets to WLED. It is an example in one file: change it.
"""

import argparse
import asyncio
import json
from collections import deque
from typing import Any

import aiomqtt
from aiohttp import ClientError, ClientSession, ClientTimeout, web

MODES = {"x01": "X01", "cricket": "Cricket"}


class Translator:
    """Translates events of oche to events of darts-caller. The state of a match arrives before its events."""

    def __init__(self) -> None:
        self.match: dict[str, Any] = {}
        self.player = ""
        self.is_won = False
        """Whether the leg is over: the next one begins with the next turn."""
        self.seen: deque[str] = deque(maxlen=100)
        """The ids of the last events: the daemon publishes an event at least once, always with the same id."""

    def translate(self, event: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns the messages for an event, in order; none for one that was seen before or has no counterpart."""
        if event["id"] in self.seen:
            return []
        self.seen.append(event["id"])
        kind, player = event["event"], event.get("player", self.player)
        match kind:
            case "started":
                self.player, self.is_won = "", False
                return [
                    self._message("match-started", event["players"][0]),
                    self._message("game-started", event["players"][0]),
                ]
            case "turn":
                pulled = [self._message("darts-pulled", self.player)] if self.player else []
                started = [self._message("game-started", player)] if self.is_won else []
                self.player, self.is_won = player, False
                return pulled + started
            case "dart" if "player" in event:
                self.player, number = player, len(self.match["turn"]["darts"])
                dart = {"dartNumber": str(number), "dartValue": str(event.get("points", 0)), **_field(event["dart"])}
                return [self._message(f"dart{number}-thrown", player, dart | _left(event))]
            case "score":
                return [self._message("darts-thrown", player, {"dartValue": str(event["points"]), **_left(event)})]
            case "bust":
                return [self._message("busted", player, _left(event))]
            case "checkout":
                self.is_won = True
                return [
                    self._message("game-won", player, {"dartsThrownValue": str(event["points"]), "pointsLeft": "0"})
                ]
            case "won":
                return [self._message("match-won", winner) for winner in event["winners"][:1]]
            case _:
                return []

    def _message(self, name: str, player: str, about: dict[str, str] | None = None) -> dict[str, Any]:
        names = [one["name"] for one in self.match.get("players", [])]
        index = str(names.index(player)) if player in names else "0"
        game = self.match.get("game", "")
        # Listeners expect numbers as text and names in lower case.
        about = {"mode": MODES.get(game, game)} | (about or {})
        return {"event": name, "player": player.lower(), "playerIndex": index, "game": about}


def _left(event: dict[str, Any]) -> dict[str, str]:
    return {"pointsLeft": str(event["left"])} if "left" in event else {}


def _field(dart: str) -> dict[str, str]:
    """The fields of a bed as darts-caller names it: `s20`, `d16`, `t19`, `25`, `50`, or `outside`."""
    if dart in ("SB", "DB"):
        return {
            "fieldName": "25" if dart == "SB" else "50",
            "fieldNumber": "25",
            "fieldMultiplier": str(1 + (dart == "DB")),
        }
    number = dart.lstrip("SDTIO")
    if not number.isdecimal():
        return {"fieldName": "outside", "fieldNumber": "0", "fieldMultiplier": "0"}
    return {"fieldName": dart[0].lower() + number, "fieldNumber": number, "fieldMultiplier": str(" SDT".index(dart[0]))}


class Lights:
    """A WLED strip. It shows a preset for an event, or for the total of a visit."""

    def __init__(self, url: str | None, presets: dict[str, int]) -> None:
        self.url, self.presets = url, presets

    async def show(self, event: dict[str, Any]) -> None:
        total = event["game"].get("dartValue") if event["event"] == "darts-thrown" else None
        preset = self.presets.get(total or "", self.presets.get(event["event"]))
        if self.url is None or preset is None:
            return
        try:
            async with ClientSession(timeout=ClientTimeout(2)) as session:
                await session.post(f"{self.url.rstrip('/')}/json/state", json={"ps": preset})
        except (ClientError, TimeoutError) as error:
            print(f"The lights at {self.url} do not answer: {error}", flush=True)


async def main(arguments: argparse.Namespace) -> None:
    listeners: set[web.WebSocketResponse] = set()

    async def listen(request: web.Request) -> web.WebSocketResponse:
        listener = web.WebSocketResponse(heartbeat=30)
        await listener.prepare(request)
        listeners.add(listener)
        async for _ in listener:
            pass  # Listeners send nothing that is used.
        listeners.discard(listener)
        return listener

    app = web.Application()
    app.router.add_get("/", listen)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, arguments.host, arguments.port).start()
    print(f"listening on ws://{arguments.host}:{arguments.port}", flush=True)
    translator, lights = Translator(), Lights(arguments.wled, dict(arguments.preset))
    board = f"oche/+/board/{arguments.board}"
    while True:
        try:
            async with aiomqtt.Client(arguments.broker, arguments.broker_port) as client:
                await client.subscribe([(f"{board}/match", 1), (f"{board}/event", 1)])
                async for message in client.messages:
                    payload = json.loads(message.payload or b"{}")
                    if message.topic.matches(f"{board}/match"):
                        translator.match = payload
                        continue
                    for event in translator.translate(payload):
                        print(json.dumps(event), flush=True)
                        await asyncio.gather(
                            lights.show(event),
                            *(one.send_json(event) for one in listeners),
                            return_exceptions=True,
                        )
        except aiomqtt.MqttError as error:
            print(f"broker: {error}; trying again", flush=True)
            await asyncio.sleep(1)


def _preset(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    return name, int(number)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--broker", default="127.0.0.1")
    parser.add_argument("--broker-port", type=int, default=1884)
    parser.add_argument("--board", default="+", help="the name of the board; default: any")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8079, help="the port of darts-caller, where listeners connect")
    parser.add_argument("--wled", metavar="URL", help="a WLED controller, such as http://wled.local")
    parser.add_argument("--preset", metavar="EVENT=NUMBER", type=_preset, action="append", default=[])
    asyncio.run(main(parser.parse_args()))
