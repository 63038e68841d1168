"""A match of the journal as values: what a list says of it, and the match before and after each action."""

import json
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from daemon.history.answers import MatchInfo
from daemon.record.reader import MatchRow, Record, StoredMatch
from engine.actions import action_from_json
from engine.faces import Faces
from engine.match import Match
from engine.matchfile import Games, header_from_json, open_match
from engine.play import apply
from engine.refusals import Refusal


def describe(stored: StoredMatch, bad: int | None) -> MatchInfo:
    """A match in a list. `bad` is the number of its first bad action, `None` if it is whole.

    What cannot be read of a damaged match is empty.
    """
    row, header = stored.row, parsed(stored.row.header)
    header = header if isinstance(header, dict) else {}
    options = header.get("options")
    about: MatchInfo = {
        "id": row.id,
        "board": row.board,
        "started": row.started,
        "actions": stored.end.actions,
        "game": str(header.get("game", "")),
        "players": players_of(row),
        "options": options if isinstance(options, dict) else {},
    }
    if isinstance(bots := parsed(row.bots), dict) and bots:
        about["bots"] = bots
    if row.ended is not None:
        about["ended"] = row.ended
        match row.result:
            case "finished":
                about["result"] = "finished"
            case "stopped":
                about["result"] = "stopped"
    if isinstance(winners := parsed(row.winners or "null"), list):
        about["winners"] = winners
    if stored.end.rewritten is not None:
        about["rewritten"] = stored.end.rewritten
    if bad is not None:
        about |= {"damaged": True, "first_bad_action": bad}
    elif stored.unchecked:
        about["checked"] = False
    return about


def players_of(row: MatchRow) -> list[str]:
    """The players of a match, none if its header cannot be read."""
    header = parsed(row.header)
    players = header.get("players") if isinstance(header, dict) else None
    return [name for name in players if isinstance(name, str)] if isinstance(players, list) else []


def people_of(row: MatchRow, match: Match) -> list[str]:
    """The players of a match without its bots."""
    bots = parsed(row.bots) or {}
    return [name for name in match.header.players if name not in bots]


def parsed(text: str) -> Any:
    """The value of the JSON in a row, `None` if it is damaged."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def open_header(header: str, games: Games, faces: Faces) -> Match | Refusal:
    """The match of a stored header before its first action."""
    read = header_from_json(parsed(header))
    return read if isinstance(read, Refusal) else open_match(read, games, faces)


def last_state(record: Record, games: Games, faces: Faces) -> Match | None:
    """The last state of a match; None for a damaged one and a game that is not installed."""
    opened = open_header(record.stored.row.header, games, faces)
    if record.bad is not None or isinstance(opened, Refusal):
        return None
    # Keeps the last state alone: all states of a long match together are large.
    return deque(played(opened, record.lines), maxlen=1).pop()


def played(match: Match, lines: Iterable[str]) -> Iterator[Match]:
    """The match before the first action and after each one. Ends early at an action that is not legal."""
    yield match
    for line in lines:
        action = action_from_json(parsed(line))
        outcome = action if isinstance(action, Refusal) else apply(match, action)
        if isinstance(outcome, Refusal):
            return
        match = outcome
        yield match
