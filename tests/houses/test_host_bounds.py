"""What a guest's house can make the host do for one question, and how many questions wait."""

import asyncio
import contextlib
import json
import tracemalloc
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

from daemon.houses.host import OPEN, Host
from daemon.houses.invitations import Invitations
from daemon.houses.messages import LINES
from daemon.mqtt.message import Message
from daemon.mqtt.shared_broker import SharedBroker
from daemon.record.changes import Imported, MatchRow
from daemon.record.journal import Journal
from daemon.session.board_session import BoardSession
from daemon.session.inbox import Call

HEADER: Final = '{"match":1,"rules":1,"game":"x01","players":["Ann","Bob"],"boards":["anna/lounge","bob/lounge"]}'
ACTIONS: Final = 50_000
TOPIC: Final = "oche/anna/board/lounge/command/bob"
MOST_BYTES: Final = 1024 * 1024


class _Inbox:
    """Keeps what is to be done."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    async def put(self, call: Call) -> None:
        self.calls.append(call)


def test_a_question_reads_no_more_of_a_long_match_than_it_is_answered(tmp_path: Path) -> None:
    async def ask(journal: Journal) -> None:
        row = MatchRow(
            "m1", "lounge", HEADER, "{}", "2026-11-21T20:00:00+00:00", "2026-11-21T21:00:00+00:00", "stopped"
        )
        await journal.write(Imported(row, tuple(f'{{"throw":"S{n % 20 + 1}"}}' for n in range(ACTIONS))))
        inbox, sent = _Inbox(), list[dict[str, Any]]()
        session = cast(BoardSession, SimpleNamespace(name="lounge", recorded=None, inbox=inbox))
        shared = cast(SharedBroker, SimpleNamespace(send=lambda _topic, body: sent.append(body)))
        host = Host("anna", shared, Invitations(tmp_path), {"lounge": session}, journal)
        question = json.dumps({"id": "q", "board": "lounge", "match": "m1", "have": 0, "follow": True}).encode()
        for _ in range(OPEN + 5):
            host.hear("lounge", "bob", Message(TOPIC, question, False))
        await asyncio.sleep(0)
        assert len(inbox.calls) == OPEN
        tracemalloc.start()
        try:
            await inbox.calls[0].run()
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert len(sent[0]["lines"]) == LINES
        assert peak < MOST_BYTES

    with contextlib.closing(Journal(tmp_path)) as journal:
        asyncio.run(ask(journal))
