"""Checks of the hall that the node has joined: as the daemon saw it last."""

import sqlite3
from collections.abc import Iterator
from typing import Final

from daemon.doctor.findings import Finding, Seen, Trouble, Unseen
from daemon.doctor.machine import Machine
from daemon.shipping.membership import FILE, BadMembership, load
from daemon.shipping.sent_file import SentFile

_NOTHING_SENT: Final = "the hall at {}: the daemon has not sent anything yet."


def hall(machine: Machine) -> Iterator[Finding]:
    """A hall that is away or refuses this node, and matches that it refused."""
    data = machine.settings.data
    try:
        member = load(data)
        if member is None:
            yield Unseen("this node has not joined a hall.")
            return
        sent = SentFile(data)
        if not sent.path.exists():
            yield Unseen(_NOTHING_SENT.format(member.url))
            return
        status, refused = sent.status(), [one for one in sent.all().values() if one.refused and one.digest]
    except BadMembership as error:
        if isinstance(error.__cause__, OSError):
            secret = isinstance(error.__cause__, PermissionError)
            yield Unseen(f"you may not read {data / FILE}: sudo oche doctor." if secret else str(error))
            return
        yield Trouble("hall", str(error), "oche hall leave   and join again with a code of the hall")
        return
    except sqlite3.Error as error:
        yield Unseen(f"{sent.path}: {error}.")
        return
    waiting = status.get("waiting", 0)
    match status.get("state"):
        case None:
            yield Unseen(_NOTHING_SENT.format(member.url))
        case "connected":
            yield Seen(f"The hall at {member.url} answers; {waiting} lines are still to be sent.")
        case "away":
            wrong = f"The hall is away, and {waiting} lines wait: {status.get('message', '')}"
            yield Trouble(
                "hall-away", wrong, "Nothing is lost: the daemon goes on trying. Check this machine's network."
            )
        case _:
            do = "Ask those who run the hall for a new code; then oche hall leave, and oche hall join URL CODE"
            yield Trouble("hall", f"The hall refuses this node: {status.get('message', '')}", do)
    if refused:
        wrong = f"The hall refused {len(refused)} matches, the last with: {refused[-1].refused}"
        yield Trouble("hall-match", wrong, "oche hall status   lists them; please report it")
