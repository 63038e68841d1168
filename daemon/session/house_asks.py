"""What can be asked of a board about a match in two houses: invite, accept, adjourn, resume."""

from dataclasses import dataclass
from typing import Any, Final

from engine.match import Header
from engine.matchfile import NEWEST, header_from_json
from engine.refusals import Refusal

LONGEST_CODE: Final = 128


@dataclass(frozen=True, slots=True)
class Invite:
    """Invite another house. `header` is the match, `None` for the one on the board once more; `guests` are the
    players of the other house."""

    header: Header | None = None
    guests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept an invitation, or `look` at what it invites to."""

    code: str
    look: bool = False


@dataclass(frozen=True, slots=True)
class Adjourn:
    """Take the match off the boards of both houses; it can be resumed."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Put an adjourned match back; without an id the last one."""

    match: str | None = None


HouseAsk = Invite | Accept | Adjourn | Resume


def house_ask(value: dict[str, Any]) -> HouseAsk | Refusal | None:
    """Reads what is asked; `None` if it is something else."""
    match value:
        case {"invite": True} if len(value) == 1:
            return Invite()
        case {"invite": dict() as body} if len(value) == 1:
            return _invite(body)
        case {"accept": {"code": str() as code, **rest}} if len(value) == 1 and len(code) <= LONGEST_CODE:
            if rest in ({}, {"look": True}, {"look": False}):
                return Accept(code.strip(), rest.get("look") is True)
            return Refusal("bad_value", 'An invitation is accepted by {"accept": {"code": "…"}}.')
        case {"adjourn": True} if len(value) == 1:
            return Adjourn()
        case {"resume": True} if len(value) == 1:
            return Resume()
        case {"resume": str() as match} if len(value) == 1:
            return Resume(match)
        case {"invite": _} | {"accept": _} | {"adjourn": _} | {"resume": _}:
            return Refusal("bad_value", 'Write {"invite": {…}}, {"accept": {"code": "…"}}, {"adjourn": true}.')
    return None


def _invite(body: dict[str, Any]) -> Invite | Refusal:
    guests = body.get("guests")
    header = header_from_json({"match": 1} | {key: value for key, value in body.items() if key != "guests"})
    if isinstance(header, Refusal):
        return header
    if header.boards or "rules" in body:
        return Refusal("bad_value", "An invitation names a game, players, options and guests.")
    if not isinstance(guests, list) or not guests or not all(guest in header.players for guest in guests):
        return Refusal("bad_players", 'The guests are players of the other house, like "guests": ["Bob"].')
    if set(guests) == set(header.players):
        return Refusal("bad_players", "At least one player throws in this house; the others are the guests.")
    return Invite(Header(header.game, header.players, header.options, NEWEST), tuple(guests))
