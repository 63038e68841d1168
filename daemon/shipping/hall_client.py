"""The HTTP client of a node, on connections that stay open."""

import json
from typing import Any, Final

import aiohttp

from daemon.shipping.membership import Membership
from daemon.shipping.to_send import Finished, Lines
from engine import jsontext
from league.hall_refusals import HTTP_STATUS, HallReason

CONNECT_SECONDS: Final = 10.0
ANSWER_SECONDS: Final = 60.0
ANSWER_BYTES: Final = 64 * 1024
CARDS_BYTES: Final = 1024 * 1024
"""Of the answer that lists the cards which do not count any more: 10,000 have 350 KB."""
MESSAGE_LENGTH: Final = 500
"""The longest message of a hall that is shown."""
AGAIN: Final[frozenset[str]] = frozenset({"too_fast", "no_index", "half"})
"""Reasons after which the same request may be taken later."""
SHUT_OUT: Final[frozenset[str]] = frozenset({"bad_token", "revoked"})
"""Reasons after which no request is taken until somebody does something."""


class HallAway(Exception):
    """The hall did not answer, or cannot write at present; the text says why."""


class HallRefused(Exception):
    """The hall refused a request; the text is its message."""

    def __init__(self, reason: HallReason, message: str, edition: int | None = None) -> None:
        super().__init__(message)
        self.reason, self.edition = reason, edition


class HallClient:
    """Requests to a hall. `close` it at the end."""

    def __init__(self, member: Membership) -> None:
        self._member = member
        timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS, sock_connect=CONNECT_SECONDS)
        self._session = aiohttp.ClientSession(timeout=timeout)

    async def close(self) -> None:
        """Closes the connections."""
        await self._session.close()

    async def ship(self, lines: Lines, waiting: int) -> tuple[int, str]:
        """Sends lines. Returns how many lines of the match the hall has, and its epoch."""
        about: dict[str, Any] = {"match": lines.match, "first": lines.first, "waiting": waiting, "live": lines.live}
        about |= {} if lines.opening is None else {"opening": lines.opening}
        answer = await self._send("POST", "/v1/ship", f"{jsontext.dump(about)}\n{lines.body}")
        return _number(answer, "have"), _text(answer, "epoch")

    async def finish(self, match: Finished, waiting: int) -> str:
        """Sends a finished match. Returns the epoch of the hall."""
        body = jsontext.dump(match.body | {"waiting": waiting})
        return _text(await self._send("PUT", f"/v1/match/{match.record.digest}", body), "epoch")

    async def forget(self, players: list[str]) -> list[str]:
        """Has players forgotten. Returns those who are."""
        answer = await self._send("POST", "/v1/forget", jsontext.dump({"players": players}))
        gone = answer.get("gone")
        return [player for player in players if player in gone] if isinstance(gone, list) else []

    async def cards(self, waiting: int) -> dict[str, Any]:
        """Asks for what checks the cards of players, `league`, `revoked` and `forgotten`; and for the matches of this
        node that the rules of the hall refuse, `refused`. Says how many lines are still to be sent."""
        answer = await self._send("GET", f"/v1/cards?waiting={waiting}", "", CARDS_BYTES)
        return {key: answer[key] for key in ("league", "revoked", "forgotten", "refused") if key in answer}

    async def join(self, body: dict[str, Any]) -> str:
        """Asks to join. Returns the token."""
        return _text(await self._send("POST", "/v1/join", jsontext.dump(body)), "token")

    async def _send(self, method: str, path: str, body: str, most: int = ANSWER_BYTES) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._member.token}"} if self._member.token else {}
        try:
            data = body.encode()
            async with self._session.request(
                method, self._member.url + path, data=data, headers=headers, allow_redirects=False
            ) as response:
                answer = await _read(response.content, most)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise HallAway(f"{self._member.url} does not answer: {error or type(error).__name__}.") from error
        if len(answer) > most:
            raise HallAway(f"{self._member.url} is not a hall: its answer is too long.")
        value = _object(answer)
        if response.status == 200:
            return value
        reason, message, edition = value.get("reason"), value.get("message"), value.get("edition")
        message = message[:MESSAGE_LENGTH] if isinstance(message, str) else None
        if reason not in HTTP_STATUS or not isinstance(message, str) or reason in AGAIN:
            raise HallAway(message if isinstance(message, str) else f"{self._member.url} answers {response.status}.")
        raise HallRefused(reason, message, edition if isinstance(edition, int) else None)


async def _read(content: aiohttp.StreamReader, most: int) -> bytes:
    """The answer, or the beginning of one that is too long: more than `most` bytes."""
    answer = b""
    while len(answer) <= most and (piece := await content.read(most + 1 - len(answer))):
        answer += piece
    return answer


def _object(answer: bytes) -> dict[str, Any]:
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _number(answer: dict[str, Any], key: str) -> int:
    value = answer.get(key)
    if not isinstance(value, int):
        raise HallAway("The answer is not that of a hall. Check the address.")
    return value


def _text(answer: dict[str, Any], key: str) -> str:
    value = answer.get(key)
    if not isinstance(value, str):
        raise HallAway("The answer is not that of a hall. Check the address.")
    return value
