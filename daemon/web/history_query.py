"""The filters of the history in the query of an address."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Final

from daemon.history.archive import PAGE
from daemon.record.match_list import FORMATS, Filter
from engine.refusals import Refusal

MOST: Final = 200
"""Characters of one value; no name is longer."""
RESULTS: Final = ("finished", "stopped", "going")


def filter_in(query: Mapping[str, str]) -> Filter | Refusal:
    """The filter of a request, or what is wrong with it. An empty value is no filter."""
    given = {key: value for key, value in query.items() if value}
    if any(len(value) > MOST for value in given.values()):
        return _bad(f"A value has at most {MOST} characters.")
    for key, known in (("format", FORMATS), ("result", RESULTS)):
        if key in given and given[key] not in known:
            return _bad(f"`{key}` is one of {', '.join(known)}.")
    since, until = (_time(given.get(key), late=key == "to") for key in ("from", "to"))
    if isinstance(since, Refusal) or isinstance(until, Refusal):
        return since if isinstance(since, Refusal) else until if isinstance(until, Refusal) else _bad("")
    names = {key: given.get(key) for key in ("player", "board", "game", "format", "result")}
    return Filter(**names, since=since, until=until)


def limit_in(query: Mapping[str, str]) -> int | Refusal:
    """How many matches a request asks for, at most `PAGE`."""
    text = query.get("limit") or str(PAGE)
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= PAGE):
        return _bad(f"`limit` is a whole number from 1 to {PAGE}.")
    return int(text)


def _time(text: str | None, *, late: bool) -> str | Refusal | None:
    """A day or a time as the journal writes times, in UTC up to the second. If `late`, a day is meant to its end."""
    if text is None:
        return None
    try:
        if len(text) == len("2026-11-22"):
            day = date.fromisoformat(text) + timedelta(days=late)
            return f"{day.isoformat()}T00:00:00"
        # A plus sign in a query is a space.
        moment = datetime.fromisoformat(text.replace(" ", "+"))
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC).isoformat()[:19]
    except (ValueError, OverflowError):
        return _bad("`from` and `to` are days like 2026-11-22, or times like 2026-11-22T18:00:00Z.")


def _bad(message: str) -> Refusal:
    return Refusal("bad_value", message)
