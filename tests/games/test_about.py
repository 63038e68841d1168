"""Every built-in game brings its pitch, cards, words for its options, statistics and class of board."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, get_args

import pytest

import engine.games
from daemon.web.game_list import describe_game
from engine.about import CARDS, BoardClass, about
from engine.game import Game
from engine.games import FAMILIES, GAMES, families
from engine.kit import Kit
from engine.options import OneOf, Option
from engine.statistics import HasStatistics
from engine.texts import LANGUAGES, Text

ROOMS: Final = Path(engine.games.__file__).parent
WORDS: Final = json.loads((ROOMS.parents[1] / "web" / "src" / "messages" / "en.json").read_text("utf-8"))
LONGEST: Final = 300
"""The longest text of a card, in characters: a card is read at one glance on a phone."""


def problems(game: Game[Any]) -> Iterator[str]:
    """What a game lacks of what it must bring."""
    if not isinstance(game, HasStatistics):
        yield "it counts nothing"
    for option in game.options:
        yield from (f"option {option.name}: {problem}" for problem in option_problems(game.name, option))
    found = about(game)
    if found is None:
        yield "it has no about"
        return
    if found.board not in get_args(BoardClass):
        yield f"{found.board} is not a class of board"
    if game.needs_segments != (found.board in "BR"):
        yield f"its board is {found.board}, and needs_segments is {game.needs_segments}"
    for name, text in {"pitch": found.pitch, "aim": found.aim, "turn": found.turn, "end": found.end}.items():
        yield from (f"{name}: {problem}" for problem in text_problems(text))


def option_problems(game: str, option: Option) -> Iterator[str]:
    if option.label is None and not {f"option.{game}.{option.name}", f"option.{option.name}"} & WORDS.keys():
        yield "it has no label"
    for word in option.kind.words if isinstance(option.kind, OneOf) else ():
        if word not in option.words and f"option.word.{word}" not in WORDS:
            yield f"its value {word} has no word"


def text_problems(text: Text) -> Iterator[str]:
    for language in LANGUAGES:
        words = text.text(language)
        if not words.endswith((".", "!", "?")) or not words[0].isupper():
            yield f"{language}: {words!r} is not a sentence"
        if len(words) > LONGEST:
            yield f"{language}: {len(words)} characters are too many"
        if "'" in words or (language == "fr" and re.search("(?<![\u00a0\u202f])[:;?!]", words)):
            yield f"{language}: {words!r} has the wrong apostrophes or spaces"
    if len({text.en, text.de, text.fr}) < len(LANGUAGES):
        yield "two languages have the same words"


@pytest.mark.parametrize("name", GAMES)
def test_game_brings_all_that_it_must(name: str) -> None:
    game = GAMES[name]
    assert game.name == name
    assert list(problems(game)) == []


def test_what_is_missing_is_found() -> None:
    game = GAMES["high_score"]
    assert isinstance(game, Kit)
    bad = replace(game.about, turn=Text("three darts", "Drei Darts.", "Trois fléchettes: voilà."))
    assert [problem[:15] for problem in problems(replace(game, about=bad))] == ["turn: en: 'thre", "turn: fr: 'Troi"]
    nameless = Option("speed", OneOf(("fast", "open")), "fast", "no label")
    assert list(option_problems("x01", nameless)) == ["it has no label", "its value fast has no word"]
    assert list(problems(GAMES["high_score"])) == []


def test_families_are_the_folders_and_a_game_is_in_one() -> None:
    folders = {path.parent.name for path in ROOMS.glob("*/__init__.py")}
    assert folders == FAMILIES.keys() - {"classics"}
    assert set(families().values()) == FAMILIES.keys()
    files = [path.stem for family in folders for path in (ROOMS / family).glob("[a-z]*.py")]
    assert sorted(files) == sorted(name for name, family in families().items() if family != "classics")


def test_pages_get_the_title_the_family_and_the_cards() -> None:
    entry = describe_game(GAMES["high_score"])
    assert entry["title"] == "High Score"
    assert entry["family"] == "count_up"
    assert entry["board"] == "P"
    assert entry["about"]["de"].keys() == {"pitch", *CARDS}
    finish = next(option for option in entry["options"] if option["name"] == "finish")
    assert finish["label"]["de"] == "Wenn jemand am Ziel ist"
    assert finish["words"]["round"]["en"] == "the round is played"
