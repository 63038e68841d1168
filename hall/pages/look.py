"""Makes the HTML of the pages: one Jinja environment, in the language of the request."""

from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, get_args

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.texts import Language
from hall.installed import games
from hall.pages.words import NAMES, WORDS

LANGUAGE_COOKIE: Final = "language"
DAYS: Final[dict[Language, str]] = {"en": "%Y-%m-%d %H:%M", "de": "%d.%m.%Y, %H:%M", "fr": "%d/%m/%Y %H:%M"}
TEMPLATES: Final = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    """The templates. Everything is escaped, and a name that a template does not get is an error."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"languages": NAMES, "title_of": title_of}
    return made


def rendered(template: str, language: Language, **values: Any) -> str:
    """A template as text."""
    ways = {way.__name__: partial(way, language) for way in (day, decimal)}
    return environment().get_template(template).render(values, t=partial(said, language), language=language, **ways)


def said(language: Language, key: str, **values: object) -> str:
    """A text of `WORDS` with its `{names}` filled in."""
    return WORDS[key].text(language).format_map(values)


def language_of(request: web.Request) -> Language:
    """The language of the address, else of the last choice, else the one that the browser prefers."""
    asked = [request.query.get("lang", ""), request.cookies.get(LANGUAGE_COOKIE, "")]
    accepted = [
        part.split(";")[0].strip()[:2].lower() for part in request.headers.get("Accept-Language", "").split(",")
    ]
    for text in (*asked, *accepted):
        for language in get_args(Language):
            if text == language:
                found: Language = language
                return found
    return "en"


def title_of(game: str) -> str:
    """The title of a game; its key if it is not installed here."""
    known = games().get(game)
    return game if known is None else known.title


def day(language: Language, started: str) -> str:
    """The day and the minute of a time in ISO 8601, in UTC, as the language writes them.

    A node may have sent something else, which stays as it is.
    """
    try:
        return datetime.fromisoformat(started[:16]).strftime(DAYS[language])
    except ValueError:
        return started[:16]


def decimal(language: Language, value: float) -> str:
    """A number with one digit after the point or the comma of the language."""
    text = f"{value:.1f}"
    return text if language == "en" else text.replace(".", ",")


def ago(language: Language, then: datetime, now: datetime | None = None) -> str:
    """How long ago a moment was, in whole days, hours or minutes."""
    passed = (now or datetime.now(UTC)) - then
    for key, unit in (("days", timedelta(days=2)), ("hours", timedelta(hours=2))):
        if passed >= unit:
            return said(language, key, n=2 * passed // unit)
    return said(language, "minutes", n=max(1, passed // timedelta(minutes=1)))
