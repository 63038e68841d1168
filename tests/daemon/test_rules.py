"""`oche rules`: the catalogue and the cards of a game."""

import json

import pytest

from daemon.main import main
from engine.formats.about import FORMATS
from engine.games import GAMES


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_every_game_is_listed_in_its_family(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys).splitlines()
    assert "Count-up:" in lines
    assert [line.split()[0] for line in lines if line.startswith("  ")] == [*GAMES, *FORMATS]
    entries = json.loads(printed(capsys, "--json", "--lang", "de"))
    assert [entry["name"] for entry in entries] == [*GAMES, *FORMATS]
    assert entries[0]["pitch"] == "Von 501 genau auf null."


@pytest.mark.parametrize(("flag", "language", "first"), [("--lang", "de", "Ziel"), ("--language", "fr", "But")])
def test_the_cards_of_a_game_are_printed(
    capsys: pytest.CaptureFixture[str], flag: str, language: str, first: str
) -> None:
    lines = printed(capsys, "overs", flag, language).splitlines()
    assert lines[0].startswith("Overs: ")
    assert next(line for line in lines[1:] if line and not line.startswith(" ")) == first
    cards = json.loads(printed(capsys, "overs", "--json"))
    assert cards["board"] == "P"
    assert cards["cards"].keys() == {"aim", "turn", "end"}


def test_an_unknown_game_is_refused_with_the_nearest_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "oversss"]) == 2
    assert "'overs'" in capsys.readouterr().err
