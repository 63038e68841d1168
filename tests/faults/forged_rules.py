"""Forged messages against the rules alone: the access list, the parsing of topics and commands, and the game.

The broker is left out: its access list is read here, as mosquitto's manual
says. So a million messages take half a minute. `forged_at_the_broker.py` has
the real broker and the real daemon.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from daemon.mqtt.topics import is_command, sender
from daemon.people.access import ROLES, User, access_list
from daemon.session import commands
from daemon.session.chance import draw
from daemon.session.house_asks import Accept, Adjourn, Invite, Resume
from daemon.system.catalogue import faces, games
from engine.actions import Throw
from engine.match import Match
from engine.matchfile import header_from_json, open_match
from engine.play import apply, replayed
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from engine.visit_total import VisitTotal, visit_actions
from tests.faults.forged import BOARDS, CAST, NODE, ROOT, STARTS, Forged, Forger, Scene, may_change, may_read

MOVES_EVERY: Final = 50
"""After how many messages the matches move on, so that somebody else is awaited."""


def matches(pattern: str, topic: str) -> bool:
    """Whether a topic filter of MQTT 5 (4.7) takes a topic."""
    if topic.startswith("$") and pattern[0] in "+#":
        return False
    wanted, levels = pattern.split("/"), topic.split("/")
    for n, level in enumerate(wanted):
        if level == "#":
            return True
        if n >= len(levels) or level not in ("+", levels[n]):
            return False
    return len(wanted) == len(levels)


class AccessFile:
    """mosquitto's access list, as far as `access_list` uses it: lines for a user, and topics to read or write."""

    def __init__(self, text: str) -> None:
        self._lines: dict[str, list[tuple[str, str]]] = {}
        self._known: dict[tuple[str, str, str], bool] = {}
        user = ""
        for line in text.splitlines():
            match line.split(" ", 2):
                case ["user", name]:
                    user = name
                case ["topic", "read" | "write" as way, pattern]:
                    self._lines.setdefault(user, []).append((way, pattern))
                case [word, *_] if not word or word.startswith("#"):
                    pass
                case _:
                    raise AssertionError(f"not a line that this reads: {line!r}")

    def allows(self, user: str, way: str, topic: str) -> bool:
        asked = (user, way, topic)
        if asked not in self._known:
            self._known[asked] = any(
                way == does and matches(pattern, topic) for does, pattern in self._lines.get(user, [])
            )
        return self._known[asked]


def users() -> list[User]:
    """The cast as the daemon's users; strangers are no users."""
    found = []
    for name, part in CAST.items():
        found += [User(name, role, "") for role in ROLES if role == part]
    return found


@dataclass
class Rules:
    """Two boards with a match each, behind the access list. `make_list` and `allowed` can be replaced by wrong ones."""

    seed: int
    make_list: Callable[[str, list[User]], str] = access_list
    allowed: Callable[..., Refusal | None] = commands.allowed
    on: dict[str, Match] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BOARDS, 1))
    tried: int = 0
    changed: int = 0
    """Messages of those who may that did change a match."""

    def __post_init__(self) -> None:
        self._forger = Forger(self.seed)
        self._list = AccessFile(self.make_list(NODE, users()))
        for board in BOARDS:
            self._start(board)

    def run(self, count: int) -> None:
        """Draws and judges this many messages; AssertionError if one changes or reveals what its sender may not."""
        for n in range(count):
            if n % MOVES_EVERY == 0:
                self._move_on()
            awaited = {board: (match.turn.actor, match.turn.awaits) for board, match in self.on.items()}
            message = self._forger.draw(Scene(self.revisions, awaited))
            self._judge(message)
            self.tried += 1

    def _judge(self, message: Forged) -> None:
        awaited = {board: match.turn.actor for board, match in self.on.items()}
        outcome = self._outcome(message)
        may = may_change(message, awaited)
        about = (f"seed {self.seed}, message {self.tried}", message, awaited)
        assert may or outcome is None or isinstance(outcome, Refusal), ("a match was changed", about)
        if may and isinstance(outcome, Refusal):
            assert outcome.reason not in ("not_allowed", "not_your_turn"), ("one who may was refused", about)
        if may:
            assert outcome is not None, ("one who may was not heard", about)
        if outcome is not None and not isinstance(outcome, Refusal):
            self.changed += 1
        for user in CAST:
            if self._list.allows(user, "read", message.topic):
                assert may_read(user, message.topic), f"{user} reads {message.topic}"

    def _outcome(self, message: Forged) -> Match | Refusal | str | None:
        """What the message comes to: a changed match, a refusal, or None where it never reaches a board."""
        topic = message.topic
        if not self._list.allows(message.user, "write", topic):
            return None
        if not is_command(ROOT, topic):
            # A topic that the daemon or others would take for somebody else's word.
            return None if topic == "homeassistant/status" else "written"
        board = topic.removeprefix(f"{ROOT}/board/").partition("/")[0]
        if board not in self.on or message.retain or not message.payload:
            return None
        _, command = commands.read_command(message.payload)
        if isinstance(command, Refusal):
            return command
        match = self.on[board]
        if (refusal := self.allowed(command, sender(ROOT, topic), self.revisions[board], match)) is not None:
            return refusal
        match command.ask:
            case commands.Start() | commands.Fair() | commands.Stop() | commands.Hint() | commands.Screens():
                return match
            case Invite() | Accept() | Adjourn() | Resume():
                return match
            case VisitTotal() as total:
                actions = visit_actions(match, total)
                return actions if isinstance(actions, Refusal) else replayed(match, actions)
            case action:
                return apply(match, action)

    def _start(self, board: str) -> None:
        header = header_from_json({"match": 1} | self._forger.random.choice(STARTS))
        assert not isinstance(header, Refusal)
        opened = open_match(header, games(), faces())
        assert not isinstance(opened, Refusal)
        self.on[board] = self._with_chance(opened)

    def _with_chance(self, match: Match) -> Match:
        """The match after the dice or cards that it makes due, unless people bring them."""
        while (
            not match.header.options.get("manual_chance") and (action := draw(match, self._forger.random)) is not None
        ):
            stepped = apply(match, action)
            assert not isinstance(stepped, Refusal)
            match = stepped
        return match

    def _move_on(self) -> None:
        """One legal action on each board, and now and then another match."""
        chance = self._forger.random
        for board, match in self.on.items():
            self.revisions[board] += 1
            moves = list(match.legal().actions)
            if match.turn.awaits == "throw":
                moves.append(Throw(SEGMENTS["S20"]))
            if chance.random() < 0.3 and (drawn := draw(match, chance)) is not None:
                moves.append(drawn)
            if match.finished or chance.random() < 0.02:
                self._start(board)
            elif moves:
                stepped = apply(match, chance.choice(moves))
                assert not isinstance(stepped, Refusal), stepped
                self.on[board] = self._with_chance(stepped)
