"""What two houses say to each other over the broker that they share.

The guest's house asks and the host's answers. Every message of the host has the lines of the record that the guest
lacks, so it makes no difference which of them is lost.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from daemon.session.copied_match import RecordLines
from daemon.session.guest_play import FromHost
from engine import jsontext
from engine.refusals import Refusal

LINES: Final = 200
LINE_BYTES: Final = 32 * 1024
"""The most lines, and the most text, in one message; the guest asks for more."""
LONGEST_ID: Final = 128
LONGEST_REASON: Final = 32
KEYS: Final = frozenset({"id", "board", "match", "have", "dart", "turn", "exact", "follow", "leave", "accept", "look"})
"""Keys of a question; the others are the action, as in a command."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a house asks. `place` is its board, as `node/board`; `action` is empty unless it acts in the match."""

    id: str
    place: str
    match: str = ""
    have: int = 0
    dart: int | None = None
    turn: int | None = None
    exact: bool = False
    leaves: bool = False
    code: str | None = None
    look: bool = False
    action: bytes = b""


def read_question(house: str, payload: bytes) -> Question | None:
    """The question in a message; `None` if it is not one, and cannot be answered."""
    value = jsontext.parse(payload)
    if isinstance(value, Refusal) or not isinstance(value, dict):
        return None
    match value:
        case {"id": str() as number, "board": str() as board, **rest} if 0 < len(number) <= LONGEST_ID:
            pass
        case _:
            return None
    if not 0 < len(board) <= 32 or "/" in board or not board.isprintable():
        return None
    have, dart, turn = rest.get("have", 0), rest.get("dart"), rest.get("turn")
    code, match_id = rest.get("accept"), rest.get("match", "")
    if not _is_number(have) or not all(number is None or _is_number(number) for number in (dart, turn)):
        return None
    if not isinstance(match_id, str) or not (code is None or isinstance(code, str)):
        return None
    action = {key: item for key, item in rest.items() if key not in KEYS}
    return Question(
        number,
        f"{house}/{board}",
        match_id,
        have,
        dart,
        turn,
        rest.get("exact") is True,
        rest.get("leave") is True,
        code,
        rest.get("look") is True,
        jsontext.dump({"id": number} | action).encode() if action else b"",
    )


def lines_from(lines: Sequence[str], have: int) -> dict[str, Any]:
    """The fields with the lines after the first `have`, as many as one message takes."""
    taken: list[str] = []
    size = 0
    for line in lines[:LINES]:
        size += len(line)
        if taken and size > LINE_BYTES:
            break
        taken.append(line)
    return {"first": have + 1, "lines": taken} if taken else {}


def read_lines(value: dict[str, Any]) -> RecordLines | None:
    """The lines of the record in a message of the host; `None` if it has none."""
    match value:
        case {"match": str() as match, "first": int() as first, "lines": list() as lines} if (
            first >= 1 and len(lines) <= LINES and all(isinstance(line, str) and "\n" not in line for line in lines)
        ):
            return RecordLines(match, first, tuple(lines))
    return None


def read_news(payload: bytes) -> dict[str, Any] | None:
    """A message of the host; `None` if it is not one."""
    try:
        value = json.loads(payload)
        # An escape can be a lone surrogate, which nothing here can write or send again.
        jsontext.dump(value)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("board"), str) else None


def news(value: dict[str, Any]) -> FromHost:
    """What a message of the host means for the copy of its match."""
    match, last, number, count = value.get("match"), value.get("last"), value.get("id"), value.get("count")
    return FromHost(
        match if isinstance(match, str) else "",
        read_lines(value),
        last if isinstance(last, str) else None,
        number if isinstance(number, str) else None,
        refusal_in(value),
        count if _is_number(count) else 0,
    )


def refusal_in(value: dict[str, Any]) -> Refusal | None:
    """Why the host has refused something; `None` if it has not."""
    if value.get("ok") is not False:
        return None
    # The reason is of the closed list of another version at most: whoever shows it has its message too.
    reason: Any = value.get("reason")
    known = isinstance(reason, str) and len(reason) <= LONGEST_REASON
    return Refusal(reason if known else "not_allowed", str(value.get("message", ""))[:500])


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
