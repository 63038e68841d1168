"""Boards of other nodes at the same broker: what their retained topics show, and commands to them as a referee.

A start is asked for with the same id until it is answered. The board remembers its last 1,000 answers, over a restart
too, so a match is begun once. A node that is restarted takes a running match of the same players as that of the call.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, Final

from daemon.mqtt.message import Message
from daemon.mqtt.shared_broker import SharedBroker
from daemon.session.commands import Start
from daemon.system.urls import BrokerUrl
from daemon.tournament.boards import FixtureBoard, SeenMatch, legs_of, maximums_of
from engine import jsontext
from engine.refusals import Refusal

log = logging.getLogger(__name__)

_TOPIC: Final = re.compile(r"oche/([a-z0-9-]{1,32})/(?:board/([a-z0-9-]{1,32})/)?(status|match|reply)")
MOST_BOARDS: Final = 256
"""Boards of other nodes that are remembered; more are left out."""
MOST_CALLS: Final = 64
"""Calls to a board whose answers are kept; the oldest is dropped."""


class NodeBoard:
    """A board of another node; `send` publishes a command to it, `is_there` says whether its node is online."""

    def __init__(self, name: str, send: Callable[[dict[str, Any]], None], is_there: Callable[[], bool]) -> None:
        self.name = name
        self._send, self._is_there = send, is_there
        self._status: Mapping[str, Any] = {}
        self._match: SeenMatch | None = None
        self._calls: dict[str, None] = {}
        """What was started here: the board answers the commands of everybody."""
        self._replies: dict[str, int | None] = {}
        """The revision after each start that was answered; `None` for a refused one."""
        self._begun: tuple[str, str] | None = None
        """The last call whose match was seen, and the id of that match."""

    @property
    def is_ready(self) -> bool:
        return bool(self._status) and self._is_there()

    @property
    def is_connected(self) -> bool:
        return self._is_there() and self._status.get("state") == "online"

    @property
    def can(self) -> Container[str]:
        can = self._status.get("can")
        return can if isinstance(can, dict) else ()

    @property
    def match(self) -> SeenMatch | None:
        return self._match

    def has_begun(self, match: SeenMatch, call: str, called: float) -> bool:
        if self._begun == (call, match.id):
            return True
        if call in self._replies:
            revision = self._replies[call]
            begun = revision is not None and match.revision >= revision
        else:
            # Before the answer: a match that is over may be an older one of the same two.
            begun = not match.finished
        if begun:
            self._begun = (call, match.id)
        return begun

    async def start(self, start: Start, call: str) -> None:
        self._note(call)
        header = start.header
        body = {"game": header.game, "players": list(header.players), "options": dict(header.options)}
        self._send({"id": call, "start": body | ({"bots": start.bots} if start.bots else {})})

    def is_answered(self, call: str) -> bool:
        return call in self._replies

    async def end_turn(self, revision: int) -> None:
        self._send({"next": True, "revision": revision})

    async def stop(self, revision: int) -> None:
        self._send({"stop": True, "revision": revision})

    def take(self, leaf: str, value: object) -> None:
        """Takes a message of the board; `None` is an empty one."""
        if leaf == "status":
            self._status = value if isinstance(value, dict) else {}
        elif leaf == "match":
            self._match = seen_match(value)
        else:
            self._answered(value)

    def _note(self, call: str) -> None:
        self._calls.pop(call, None)
        self._calls[call] = None
        if len(self._calls) > MOST_CALLS:
            oldest = next(iter(self._calls))
            del self._calls[oldest]
            self._replies.pop(oldest, None)

    def _answered(self, value: object) -> None:
        match value:
            case {"id": str() as call, "ok": True, "revision": int() as revision} if call in self._calls:
                self._replies[call] = revision
            case {"id": str() as call, "ok": False} if call in self._calls:
                self._replies[call] = None


class OtherNodes:
    """The boards of other nodes, by `node/board`. `on_news` is called when something of them has changed.

    While `may_send` returns False no board is ready, and none is sent a command.
    """

    def __init__(
        self,
        url: BrokerUrl | None,
        node: str,
        on_news: Callable[[], None],
        may_send: Callable[[], bool] = lambda: True,
    ) -> None:
        self._url, self._node, self._on_news, self._may_send = url, node, on_news, may_send
        self.boards: dict[str, FixtureBoard] = {}
        self._known: dict[str, NodeBoard] = {}
        self._nodes: frozenset[str] = frozenset()
        self._online: set[str] = set()
        self._shared: SharedBroker | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def can_be_heard(self) -> bool:
        """Whether there is a broker at which other nodes can be."""
        return self._url is not None

    def follow(self, nodes: Iterable[str]) -> None:
        """Listens to these nodes, and no others."""
        wanted = frozenset(nodes) - {self._node}
        if wanted == self._nodes or self._url is None:
            return
        self.close()
        self._nodes = wanted
        if wanted:
            leaves = ("match", "reply", "status")
            topics = [f"oche/{node}/board/+/{leaf}" for node in sorted(wanted) for leaf in leaves]
            # A board is ready when its node is online: that comes last, after what is on the board.
            topics += [f"oche/{node}/status" for node in sorted(wanted)]
            self._shared = SharedBroker(self._url, topics, self._hear, "Broker of the nodes", retained=True)
            self._shared.on_connect = self._shared.on_disconnect = self._forget
            self._task = asyncio.create_task(self._shared.run())

    def close(self) -> None:
        """Ends the connection."""
        if self._task is not None:
            self._task.cancel()
        if self._shared is not None:
            # It ends after the next connection has begun, and that one is heard.
            self._shared.on_disconnect = lambda: None
        self._task = self._shared = None
        self._nodes = frozenset()
        self._forget()
        self.boards.clear()
        self._known.clear()

    def _forget(self) -> None:
        """What is retained comes again with the next connection; until then nothing is known."""
        self._online.clear()
        for board in self._known.values():
            board.take("status", None)
            board.take("match", None)

    def _hear(self, message: Message) -> None:
        parts = _TOPIC.fullmatch(message.topic)
        if parts is None or parts[1] not in self._nodes:
            return
        node, name, leaf = parts.groups()
        value = jsontext.parse(message.payload) if message.payload else None
        if isinstance(value, Refusal):
            value = None
        if name is None:
            online = isinstance(value, dict) and value.get("state") == "online"
            (self._online.add if online else self._online.discard)(node)
        elif (board := self._board(node, name)) is not None:
            board.take(leaf, value)
        self._on_news()

    def _board(self, node: str, name: str) -> NodeBoard | None:
        place = f"{node}/{name}"
        if place not in self._known:
            if len(self._known) >= MOST_BOARDS:
                return None

            def send(command: dict[str, Any]) -> None:
                if self._shared is not None and self._may_send():
                    self._shared.send(f"oche/{node}/board/{name}/command", command)

            def is_there() -> bool:
                return node in self._online and self._may_send()

            self.boards[place] = self._known[place] = NodeBoard(place, send, is_there)
        return self._known[place]


def seen_match(value: object) -> SeenMatch | None:
    """The match in the payload of a board's topic `match`; `None` if there is none, or it cannot be read."""
    if not isinstance(value, dict):
        return None
    number, game, revision, players = (value.get(key) for key in ("match", "game", "revision", "players"))
    if not (isinstance(number, str) and isinstance(game, str) and type(revision) is int and isinstance(players, list)):
        return None
    if not all(isinstance(player, dict) and isinstance(player.get("name"), str) for player in players):
        return None
    finished, winners, result, turn = (value.get(key) for key in ("finished", "winners", "result", "turn"))
    return SeenMatch(
        number,
        game,
        tuple(player["name"] for player in players),
        revision,
        finished is True,
        is_won=finished is not True and isinstance(result, dict) and result.get("of") == "match",
        is_begun=bool(value.get("earlier")) or bool(isinstance(turn, dict) and turn.get("darts")),
        winners=tuple(map(str, winners)) if isinstance(winners, list) else (),
        legs=legs_of(value),
        maximums=maximums_of(value),
    )
