"""The command line of `oche season`."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

from daemon.cli.parsing import Parser, data_of
from daemon.cli.tournament_parser import Adder

LANGUAGES: Final = ("en", "de", "fr")


def season(command: Callable[..., Parser], adder: Adder) -> None:
    """Adds the command; `adder` returns a function that adds its parts."""
    whole = command(
        "season",
        help="the season of a league: matches, tables, promotion, from a file",
        example="oche season fixtures 2026.toml > 2026.csv\noche season tables 2026.toml --results 2026.csv",
    )
    what = adder(whole.add_subparsers(dest="what", metavar="WHAT"))
    fixtures = what(
        "fixtures",
        help="print all matches as CSV, at home and away, by division and match day",
        example="oche season fixtures 2026.toml > 2026.csv",
    )
    tables = what("tables", help="print the tables", example="oche season tables 2026.toml --results 2026.csv --json")
    tables.add_argument("--json", action="store_true", help="a division a line")
    after = what(
        "next",
        help="print the file of the next season, with those who go up and down",
        example="oche season next 2026.toml --results 2026.csv --name 2027 > 2027.toml",
    )
    after.add_argument("--name", metavar="NAME", help="what the next season is called; default: as this one")
    page = what(
        "page",
        help="print a page with tables and matches, for a screen, a website or paper",
        example="oche season page 2026.toml --results 2026.csv > season.html",
    )
    page.add_argument("--language", choices=LANGUAGES, default="en", help="the language of the page; default en")
    results = what(
        "results",
        help="print the list of matches with the results of those that were played here, or in a hall",
        example="oche season results 2026.toml --since 2026-09-01 > 2026.csv\n"
        "oche season results 2026.toml --results 2026.csv --matches played.jsonl > new.csv",
    )
    results.add_argument("--since", metavar="DATE", type=date.fromisoformat, default=date.min, help="the first day")
    results.add_argument(
        "--matches", metavar="FILE", help="the lines of `oche hall matches`, - for the input; default: the journal"
    )
    data_of(results, may_be_missing=True)
    for part in (fixtures, tables, after, page, results):
        part.add_argument("file", metavar="FILE", type=Path, help="the season: divisions and rules, as TOML")
        part.add_argument("--results", metavar="CSV", type=Path, help="the list of matches with the results so far")
