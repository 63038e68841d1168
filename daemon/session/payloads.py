"""The payloads about a match, as values for JSON. `docs/bus.md` describes them, `payload_schemas.py` their types."""

from typing import Any, Final

from engine.actions import action_to_json
from engine.game import Advice, Event
from engine.match import Match
from engine.refusals import Refusal

SCHEMA: Final = 1
"""Version of the payloads. Fields may be added within a version."""


def match_state(match_id: str, match: Match, bots: dict[str, float], revision: int) -> dict[str, Any]:
    """The whole public state of a match."""
    about: dict[str, Any] = {"schema": SCHEMA, "match": match_id, "revision": revision}
    about["options"] = match.header.options
    if bots:
        about["bots"] = bots
    return about | match.view()


def hint(advice: Advice, skill_mm: float) -> dict[str, Any]:
    """Advice as a hint: where to aim and the chance to hit it, or an action that can be sent."""
    if advice.action is not None:
        return {"skill": skill_mm, "action": action_to_json(advice.action)}
    aim = advice.aim
    if aim is None:
        return {}
    at = [round(aim.x, 3), round(aim.y, 3)]
    return {"skill": skill_mm, "aim": {"target": aim.target, "at": at, "odds": round(aim.odds, 3)}}


def hands(match_id: str, match: Match, public: list[dict[str, Any]], revision: int) -> dict[int, dict[str, Any]]:
    """What only one player may see, by seat: the part of their own entry that is not in the `public` ones."""
    found: dict[int, dict[str, Any]] = {}
    if match.all_public:
        return found
    for seat, name in enumerate(match.header.players, 1):
        own = next(player for player in match.view(name)["players"] if player["name"] == name)
        shown = next(player for player in public if player["name"] == name)
        secret = {key: value for key, value in own.items() if key not in shown}
        if secret:
            found[seat] = {"schema": SCHEMA, "match": match_id, "revision": revision, "name": name} | secret
    return found


def events(match_id: str, revision: int, events: tuple[Event, ...]) -> list[dict[str, Any]]:
    """The events of a transition; their ids are the same however often they are sent."""
    about = {"match": match_id, "revision": revision}
    return [
        {"id": f"{match_id}-{revision}-{n}", "event": event.kind} | about | dict(event.data)
        for n, event in enumerate(events)
    ]


def ignored(hit: dict[str, Any], revision: int, refusal: Refusal) -> dict[str, Any]:
    """The event for a hit that no throw awaited."""
    why = {"reason": refusal.reason, "message": refusal.message}
    return {"id": f"{hit['id']}-ignored", "revision": revision, "event": "ignored", "hit": hit["id"]} | why


def accepted(command_id: object, revision: int) -> dict[str, Any]:
    """The reply to a command that was executed."""
    return {"id": command_id, "ok": True, "revision": revision}


def refused(command_id: object, refusal: Refusal) -> dict[str, Any]:
    """The reply to a command that was refused."""
    return {"id": command_id, "ok": False, "reason": refusal.reason, "message": refusal.message}
