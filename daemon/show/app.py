"""What the rules say about the matches on the bus is sent: to lights, rings, addresses, screens and callers."""

import asyncio
import contextlib
import json
import logging
import secrets
import time
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

import aiomqtt
from aiohttp import ClientSession

from daemon.people.colours import colour_of
from daemon.show.caller_words import CallerWords, Message, commands_of
from daemon.show.cues import BoardFollower, Cue
from daemon.show.outputs import Hook, Light, host_of
from daemon.show.requests import Stage
from daemon.show.rings import Rings, Told
from daemon.show.rules import Due, due
from daemon.system.config import Settings
from daemon.system.console import TroublePrinter
from daemon.system.show_config import CallerDoor, Mqtt, Shout, Shown, Wled
from daemon.system.show_file import read_rules
from engine import jsontext

if TYPE_CHECKING:
    from daemon.show.caller_door import Door, Heard

log = logging.getLogger(__name__)

CONNECT_SECONDS: Final = 5.0
"""How long a trial waits for the broker: the page may have started this process."""
COMMANDS: Final = 50
"""Commands and messages that wait for the broker; those beyond are dropped."""
OUTDATED_SECONDS = 5.0
"""Age at which they are dropped: a `next` of a minute ago would end the turn of somebody else."""


class Show:
    """The rules and the door at work: messages of the bus go in, lights, hooks and listeners are told."""

    def __init__(self, settings: Settings, session: ClientSession) -> None:
        self._settings, self._node, self._session = settings, settings.node, session
        self._rules = settings.show
        self._trouble = TroublePrinter("oche show")
        self.connected = asyncio.Event()
        """Set while what is published reaches the broker."""
        self.reload()
        self._followers: dict[str, BoardFollower] = {}
        self._rings = Rings(settings.rings, partial(colour_of, settings.data))
        self._lights: dict[str, Light] = {}
        self._hooks: dict[str, Hook] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._waiting: asyncio.Queue[tuple[float, str, str, bool]] = asyncio.Queue(COMMANDS)
        """With the time at which each was put in."""
        self._words: dict[str, CallerWords] = {}
        self._told_board = None if settings.caller_door is None else settings.caller_door.board
        self.door = None if settings.caller_door is None else _door(settings.caller_door, self._command)

    def reload(self) -> None:
        """Reads the rules that were made on the page, which act beside those of the configuration."""
        made = read_rules(self._settings.data)
        self._rules = (*self._settings.show, *made.valid)
        self._trouble.now("\n".join(made.messages) or None)

    def stage(self) -> Stage:
        """What a trial of a rule needs."""
        return Stage(
            self._session,
            self._settings.data,
            self._try_light,
            self._publish_now,
            self._shout,
            self.reload,
            self._ready,
        )

    def take(self, topic: str, payload: bytes) -> list[Message]:
        """Takes a message of the bus; starts what the rules send. Returns what the listeners at the door are told."""
        try:
            value = json.loads(payload.decode()) if payload else None
            jsontext.dump(value)  # ValueError for a lone surrogate, which nothing that is sent can contain.
        except (ValueError, RecursionError):
            return []
        match topic.split("/"):
            case ["oche", _, "board", board, "match"]:
                follower = self._follower(board)
                follower.take_state(value)
                self._tell_rings(self._rings.state(follower))
            case ["oche", _, "board", board, "event"]:
                if (cue := self._follower(board).take_event(value)) is not None:
                    self._tell_rings(self._rings.cue(cue))
                    self.send(due(self._rules, cue), cue)
                    return self._translated(cue)
        return []

    def _tell_rings(self, told: Iterable[Told]) -> None:
        for at, look in told:
            self._light(at).show(look)

    def send(self, what: Due, cue: Cue) -> None:
        """Starts everything that is due; returns at once."""
        for light in what.wled:
            self._light(light.at).show(light)
        for message in what.mqtt:
            self._send_mqtt(message)
        for request in what.http:
            self._hook(host_of(request.url)).send(request)
        if what.shout:
            self._shout(cue.board, what.shout, cue.event.get("id"))

    async def publish(self, topic: str, text: str, retain: bool) -> None:
        """Publishes a text as soon as the broker takes it; drops it if too much waits."""
        self._put(topic, text, retain=retain)

    async def publish_all(self, client: aiomqtt.Client) -> None:
        """Publishes what waits, for ever. MqttError if the broker is gone."""
        while True:
            since, topic, text, retain = await self._waiting.get()
            if time.monotonic() - since < OUTDATED_SECONDS:
                await client.publish(topic, text, qos=1, retain=retain)

    async def read_all(self, client: aiomqtt.Client) -> None:
        """Takes every message of the broker, and tells the listeners, for ever. MqttError if the broker is gone."""
        async for message in client.messages:
            if isinstance(message.payload, bytes):
                for told in self.take(str(message.topic), message.payload):
                    if self.door is not None:
                        await self.door.tell(told)

    async def close(self) -> None:
        """Ends the tasks of lights and hooks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _translated(self, cue: Cue) -> list[Message]:
        if self.door is None or self._told_board not in (None, cue.board):
            return []
        return self._words.setdefault(cue.board, CallerWords()).translate(cue)

    async def _command(self, text: object) -> None:
        """Sends what a listener asks for to the board of the door; without one, to the only board."""
        boards = [self._told_board] if self._told_board is not None else list(self._followers)
        if len(boards) != 1:
            log.warning("a listener's command is dropped: name the board in [caller_door], there are %s", len(boards))
            return
        follower = self._follower(boards[0])
        turn = follower.state.get("turn")
        awaits = turn.get("awaits", "") if isinstance(turn, dict) else ""
        for command in commands_of(text, str(awaits)):
            self._put(f"oche/{self._node}/board/{follower.board}/command", jsontext.dump(command), retain=False)

    def _shout(self, board: str, shown: Shown, event_id: str | None = None) -> str | None:
        shout = Shout(id=f"{event_id or secrets.token_hex(8)}-show", **shown)
        return self._publish_now(f"oche/{self._node}/board/{board}/show", jsontext.dump(shout), retain=False)

    def _publish_now(self, topic: str, text: str, retain: bool) -> str | None:
        self._put(topic, text, retain=retain)
        return None if self.connected.is_set() else "The broker is away."

    async def _ready(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CONNECT_SECONDS):
                await self.connected.wait()

    async def _try_light(self, light: Wled, seconds: float) -> str | None:
        problem = await self._light(light.at).try_out(light, seconds)
        if problem is None and light.at.startswith("mqtt:") and not self.connected.is_set():
            return "The broker is away."
        return problem

    def _send_mqtt(self, message: Mqtt) -> None:
        text = message.payload if isinstance(message.payload, str) else jsontext.dump(message.payload)
        self._put(message.topic, text, retain=message.retain)

    def _put(self, topic: str, text: str, *, retain: bool) -> None:
        if not self._waiting.full():
            self._waiting.put_nowait((time.monotonic(), topic, text, retain))

    def _follower(self, board: str) -> BoardFollower:
        return self._followers.setdefault(board, BoardFollower(board))

    def _light(self, at: str) -> Light:
        if at not in self._lights:
            self._lights[at] = light = Light(at, self._session, self.publish)
            self._tasks.append(asyncio.create_task(light.run()))
        return self._lights[at]

    def _hook(self, host: str) -> Hook:
        if host not in self._hooks:
            self._hooks[host] = hook = Hook(host, self._session)
            self._tasks.append(asyncio.create_task(hook.run()))
        return self._hooks[host]


class DoorClosed(Exception):
    """The port for callers cannot be opened; the text says what to do."""


def _door(settings: CallerDoor, heard: "Heard") -> "Door":
    try:
        from daemon.show.caller_door import Door
    except ImportError as error:
        raise DoorClosed("[caller_door] needs python-socketio: pip install 'oche[show]'.") from error
    return Door(settings, heard, time.monotonic)
