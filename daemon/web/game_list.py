"""What `/games.json` says about each game."""

import asyncio
import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from engine.about import about, needs, prefers
from engine.formats.plan import own_options
from engine.game import Game
from engine.games import FAMILIES, families
from engine.matchfile import Games
from engine.options import MATCH_OPTIONS, Option
from engine.texts import LANGUAGES

PAUSE_SECONDS: Final = 0.02
"""Time between two games: the boards are online, and the first look at a game imports it, for some milliseconds.

Not chosen: a thread, because each turn of the interpreter's lock costs a dart up to 5 ms, and a dart needs several.
"""


async def describe(games: Games) -> list[dict[str, Any]]:
    """Returns `describe_game` of every game, and leaves the event loop to others in between."""
    described = []
    for game in games.values():
        described.append(describe_game(game))
        await asyncio.sleep(PAUSE_SECONDS)
    return described


def describe_game(game: Game[Any]) -> dict[str, Any]:
    """What a game is about, its range of players and its options: enough to choose it and to start it.

    `needs` and `prefers` are abilities of boards, as `can` in the status of a board names them.
    """
    return {
        "name": game.name,
        "title": game.title,
        **_about(game),
        "players": [game.seats.start, game.seats.stop - 1],
        "needs": needs(game),
        "prefers": prefers(game),
        **_lengths(game.name),
        "options": [_option(option) for option in game.options + MATCH_OPTIONS],
        "formats": [_option(option) for option in own_options(game)],
    }


def _about(game: Game[Any]) -> dict[str, Any]:
    """The family of a built-in game and its title; the class of board, the pitch and the cards, where it says them."""
    family = families().get(game.name)
    known = {"family": family, "family_title": FAMILIES[family].to_json()} if family else {}
    found = about(game)
    if found is None:
        return known
    texts = {language: {"pitch": found.pitch.text(language), **found.cards(language)} for language in LANGUAGES}
    return known | {"board": found.board, "about": texts}


@cache
def _measured() -> dict[str, Any]:
    """What bots needed to play each game, as `scripts/simulations` wrote it."""
    measured: dict[str, Any] = json.loads(files("daemon.web").joinpath("lengths.json").read_text("utf-8"))
    return measured


def _lengths(name: str) -> dict[str, Any]:
    """The median darts of a match of bots, as pairs with the number of players; absent if nobody measured the game."""
    measured = _measured().get(name)
    return {"darts": [[row["players"], row["darts"]] for row in measured["lengths"]]} if measured else {}


def _option(option: Option) -> dict[str, Any]:
    described: dict[str, Any] = {"name": option.name, "help": option.help, "schema": option.kind.schema()}
    if option.label:
        described["label"] = option.label.to_json()
    if option.words:
        described["words"] = {value: text.to_json() for value, text in option.words.items()}
    if option.presets:
        described["presets"] = [{"name": preset.name, "value": preset.value} for preset in option.presets]
    return described if option.default is None else described | {"default": option.default}
