"""Turns on the event loop: fair by address, one in each iteration, and within the stated share of its time."""

import asyncio
import itertools
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.network.fair_turns import MAX_PAUSE, SAVED_SECONDS, SHARE, Budget, FairQueue, RateLimit, Turns
from tests.rig import LIMIT_SECONDS

ADDRESSES = st.sampled_from(["192.0.2.1", "192.0.2.2", "2001:db8::/64", ""])
SECONDS = st.floats(0, 10, allow_nan=False)


@given(st.lists(st.one_of(ADDRESSES, st.none()), max_size=60))
def test_each_address_waits_for_one_of_each_other_at_most(steps: list[str | None]) -> None:
    """An address puts, None takes: no address is served twice while another waits; its items keep their order."""
    queue: FairQueue[tuple[str, int]] = FairQueue()
    waiting: dict[str, list[int]] = {}
    passed: dict[str, list[str]] = {}
    for number, step in enumerate(steps):
        if step is not None:
            queue.put(step, (step, number))
            waiting.setdefault(step, []).append(number)
            passed.setdefault(step, [])
        elif waiting:
            address, taken = queue.pop()
            assert taken == waiting[address].pop(0)
            passed.pop(address)
            if waiting[address]:
                passed[address] = []
            else:
                del waiting[address]
            for others in passed.values():
                others.append(address)
            passed.get(address, []).clear()
            assert all(len(set(others)) == len(others) for others in passed.values())
    assert bool(queue) == bool(waiting)


def test_an_empty_queue_raises_key_error() -> None:
    with pytest.raises(KeyError):
        FairQueue[int]().pop()


@given(st.lists(st.tuples(SECONDS, st.floats(0, 1, allow_nan=False)), max_size=50))
def test_usage_stays_within_the_share(turns: list[tuple[float, float]]) -> None:
    """Turns with a rest before and a cost: with the pauses, usage stays below the share and the savings."""
    now = used = 0.0
    budget = Budget(now)
    for rest, cost in turns:
        now += rest
        begun = used
        pause = budget.pause(cost, now)
        assert 0 <= pause <= MAX_PAUSE + 1e-9
        # The dropped part of a charge is the daemon's own work: a turn itself costs less.
        used += min(cost, MAX_PAUSE * SHARE)
        assert begun <= SAVED_SECONDS + SHARE * now + 1e-6
        now += pause


def test_each_iteration_of_the_loop_grants_one_turn_to_the_next_address() -> None:
    granted: list[tuple[int, str]] = []
    iterations = 0

    async def asks(turns: Turns, address: str) -> None:
        await turns.turn(address)
        granted.append((iterations, address))

    async def run() -> None:
        nonlocal iterations
        turns = Turns()
        asking = [asyncio.create_task(asks(turns, address)) for address in ("a", "a", "a", "b", "c")]
        while not all(task.done() for task in asking):
            iterations += 1
            await asyncio.sleep(0)

    asyncio.run(run())
    assert [address for _, address in granted] == ["a", "b", "c", "a", "a"]
    assert all(len(list(same)) == 1 for _, same in groupby(at for at, _ in granted))


def test_turns_are_granted_while_the_loop_is_busy() -> None:
    """Each time the clock is read, boards have used more than any share allows."""

    async def run() -> None:
        used = itertools.count(0.0, 1.0)
        turns = Turns(lambda: next(used))
        async with asyncio.timeout(LIMIT_SECONDS):
            for _ in range(5):
                await turns.turn("a")

    asyncio.run(run())


def test_a_cancelled_unit_takes_no_turn_and_an_error_stops_no_other() -> None:
    async def run() -> list[str]:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        turns, went = Turns(), []

        def fault() -> bool:
            raise ValueError

        left = asyncio.create_task(turns.turn("a"))
        await asyncio.sleep(0)
        left.cancel()
        turns.schedule("a", fault)
        turns.schedule("b", lambda: went.append("b") or True)  # type: ignore[func-returns-value]
        await turns.turn("a")
        return [*went, "a"]

    assert asyncio.run(run()) == ["b", "a"]


@given(st.floats(0.1, 1e6), st.floats(0, 1e6), st.lists(st.tuples(st.floats(0, 1e4), st.floats(0, 100)), max_size=30))
def test_a_client_that_waits_keeps_the_rate(rate: float, burst: float, sent: list[tuple[float, float]]) -> None:
    now = total = 0.0
    pace = RateLimit(now, rate, burst)
    for size, rest in sent:
        now += rest
        # Earlier units have been waited for: only the last one may exceed the bound.
        assert total <= burst + rate * now * (1 + 1e-9) + 1e-6
        total += size
        now += pace.wait(size, now)
