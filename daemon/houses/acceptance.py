"""Accepting an invitation: a guest looks at what it is for, asks to join, and begins the match that the host names."""

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from daemon.houses.invitations import split_code
from daemon.houses.messages import read_lines, refusal_in
from daemon.houses.questions import Questions
from daemon.record.changes import MatchRow
from daemon.session.board_session import BoardSession
from daemon.session.copied_match import RecordLines
from daemon.session.house_asks import Accept
from daemon.session.house_payloads import Invitation
from daemon.session.inbox import Call
from engine import jsontext
from engine.about import unplayable
from engine.faces import Faces
from engine.match import Header
from engine.matchfile import NEWEST, Games, header_from_json, open_match
from engine.refusals import Refusal

MATCH_ID: Final = re.compile(r"[0-9a-f-]{1,64}")

HAS_SECRETS: Final = Refusal(
    "not_allowed",
    "In this game something is hidden from a player, and must not leave its house; play it on boards of one house.",
)


class Acceptance:
    """Accepts invitations of other houses for the boards of this node."""

    def __init__(self, node: str, questions: Questions, games: Games, faces: Faces) -> None:
        self._node, self._questions = node, questions
        self._games, self._faces = games, faces

    async def accept(self, session: BoardSession, ask: Accept) -> Invitation | Refusal | None:
        """Asks the host, and puts its match on the board. Returns the invitation if it is only to be looked at."""
        code = split_code(ask.code)
        if isinstance(code, Refusal):
            return code
        node, board, secret = code
        if node == self._node:
            return Refusal("not_invited", "This invitation is for another house; give them the code.")
        host = f"{node}/{board}"
        about = {"board": session.name, "accept": secret}
        try:
            looked = await self._questions.ask(host, {**about, "look": True})
            if (refusal := refusal_in(looked) or self._unfit(session, looked)) is not None:
                return refusal
            if ask.look:
                shown: Invitation = looked["invitation"]
                return shown
            joined = await self._questions.ask(host, about)
        except TimeoutError:
            return Refusal("away", f"The house {node} does not answer. Is its daemon running, at the same broker?")
        if (refusal := refusal_in(joined)) is not None:
            return refusal
        return await self._begin(session, host, looked["invitation"], joined)

    def _unfit(self, session: BoardSession, looked: dict[str, Any]) -> Refusal | None:
        """Why what an invitation is for cannot be played here; `None` if it can."""
        match looked.get("invitation"):
            case {"code": str(), "game": str() as game, "players": list() as players, "options": dict() as options}:
                header = header_from_json({"match": 1, "game": game, "players": players, "options": options})
            case _:
                return Refusal("not_invited", "The host's answer cannot be read; one of the two versions is too old.")
        opened = header if isinstance(header, Refusal) else open_match(header, self._games, self._faces)
        if isinstance(opened, Refusal):
            return opened
        if not opened.all_public:
            return HAS_SECRETS
        there = session.recorded
        host, _, _ = str(looked["invitation"]["code"]).rpartition("/")
        if there is not None and there.kept and not there.match.finished and there.host != host:
            return Refusal("board_busy", f"A match is being played at the board {session.name}; stop it first.")
        return unplayable(opened.game, session.board.can_json())

    async def _begin(
        self, session: BoardSession, host: str, invitation: dict[str, Any], joined: dict[str, Any]
    ) -> Refusal | None:
        match joined:
            case {"match": str() as match, "header": str() as header, "bots": str() as bots, "started": str() as began}:
                pass
            case _:
                return Refusal("not_invited", "The host's answer cannot be read; one of the two versions is too old.")
        value = jsontext.parse(header.encode())
        read = value if isinstance(value, Refusal) else header_from_json(value)
        if isinstance(read, Refusal):
            return read
        if not _is_invited(read, f"{self._node}/{session.name}") or not MATCH_ID.fullmatch(match):
            return Refusal("not_invited", "The host's match names no player at this board.")
        looked_at = header_from_json({"match": 1, **{key: invitation[key] for key in ("game", "players", "options")}})
        if isinstance(looked_at, Refusal) or not self._is_same(read, looked_at):
            return Refusal("not_invited", "The host's match is not the one that the invitation is for.")
        opened = open_match(read, self._games, self._faces)
        if isinstance(opened, Refusal):
            return opened
        if not opened.all_public:
            return HAS_SECRETS
        try:
            datetime.fromisoformat(began).astimezone(UTC)
        except ValueError:
            began = datetime.now(UTC).isoformat()
        row = MatchRow(match, host, jsontext.dump(value), _bots(bots), began)
        lines = read_lines(joined) or RecordLines(match, 1, ())
        done: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

        async def begin() -> None:
            found = await session.guest.begin(row, lines)
            if not done.done():
                done.set_result(found)

        await session.inbox.put(Call(begin))
        return await done

    def _is_same(self, header: Header, invited: Header) -> bool:
        if (header.game, header.players) != (invited.game, invited.players):
            return False
        # The header of a medley names the rules of its parts too, which the invitation does not.
        begun = open_match(replace(invited, rules=NEWEST), self._games, self._faces)
        return header.options == invited.options or (
            not isinstance(begun, Refusal) and header.options == begun.header.options
        )


def _bots(text: str) -> str:
    """The bots of the host's match as JSON; none if they cannot be read."""
    value = jsontext.parse(text.encode())
    whole = isinstance(value, dict) and all(isinstance(skill, int | float) for skill in value.values())
    return text if whole and "\n" not in text else "{}"


def _is_invited(header: Header, place: str) -> bool:
    return place in header.boards
