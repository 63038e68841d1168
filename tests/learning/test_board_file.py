"""The keys of board files that learning needs, `[lines]` and `silent`, and the commands of the guide."""

import re
import shlex
import tomllib
from pathlib import Path

from boards.board import Board
from boards.board_files import board_from_toml
from daemon.cli.parser import parser
from drivers import shapes
from engine.segments import PLAYABLE
from learning.hearing import Grammar
from learning.lesson import Lesson
from learning.result import board_file

HEAD = 'name = "x"\ntitle = "x"\ndialect = "any-line"\nsource = "x"\n'


def file(silent: str, left_out: str = "") -> Board | str:
    lines = "".join(f'"L{n}" = "{bed}"\n' for n, bed in enumerate(PLAYABLE) if bed.text != left_out)
    made = board_from_toml(f"{HEAD}silent = [{silent}]\n[lines]\n{lines}", "x.toml", shapes())
    return made if isinstance(made, Board) else "\n".join(map(str, made))


def test_a_silent_bed_need_not_be_reached() -> None:
    assert "No contact is T5" in str(file("", "T5"))
    assert isinstance(file('"T5"', "T5"), Board)


def test_what_is_silent_is_a_bed_that_is_not_in_the_table() -> None:
    assert "'T55' is not a segment" in str(file('"T55"'))
    assert "T5 is in the table" in str(file('"T5"'))


def test_a_line_of_blanks_or_too_long_is_none() -> None:
    for line in (" ", " a", "a" * 65):
        made = board_from_toml(f'{HEAD}[lines]\n"{line}" = "T20"\n', "x.toml", shapes())
        assert not isinstance(made, Board) and any("A line has" in str(problem) for problem in made)


def test_a_line_of_any_characters_is_read_back() -> None:
    lesson = Lesson()
    lesson.heard('🎯 "\\\x7f')
    assert list(tomllib.loads(board_file(lesson, Grammar(byte=False), "x"))["lines"]) == ['🎯 "\\\x7f']


def test_the_commands_of_the_guide_are_commands() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "boards.md").read_text(encoding="utf-8")
    section = guide.split("## Learning an unknown board")[1].split("\n## ")[0]
    commands = [line for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL) for line in block.splitlines()]
    assert len(commands) == 6
    for command in commands:
        assert parser().parse_args(shlex.split(command)[1:]).command
