"""Parsers with a fault, deep and shallow: what proves that the fuzzing would find one."""

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.faults.parsers import Parser


def _raises(data: bytes) -> int:
    """A fault that needs one character after another: coverage finds it, chance would need 256 to the fifth inputs."""
    if data[:1] == b"o" and data[1:2] == b"c" and data[2:3] == b"h" and data[3:4] == b"e" and data[4:5] == b"!":
        raise KeyError("planted")
    return len(data)


def _trusts(data: bytes) -> int:
    """A number of any size, as chance finds."""
    found = data.find(b"1e999")
    if found >= 0:
        int(json.loads(data[found : found + 5]))
    return len(data)


def _hangs(data: bytes) -> int:
    while b"\xff" in data:
        pass
    return len(data)


PARSERS: Final[dict[str, "Parser"]] = {"planted:raises": _raises, "planted:trusts": _trusts, "planted:hangs": _hangs}
