"""Forged messages: who sends what where, drawn by a machine, and an oracle that says who may.

The oracle is written from docs/access.md and docs/bus.md alone. It knows the
cast below by heart, so that it shares no code with the daemon: neither how a
player's name becomes a user's, nor what the broker's access list says, nor how
a command is read.
"""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

NODE: Final = "test"
ROOT: Final = f"oche/{NODE}"
BOARDS: Final = ("lounge", "attic")

Part = Literal["stranger", "display", "player", "referee"]

CAST: Final[Mapping[str, Part]] = {
    "nobody": "stranger",
    "tv": "display",
    "light": "display",
    "ann": "player",
    "bob": "player",
    "jurgen-k": "player",
    "eve": "player",
    "twin": "player",
    "command": "player",
    "rita": "referee",
}
"""Everybody who sends, by user name. Eve was added and plays no match; two players come down to `twin`."""

PLAYS_AS: Final[Mapping[str, str]] = {"ann": "Ann", "bob": "Bob", "jurgen-k": "Jürgen K.", "command": "Command"}
"""The player that each user speaks for, as docs/access.md says it; nobody speaks for either Twin."""

REFEREES_ALONE: Final = ("start", "stop", "undo", "deck")

STARTS: Final[tuple[dict[str, Any], ...]] = (
    {"game": "dards", "players": ["Ann", "Bob"], "options": {"order": "listed", "mode": "hands"}},
    {"game": "x01", "players": ["Bob", "Jürgen K.", "Twin", "TWIN"], "options": {"start": 1001}},
    {"game": "x01", "players": ["Ann", "Command", "Jürgen K."], "options": {"start": 301, "out": "open"}},
    {"game": "dards", "players": ["Bob", "Jürgen K.", "Ann"], "options": {"order": "listed", "manual_chance": True}},
    {"game": "cerberus", "players": ["Ann", "Bob"], "options": {"manual_chance": True}},
)


@dataclass(frozen=True, slots=True)
class Forged:
    """One message, with the topic that it has in the end, whatever alias it was sent under."""

    user: str
    topic: str
    payload: bytes
    retain: bool = False
    qos: int = 0
    answer_to: str | None = None
    alias: int | None = None
    """The topic alias that stands for the topic; the first time both are sent, then the alias alone."""


# ---------------------------------------------------------------------- the oracle


def verb_of(payload: bytes) -> str | None:
    """What a command asks for; `None` if the message is not a command, and changes nothing whoever sends it."""
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    keys = [key for key in value if key not in ("id", "revision", "by", "at_ms")] if isinstance(value, dict) else []
    return keys[0] if len(keys) == 1 else None


def may_change(message: Forged, awaited: Mapping[str, str]) -> bool:
    """Whether the guide lets this message change the match on a board; `awaited` is whom each match waits for."""
    part, levels = CAST[message.user], message.topic.split("/")
    verb = verb_of(message.payload)
    if message.retain or verb is None or levels[:3] != ["oche", NODE, "board"] or levels[3] not in BOARDS:
        return False
    if part == "referee":
        return levels[4:] == ["command"]
    if part == "player":
        own = levels[4:] == ["command", message.user]
        plays = PLAYS_AS.get(message.user)
        return own and verb not in REFEREES_ALONE and plays is not None and awaited.get(levels[3]) == plays
    return False


def may_read(user: str, topic: str) -> bool:
    """Whether the guide lets a user see what is on a topic."""
    part, levels = CAST[user], topic.split("/")
    if part == "referee":
        return levels[:2] == ["oche", NODE] or levels[0] == "homeassistant"
    if part == "stranger" or levels[:2] != ["oche", NODE]:
        return False
    if levels[2:] in (["status"], ["unconfirmed"]):
        return True
    if levels[2] == "board" and len(levels) == 5:
        return levels[4] in ("status", "hit", "match", "event", "show", "reply")
    own_hand = levels[2] == "board" and levels[4:] == ["hand", user]
    own_reply = levels[2] == "reply" and levels[3:4] == [user]
    return part == "player" and (own_hand or own_reply)


# ---------------------------------------------------------------------- the generator


@dataclass(frozen=True, slots=True)
class Scene:
    """What a forger can know: the revision of each board, whom its match waits for and for what, and used ids."""

    revisions: Mapping[str, int]
    awaited: Mapping[str, tuple[str, str]]
    used: tuple[str | int, ...] = ("fence-1", "1", 1)


LISTENED: Final = (
    "#",
    "oche/#",
    "+/+/+/+/+/+",
    "+/+/+/+/+",
    "oche/+/pairing",
    f"{ROOT}/pairing",
    f"{ROOT}/board/+/hand/+",
    f"{ROOT}/board/lounge/hand/1",
    f"{ROOT}/board/lounge/hand/ann",
    f"{ROOT}/board/+/command",
    f"{ROOT}/board/+/command/#",
    f"{ROOT}/reply/#",
    "$share/one/oche/#",
    f"$share/two/{ROOT}/board/+/hand/+",
    f"$share/three/{ROOT}/pairing",
    "$SYS/#",
    "homeassistant/#",
)
"""What a curious client subscribes to."""


class Forger:
    """Draws messages; the same seed draws the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def draw(self, scene: Scene, users: tuple[str, ...] = tuple(CAST)) -> Forged:
        user = self.random.choice(users)
        topic = self._topic(user)
        payload = self._payload(scene, topic)
        if self.random.random() < 0.2:
            board = self.random.choice(BOARDS)
            player, awaits = scene.awaited[board]
            # What the match waits for, and mostly by the one for whom it waits.
            fitting = [user for user in users if PLAYS_AS.get(user) == player]
            user = self.random.choice([*fitting * 3, user])
            topic = f"{ROOT}/board/{board}/command/{user}"
            payload = json.dumps(self._fitting(awaits)).encode()
        return Forged(
            user,
            topic,
            payload,
            retain=self.random.random() < 0.15,
            qos=self.random.choices((0, 1, 2), (70, 25, 5))[0],
            answer_to=self._answer_to(user) if self.random.random() < 0.15 else None,
            alias=self.random.randint(1, 10) if self.random.random() < 0.1 else None,
        )

    def _topic(self, user: str) -> str:
        pick = self.random.choice
        board, other = pick(BOARDS), pick((*CAST, "Ann", "ANN", "1", "2", "oche-daemon", "", "ann/x"))
        return pick(
            (
                f"{ROOT}/board/{board}/command",
                f"{ROOT}/board/{board}/command/{user}",
                f"{ROOT}/board/{board}/command/{user}",
                f"{ROOT}/board/{board}/command/{other}",
                f"{ROOT}/board/{board}/command/{user}/{other}",
                f"{ROOT}/board/{board}/{pick(('match', 'status', 'hit', 'event', 'reply', 'hand'))}",
                f"{ROOT}/board/{board}/hand/{pick((user, other, '1', '2'))}",
                f"{ROOT}/board/{pick(('', 'cellar', 'command', 'Lounge'))}/command{pick(('', f'/{user}'))}",
                f"{ROOT}/{pick(('status', 'pairing', 'unconfirmed', 'command', f'reply/{other}', f'reply/{user}/x'))}",
                pick(
                    (
                        f"oche/other/board/{board}/command",
                        f"oche//board/{board}/command",
                        f"/{ROOT}/board/{board}/command",
                        f"OCHE/{NODE}/board/{board}/command",
                        f"$share/one/{ROOT}/board/{board}/command",
                        "homeassistant/status",
                        f"homeassistant/device/oche-{NODE}/config",
                        "$SYS/broker/messages",
                    )
                ),
            )
        )

    def _payload(self, scene: Scene, topic: str) -> bytes:
        chance = self.random.random()
        if chance < 0.05:
            return b""
        if chance < 0.12:
            return self.random.choice((b"\x00", b"{", b"[]", b"null", b'"stop"', b"online", b'{"id": 1}', b"[" * 500))
        command = self._command()
        if chance < 0.14:
            command |= self._command()
        if self.random.random() < 0.7:
            command = {"id": self._id(scene)} | command
        if self.random.random() < 0.4:
            now = next((scene.revisions[board] for board in BOARDS if f"/{board}/" in topic), 0)
            command["revision"] = now + self.random.choice((0, 0, -1, 1, 1000))
        if self.random.random() < 0.1:
            command["by"] = self.random.choice(("Ann", "ann", "referee", "board"))
        if self.random.random() < 0.001:
            command["pad"] = "x" * 70_000
        return json.dumps(command, ensure_ascii=self.random.random() < 0.5).encode()

    def _id(self, scene: Scene) -> str | int:
        if self.random.random() < 0.4:
            return self.random.choice(scene.used)
        return self.random.choice((f"forged-{self.random.getrandbits(40)}", self.random.getrandbits(30)))

    def _command(self) -> dict[str, Any]:
        pick = self.random.choice
        dart = pick(("T20", "S1", "MISS", "DB", {"points": 18, "candidates": ["T6", "D9", "S18"]}))
        card = pick("23456789TJQKA") + pick("CDHS")
        if self.random.random() < 0.05:
            return {"deck": self.deck()}
        return pick(
            (
                {"start": pick(STARTS)},
                {"start": pick(STARTS) | {"bots": {"Bob": 25}}},
                {"stop": True},
                {"undo": True},
                {"next": True},
                {"hint": True},
                {"throw": dart},
                {"throw": dart},
                {"bounce": True},
                {"foul": True},
                {"correct": {"dart": pick((1, 2, 3, 4)), "throw": "T20"}},
                {"correct": {"dart": 1, "foul": True}},
                {"choose": {pick(("card", "wild", "segment", "zone")): pick((card, 20, "T6"))}},
                {"roll": [self.random.randint(1, 20) for _ in range(pick((1, 3)))]},
                {"move": {"dart": 1, "from": "A", "to": "B"}},
                {"done": True},
                {"defend": {"by": pick(tuple(PLAYS_AS.values()))}},
                {"first": pick(tuple(PLAYS_AS.values()))},
            )
        )

    def _fitting(self, awaits: str) -> dict[str, Any]:
        if awaits == "deck":
            return {"deck": self.deck()}
        if awaits == "roll":
            return {"roll": [7, 16, 10]}
        return self.random.choice(({"throw": "S20"}, {"next": True}, {"hint": True}, {"undo": True}, {"stop": True}))

    def deck(self) -> list[str]:
        deck = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]
        self.random.shuffle(deck)
        return deck

    def _answer_to(self, user: str) -> str:
        other = self.random.choice(tuple(CAST))
        board = self.random.choice(BOARDS)
        return self.random.choice(
            (
                f"{ROOT}/reply/{user}/x",
                f"{ROOT}/reply/{other}",
                f"{ROOT}/board/{board}/match",
                f"{ROOT}/board/{board}/hand/1",
                f"{ROOT}/board/{board}/command",
                f"{ROOT}/reply/../board/{board}/command",
                f"{ROOT}/status",
            )
        )
