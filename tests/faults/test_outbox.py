"""Promise 1 on the bus: every hit is published at least once, in order, and never twice over one connection.

A machine throws darts, ends connections and the process at any moment, and lets time pass; the broker acknowledges when
it likes. The outbox and the sending half of the bus are the real ones, over a connection that is only a list.
"""

import asyncio
import json
import os
import tempfile
from pathlib import Path
from typing import Final

from aiomqtt import MqttError
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from pytest import MonkeyPatch

from daemon.mqtt.client import Acknowledged
from daemon.mqtt.outgoing import IN_FLIGHT, SHARE, Outgoing
from daemon.record.row_writer import REMEMBERED_HITS
from daemon.session import outbox
from daemon.session.outbox import MOST_HELD, WAIT_SECONDS, Outbox, SentMark

BOARD: Final = "lounge"
ROUNDS: Final = 10
"""Rounds of the event loop after each step: a task that waits for another needs two."""


class Line:
    """A connection to a broker that has the packets at once, and acknowledges when the machine says so."""

    def __init__(self, machine: "OutboxMachine") -> None:
        self.hits: list[int] = []
        self.is_broken = False
        self.waiting: list[tuple[int | None, Acknowledged]] = []
        self._machine = machine

    def send(
        self, topic: str, text: str, *, retain: bool, acknowledged: Acknowledged, correlation: bytes | None
    ) -> None:
        if self.is_broken:
            raise MqttError("The connection has ended, and the bus does not know it yet.")
        hit = None
        if topic.endswith("/hit"):
            hit = json.loads(text)
            self._machine.sent(hit)
            self.hits.append(hit)
        self.waiting.append((hit, acknowledged))

    def acknowledge(self, count: int) -> None:
        now, self.waiting = self.waiting[:count], self.waiting[count:]
        for hit, acknowledged in now:
            self._machine.taken.add(hit)
            acknowledged(True)

    def abandon(self) -> None:
        waiting, self.waiting = self.waiting, []
        for hit, acknowledged in waiting:
            if hit is not None:
                self._machine.waits_since.setdefault(hit, self._machine.now)
            acknowledged(None)


class Sending(Outgoing):
    """The sending half of the bus."""

    def __init__(self) -> None:
        super().__init__("oche/test", lambda _name: False)

    def count_dropped(self) -> None:
        pass


class OutboxMachine(RuleBasedStateMachine):
    """One board through connections and processes. Its journal keeps the last hits, as the real one does."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.patch = MonkeyPatch()
        self.patch.setattr(outbox, "AGAIN_SECONDS", 0)
        self.folder = tempfile.TemporaryDirectory()
        self.now = 0.0
        self.seq = 0
        self.thrown: dict[int, float] = {}
        """The kept hits, with the times of their throws."""
        self.waits_since: dict[int, float] = {}
        self.taken: set[int | None] = set()
        self.journal: dict[int, str] = {}
        self.stored: frozenset[int] = frozenset()
        self.line: Line | None = None
        self._begin()

    def _begin(self) -> None:
        self.mark = SentMark(Path(self.folder.name), BOARD)
        self.sending = Sending()
        self.box = Outbox(self.sending, BOARD, self.mark, lambda: self.now)
        stored = {seq: text for seq, text in self.journal.items() if seq > self.box.last}
        self.stored = frozenset(stored)
        self.box.hold(stored)
        self.running = self.loop.create_task(self.box.run())
        self._settle()

    def _settle(self) -> None:
        async def rounds() -> None:
            for _ in range(ROUNDS):
                await asyncio.sleep(0)

        self.loop.run_until_complete(rounds())
        assert not self.running.done()

    def _kill(self) -> None:
        self.running.cancel()
        self.loop.run_until_complete(asyncio.gather(self.running, return_exceptions=True))
        self.line = None
        assert self.mark._file is not None
        os.close(self.mark._file)

    def teardown(self) -> None:
        self.cut()
        self.connect()
        for _ in range(3 * REMEMBERED_HITS):
            if self.line is None or not self.line.waiting:
                break
            self.acknowledge(IN_FLIGHT)
        assert not self.box._held, "they wait for ever"
        assert all(seq in self.taken or self._may_be_dropped(seq) for seq in self.thrown)
        assert self.mark.read() == max(self.thrown, default=0)
        self._kill()
        self.loop.close()
        self.folder.cleanup()
        self.patch.undo()

    def _may_be_dropped(self, seq: int) -> bool:
        """Whether a hit waited for too long, or too many came after it."""
        later = self.seq - seq
        waited = self.now - self.waits_since.get(seq, self.now)
        return later >= REMEMBERED_HITS or (seq not in self.stored and (later >= MOST_HELD or waited > WAIT_SECONDS))

    def sent(self, seq: int) -> None:
        if seq not in self.stored:
            assert self.now <= self.waits_since.get(seq, self.now) + WAIT_SECONDS, "nobody wants it any more"

    @precondition(lambda self: self.sending._by_board[BOARD] < SHARE)
    @rule(count=st.integers(1, 40), kept=st.booleans())
    def throw(self, count: int, kept: bool) -> None:
        for _ in range(count):
            if self.sending._by_board[BOARD] >= SHARE:
                break
            self.seq += 1
            text = json.dumps(self.seq)
            if kept:
                self.thrown[self.seq] = self.now
                self.journal[self.seq] = text
                self.journal.pop(self.seq - REMEMBERED_HITS, None)
            self.box.send(self.seq, text, kept=kept)
            if self.line is None or self.seq not in self.line.hits:
                self.waits_since[self.seq] = self.now
        self._settle()

    @rule(count=st.integers(1, 2 * IN_FLIGHT))
    def flood_of_others(self, count: int) -> None:
        for number in range(count):
            self.sending.send("board/other/event", number)
        self._settle()

    @rule(count=st.integers(1, IN_FLIGHT))
    def acknowledge(self, count: int) -> None:
        if self.line is not None:
            self.line.acknowledge(count)
            self._settle()

    @rule()
    def break_line(self) -> None:
        if self.line is not None:
            self.line.is_broken = True

    @rule()
    def cut(self) -> None:
        self.sending._disconnect()
        self.line = None
        self._settle()

    @precondition(lambda self: self.line is None)
    @rule()
    def connect(self) -> None:
        self.line = Line(self)
        self.sending._connect(self.line)  # type: ignore[arg-type]
        self._settle()

    @rule(seconds=st.floats(0, 2 * WAIT_SECONDS))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def kill(self) -> None:
        self._kill()
        self._begin()

    @invariant()
    def hits_come_once_and_in_order_over_one_connection(self) -> None:
        if self.line is not None:
            assert self.line.hits == sorted(set(self.line.hits))

    @invariant()
    def a_kill_now_would_lose_no_hit(self) -> None:
        mark = self.mark.read()
        for seq in self.thrown:
            if seq not in self.taken and not self._may_be_dropped(seq):
                assert mark < seq and seq in self.journal

    @invariant()
    def what_waits_is_bounded(self) -> None:
        assert len(self.box._held.keys() - self.stored) <= MOST_HELD


TestOutbox = OutboxMachine.TestCase
TestOutbox.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def test_the_journal_keeps_more_hits_than_may_wait() -> None:
    assert REMEMBERED_HITS > MOST_HELD + SHARE
