"""The page for an address that has none, in the language that the browser prefers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Words:
    """What the page says."""

    title: str
    heading: str
    advice: str
    boards: str
    history: str
    players: str


LANGUAGES: Final[Mapping[str, Words]] = {
    "en": Words(
        "Page not found",
        "There is no page at this address.",
        "Check the address, or go to one of these pages:",
        "Boards",
        "History",
        "Players",
    ),
    "de": Words(
        "Seite nicht gefunden",
        "Unter dieser Adresse gibt es keine Seite.",
        "Prüfe die Adresse, oder öffne eine dieser Seiten:",
        "Boards",
        "Verlauf",
        "Spieler",
    ),
    "fr": Words(
        "Page introuvable",
        "Il n’y a pas de page à cette adresse.",
        "Vérifiez l’adresse, ou ouvrez une de ces pages\N{NO-BREAK SPACE}:",
        "Cibles",
        "Historique",
        "Joueurs",
    ),
}
PAGE: Final = """\
<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light">
<title>{words.title} · oche</title>
<style>
body {{ font: 1.25rem/1.5 system-ui, sans-serif; max-width: 34em; margin: 15vh auto; padding: 0 1rem }}
h1 {{ font-size: 1.6em; line-height: 1.2 }}
ul {{ display: flex; flex-wrap: wrap; gap: 1rem 2rem; padding: 0; list-style: none }}
a {{ display: inline-block; padding: .5rem 0; color: inherit }}
</style>
<main>
<p>404</p>
<h1>{words.heading}</h1>
<p>{words.advice}</p>
<ul>
<li><a href="/?all">{words.boards}</a></li>
<li><a href="/history">{words.history}</a></li>
<li><a href="/players">{words.players}</a></li>
</ul>
</main>
</html>
"""


def not_found_page(accepted: str) -> str:
    """The page, for what a browser sends as `Accept-Language`."""
    language = preferred(accepted)
    return PAGE.format(language=language, words=LANGUAGES[language])


def preferred(accepted: str) -> str:
    """The language of the pages with the highest weight, of those with a number; English where there is none."""
    weights: dict[str, float] = {}
    for part in accepted.split(","):
        tag, _, weight = part.partition(";")
        language = tag.strip().lower()[:2]
        try:
            weights.setdefault(language, float(weight.strip().removeprefix("q=") or 1))
        except ValueError:
            continue
    return max((language for language in weights if language in LANGUAGES), key=lambda it: weights[it], default="en")
