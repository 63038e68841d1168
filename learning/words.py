"""The messages of a lesson in the terminal."""

from collections.abc import Iterable
from typing import Final


def words_for(name: str, why: str, hold: bool) -> str:
    """Returns the message for the fields of an `Ask`."""
    if name.startswith("button:"):
        return f"Press the button for {name.removeprefix('button:')}, or type s if there is none."
    ring, number = name.rstrip("0123456789"), name.lstrip("SIODTB")
    beds = {"SO": "outer single", "SI": "inner single", "S": "single", "D": "double", "T": "triple"}
    bed = {"SB": "outer bull", "DB": "bull"}.get(name) or f"{beds[ring]} {number}"
    if hold:
        return f"Press the {bed} and hold it for three seconds."
    return f"That was a surprise: press the {bed} once more." if why == "again" else f"Press the {bed}."


def words_for_surprise(surprise: str, code: str | None, asked: str) -> str:
    """Returns why a bed is asked for again, for `Lesson.surprise`."""
    if code is None:
        return f"Nothing came, and {asked} should send something."
    if surprise == "?":
        return f"{code!r} does not fit what the other beds send."
    owner = f"the button for {surprise.removeprefix('button:')}" if surprise.startswith("button:") else surprise
    return f"{code!r} is the code of {owner}."


TOO_SOON: Final = (
    "That bed was pressed twice within 1.5 s: the second press does not count. Wait a moment, then go on with this one."
)


def words_for_unclear(codes: Iterable[str]) -> str:
    """Returns the message for several contacts that closed when one bed was asked."""
    return f"{' and '.join(codes)} closed together. Press the one bed once more, and nothing beside it."
