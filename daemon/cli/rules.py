"""`oche rules`: prints the rule cards of a game, or every game by family."""

import argparse
import json
import sys
import textwrap
from collections.abc import Iterable
from typing import Any, Final

from boards.problems import did_you_mean
from daemon.system.catalogue import games
from daemon.system.exit_codes import Exit
from daemon.system.urls import UsageError
from engine.about import about
from engine.formats.about import FORMATS, Format
from engine.formats.about import TITLE as FORMATS_TITLE
from engine.game import Game
from engine.games import FAMILIES, families
from engine.texts import Language, Text

TITLES: Final = {
    "aim": Text("Aim", "Ziel", "But"),
    "turn": Text("Turn", "Aufnahme", "Volée"),
    "end": Text("End", "Ende", "Fin"),
}
OTHERS: Final = Text("Others", "Andere", "Autres")
WIDTH: Final = 96


def rules(arguments: argparse.Namespace) -> int:
    """Prints the cards. Returns 1 if the game has none. UsageError if there is no such game."""
    language: Language = arguments.language
    if arguments.game is None:
        _print_catalogue(language, as_json=arguments.json)
        return Exit.DONE
    game = games().get(arguments.game) or FORMATS.get(arguments.game)
    if game is None:
        raise unknown_game(arguments.game, (*games(), *FORMATS))
    found = game.about if isinstance(game, Format) else about(game)
    if found is None:
        print(f"{game.title} has no rule cards.", file=sys.stderr)
        return Exit.FAILED
    if arguments.json:
        entry = _entry(game, language) | {"board": found.board, "cards": found.cards(language)}
        print(json.dumps(entry, ensure_ascii=False))
        return Exit.DONE
    print(f"{game.title}: {found.pitch.text(language)}")
    for card, text in found.cards(language).items():
        print(f"\n{TITLES[card].text(language)}")
        print(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  "))
    return Exit.DONE


def unknown_game(name: str, known: Iterable[str]) -> UsageError:
    """Returns the error of a game that does not exist, with the nearest name; the list of all would hide it."""
    return UsageError(f"There is no game {name!r}.{did_you_mean(name, known)} `oche rules` lists all games.")


def _print_catalogue(language: Language, *, as_json: bool) -> None:
    if as_json:
        entries = [_entry(game, language) for game in games().values()]
        entries += [_entry(each, language) for each in FORMATS.values()]
        print(json.dumps(entries, ensure_ascii=False))
        return
    known = families()
    titles = {family: text.text(language) for family, text in FAMILIES.items()}
    for family, title in (titles | {"": OTHERS.text(language)}).items():
        entries = [_entry(game, language) for name, game in games().items() if known.get(name, "") == family]
        if entries:
            print(f"{title}:")
        _print(entries)
    print(f"{FORMATS_TITLE.text(language)}:")
    _print([_entry(each, language) for each in FORMATS.values()])


def _print(entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        print(f"  {entry['name']:<20} {entry['title']}: {entry.get('pitch', '')}".rstrip(": "))


def _entry(game: Game[Any] | Format, language: Language) -> dict[str, Any]:
    entry = {"name": game.name, "title": game.title}
    if isinstance(game, Format):
        return entry | {"family": "formats", "pitch": game.about.pitch.text(language)}
    found, family = about(game), families().get(game.name)
    if family is not None:
        entry["family"] = family
    return entry if found is None else entry | {"pitch": found.pitch.text(language)}
