"""Which of several daemons with one node name publishes under it: the rules, without a connection and without a clock.

Every daemon has an instance id, new with each start. The holder of the name puts its id into the retained node
status, and into its will. Daemons talk about the name on the topic `oche/<node>/claim`, with messages that are not
retained:

- `asking`: sent after each connect, before anything else. A daemon that hears its own question has by then seen the
  retained status and every question that the broker took before its own. With nobody before it, it publishes its
  status. If it sees another `online` status before its own, the other one was first.
- `held`: the holder's answer to a question, and to a daemon that waits.
- `waiting`: sent every `CLAIM_SECONDS` by a daemon that waits.
- `gone`: a waiting daemon ends; it is the will of its connection as well.

A waiting daemon asks again when the holder has gone for good: when its status is `offline` for `GRACE_SECONDS`, so
that a restart of the holder keeps its name; or when a holder that the broker shows as `online` does not answer for
`SILENT_SECONDS`, because a broker that was restarted sends no will for those who were connected before.

After a restart the status that the broker retains is the daemon's own: the id of its last run is kept in the data
directory. Two daemons can both believe that they hold the name, for example with copies of one data directory or
after a network was split. Each then hears the other's status or answer, and the one with the larger id yields.

Not chosen: a fixed client id, because the broker would disconnect one daemon for the other forever; and a retained
claim, because it outlives those who made it.
"""

import json
import secrets
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any, Final, Literal, get_args

from daemon.system.payload import Payload
from daemon.system.secure_files import write_secret

ClaimState = Literal["asking", "held", "waiting", "gone"]
STATES: Final[tuple[ClaimState, ...]] = get_args(ClaimState)

FILE: Final = "instance"
"""Name of the file in the data directory that has the instance id of the last run."""
CLAIM_SECONDS: Final = 2.0
"""Time between two `waiting` messages."""
RIVAL_SECONDS: Final = 15.0
"""After this time without a message from it, a waiting daemon no longer counts as a conflict."""
GRACE_SECONDS: Final = 10.0
"""How long a name stays reserved for a holder that went offline."""
SILENT_SECONDS: Final = 30.0
"""A holder that does not answer for this long has gone. The broker notices a dead connection in 23 seconds."""


class NameClaim(Payload):
    """What daemons with one node name say to each other; see "Two daemons with one name" in docs/bus.md."""

    instance: str
    state: ClaimState


class Outcome(Enum):
    """What a message asks of the daemon."""

    NOTHING = auto()
    ANNOUNCE = auto()
    """Publish the node status, and nothing else."""
    WON = auto()
    """The name is this daemon's: publish everything."""
    LOST = auto()
    """The name is another daemon's: disconnect without a will, then wait."""
    ANSWER = auto()
    """Publish the claim `held`."""
    REPAIR = auto()
    """Publish the node status again: somebody replaced it."""
    REPAIR_ALL = auto()
    """Another daemon has published under the name: answer, and publish everything again."""


class Phase(Enum):
    """Where a daemon is on its way to the name."""

    ASKING = auto()
    ANNOUNCED = auto()
    HOLDING = auto()
    WAITING = auto()


@dataclass(slots=True)
class NodeName:
    """The state of one daemon. Times are seconds of a monotonic clock."""

    instance: str
    former: str | None = None
    """The id of the last run in this data directory."""
    phase: Phase = Phase.ASKING
    _holder: str | None = None
    """The instance that is `online` in the last status, if it is another daemon."""
    _asked_before: bool = False
    _rivals: dict[str, float] = field(default_factory=dict)
    _gone: set[str] = field(default_factory=set)
    _heard_at: float = 0.0
    _echoed: bool = False
    """Whether own claims come back: otherwise nobody can read them, and silence means nothing."""

    def connected(self, now: float) -> None:
        """Begins again on a new connection; one that waits goes on waiting."""
        self._holder, self._asked_before, self._echoed = None, False, False
        self._heard_at = now
        self._rivals.clear()
        if self.phase is not Phase.WAITING:
            self.phase = Phase.ASKING

    def conflict(self, now: float) -> bool:
        """Whether another daemon waits for the name that this one holds."""
        self._rivals = {rival: at for rival, at in self._rivals.items() if now - at < RIVAL_SECONDS}
        return bool(self._rivals)

    def heard_status(self, payload: Any, now: float, *, retained: bool = False) -> Outcome:
        """Takes a node status, parsed; `None` for an empty one. `retained`: it was there before the subscription."""
        instance, online = _read_status(payload)
        other = online and instance != self.instance and instance not in self._gone
        match self.phase:
            case Phase.ASKING:
                self._holder = instance if other and instance != self.former else None
            case Phase.ANNOUNCED if online and instance == self.instance:
                self.phase = Phase.HOLDING
                return Outcome.WON
            case Phase.ANNOUNCED if other and instance != self.former:
                return self._lose(now)
            case Phase.HOLDING if online and instance != self.instance:
                return Outcome.REPAIR_ALL
            case Phase.HOLDING if not online:
                # The will of an earlier connection, ours or a former holder's, that the broker sends late.
                return Outcome.REPAIR
            case Phase.WAITING:
                if not retained and (other or self._holder is not None):
                    self._heard_at = now
                self._holder = instance if other else None
        return Outcome.NOTHING

    def heard_claim(self, payload: Any, now: float) -> Outcome:
        """Takes a message of the claim topic, parsed; anything else than a claim is ignored."""
        instance, state = read_claim(payload)
        if state is None:
            return Outcome.NOTHING
        if instance == self.instance:
            self._echoed = True
            return self._decide(now) if state == "asking" and self.phase is Phase.ASKING else Outcome.NOTHING
        match self.phase, state:
            case Phase.ASKING | Phase.ANNOUNCED, "held":
                return self._lose(now)
            case Phase.ASKING, "asking":
                self._asked_before = True
            case Phase.HOLDING, "asking" | "waiting":
                self._rivals[instance] = now
                return Outcome.ANSWER
            case Phase.HOLDING, "gone":
                self._rivals.pop(instance, None)
            case Phase.HOLDING, "held":
                return self._lose(now) if instance < self.instance else Outcome.ANSWER
            case Phase.WAITING, "held":
                self._heard_at = now
        return Outcome.NOTHING

    def unanswered(self, now: float) -> Outcome:
        """The own question did not come back: this broker does not let the daemon read or write claims.

        Then the status alone decides, once, as it was retained.
        """
        if self._holder is not None:
            return self._lose(now)
        self.phase = Phase.HOLDING
        return Outcome.WON

    def may_ask_again(self, now: float) -> bool:
        """Whether the holder that this daemon waits for has gone for good."""
        silent = now - self._heard_at
        if self._holder is None:
            return silent >= GRACE_SECONDS
        return self._echoed and silent >= SILENT_SECONDS

    def ask_again(self) -> None:
        """Ends waiting: on the next connection the daemon asks."""
        if self._holder is not None:
            self._gone.add(self._holder)
        self.phase = Phase.ASKING

    def _decide(self, now: float) -> Outcome:
        if self._holder is not None or self._asked_before:
            return self._lose(now)
        self.phase = Phase.ANNOUNCED
        return Outcome.ANNOUNCE

    def _lose(self, now: float) -> Outcome:
        self.phase, self._heard_at = Phase.WAITING, now
        self._rivals.clear()
        return Outcome.LOST


def new_node_name(data: Path) -> NodeName:
    """Returns a name claim with a new instance id, and keeps the id in the data directory for the next start."""
    file, instance = data / FILE, secrets.token_hex(8)
    try:
        former = read_instance(data)
        write_secret(file, instance, data)
    except OSError:
        # On a disk that cannot be written the next start takes longer if the broker still has this one as online.
        return NodeName(instance)
    return NodeName(instance, former)


def read_instance(data: Path) -> str | None:
    """Returns the instance id of the last start with this data directory, `None` if there was none. OSError."""
    try:
        return (data / FILE).read_text(errors="replace").strip() or None
    except FileNotFoundError:
        return None


def claim(instance: str, state: ClaimState) -> str:
    """Returns a message for the claim topic."""
    message: NameClaim = {"instance": instance, "state": state}
    return json.dumps(message)


def read_claim(payload: Any) -> tuple[str, ClaimState | None]:
    """Returns the sender and what it says; `None` where the payload is not a claim."""
    match payload:
        case {"instance": str() as instance, "state": str() as said}:
            return instance, next((state for state in STATES if state == said), None)
        case _:
            return "", None


def _read_status(payload: Any) -> tuple[str, bool]:
    """The instance, empty for versions that have none, and whether it is online."""
    match payload:
        case {"state": "online", "instance": str() as instance}:
            return instance, True
        case {"state": "online"}:
            return "", True
        case {"instance": str() as instance}:
            return instance, False
        case _:
            return "", False
