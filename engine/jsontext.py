"""Strict JSON from outside: bounded, UTF-8, no NaN, nothing infinite, no half characters; never raises."""

import json
import math
from typing import Any, Final, NoReturn

from engine.refusals import Refusal

MAX_BYTES: Final = 64 * 1024
"""The longest line of a match file and the largest command."""

_NOT_JSON: Final = Refusal("not_json", "This is not JSON in UTF-8.")


def parse(text: bytes) -> Any | Refusal:
    """The value that the text stands for; Refusal `too_large` or `not_json`."""
    if len(text) > MAX_BYTES:
        return Refusal("too_large", f"This is longer than {MAX_BYTES // 1024} KiB.")
    try:
        value = json.loads(text.decode("utf-8"), parse_constant=_refuse, parse_float=_finite)
        # Half of a surrogate pair can be written with an escape, and could not be written out again.
        if b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return _NOT_JSON
    return value


def dump(value: object) -> str:
    """The shortest form, one line, the same on every machine. TypeError or ValueError where JSON has no such value."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if not text.isascii():
        text.encode()  # Half of a surrogate pair passes the line before, and no file or message takes it.
    return text


def _finite(number: str) -> float:
    # Not only by its name: 1e999 is infinite too, and could not be written out again.
    value = float(number)
    return value if math.isfinite(value) else _refuse(number)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
