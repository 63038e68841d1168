"""Turns on the loop: fair by address, one a round, and no more of the loop's time than stated."""

import asyncio
import itertools
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.web.fair_turns import MAX_PAUSE, SAVED_SECONDS, SHARE, Budget, FairQueue, RateLimit, Turns
from tests.rig import LIMIT_SECONDS

ADDRESSES = st.sampled_from(["192.0.2.1", "192.0.2.2", "2001:db8::/64", ""])
SECONDS = st.floats(0, 10, allow_nan=False)


@given(st.lists(st.one_of(ADDRESSES, st.none()), max_size=60))
def test_each_address_waits_for_one_of_each_other_at_most(steps: list[str | None]) -> None:
    """A name puts, None takes: whoever waits is not passed twice by the same address, nor by a later one of its own."""
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


def test_nothing_is_taken_from_an_empty_queue() -> None:
    with pytest.raises(KeyError):
        FairQueue[int]().pop()


@given(st.lists(st.tuples(SECONDS, st.floats(0, 1, allow_nan=False)), max_size=50))
def test_what_is_used_stays_within_the_share(turns: list[tuple[float, float]]) -> None:
    """Turns after a rest, at a cost: who keeps the pauses stays below the share and what was saved."""
    now = used = 0.0
    budget = Budget(now)
    for rest, cost in turns:
        now += rest
        begun = used
        pause = budget.pause(cost, now)
        assert 0 <= pause <= MAX_PAUSE + 1e-9
        # What is forgiven is the house's own work: a turn itself costs less.
        used += min(cost, MAX_PAUSE * SHARE)
        assert begun <= SAVED_SECONDS + SHARE * now + 1e-6
        now += pause


def test_one_turn_is_given_in_a_round_of_the_loop_to_one_address_after_the_other() -> None:
    given_to: list[tuple[int, str]] = []
    rounds = 0

    async def asks(turns: Turns, address: str) -> None:
        await turns.turn(address)
        given_to.append((rounds, address))

    async def run() -> None:
        nonlocal rounds
        turns = Turns()
        asking = [asyncio.create_task(asks(turns, address)) for address in ("a", "a", "a", "b", "c")]
        while not all(task.done() for task in asking):
            rounds += 1
            await asyncio.sleep(0)

    asyncio.run(run())
    assert [address for _, address in given_to] == ["a", "b", "c", "a", "a"]
    assert all(len(list(same)) == 1 for _, same in groupby(at for at, _ in given_to))


def test_turns_are_given_also_where_the_loop_is_busy_with_something_else() -> None:
    """Whenever the clock is read, boards have used more than any share would allow."""

    async def run() -> None:
        used = itertools.count(0.0, 1.0)
        turns = Turns(lambda: next(used))
        async with asyncio.timeout(LIMIT_SECONDS):
            for _ in range(5):
                await turns.turn("a")

    asyncio.run(run())


def test_who_has_left_takes_no_turn_and_a_fault_in_one_ends_no_others() -> None:
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
def test_who_waits_as_told_keeps_the_pace(rate: float, burst: float, sent: list[tuple[float, float]]) -> None:
    now = total = 0.0
    pace = RateLimit(now, rate, burst)
    for size, rest in sent:
        now += rest
        # What came before has been waited for: only the last one may go beyond.
        assert total <= burst + rate * now * (1 + 1e-9) + 1e-6
        total += size
        now += pace.wait(size, now)
