"""One match on several boards while some are away: plugged in during play, or missing after a start."""

import asyncio
import contextlib
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.history.forgetting import without_player
from daemon.record.changes import Forgotten
from daemon.record.journal import Journal
from daemon.session import bots
from daemon.session.bot_advice import BotAdvice
from daemon.session.bots import Bots
from daemon.session.x01_plans import X01Plans
from daemon.system.catalogue import faces, games
from engine.refusals import Refusal
from tests.daemon.side_by_side import SideBySide, until
from tests.daemon.test_match_boards import START, play

OTHER: Final[dict[str, Any]] = {"game": "cricket", "players": ["Cid"]}


async def begin(boards: SideBySide) -> None:
    """Starts the match on both boards, with one dart."""
    await boards.command("lounge", {"start": START})
    await boards.throw("lounge", "T20")


def state(boards: SideBySide, board: str) -> dict[str, Any]:
    """The match that a board shows."""
    shown = boards.shown(board)
    assert shown is not None, f"there is no match on {board}"
    return shown


def test_a_board_that_comes_while_another_one_commits_joins_the_match(tmp_path: Path) -> None:
    async def alone(boards: SideBySide) -> None:
        async with boards.held() as held:
            dart = asyncio.create_task(boards.throw("lounge", "T19"))
            await held.wait()
            kitchen = boards.add("kitchen")
            await until(lambda: kitchen.restored.is_set() or kitchen.inbox in boards.together.waiting())
        await asyncio.gather(dart, kitchen.restored.wait())
        assert boards.shown("kitchen") == boards.shown("lounge")
        await boards.throw("lounge", "T18")
        await boards.command("kitchen", {"next": True})
        await boards.throw("kitchen", "S5")
        assert boards.darts("lounge") == ["S5"]
        assert boards.shown("kitchen") == boards.shown("lounge")

    play(tmp_path, begin)
    play(tmp_path, alone, names=("lounge",))


def test_a_match_that_starts_on_a_board_before_it_has_restored_its_own_stays_there(tmp_path: Path) -> None:
    async def alone(boards: SideBySide) -> None:
        attic = boards.sessions["attic"]
        async with boards.held() as held:
            dart = asyncio.create_task(boards.throw("lounge", "T19"))
            await held.wait()
            kitchen = boards.add("kitchen")
            await until(lambda: kitchen.restored.is_set() or kitchen.inbox in boards.together.waiting())
            ask = START | {"boards": ["attic", "kitchen"]}
            start = asyncio.create_task(boards.command("attic", {"id": 1, "start": ask}))
            await until(lambda: attic._match.group.lock.locked() or attic.inbox in boards.together.waiting())
        await asyncio.gather(dart, start, kitchen.restored.wait())
        assert boards.bus.replies[-1]["ok"]
        await boards.throw("attic", "T18")
        assert boards.shown("kitchen") == boards.shown("attic")
        assert (boards.darts("kitchen"), boards.darts("lounge")) == (["T18"], ["T20", "T19"])

    play(tmp_path, begin)
    play(tmp_path, alone, names=("lounge", "attic"))


def forget(boards: SideBySide, at_work: str) -> list[Forgotten] | Refusal:
    return without_player("Ann", boards.journal, games(), faces(), [at_work])


def test_a_running_match_is_not_rewritten_while_one_of_its_boards_is_away(tmp_path: Path) -> None:
    async def alone(boards: SideBySide) -> None:
        assert isinstance(forget(boards, "lounge"), Refusal)
        await boards.command("lounge", {"stop": True})
        assert len(await written(boards, forget(boards, "lounge"))) == 1

    async def start(boards: SideBySide) -> None:
        # The row of the board that will be away is written first.
        await boards.command("kitchen", {"start": START})
        await boards.throw("lounge", "T20")

    play(tmp_path, start)
    play(tmp_path, alone, names=("lounge",))


def test_a_match_that_was_stopped_while_a_board_was_away_can_be_forgotten_there(tmp_path: Path) -> None:
    async def stop(boards: SideBySide) -> None:
        await boards.command("lounge", {"stop": True})

    async def back(boards: SideBySide) -> None:
        assert boards.shown("kitchen") is None
        assert len(await written(boards, forget(boards, "kitchen"))) == 1

    play(tmp_path, begin)
    play(tmp_path, stop, names=("lounge",))
    play(tmp_path, back)


async def written(boards: SideBySide, changes: list[Forgotten] | Refusal) -> list[Forgotten]:
    """Writes the changes to the journal and returns them."""
    assert not isinstance(changes, Refusal), changes.message
    await boards.journal.write(*changes)
    return changes


def test_a_command_for_an_older_state_is_refused_when_a_board_was_away(tmp_path: Path) -> None:
    """The revision of a match never goes back, whichever of its boards restores it."""
    before: list[int] = []

    async def first(boards: SideBySide) -> None:
        await begin(boards)
        before.append(state(boards, "lounge")["revision"])

    async def alone(boards: SideBySide) -> None:
        for bed in ("S1", "S2"):
            await boards.command("kitchen", {"throw": bed})

    async def together(boards: SideBySide) -> None:
        assert state(boards, "lounge")["revision"] == state(boards, "kitchen")["revision"] > before[0]
        await boards.command("lounge", {"id": "old", "revision": before[0], "undo": True})
        assert boards.bus.replies[-1]["reason"] == "stale_revision"
        assert boards.darts("lounge") == ["T20", "S1", "S2"]

    play(tmp_path, first)
    play(tmp_path, alone, names=("kitchen",))
    play(tmp_path, together)


def test_a_match_that_was_over_and_replaced_is_not_on_a_board_that_was_away(tmp_path: Path) -> None:
    async def short(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START | {"options": {"start": 101}}})

    async def end(boards: SideBySide) -> None:
        for command in ({"throw": "T17"}, {"throw": "DB"}, {"next": True}):
            await boards.command("lounge", command)
        assert state(boards, "lounge")["finished"]

    async def replace(boards: SideBySide) -> None:
        assert state(boards, "lounge")["finished"], "its row is on both boards"
        await boards.command("lounge", {"start": OTHER})

    async def back(boards: SideBySide) -> None:
        assert boards.shown("kitchen") is None
        await boards.command("kitchen", {"id": 1, "undo": True})
        assert boards.bus.replies[-1]["reason"] == "no_match"
        assert {row.result for row, _ in boards.journal.matches()} == {"finished", None}
        assert len(await written(boards, forget(boards, "kitchen"))) == 1

    play(tmp_path, short)
    play(tmp_path, end, replace, names=("lounge",))
    play(tmp_path, back)


@pytest.mark.parametrize("options", [{}, {"auto_next": 1}], ids=["bot", "clock"])
def test_who_is_bound_to_a_missing_board_does_not_stop_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, int]
) -> None:
    monkeypatch.setattr(bots, "PACE_SECONDS", 0.001)
    rex = {"bots": {"Bob": 20}} if not options else {}

    async def before(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START | {"options": {"start": 301, **options}, **rex}})
        await boards.throw("lounge", "T20", "T20", "T20")

    async def alone(boards: SideBySide) -> None:
        players = Bots(boards.sessions["lounge"], BotAdvice(boards.thinker, solved := X01Plans(tmp_path)))
        await boards.command("lounge", {"next": True})
        if options:
            for _ in range(3):
                await boards.command("lounge", {"throw": "S1"})
        await until(lambda: state(boards, "lounge")["turn"]["player"] == "Ann")
        assert state(boards, "lounge")["players"][1]["score"] < 301
        players.stop()
        await solved.stop()

    play(tmp_path, before)
    play(tmp_path, alone, names=("lounge",))


def test_lost_entries_of_a_match_on_several_boards_are_reported_once(tmp_path: Path) -> None:
    data, old = tmp_path / "data", tmp_path / "old"
    data.mkdir()

    async def more(boards: SideBySide) -> None:
        await boards.throw("lounge", "T20", "T20")

    async def start(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START})

    play(data, start)
    shutil.copytree(data, old)
    play(data, more)
    for name in ("oche.db", "oche.db-wal"):
        (data / name).unlink(missing_ok=True)
        if (old / name).exists():
            shutil.copy(old / name, data / name)
    with contextlib.closing(Journal(data)) as journal:
        about = [damage.message for damage in journal.found if damage.match is not None]
        assert any("lost its end" in message for message in about)
        assert len(about) == len(set(about)), about
