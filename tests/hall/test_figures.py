"""The rules read every file: figures of the whole one, a reason for any other."""

import json
import time
from typing import Any

import pytest

from hall.figures import Checked, check_file
from hall.installed import faces, games
from hall.replayed import Replayed, after, opened
from league.hall_refusals import HallRefusal


class Broken:
    """A game of which one method is another one."""

    def __init__(self, game: Any, name: str, method: Any) -> None:
        self._game = game
        setattr(self, name, method)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


HEADER: dict[str, Any] = {"match": 1, "rules": 1, "game": "x01", "players": ["Player 1", "Player 2"]}


def file(*actions: dict[str, Any], **header: Any) -> str:
    """A match file."""
    lines = [HEADER | {"options": {"start": 101}} | header, *actions]
    return "".join(json.dumps(line) + "\n" for line in lines)


WON = file({"throw": "T17"}, {"throw": "DB"}, {"next": True})


def test_the_figures_say_who_won() -> None:
    found = check_file(WON, games(), faces())
    assert isinstance(found, Checked)
    assert found.lines == 3
    assert found.figures is not None
    assert found.figures | {"seats": []} == {
        "game": "x01",
        "options": {"start": 101},
        "rules": 1,
        "finished": True,
        "winners": [1],
        "actions": 3,
        "darts": 2,
        "seats": [],
    }
    assert [(seat["seat"], seat["won"], seat["score"]) for seat in found.figures["seats"]] == [
        (1, True, 0),
        (2, False, 101),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (WON[:-1], "half"),
        (WON[:-5], "half"),
        ("", "half"),
        ("\n", "rules"),
        ("[]\n", "rules"),
        (file({"throw": "T17"}, {"throw": "DB"}, {"next": True}, {"throw": "T20"}), "rules"),
        (file({"throw": "T99"}), "rules"),
        (file({"next": True}, {"undo": True}, {"undo": True}), "rules"),
        (file(options={"start": -3}), "rules"),
        (file(players=["Ann", "Bob"]), "bad_value"),
    ],
)
def test_any_other_file_is_refused_with_a_reason(text: str, reason: str) -> None:
    found = check_file(text, games(), faces())
    assert isinstance(found, HallRefusal)
    assert found.reason == reason


def test_a_file_for_which_the_rules_need_too_long_is_refused() -> None:
    text = file(*[{"bounce": True}] * 800, *[{"undo": True}] * 800)
    began = time.thread_time()
    found = check_file(text, games(), faces(), 0.02)
    assert isinstance(found, HallRefusal)
    assert found.reason == "too_large"
    assert time.thread_time() - began < 1
    header, *lines = text.splitlines()
    assert after(opened(header, games(), faces()), lines, 0.02) == Replayed(None, len(lines))


def test_a_match_at_which_a_game_raises_has_no_figures() -> None:
    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    for name in ("new", "apply", "winners"):
        x01 = games()["x01"]
        game: Any = Broken(x01, name, broken)
        assert check_file(WON, {**games(), "x01": game}, faces()) == Checked(3, None)


def test_a_game_that_is_not_installed_has_no_figures() -> None:
    assert check_file(file({"throw": "T20"}, game="of another package"), games(), faces()) == Checked(1, None)
