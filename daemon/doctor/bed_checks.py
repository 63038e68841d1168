"""Checks of the beds, from the darts of the record: what answers too rarely, and what counts darts twice."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from daemon.doctor.findings import Finding, Seen, Trouble, Unseen
from daemon.doctor.machine import Machine
from daemon.history.board_health_answer import ENOUGH_DARTS
from daemon.record.journal_file import DATABASE_ERRORS
from daemon.record.match_list import Filter
from daemon.record.reader import History
from daemon.system.catalogue import faces, games, model
from daemon.system.data_directory import has_journal
from daemon.system.numpy_package import install_command
from daemon.system.urls import UsageError

if TYPE_CHECKING:
    from boards.board import Board
    from twin.board_health import BoardFault

MOST_BOARDS: Final = 4
"""How many boards are looked at: each takes seconds."""


def beds(machine: Machine) -> Iterator[Finding]:
    """Beds and lines that answer less often than the players' hands say, and beds that count darts twice."""
    data = machine.settings.data
    if not has_journal(data):
        secret = data.is_dir() and not os.access(data, os.R_OK | os.X_OK)
        yield Unseen(f"you may not read {data}: sudo oche doctor." if secret else f"nothing was played in {data} yet.")
        return
    history = History(data)
    try:
        names = _boards(machine, history)
    except DATABASE_ERRORS as error:
        yield Unseen(f"the journal cannot be read: {error}.")
        return
    if not names:
        yield Unseen(f"no match was played in {data} on a board that is configured.")
        return
    try:
        from daemon.history.board_darts import examine
    except ImportError:
        yield Unseen(f"numpy is not installed: {install_command()}.")
        return
    models = {spec.name: spec.model for spec in machine.settings.boards}
    for name in names:
        found = examine(history, name, _model(models.get(name)), games(), faces())
        if found.darts < ENOUGH_DARTS:
            yield Unseen(f"{name}: {found.darts} darts of people with 100 or more; {ENOUGH_DARTS} are needed.")
            continue
        for fault in found.faults:
            yield _trouble(name, fault)
        if not found.faults:
            yield Seen(f"{name}: each bed was hit as often as the hands of {found.players} players say.")


def _boards(machine: Machine, history: History) -> list[str]:
    """The configured boards that have matches, or without any those with the most matches."""
    played = list(history.choices(Filter(), {}).boards)
    configured = {spec.name for spec in machine.settings.boards}
    return [name for name in played if name in configured or not configured][:MOST_BOARDS]


def _model(name: str | None) -> "Board | None":
    try:
        return None if name is None else model(name)
    except UsageError:
        return None  # Another check says so.


def _trouble(board: str, fault: "BoardFault") -> Trouble:
    darts = f"{fault.seen} darts where {fault.expected:.0f} were likely."
    match fault.kind:
        case "line":
            return Trouble(
                "line",
                f"The board {board}: {fault.name} of its matrix fails ({', '.join(fault.beds)}): {darts}",
                "Look at the foil's tail and its plug: clean the contacts of this line, and press the plug in again.",
            )
        case "bed":
            return Trouble(
                "bed",
                f"The board {board}: {fault.name} answers too rarely: {darts}",
                "Press it with a finger all over; if it does not answer each time, its contact is worn or dirty. "
                "`oche listen` shows what arrives.",
            )
        case "doubled":
            return Trouble(
                "doubled",
                f"The board {board}: {fault.name} counted {fault.seen} of {fault.expected:.0f} darts twice.",
                "The contact swings for longer than its model says: a copy of the model's file with a larger "
                "`rebound_ms` in `[pace]` has the second one shown as doubtful (docs/boards.md).",
            )
