"""The page of a season as HTML: one file without scripts, for a screen, a website or paper. Pure."""

from collections.abc import Iterable
from html import escape
from itertools import groupby
from typing import Final

from league.season_file import tables_json
from league.seasons import Scores, Season, meetings

WORDS: Final = {
    "en": ("Played", "Won", "Drawn", "Lost", "Games", "Points", "Match day {}"),
    "de": ("Spiele", "Gewonnen", "Unentschieden", "Verloren", "Einzel", "Punkte", "{}. Spieltag"),
    "fr": ("Joués", "Gagnés", "Nuls", "Perdus", "Parties", "Points", "{}e journée"),
}
"""The head of a table, and what a match day is called."""
STYLE: Final = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.25em 0.4em; border-bottom: 1px solid #8886; text-align: right; font-weight: 400; }
thead th { font-size: 0.8em; }
tbody th, .away { text-align: left; }
.table tbody th { width: 40%; overflow-wrap: anywhere; }
.score { width: 5em; text-align: center; font-weight: 700; }
.days { columns: 22rem; column-gap: 2rem; }
.days table { margin-bottom: 1rem; break-inside: avoid; table-layout: fixed; }
caption { padding-top: 0.5em; font-weight: 700; text-align: left; }
@media (max-width: 40rem) { .more { display: none; } }
@media print { section { break-before: page; } section:first-of-type { break-before: auto; } body { padding: 0; } }
"""


def season_page(season: Season, scores: Scores, language: str) -> str:
    """The page: for each division its table, and its matches by match day."""
    left = {pair: list(found) for pair, found in scores.items()}
    played, won, drawn, lost, games, points, day_name = WORDS[language]
    parts = []
    for table in tables_json(season, scores):
        name = table["division"]
        head = [
            ("", ""),
            ("", ""),
            (played, ""),
            (won, "more"),
            (drawn, "more"),
            (lost, "more"),
            (games, ""),
            (points, ""),
        ]
        rows = [
            _row(
                f"<td>{row['place']}</td><th scope=row>{escape(row['team'])}</th><td>{row['played']}</td>",
                *(f"<td class=more>{row[key]}</td>" for key in ("won", "drawn", "lost")),
                f"<td>{row['legs']}:{row['against']}</td><td>{row['points']}</td>",
            )
            for row in table["rows"]
        ]
        heads = "".join(f'<th scope=col class="{kind}">{word}</th>' if word else "<td></td>" for word, kind in head)
        days = []
        own = [meeting for meeting in meetings(season) if meeting.division == name]
        for day, meets in groupby(own, lambda meeting: meeting.day):
            lines = []
            for meeting in meets:
                score = left.get((meeting.home, meeting.away))
                said = "{0.home} : {0.away}".format(score.pop(0)) if score else "–"
                sides = escape(meeting.home), said, escape(meeting.away)
                lines.append(_row("<td>{}</td><td class=score>{}</td><td class=away>{}</td>".format(*sides)))
            days.append(f"<table><caption>{day_name.format(day)}</caption><tbody>{''.join(lines)}</tbody></table>")
        parts.append(
            f"<section><h2>{escape(name)}</h2>\n<table class=table><thead><tr>{heads}</tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>\n<div class=days>{''.join(days)}</div></section>"
        )
    return _document(season.name, parts, language)


def _row(*cells: str) -> str:
    return f"<tr>{''.join(cells)}</tr>\n"


def _document(title: str, parts: Iterable[str], language: str) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="{language}"><head>{head}<style>{STYLE}</style></head>\n'
        f"<body><main><h1>{escape(title)}</h1>\n{body}</main></body></html>\n"
    )
