"""Forgetting a player propagates to the hall: noted first, sent when the journal is without the name."""

import contextlib
import json
import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from daemon.people.league_cards import shown_cards
from daemon.record.journal_file import JournalError
from daemon.record.reader import History
from daemon.shipping.membership import BadMembership, Membership, load
from daemon.shipping.sent_file import SentFile, Stage
from daemon.system.disk_errors import disk_trouble

MOST_GENERATIONS: Final = 100


@contextlib.contextmanager
def forgetting_at_hall(data: Path, name: str) -> Iterator[None]:
    """Has the hall forget a player whom the block removes from the journal; does nothing without a hall.

    It is noted before: afterwards nothing knows the name. JournalError if that cannot be written, or if the membership
    cannot be read.
    """
    try:
        member = load(data)
    except BadMembership as error:
        raise JournalError(str(error)) from error
    if member is None:
        yield
        return
    sent = SentFile(data)
    try:
        players = [current_id(member, name, sent.forgotten())]
        players += [shown.player for shown in shown_cards(data) if shown.name == name]
        for player in players:
            sent.forget(player)
    except sqlite3.Error as error:
        raise JournalError(disk_trouble(error, sent.path)) from error
    try:
        yield
    except JournalError:
        # The journal keeps the name: the player keeps the id.
        with contextlib.suppress(sqlite3.Error):
            for player in players:
                sent.keep(player)
        raise
    # If this is not written, the name is looked for in the journal.
    with contextlib.suppress(sqlite3.Error):
        sent.reached(Stage.DUE, players)


def current_id(member: Membership, name: str, forgotten: Collection[str]) -> str:
    """The id of the player who has this name now: another one than that of a player who was forgotten."""
    ids = (member.player_id(name, generation) for generation in range(MOST_GENERATIONS))
    return next(player for player in ids if player not in forgotten)


def forgettable(member: Membership, history: History, sent: SentFile) -> list[str]:
    """The players whom the hall is still to forget, without those whose name the journal has."""
    stages = sent.forgotten()
    if noted := [player for player, stage in stages.items() if stage == Stage.NOTED]:
        names = {name for stored in history.all_stored() for name in players_of(stored.row.header)}
        played = {member.player_id(name, generation) for name in names for generation in range(len(stages))}
        played |= {shown.player for shown in shown_cards(sent.path.parent) if shown.name in names}
        sent.reached(Stage.DUE, set(noted) - played)
        stages = sent.forgotten()
    return [player for player, stage in stages.items() if stage == Stage.DUE]


def players_of(header: str) -> list[str]:
    """The players in the header of a match; none if it is damaged."""
    try:
        value = json.loads(header)
    except (ValueError, RecursionError):
        return []
    players = value.get("players") if isinstance(value, dict) else None
    return [name for name in players if isinstance(name, str)] if isinstance(players, list) else []
