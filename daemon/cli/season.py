"""`oche season`: matches, tables and promotion of a league, from a file and a list of results."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from daemon.cli.season_page import season_page
from daemon.system.named_file import named_text
from daemon.system.urls import UsageError
from engine.refusals import Refusal
from league.season_file import scores_from_csv, scores_to_csv, season_from_toml, season_to_toml, tables_json
from league.season_matches import results_of
from league.seasons import Scores, Season, next_divisions

T = TypeVar("T")


def season(arguments: argparse.Namespace) -> int:
    """Prints what was asked for. UsageError for a file that cannot be read, or says what cannot be."""
    found = _checked(arguments.file, season_from_toml(named_text(arguments.file)))
    scores: Scores = {}
    if arguments.results is not None:
        scores = _checked(arguments.results, scores_from_csv(found, named_text(arguments.results)))
    match arguments.what:
        case "fixtures":
            print(scores_to_csv(found, scores), end="")
        case "tables":
            _tables(found, scores, as_json=arguments.json)
        case "next":
            after = replace(found, name=arguments.name or found.name, divisions=next_divisions(found, scores))
            print(season_to_toml(after), end="")
        case "results":
            _results(found, scores, arguments)
        case "page":
            print(season_page(found, scores, arguments.language), end="")
    return 0


def _results(found: Season, scores: Scores, arguments: argparse.Namespace) -> None:
    from daemon.cli import season_matches  # imported late: it needs every game

    name, since = arguments.matches, arguments.since
    played = season_matches.of_journal(arguments.data, since) if name is None else season_matches.of_file(name, since)
    scores, said = results_of(found, played, scores)
    print(scores_to_csv(found, scores), end="")
    print("".join(f"{sentence}\n" for sentence in said), end="", file=sys.stderr)


def _tables(found: Season, scores: Scores, *, as_json: bool) -> None:
    for number, table in enumerate(tables_json(found, scores)):
        if as_json:
            print(json.dumps(table, ensure_ascii=False))
            continue
        print(f"{'' if number == 0 else chr(10)}{table['division']}")
        for row in table["rows"]:
            games = f"{row['legs']}:{row['against']}"
            print(f"{row['place']:>3} {row['team']:<32} {row['played']:>3} {games:>9} {row['points']:>4}")


def _checked(path: Path, found: T | Refusal) -> T:
    if isinstance(found, Refusal):
        raise UsageError(f"{path}: {found.message}")
    return found
