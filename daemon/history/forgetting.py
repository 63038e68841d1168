"""Removes a player's name from the matches of the journal."""

import json
from collections.abc import Collection
from typing import Any

from daemon.history.stored_match import open_header, played, players_of
from daemon.people.access import user_of
from daemon.record.changes import Forgotten, MatchRow
from daemon.record.reader import History
from engine import jsontext
from engine.faces import Faces
from engine.matchfile import Games
from engine.refusals import Refusal


def without_player(
    name: str, history: History, games: Games, faces: Faces, at_work: Collection[str] = ()
) -> list[Forgotten] | Refusal:
    """The changes that remove a player's name from the journal, none if the player never played.

    `at_work` are the boards that are running: they have their match in memory, so it must be stopped first.
    """
    changes = []
    for stored in history.all_stored():
        row = stored.row
        named = name in players_of(row)
        if not named and (stored.intact or not history.mentions(row.id, name)):
            continue
        if named and (boards := history.boards_of(row.id).intersection(at_work)):
            return Refusal("not_allowed", f"A match of {name} is on the board {min(boards)}; stop that match first.")
        changes.append(_renamed(row, name, history, games, faces))
    return changes


def has_namesake(name: str, history: History) -> bool:
    """Whether somebody else who has played has the same user name, like ann and Ann, and so the same files."""
    user = user_of(name)
    everyone = {other for stored in history.all_stored() for other in players_of(stored.row)}
    return any(user_of(other) == user for other in everyone - {name})


def _renamed(row: MatchRow, name: str, history: History, games: Games, faces: Faces) -> Forgotten:
    """The match with another name in place of this one.

    The match is deleted if it would play differently then, or if it is damaged and the name can be anywhere in it.
    """
    record = history.record(row.id)
    if record is None or record.bad is not None:
        return Forgotten(row.id, user_of(name), None, ())
    taken = json.loads(row.header)["players"]
    other = next(text for n in range(1, len(taken) + 2) if (text := f"Player {n}") not in taken)
    texts = [row.header, row.bots, row.winners or "null"]
    header, bots, winners = (jsontext.dump(_replaced(json.loads(text), name, other)) for text in texts)
    actions = [_replaced(json.loads(text), name, other) for text in record.lines]
    user = user_of(name)
    # The player's own actions have their user name.
    lines = [jsontext.dump(act | {"by": user_of(other)} if act.get("by") == user else act) for act in actions]
    opened = open_header(header, games, faces)
    if isinstance(opened, Refusal) or sum(1 for _ in played(opened, lines)) != len(lines) + 1:
        return Forgotten(row.id, user, None, ())
    new = MatchRow(
        row.id, row.board, header, bots, row.started, row.ended, row.result, None if winners == "null" else winners
    )
    return Forgotten(row.id, user, new, tuple(lines))


def _replaced(value: Any, name: str, other: str) -> Any:
    """The same JSON with the name replaced wherever it is a whole string or a key."""
    match value:
        case str():
            return other if value == name else value
        case list():
            return [_replaced(part, name, other) for part in value]
        case dict():
            return {_replaced(key, name, other): _replaced(part, name, other) for key, part in value.items()}
        case _:
            return value
