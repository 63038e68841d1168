"""Forged messages at the real broker and the real daemon: a batch that the guide forbids changes nothing.

A referee subscribes to everything, so whatever a forger gets through is seen.
Between the batches the players play on, each by commands of their own: whoever
may is heard.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from daemon.people.access import ROLES, SALT_BYTES, User, secret_of
from daemon.people.users import save
from tests.daemon.guest import OVER_THE_NETWORK
from tests.faults.forged import (
    BOARDS,
    CAST,
    LISTENED,
    PLAYS_AS,
    ROOT,
    STARTS,
    Forged,
    Forger,
    Scene,
    may_change,
    may_read,
)
from tests.faults.forged_sender import ForgedSender
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, free_port, until

BATCH: Final = 500
"""Messages between two looks: few enough that no queue of the broker or of the daemon drops one."""
LARGEST_WILL: Final = 65_535
"""Bytes of a will that its length field can say."""
FENCE: Final = {"dance": True}
"""A command that no board knows: its refusal says that everything before it has been looked at."""
QUIET: Final = ("/status", "/reply")
"""How topics end on which a refused message may be seen: it is counted, and answered."""


class ForgeryRig:
    """A daemon that is open to the network, with a match on each of two boards and every forger connected."""

    def __init__(self, folder: Path, seed: int, stack: ExitStack, program: str = OCHE) -> None:
        self.forger = Forger(seed)
        self.port = free_port()
        self.sent = 0
        self._passwords = {user: f"password-of-{user}" for user in CAST}
        save(folder / "data", {user.name: user for user in self._users()})
        boards = [word for board in BOARDS for word in ("--board", f"{board}=virtual@sim:")]
        broker = ("--broker", f"embedded://{OVER_THE_NETWORK}:{self.port}")
        # Open to the network, so that there is a code to be read.
        pages = ("--http", f"{OVER_THE_NETWORK}:{free_port()}")
        self.daemon = stack.enter_context(Daemon(folder, *boards, *broker, *pages, program=program))
        self._stack = stack
        self.referee = self.come("rita", ("oche/#", "homeassistant/#"))
        self.cast = {
            user: self.come(user, LISTENED) for user, part in CAST.items() if part not in ("stranger", "referee")
        }
        self.states: dict[str, Any] = {}
        self.hands: dict[str, Any] = {}
        self._fences = 0
        # The daemon has published its initial state by then.
        self._until(lambda: any(topic == f"{ROOT}/pairing" for topic, _ in self.referee.seen), "the code")
        for board in BOARDS:
            self._online(board)
            self.start(board)

    def _users(self) -> Iterator[User]:
        for name, part in CAST.items():
            for role in ROLES:
                if role == part:
                    yield User(name, role, secret_of(self._passwords[name], secrets.token_bytes(SALT_BYTES)))

    def come(self, user: str, topics: tuple[str, ...], **more: Any) -> ForgedSender:
        """Connects one of the cast; retries until the broker accepts connections."""
        found: list[ForgedSender] = []

        def came_in() -> bool:
            found.append(ForgedSender(self.port, user, self._passwords[user], topics, **more))
            return not found[-1].refused

        until(came_in, f"{user} connected")
        self._stack.callback(found[-1].close)
        return found[-1]

    # ------------------------------------------------------------------ what the referee sees

    def _online(self, board: str) -> None:
        topic = f"{ROOT}/board/{board}/status"
        self._until(
            lambda: any(at == topic and payload["state"] == "online" for at, payload in self.referee.seen),
            f"{board} online",
        )

    def _until(self, seen: Callable[[], bool], what: str) -> None:
        with self.referee._said:
            if not self.referee._said.wait_for(seen, LIMIT_SECONDS):
                raise AssertionError(f"never seen: {what}; the last were {self.referee.seen[-5:]}")

    def look(self) -> list[tuple[str, Any]]:
        """What was seen since the last look; the states and hands are kept."""
        news = self.referee.take()
        for topic, payload in news:
            levels = topic.split("/")
            if levels[-1] == "match":
                self.states[levels[3]] = payload
            elif levels[-2] == "hand" and levels[-1].isdecimal():
                self.hands[f"{levels[3]}/{levels[-1]}"] = payload
        return news

    def fence(self, board: str) -> None:
        """Waits until the daemon has looked at everything that was sent to a board before."""
        self._fences += 1
        self.ask("rita", board, FENCE | {"id": f"fence-{self._fences}"})

    def ask(self, user: str, board: str, command: dict[str, Any]) -> dict[str, Any]:
        """Sends a command as one of the cast; the reply to it."""
        command = {"id": f"asked-{secrets.token_hex(6)}"} | command
        client = self.referee if user == "rita" else self.cast[user]
        topic = f"{ROOT}/board/{board}/command" + ("" if user == "rita" else f"/{user}")
        client.publish(topic, command)
        wanted = (f"{ROOT}/board/{board}/reply", str(command["id"]))
        self._until(lambda: wanted in self.referee.replies, f"a reply to {command}")
        reply: dict[str, Any] = self.referee.replies[wanted]
        return reply

    # ------------------------------------------------------------------ the match goes on

    def start(self, board: str) -> None:
        assert self.ask("rita", board, {"start": self.forger.random.choice(STARTS)})["ok"]
        self.settle()

    def settle(self) -> None:
        """Waits for the state that the last command made: it is sent before the reply."""
        for board in BOARDS:
            self.fence(board)
        self.look()

    def play_on(self) -> int:
        """One legal action on each board, by the player whom the match waits for; how many had a user for it."""
        heard = 0
        for board in BOARDS:
            state = self.states[board]
            if state["finished"] or self.forger.random.random() < 0.02:
                self.start(board)
                continue
            user = next((user for user, player in PLAYS_AS.items() if player == state["turn"]["actor"]), "rita")
            command = self._legal(board, state)
            reply = self.ask("rita" if "deck" in command else user, board, command)
            assert reply["ok"], (user, command, reply, state["turn"])
            heard += user != "rita"
        self.settle()
        return heard

    def _legal(self, board: str, state: dict[str, Any]) -> dict[str, Any]:
        match state["turn"]["awaits"]:
            case "deck":
                return {"deck": self.forger.deck()}
            case "roll":
                return {"roll": [7, 16, 10]}
            case "choose" if state["game"] == "dards":
                seat = [player["name"] for player in state["players"]].index(state["turn"]["actor"]) + 1
                return {"choose": {"card": self.hands[f"{board}/{seat}"]["hand"][0]}}
            case "choose":
                return {"choose": {"wild": 20}}
            case "throw":
                return {"throw": self.forger.random.choice(("S20", "S1", "MISS"))}
            case awaits:
                assert awaits == "next", state["turn"]
                return {"next": True}

    # ------------------------------------------------------------------ forgers

    @property
    def awaited(self) -> dict[str, str]:
        return {board: state["turn"]["actor"] for board, state in self.states.items()}

    def drawn(self, users: tuple[str, ...]) -> Forged:
        """A message that nobody may send."""
        scene = Scene(
            {board: state["revision"] for board, state in self.states.items()},
            {board: (state["turn"]["actor"], state["turn"]["awaits"]) for board, state in self.states.items()},
        )
        while may_change(message := self.forger.draw(scene, users), self.awaited):
            pass
        return message

    def forge(self, count: int) -> None:
        """Sends a batch that the guide forbids whole; AssertionError where anything changed or was seen by another."""
        users = tuple(self.cast)
        for _ in range(count):
            message = self.drawn(users)
            self.cast[message.user].send(message)
            self.sent += 1
        for client in self.cast.values():
            client.sync()
        for board in BOARDS:
            self.fence(board)
        self._nothing_happened()

    def _nothing_happened(self) -> None:
        for topic, payload in self.look():
            own = [user for user in self.cast if topic.endswith(f"/command/{user}") and topic.count("/") == 5]
            if own or topic.endswith("/command"):
                continue  # A player's own topic, and the referee's fences.
            about = f"seen at {topic} after {self.sent} messages: {payload!r}"
            if "/reply/" in topic:
                assert CAST.get(topic.split("/")[3]) == "player", about
            elif not topic.endswith(QUIET):
                raise AssertionError(about)
            if "/reply" in topic:
                assert payload["ok"] is False or str(payload["id"]).startswith("asked-"), about
            elif topic.endswith("/status"):
                assert payload["state"] == "online", about
        for user, client in self.cast.items():
            wrong = [topic for topic, _ in client.take() if not may_read(user, topic)]
            assert not wrong, f"{user} was sent {wrong[:3]}"

    def forge_wills(self, count: int) -> None:
        """Clients that leave a forged message behind, and go without a word."""
        for _ in range(count):
            while len((message := self.drawn(tuple(self.cast))).payload) > LARGEST_WILL:
                pass
            more = {"will": message.topic, "will_payload": message.payload, "will_retain": message.retain}
            leaving = self.come(message.user, (), **more)
            leaving.vanish()
            self.sent += 1
        # The broker takes a closed connection note of in its own time: one that knows that it went is later than it.
        self.cast["tv"].sync()
        for board in BOARDS:
            self.fence(board)
        self._nothing_happened()

    def strangers(self) -> None:
        """No name, a wrong password, somebody else's password: nobody is connected."""
        tried = [("", ""), ("ann", "wrong"), ("ann", self._passwords["bob"]), ("nobody", self._passwords["nobody"])]
        for user, password in tried:
            assert ForgedSender(self.port, user, password, ()).refused
            self.sent += 1


@contextmanager
def house(folder: Path, seed: int, program: str = OCHE) -> Iterator[ForgeryRig]:
    """For the length of a block; at its end the states are as they were last seen, also for one who comes new."""
    with ExitStack() as stack:
        running = ForgeryRig(folder, seed, stack, program)
        yield running
        late = running.come("rita", ("oche/#",))
        for board in BOARDS:
            assert late.wait(f"{board}/match") == running.states[board]
        assert "Traceback" not in running.daemon.log()


def at_the_broker(folder: Path, seed: int, count: int, program: str = OCHE) -> dict[str, int]:
    """At least `count` forged messages; what was done."""
    with house(folder, seed, program) as running:
        running.strangers()
        heard = 0
        while running.sent < count:
            running.forge(min(BATCH, count))
            heard += running.play_on()
        running.forge_wills(3)
        return {"forged_at_broker": running.sent, "heard": heard}
