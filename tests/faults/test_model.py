"""Promises 1 to 5 together: a daemon with its board and broker agrees with the model after any events in any order.

`scripts/soak model` tries new orders; an order that ever failed stays below as a test.
"""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from engine.actions import Correct
from engine.segments import SEGMENTS
from tests.faults.world import World

numbers = st.integers(1, 20)
factors = st.integers(1, 3)
SHORT = settings(
    max_examples=2, stateful_step_count=8, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


class WorldMachine(RuleBasedStateMachine):
    """A hypothesis state machine; each rule is one event."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()

    @initialize()
    def begins(self) -> None:
        self.world.start()

    @rule(number=numbers, factor=factors)
    def dart(self, number: int, factor: int) -> None:
        self.world.throw(number, factor)

    @rule(number=numbers, factor=factors)
    def another_dart(self, number: int, factor: int) -> None:
        self.world.throw(number, factor)

    @rule()
    def next(self) -> None:
        self.world.next()

    @rule()
    def undo(self) -> None:
        self.world.undo()

    @rule(number=numbers, dart=st.integers(1, 3))
    def correct(self, number: int, dart: int) -> None:
        bed = SEGMENTS[f"S{number}"]
        body = {"correct": {"dart": dart, "throw": bed.text}}
        self.world.command(body, Correct(dart, bed))

    @rule(which=st.integers(0, 100))
    def the_same_again(self, which: int) -> None:
        self.world.again(which)

    @rule()
    def stale(self) -> None:
        self.world.stale()

    @rule(payload=st.binary(max_size=50))
    def rubbish(self, payload: bytes) -> None:
        self.world.rubbish(payload)

    @rule(part=st.sampled_from([b"", b"2", b"20;", b"20;3", b"\xff\x00", b"20;3\r"]))
    def unplugged(self, part: bytes) -> None:
        self.world.unplug(part)

    @rule(number=numbers, factor=factors)
    def broker_away(self, number: int, factor: int) -> None:
        self.world.broker_away(number, factor)

    @rule(number=numbers, factor=factors)
    def disk_full(self, number: int, factor: int) -> None:
        self.world.disk_full(number, factor)

    @rule(days=st.integers(-4000, 4000))
    def clock(self, days: int) -> None:
        self.world.clock(days)

    @rule()
    def stopped(self) -> None:
        self.world.stop()

    @rule()
    def killed(self) -> None:
        self.world.kill()

    def teardown(self) -> None:
        self.world.close()


def test_whatever_happens() -> None:
    run_state_machine_as_test(WorldMachine, settings=SHORT)


def test_everything_once() -> None:
    """Every fault in one order: what a short run may not draw is tried all the same."""
    world = World()
    world.throw(20, 1)
    world.start()
    world.throw(20, 3)
    world.clock(-3000)
    world.throw(19, 3)
    world.again(0)
    world.stale()
    world.kill()
    world.disk_full(5, 1)
    world.next()
    world.unplug(b"20;")
    world.clock(3000)
    world.throw(18, 2)
    world.undo()
    world.broker_away(17, 1)
    world.rubbish(b"[[[[")
    world.stop()
    world.throw(16, 1)
    world.close()
