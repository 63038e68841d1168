"""One match on several boards of a node: who throws where, who sees it, and what a restart finds."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.record.journal_file import JournalError
from daemon.record.reader import History
from daemon.session.commands import Start
from engine.match import Header
from tests.daemon.side_by_side import SideBySide, side_by_side

START: Final[dict[str, Any]] = {
    "game": "x01",
    "players": ["Ann", "Bob"],
    "options": {"start": 301},
    "boards": ["lounge", "kitchen"],
}
Play = Callable[[SideBySide], Awaitable[None]]


def play(folder: Path, *plays: Play, names: tuple[str, ...] = ("lounge", "kitchen", "attic")) -> None:
    """Runs each play on the boards, which are restarted between two."""

    async def run() -> None:
        for number, each in enumerate(plays):
            async with side_by_side(folder, *names, clock_ns=number * 10**15) as boards:
                await each(boards)

    asyncio.run(run())


def test_each_player_throws_at_their_board_and_both_show_it(tmp_path: Path) -> None:
    async def one(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START})
        assert boards.shown("lounge") == boards.shown("kitchen")
        shown = boards.shown("kitchen")
        assert shown is not None
        assert [(player["name"], player["board"]) for player in shown["players"]] == [
            ("Ann", "lounge"),
            ("Bob", "kitchen"),
        ]
        await boards.throw("lounge", "T20", "T19")
        # Not Bob's turn: it is a hit, and it does not count.
        await boards.throw("kitchen", "D20")
        assert boards.darts("kitchen") == boards.darts("lounge") == ["T20", "T19"]
        assert [boards.sessions[name].darts for name in ("lounge", "kitchen")] == [2, 1]
        await boards.throw("lounge", "T18")
        await boards.command("kitchen", {"next": True})
        await boards.throw("lounge", "S1")
        await boards.throw("kitchen", "S5")
        assert boards.darts("lounge") == ["S5"]
        assert boards.shown("lounge") == boards.shown("kitchen")
        assert boards.shown("attic") is None

    play(tmp_path, one)


def test_a_restart_resumes_the_match_on_all_its_boards(tmp_path: Path) -> None:
    shown: list[Any] = []

    async def before(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START})
        await boards.throw("lounge", "T20", "T19", "T18")
        await boards.command("lounge", {"next": True})
        await boards.throw("kitchen", "T17")
        shown.append(boards.shown("kitchen"))

    async def after(boards: SideBySide) -> None:
        assert boards.shown("lounge") == boards.shown("kitchen") == shown[0]
        await boards.command("lounge", {"undo": True})
        await boards.throw("kitchen", "S3")
        assert boards.darts("lounge") == ["S3"]
        assert boards.sessions["kitchen"].darts == 2

    play(tmp_path, before, after)
    [(row, actions)] = History(tmp_path).matches()
    assert (row.board, actions) == ("lounge", 7)
    assert json.loads(row.header)["boards"] == ["lounge", "kitchen"]


def test_a_board_that_comes_back_finds_the_match_as_it_is(tmp_path: Path) -> None:
    """The match goes on at the boards that are there; one that was away follows, also when the match is over."""

    async def before(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START})
        await boards.throw("lounge", "T20")

    async def alone(boards: SideBySide) -> None:
        await boards.throw("lounge", "T19", "T18")
        await boards.command("lounge", {"next": True})
        await boards.command("lounge", {"throw": "S7"})

    async def together(boards: SideBySide) -> None:
        await boards.throw("kitchen", "S8")
        assert boards.darts("lounge") == boards.darts("kitchen") == ["S7", "S8"]
        assert boards.shown("lounge") == boards.shown("kitchen")

    async def ended(boards: SideBySide) -> None:
        await boards.command("lounge", {"stop": True})

    async def over(boards: SideBySide) -> None:
        assert boards.shown("lounge") is boards.shown("kitchen") is None

    play(tmp_path, before)
    play(tmp_path, alone, names=("lounge",))
    play(tmp_path, together)
    play(tmp_path, ended, names=("lounge",))
    play(tmp_path, over)


def test_stopping_or_replacing_it_takes_it_off_all_boards(tmp_path: Path) -> None:
    alone = {"game": "cricket", "players": ["Cid"]}

    async def one(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START})
        await boards.command("kitchen", {"stop": True})
        assert boards.shown("lounge") is boards.shown("kitchen") is None
        await boards.command("lounge", {"start": START})
        await boards.command("kitchen", {"start": alone})
        assert boards.shown("lounge") is None
        await boards.throw("kitchen", "T20")
        assert boards.darts("kitchen") == ["T20"]
        # The boards are apart again: another match begins on the lounge.
        await boards.command("lounge", {"start": alone})
        await boards.throw("lounge", "T19")
        assert (boards.darts("kitchen"), boards.darts("lounge")) == (["T20"], ["T19"])

    play(tmp_path, one)
    results = [row.result for row, _ in History(tmp_path).matches()]
    assert results == [None, None, "stopped", "stopped"]


def test_the_rematch_is_played_on_the_same_boards(tmp_path: Path) -> None:
    async def one(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START})
        await boards.throw("lounge", "T20")
        turned = {**START, "players": ["Bob", "Ann"], "boards": ["kitchen", "lounge"]}
        await boards.command("lounge", {"start": turned})
        await boards.throw("kitchen", "T1")
        assert boards.darts("lounge") == ["T1"]

    play(tmp_path, one)


@pytest.mark.parametrize(
    ("board", "change"),
    [
        ("attic", {}),
        ("lounge", {"boards": ["lounge", "cellar"]}),
        ("lounge", {"boards": ["lounge"]}),
        ("lounge", {"boards": "lounge"}),
        ("lounge", {"boards": ["lounge", 7]}),
        ("lounge", {"boards": ["lounge", "attic"]}),
    ],
    ids=["it-throws-nobody", "unknown", "too-few", "text", "number", "busy"],
)
def test_a_start_on_boards_that_cannot_be_is_refused(tmp_path: Path, board: str, change: dict[str, Any]) -> None:
    async def one(boards: SideBySide) -> None:
        await boards.command("attic", {"start": {"game": "cricket", "players": ["Cid"]}})
        before = boards.shown("attic")
        await boards.command(board, {"start": START | change})
        assert boards.sessions["lounge"].recorded is None
        assert boards.shown("attic") == before
        await boards.command("lounge", {"start": START})
        assert boards.shown("kitchen") is not None

    play(tmp_path, one)


@pytest.mark.parametrize(
    ("board", "command", "reason"),
    [
        ("lounge", {"start": START | {"options": {"start": 7}}}, "bad_option"),
        ("lounge", {"start": START}, "disk"),
        ("kitchen", {"stop": True}, "disk"),
    ],
    ids=["start", "start-disk", "stop-disk"],
)
def test_a_refused_command_leaves_the_numbers_of_a_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str, command: dict[str, Any], reason: str
) -> None:
    """Whatever takes a match without a record off a board continues after its numbers; when refused, the demo does."""

    async def full(*_: object) -> None:
        raise JournalError("the disk is full")

    async def one(boards: SideBySide) -> None:
        kitchen = boards.sessions["kitchen"]
        await kitchen.inbox.put(Start(Header("cricket", ("Cid",), {}), {}, kept=False))
        await boards.throw("kitchen", "T20")
        before = kitchen.revision, kitchen.darts, boards.shown("kitchen")
        with monkeypatch.context() as patch:
            if reason == "disk":
                patch.setattr(boards.journal, "write", full)
            await boards.command(board, {"id": 1} | command)
        assert boards.bus.replies[-1]["reason"] == reason
        assert (kitchen.revision, kitchen.darts, boards.shown("kitchen")) == before
        await boards.throw("kitchen", "T19")
        assert (kitchen.revision, kitchen.darts) == (before[0] + 1, before[1] + 1)

    play(tmp_path, one)


def test_a_board_with_a_match_that_is_over_is_free(tmp_path: Path) -> None:
    async def one(boards: SideBySide) -> None:
        await boards.command("kitchen", {"start": {"game": "x01", "players": ["Cid"], "options": {"start": 101}}})
        for command in ({"throw": "T17"}, {"throw": "DB"}, {"next": True}):
            await boards.command("kitchen", command)
        shown = boards.shown("kitchen")
        assert shown is not None
        assert shown["finished"]
        await boards.command("lounge", {"start": START})
        assert boards.shown("kitchen") == boards.shown("lounge")

    play(tmp_path, one)


def test_one_board_for_all_is_a_match_on_one_board(tmp_path: Path) -> None:
    async def one(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START | {"boards": ["lounge", "lounge"]}})
        shown = boards.shown("lounge")
        assert shown is not None
        assert all("board" not in player for player in shown["players"])

    play(tmp_path, one)


def test_hands_are_shown_on_every_board_of_the_match(tmp_path: Path) -> None:
    """A player's phone follows the board that it has joined, wherever they throw."""
    options = {"order": "listed", "mode": "hands"}

    async def one(boards: SideBySide) -> None:
        start = {"game": "dards", "players": ["Ann", "Bob"], "options": options, "boards": ["lounge", "kitchen"]}
        await boards.command("kitchen", {"start": start})
        hands = {
            (board, seat): boards.bus.retained(f"board/{board}/hand/{seat}")
            for board in ("lounge", "kitchen")
            for seat in (1, 2)
        }
        assert None not in hands.values()
        assert hands["lounge", 2] == hands["kitchen", 2] != hands["kitchen", 1]
        await boards.command("lounge", {"stop": True})
        assert all(boards.bus.retained(f"board/{board}/hand/{seat}") is None for board, seat in hands)

    play(tmp_path, one)


def test_a_doubtful_dart_is_listed_on_all_boards(tmp_path: Path) -> None:
    async def one(boards: SideBySide) -> None:
        await boards.command("lounge", {"start": START})
        # Two lines of one bed within the dead time of this dialect: the second may have been another dart.
        await boards.say("lounge", b"20;3\r\n20;3\r\n")
        for board in ("lounge", "kitchen"):
            shown = boards.shown(board)
            assert shown is not None
            assert (shown["turn"]["darts"], shown["doubtful"]) == (["T20"], ["T20"])
        await boards.command("kitchen", {"throw": "T20"})
        assert boards.darts("lounge") == ["T20", "T20"]
        assert "doubtful" not in (boards.shown("lounge") or {})
        # At a board whose player does not throw, a repeat is nobody's dart.
        await boards.say("kitchen", b"5;1\r\n5;1\r\n")
        assert "doubtful" not in (boards.shown("kitchen") or {})

    play(tmp_path, one)
