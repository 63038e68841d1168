"""A flood of commands neither holds up the board nor grows memory; without one, what came first is done first."""

import asyncio

from daemon.links.link import chunk
from daemon.mqtt.bus import Message
from daemon.session.inbox import ARRIVALS, COMMAND_BYTES, COMMANDS, FLOOD, Inbox, WatchdogProbe


def command(size: int = 10) -> Message:
    return Message("oche/n/board/b/command", b"x" * size, retained=False)


def test_what_came_first_is_done_first() -> None:
    async def play() -> None:
        inbox, first, dart, second = Inbox(), command(), chunk(b"20;3"), command()
        inbox.offer(first)
        await inbox.put(dart)
        inbox.offer(second)
        assert [await inbox.get() for _ in range(3)] == [first, dart, second]

    asyncio.run(play())


def test_in_a_flood_the_board_is_first() -> None:
    async def play() -> None:
        inbox, dart = Inbox(), chunk(b"20;3")
        for _ in range(FLOOD + 1):
            assert inbox.offer(command())
        await inbox.put(dart)
        assert await inbox.get() is dart

    asyncio.run(play())


def test_commands_are_bounded_in_number_and_in_bytes() -> None:
    inbox = Inbox()
    assert sum(inbox.offer(command()) for _ in range(2 * COMMANDS)) == COMMANDS
    inbox = Inbox()
    assert sum(inbox.offer(command(100_000)) for _ in range(100)) == COMMAND_BYTES // 100_000


def test_a_board_that_is_far_ahead_waits() -> None:
    async def play() -> None:
        inbox = Inbox()
        for _ in range(ARRIVALS):
            await inbox.put(chunk(b"x"))
        late = asyncio.create_task(inbox.put(chunk(b"y")))
        await asyncio.sleep(0)
        assert not late.done()
        await inbox.get()
        await late

    asyncio.run(play())


def test_signs_of_life_can_be_given_while_waiting() -> None:
    async def play() -> None:
        inbox, sign, dart = Inbox(), WatchdogProbe(asyncio.Semaphore(0)), chunk(b"x")
        await inbox.put(sign)
        await inbox.put(dart)
        assert inbox.take_probes() == [sign]
        assert await inbox.get() is dart

    asyncio.run(play())
