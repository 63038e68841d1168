"""`oche learn` over Bluetooth: the one press of a Unicorn, and boards that nobody knows, as lines."""

import argparse
import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from boards.turned import turned
from daemon.links import bluetooth
from daemon.links.bluetooth_radio import Radio
from daemon.links.link import Disconnected
from daemon.links.opener import open_board
from daemon.setup import first_run
from daemon.setup.config_file import Ending
from daemon.system.catalogue import dialects, model
from daemon.system.config_parser import ConfigFile
from daemon.system.urls import UsageError, board_url
from daemon.teach.learn import learn
from daemon.teach.teacher import Teacher
from daemon.teach.turning import hangs, learn_turn
from drivers.events import DartLanded
from drivers.pipeline import Pipeline
from engine.segments import SEGMENTS, Segment
from tests.daemon.test_bluetooth import ONE, Room, in_a_room


def shares(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the radio of a room that of this process."""

    async def radio() -> Radio:
        return room.radio

    monkeypatch.setattr(bluetooth, "shared_radio", radio)


@pytest.mark.parametrize("number", range(1, 21))
def test_one_press_says_how_a_board_hangs(number: int) -> None:
    upright = {(0, n): SEGMENTS[f"SI{n}"] for n in range(1, 21)}
    reported = next(cell for cell, bed in turned(upright, number).items() if bed == SEGMENTS["SI20"])
    for before in (15, 20, 3):
        read_as = turned(upright, before)[reported]
        assert isinstance(read_as, Segment)
        assert hangs(replace(model("unicorn"), at_button=before), read_as.number) == number


def test_a_unicorn_is_learned_by_one_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lounge.toml"

    async def act(room: Room) -> None:
        shares(room, monkeypatch)
        board = await room.board("unicorn", "Unicorn", battery=50)
        lesson = asyncio.create_task(learn_turn(board_url("ble://"), model("unicorn"), out))
        await board.subscribed.wait()
        # It hangs with the 11 at its button: the 20 is its 7.
        await board.say(b"\x55\xaa")
        await board.say(b"\x07\x03")
        assert await lesson == 0

    in_a_room(act)
    said = capsys.readouterr().out
    assert "Press the 20, in any ring." in said
    learned = model(str(out))
    assert f"The {learned.at_button} is next to its button." in said
    event = Pipeline(learned, dialects()["unicorn"]).feed(b"\x02\x07\x03", 1)
    assert event == (DartLanded(SEGMENTS["T20"], 1, (3, 7)),)


def test_a_board_that_nobody_knows_sends_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(room: Room) -> None:
        shares(room, monkeypatch)
        board = await room.board("sdb-bt", "Somebody's board")
        link = await open_board(board_url(f"ble://{ONE}"), model("any-line"), dialects()["any-line"])
        await board.say(b"\xa1\x03\x3c")
        assert (await link.read()).data == b"a1033c\n"
        link.close()

    in_a_room(act)
    # What a line of the dialect has room for.
    assert bluetooth.as_line(bytes(range(200))) == bytes(range(32)).hex().encode() + b"\n"
    assert bluetooth.as_line(b"") == b""


def test_what_cannot_be_learned_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs no lesson"):
        Teacher(board_url("ble://"), tmp_path / "a.toml", model("granboard"))
    arguments = argparse.Namespace(url="ble://", out=str(tmp_path / "a.toml"), again=None, http=None)
    with pytest.raises(UsageError, match="could be any device"):
        learn(arguments)


def test_setup_looks_for_bluetooth_boards_when_it_is_told_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_run, "SCAN_SECONDS", 0.5)

    async def act(room: Room) -> None:
        shares(room, monkeypatch)
        run = first_run.FirstRun(tmp_path / "oche.toml", ConfigFile(), 1.0, _unfinished)
        await run.begin()
        said = await run.answer("scan")
        assert said is not None and said.startswith("No Bluetooth board is in reach.")
        room.central.refuses = Disconnected("adapter-off", "The Bluetooth adapter is switched off.")
        assert await run.answer("scan") == "The Bluetooth adapter is switched off."
        room.central.refuses = None
        await room.board("granboard", "GRANBOARD")
        while await run.answer("scan") is not None:
            pass
        found = next(n for n, judged in enumerate(run.devices, 1) if judged.device.device == f"ble://{ONE}")
        assert await run.answer(str(found)) is None
        assert (run.step, run.model, run.port) == ("name", "granboard", f"ble://{ONE}")
        await run.end()

    in_a_room(act)


def _unfinished(_: ConfigFile) -> Ending:
    raise AssertionError("nothing is written before the last question")
