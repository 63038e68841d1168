"""The answers to commands: their types, and the functions that make them. See `docs/bus.md`."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import Field

from daemon.session.commands import Id
from daemon.session.house_payloads import Invitation
from daemon.session.payloads import HintBody
from daemon.system.payload import Payload
from engine.refusals import Reason, Refusal

NO_FAIR: Final = "A fair handicap cannot be worked out now; try again, or choose a handicap yourself."

CommandId = Annotated[Id, Field(description="text of 1 to 128 characters, or a whole number")]


class FairBody(Payload):
    """The handicap with which a match is fair, and the chance of each player with it; `error` is its standard error.

    If it is not `even`, the game allows nothing nearer, or it is `vague`: more matches would have taken too
    long. `handicap_points` are for the option of that name, where the handicap alone is too coarse.
    """

    handicap: dict[str, int]
    handicap_points: NotRequired[dict[str, int]]
    chance: dict[str, Annotated[float, Field(ge=0, le=1)]]
    error: float
    even: bool
    vague: NotRequired[Literal[True]]


class Reply(Payload):
    """The answer to a command that had an id."""

    id: CommandId
    ok: bool
    revision: NotRequired[int]
    reason: NotRequired[Reason]
    message: NotRequired[str]
    hint: NotRequired[HintBody]
    invitation: NotRequired[Invitation]
    fair: NotRequired[FairBody]


def accepted(command_id: Id, revision: int, invitation: Invitation | None = None) -> Reply:
    """The reply to a command that was executed."""
    reply: Reply = {"id": command_id, "ok": True, "revision": revision}
    if invitation is not None:
        reply["invitation"] = invitation
    return reply


def fair(command_id: Id, revision: int, found: Mapping[str, Any]) -> Reply:
    """The reply to a command for a fair handicap, from what the process answered."""
    if "fair" in found:
        reply = accepted(command_id, revision)
        reply["fair"] = found["fair"]
        return reply
    refusal = found.get("refused", {"reason": "not_awaited", "message": NO_FAIR})
    return {"id": command_id, "ok": False, "reason": refusal["reason"], "message": refusal["message"]}


def refused(command_id: Id, refusal: Refusal) -> Reply:
    """The reply to a command that was refused."""
    return {"id": command_id, "ok": False, "reason": refusal.reason, "message": refusal.message}
