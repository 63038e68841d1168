"""Reads a match file as a match for the journal."""

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from daemon.history.stored_match import parsed
from daemon.record.changes import Imported, MatchRow
from daemon.record.reader import History
from engine import jsontext
from engine.faces import Faces
from engine.match import Match
from engine.matchfile import MAX_NAME, Games, open_match, read_action, read_header
from engine.play import apply
from engine.refusals import Refusal

MOST_ACTIONS: Final = 20_000
"""The most actions of an imported match, more than any real one has; a longer file is refused."""
LATEST_MS: Final = 2**43
"""The latest valid time of an action, in the year 2248, in ms since 1970."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """Why a match file was refused, and the number of the line at fault."""

    line: int
    refusal: Refusal


def read_match_file(file: bytes, games: Games, faces: Faces) -> Imported | BadLine:
    """A match file as a change to the journal. Every line is played; one refused line refuses the whole file."""
    lines = [(n, line.strip()) for n, line in enumerate(file.split(b"\n"), 1) if line.strip()]
    number, first = lines[0] if lines else (1, b"")
    header = read_header(first)
    match = header if isinstance(header, Refusal) else open_match(header, games, faces)
    if isinstance(match, Refusal):
        return BadLine(number, match)
    if len(lines) > MOST_ACTIONS:
        return BadLine(MOST_ACTIONS, Refusal("too_large", f"No match has more than {MOST_ACTIONS} actions."))
    for number, line in lines[1:]:
        action = read_action(line)
        outcome = action if isinstance(action, Refusal) else apply(match, action)
        if isinstance(outcome, Refusal):
            return BadLine(number, outcome)
        match = outcome
    return _imported(match, [jsontext.dump(_without_invalid_notes(json.loads(line))) for _, line in lines[1:]])


def same_match(other: Imported, history: History) -> str | None:
    """Returns the id of the match in the journal with the same header and actions, or None without one."""
    lines = [json.loads(line) for line in other.lines]
    for stored in history.all_stored():
        row = stored.row
        if stored.end.actions != len(lines) or parsed(row.header) != json.loads(other.match.header):
            continue
        record = history.record(row.id)
        if record is not None and record.bad is None and [json.loads(line) for line in record.lines] == lines:
            return row.id
    return None


def _without_invalid_notes(action: dict[str, Any]) -> dict[str, Any]:
    """The action without an invalid `by` or `at_ms`, which the rules ignore and so have not checked."""
    by, at = action.get("by", ""), action.get("at_ms", 1)
    invalid = {"by"} if not isinstance(by, str) or len(by) > MAX_NAME else set()
    invalid |= {"at_ms"} if type(at) is not int or not 0 < at < LATEST_MS else set()
    return {key: value for key, value in action.items() if key not in invalid}


def _imported(match: Match, lines: list[str]) -> Imported:
    times = [at for line in lines if (at := json.loads(line).get("at_ms")) is not None]
    first, last = (times[0], times[-1]) if times else (None, None)
    began = datetime.now(UTC) if first is None else datetime.fromtimestamp(first / 1000, UTC)
    ended = began if last is None else datetime.fromtimestamp(last / 1000, UTC)
    header = jsontext.dump(match.header.to_json())
    digest = hashlib.sha256("\n".join([header, *lines]).encode()).hexdigest()
    winners = match.game.winners(match.state)
    row = MatchRow(
        f"{began:%Y%m%d-%H%M%S}-{digest[:6]}",
        "imported",
        header,
        "{}",
        began.isoformat(),
        ended.isoformat(),
        "stopped" if winners is None else "finished",
        None if winners is None else jsontext.dump(list(winners)),
    )
    return Imported(row, tuple(lines))
