"""`oche watch`: the scores in a terminal, from the retained states.

It knows no game: each field of a player becomes a column and each field of a turn a word, so that new games are shown
too. rich draws it, because terminals differ in width, colours and the width of characters.
"""

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import aiomqtt
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from daemon.cli.throw import LOOK_SECONDS
from daemon.mqtt.connection import command_client
from daemon.system.error_text import error_text
from daemon.system.urls import BrokerUrl, broker_url, without_password

RETRY_SECONDS: Final = 1.0
NO_BOARD: Final = "No board answers. Is the daemon running? Start it with: oche run"
MOST_KEYS: Final = 24
"""The largest table of a player that is shown; a larger one (the map of Dart Wars) is left out."""
MARKS: Final = {0: "·", 1: "/", 2: "X", 3: "O"}
"""The marks of Cricket as a scorer writes them, by their number."""

HOUSE_NEWS: Final = {"away": "The house {} cannot be reached.", "left": "The house {} has left the match."}
"""What is said of another house of the match, by its state; nothing while it is there."""


@dataclass(slots=True)
class View:
    """The last payloads of the retained topics: nodes by name, boards and matches by `<node>/<board>`."""

    nodes: dict[str, Any] = field(default_factory=dict)
    boards: dict[str, Any] = field(default_factory=dict)
    matches: dict[str, Any] = field(default_factory=dict)
    lost: bool = False
    error: str | None = None
    """Why there is no connection to the broker."""

    def take(self, topic: str, payload: bytes) -> None:
        """Takes a message. An empty one removes what was there; one that is not an object is ignored."""
        try:
            value = json.loads(payload) if payload else None
        except (ValueError, RecursionError):
            return
        match topic.split("/"):
            case ["oche", node, "status"]:
                found, key = self.nodes, node
            case ["oche", node, "board", board, "status"]:
                found, key = self.boards, f"{node}/{board}"
            case ["oche", node, "board", board, "match"]:
                found, key = self.matches, f"{node}/{board}"
            case _:
                return
        if isinstance(value, dict):
            found[key] = value
        elif value is None:
            found.pop(key, None)

    def forget(self) -> None:
        """Forgets everything: after a reconnect only what is sent again counts."""
        self.nodes, self.boards, self.matches, self.lost, self.error = {}, {}, {}, False, None


def watch(arguments: argparse.Namespace) -> int:
    """Shows the boards until Ctrl-C; with `--once` prints them, and returns 1 without any."""
    url = broker_url(arguments.broker)
    topics = [f"oche/{arguments.node or '+'}/status"]
    topics += [f"oche/{arguments.node or '+'}/board/{arguments.board or '+'}/{leaf}" for leaf in ("status", "match")]
    if arguments.once:
        return asyncio.run(_once(url, topics, arguments.broker))
    asyncio.run(_follow(url, topics, arguments.broker))
    return 0


async def _once(url: BrokerUrl, topics: list[str], address: str) -> int:
    view = View()
    try:
        async with command_client(url) as client:
            await _subscribe(client, topics)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await _read(client, view, lambda: None)
    except aiomqtt.MqttError as error:
        print(_no_daemon(address, error), file=sys.stderr)
        return 1
    if not view.boards:
        print(NO_BOARD, file=sys.stderr)
        return 1
    Console().print(picture(view))
    return 0


def _no_daemon(address: str, error: Exception) -> str:
    return f"No daemon at {without_password(address)}: {error_text(error)}."


async def _follow(url: BrokerUrl, topics: list[str], address: str) -> None:
    view, console = View(lost=True), Console()
    with Live(picture(view), console=console, screen=console.is_terminal, auto_refresh=False) as screen:

        def show() -> None:
            screen.update(picture(view), refresh=True)

        while True:
            try:
                async with command_client(url) as client:
                    view.forget()
                    await _subscribe(client, topics)
                    show()
                    await _read(client, view, show)
            except (aiomqtt.MqttError, OSError) as error:
                view.lost, view.error = True, _no_daemon(address, error)
                show()
            await asyncio.sleep(RETRY_SECONDS)


async def _subscribe(client: aiomqtt.Client, topics: list[str]) -> None:
    for topic in topics:
        await client.subscribe(topic, qos=1)


async def _read(client: aiomqtt.Client, view: View, show: Callable[[], None]) -> None:
    async for message in client.messages:
        if isinstance(message.payload, bytes):
            view.take(str(message.topic), message.payload)
            show()


def picture(view: View) -> RenderableType:
    """Returns everything that is known, one frame a board."""
    error = [Text(view.error)] if view.error else []
    if not view.boards:
        return Group(*error, Text("connecting …" if view.lost else NO_BOARD, style="dim"))
    return Group(*error, *(_board(view, key, status) for key, status in sorted(view.boards.items())))


def _board(view: View, key: str, status: dict[str, Any]) -> RenderableType:
    node, _, board = key.partition("/")
    old = view.lost or view.nodes.get(node, {}).get("state") != "online"
    state = "reconnecting" if view.lost else "the daemon is offline" if old else str(status.get("state", "offline"))
    match = view.matches.get(key)
    inside: RenderableType = Text("no match") if match is None else _Match(match)
    if match is not None and not old and (news := _house_news(match)):
        inside = Group(Text(news, style="bold"), inside)
    if not old and isinstance(message := status.get("message"), str):
        inside = Group(Text(message), inside)
    title = board if match is None else f"{board}: {match.get('game', '')}"
    # A score that may be outdated must look different.
    return Panel(inside, title=Text(title), subtitle=Text(state), style="dim" if old else "")


def _house_news(match: dict[str, Any]) -> str:
    """Returns which houses of the match are away or have left, and which darts wait for one; empty if none is."""
    houses = match.get("houses")
    found = [house for house in houses if isinstance(house, dict)] if isinstance(houses, list) else []
    states = [(str(house.get("state")), house.get("node")) for house in found]
    said = [HOUSE_NEWS[state].format(node) for state, node in states if state in HOUSE_NEWS]
    if said and (sent := match.get("sent")) and isinstance(sent, list):
        said.append(f"These darts wait for it: {_words(sent)}.")
    return "" if match.get("finished") else " ".join(said)


@dataclass(frozen=True, slots=True)
class _Match:
    """A match, with as many columns of its players as have room."""

    match: dict[str, Any]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield _match(self.match, options.max_width)


def _match(match: dict[str, Any], room: int) -> RenderableType:
    turn, players = match.get("turn", {}), [player for player in match.get("players", []) if isinstance(player, dict)]
    keys = _fitting(players, _columns(players), room)
    table = Table(box=None, header_style="dim")
    table.add_column("")
    table.add_column("score", justify="right")
    for key in keys:
        table.add_column(_heading(key), justify="right")
    for player in players:
        name = str(player.get("name", ""))
        now = "▶ " if name == turn.get("player") and not match.get("finished") else "  "
        cells = [Text(_cell(_at(player, key))) for key in keys]
        table.add_row(Text(now + name), Text(str(player.get("score", "")), style="bold"), *cells)
    return Group(table, Text(), _turn(match, turn))


def _turn(match: dict[str, Any], turn: dict[str, Any]) -> Text:
    if match.get("finished"):
        return Text(f"won by {', '.join(map(str, match.get('winners', [])))}", style="bold")
    line = Text(f"{turn.get('actor', '')}: ")
    line.append(" ".join(map(str, turn.get("darts", []))) or "-", style="bold")
    line.append(f"  awaits {turn.get('awaits', '')}", style="dim")
    for key, value in turn.items():
        if key not in ("player", "actor", "darts", "awaits", "ends") and _is_short(value):
            line.append(f"  {key} {_words(value)}")
    return line


def _columns(players: list[dict[str, Any]]) -> list[str]:
    """Returns the columns of the players: one for each value, and for each entry of a small table (`marks.20`)."""
    found: dict[str, None] = {}
    for player in players:
        for key, value in player.items():
            if key in ("name", "score", "house"):
                continue
            if isinstance(value, dict) and len(value) <= MOST_KEYS:
                found |= dict.fromkeys(f"{key}.{inner}" for inner in value)
            elif not isinstance(value, dict | list):
                found[key] = None
    return list(found)


def _at(player: dict[str, Any], key: str) -> Any:
    outer, dot, inner = key.partition(".")
    value = player.get(outer)
    if not dot:
        return value
    found = value.get(inner) if isinstance(value, dict) else None
    return MARKS.get(found, found) if outer == "marks" and isinstance(found, int) else found


def _fitting(players: list[dict[str, Any]], keys: list[str], room: int) -> list[str]:
    """Returns the first keys whose columns fit beside the names and the scores; a cut column would tell nothing."""
    names = max((len(str(player.get("name", ""))) for player in players), default=0)
    scores = max((len(str(player.get("score", ""))) for player in players), default=0)
    left = room - (len("▶ ") + names + 1) - (max(len("score"), scores) + 1)
    fitting = []
    for key in keys:
        cells = (len(_cell(_at(player, key))) for player in players)
        left -= max(len(_heading(key)), *cells) + 1
        if left < 0:
            break
        fitting.append(key)
    return fitting


def _heading(key: str) -> str:
    """Returns the heading of a column: of a small table's entry its name alone, `20` for `marks.20`."""
    return key.rpartition(".")[2]


def _cell(value: Any) -> str:
    return "" if value is None else "yes" if value is True else "no" if value is False else str(value)


def _is_short(value: Any) -> bool:
    return not isinstance(value, dict | list) or (
        isinstance(value, list) and 0 < len(value) <= 6 and not any(isinstance(part, dict | list) for part in value)
    )


def _words(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else _cell(value)
