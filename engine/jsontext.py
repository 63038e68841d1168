"""Strict JSON: bounded, UTF-8, finite numbers, no lone surrogates."""

import json
import math
from typing import Any, Final, NoReturn

from engine.refusals import Refusal

MAX_BYTES: Final = 64 * 1024
"""The longest line of a match file and the largest command. Longer ones are refused."""

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False)
"""Without looking for values that contain themselves, which takes a fifth of its time: they are nested too deeply."""
_NOT_JSON: Final = Refusal("not_json", "This is not JSON in UTF-8.")


def parse(text: bytes) -> Any | Refusal:
    """The value of a JSON text, or Refusal `too_large` or `not_json`. Never raises."""
    if len(text) > MAX_BYTES:
        return Refusal("too_large", f"This is longer than {MAX_BYTES // 1024} KiB.")
    try:
        value = json.loads(text.decode("utf-8"), parse_constant=_refuse, parse_float=_finite)
        # An escape can be a lone surrogate, which cannot be encoded again.
        if b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return _NOT_JSON
    return value


def dump(value: object) -> str:
    """The value as JSON in one line, without spaces. TypeError or ValueError if JSON has no such value."""
    try:
        text = _ENCODER.encode(value)
    except RecursionError as error:
        raise ValueError("the value is nested too deeply, or contains itself") from error
    if not text.isascii():
        text.encode()  # The encoder accepts a lone surrogate, which cannot be encoded.
    return text


def _finite(number: str) -> float:
    # Not only the names: 1e999 is infinite too.
    value = float(number)
    return value if math.isfinite(value) else _refuse(number)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
