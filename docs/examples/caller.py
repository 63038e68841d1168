"""Callers and lights that know other dart software hear of a match on oche. docs/callers.md says how to use it.

It reads the topics of one board and says what happens in two languages: as the events of darts-caller, on a plain
WebSocket, and to WLED as presets. It is an example: one file, to be changed.
"""

import argparse
import asyncio
import json
from typing import Any

import aiomqtt
from aiohttp import ClientError, ClientSession, ClientTimeout, web

MODES = {"x01": "X01", "cricket": "Cricket"}


class Translator:
    """Makes darts-caller's events of ours. The state of the match comes before the events that it is made of."""

    def __init__(self) -> None:
        self.match: dict[str, Any] = {}
        self.player = ""
        self.is_won = False
        """The leg is over, and the next one begins with the next turn."""

    def translate(self, event: dict[str, Any]) -> list[dict[str, Any]]:
        kind, player = event["event"], event.get("player", self.player)
        match kind:
            case "started":
                self.player, self.is_won = "", False
                return [self._say("match-started", event["players"][0]), self._say("game-started", event["players"][0])]
            case "turn":
                pulled = [self._say("darts-pulled", self.player)] if self.player else []
                started = [self._say("game-started", player)] if self.is_won else []
                self.player, self.is_won = player, False
                return pulled + started
            case "dart" if "player" in event:
                self.player, number = player, len(self.match["turn"]["darts"])
                dart = {"dartNumber": str(number), "dartValue": str(event.get("points", 0)), **_field(event["dart"])}
                return [self._say(f"dart{number}-thrown", player, dart | _left(event))]
            case "score":
                return [self._say("darts-thrown", player, {"dartValue": str(event["points"]), **_left(event)})]
            case "bust":
                return [self._say("busted", player, _left(event))]
            case "checkout":
                self.is_won = True
                return [self._say("game-won", player, {"dartsThrownValue": str(event["points"]), "pointsLeft": "0"})]
            case "won":
                return [self._say("match-won", winner) for winner in event["winners"][:1]]
            case _:
                return []

    def _say(self, name: str, player: str, about: dict[str, str] | None = None) -> dict[str, Any]:
        names = [one["name"] for one in self.match.get("players", [])]
        index = str(names.index(player)) if player in names else "0"
        game = self.match.get("game", "")
        # Listeners read numbers from text, and names in small letters.
        about = {"mode": MODES.get(game, game)} | (about or {})
        return {"event": name, "player": player.lower(), "playerIndex": index, "game": about}


def _left(event: dict[str, Any]) -> dict[str, str]:
    return {"pointsLeft": str(event["left"])} if "left" in event else {}


def _field(dart: str) -> dict[str, str]:
    """A bed as darts-caller names it: `s20`, `d16`, `t19`, `25`, `50`."""
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
    """A WLED strip: shows a preset for an event, or for a visit of so many points."""

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
            pass  # Listeners have nothing to say to us.
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
                    said = json.loads(message.payload or b"{}")
                    if message.topic.matches(f"{board}/match"):
                        translator.match = said
                        continue
                    for event in translator.translate(said):
                        print(json.dumps(event), flush=True)
                        await asyncio.gather(
                            lights.show(event), *(to.send_json(event) for to in listeners), return_exceptions=True
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
    parser.add_argument("--port", type=int, default=8079, help="where listeners look for darts-caller")
    parser.add_argument("--wled", metavar="URL", help="a WLED controller, such as http://wled.local")
    parser.add_argument("--preset", metavar="EVENT=NUMBER", type=_preset, action="append", default=[])
    asyncio.run(main(parser.parse_args()))
