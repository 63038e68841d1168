"""Turns a board's bytes into presses: lines or bytes, repeats, releases, noise.

Pure: times are handed in, in ns. The first bed is held for some seconds, which shows the grammar.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

MS: Final = 1_000_000
HOLD_NS: Final = 3_000 * MS
"""How long the first bed is held: the slowest known firmware repeats after 750 ms."""
SETTLED_NS: Final = 1_000 * MS
"""How long nothing must arrive until the first press is over."""
TOGETHER_NS: Final = 120 * MS
"""How soon after a press another code belongs to it: a ghost, or a second contact."""
REBOUND_NS: Final = 300 * MS
"""How soon the same code is the same press, on a board that repeats nothing."""
NO_LINE_NS: Final = 200 * MS
"""How long after bytes without a line end nothing must arrive to show that the board sends no lines."""
LATE: Final = 0.15
"""How far a repeat can be from its period."""
LONGEST: Final = 64
"""Bytes of the longest line that is kept."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """What the first press showed."""

    byte: bool
    ending: str = ""
    """`LF`, `CR LF` or `CR`; empty for bytes."""
    repeat_ms: float = 0.0
    release: tuple[str, str] | None = None
    """The text at the start (or end) of a press's code, and the text in its place in the code of the release."""
    dialect: str = ""
    """The dialect of a recognised board, whose codes are a row and a column; empty for other boards."""

    def words(self) -> str:
        """Returns a sentence for people."""
        if self.dialect:
            return f"The board speaks {self.dialect}: each contact is known by its row and its column."
        kind = "single bytes" if self.byte else f"lines that end with {self.ending}"
        held = f"a held bed is repeated every {self.repeat_ms:.0f} ms" if self.repeat_ms else "nothing is repeated"
        shown = "releases are reported" if self.release else "releases are not reported"
        return f"The board sends {kind}; {held}; {shown}."


class Hearing:
    """Turns bytes into presses, each once. Codes before `begin` are noise."""

    def __init__(self, grammar: Grammar | None = None) -> None:
        self.grammar = grammar
        self.noise: Counter[str] = Counter()
        """Codes that came while nobody pressed anything: banners, a stuck bed, a floating sensor."""
        self.ghosts: dict[str, set[str]] = {}
        """Codes that came together with the code of a press."""
        self.too_soon = False
        """Whether the last press came so soon after another one of its bed that it was taken for a repeat."""
        self._begun = False
        self._bytes = bytearray()
        self._byte_ns = 0
        self._first: list[tuple[str, int]] = []
        self._code = ""
        self._code_ns = self._press_ns = -HOLD_NS

    def begin(self) -> None:
        """Starts the lesson: from now on codes are answers."""
        self._begun = True

    def feed(self, data: bytes, at_ns: int) -> tuple[str, ...]:
        """Returns the presses that these bytes complete."""
        pressed = list(self.tick(at_ns))
        for byte in data:
            pressed += self._byte(byte, at_ns)
        return tuple(pressed)

    def tick(self, at_ns: int) -> tuple[str, ...]:
        """Returns the presses that are known by `at_ns`: silence shows a board without lines."""
        pressed: list[str] = []
        if self._bytes and self._is_byte is None and at_ns - self._byte_ns > NO_LINE_NS:
            waiting, self._bytes = bytes(self._bytes), bytearray()
            self._byte_mode = True
            for byte in waiting:
                pressed += self._heard(chr(byte), self._byte_ns)
        if self._first and at_ns > self._first[0][1] + HOLD_NS and at_ns > self._first[-1][1] + SETTLED_NS:
            pressed += self._settle()
        return tuple(pressed)

    # ---- bytes to codes ----

    _byte_mode: bool | None = None
    _ending = ""

    @property
    def _is_byte(self) -> bool | None:
        return self.grammar.byte if self.grammar else self._byte_mode

    def _byte(self, byte: int, at_ns: int) -> list[str]:
        if self._is_byte:
            return self._heard(chr(byte), at_ns)
        self._byte_ns = at_ns
        if byte in b"\r\n":
            self._ending = {(10, False): "LF", (10, True): "CR LF"}.get((byte, self._ending.startswith("CR")), "CR")
            if not self._bytes:
                return self._lone_end(byte)
            printable = bytes(b for b in self._bytes if 32 <= b < 127)
            line, self._bytes = printable.decode("ascii").strip(), bytearray()
            self._byte_mode = False
            return self._heard(line, at_ns) if line else []
        if len(self._bytes) < LONGEST:
            self._bytes.append(byte)
        return []

    def _lone_end(self, byte: int) -> list[str]:
        # While the grammar is unknown, a line end alone could be a hit of a board that sends bytes.
        if self._is_byte is None:
            self._bytes.append(byte)
        return []

    # ---- codes to presses ----

    def _heard(self, code: str, at_ns: int) -> list[str]:
        if not self._begun:
            self.noise[code] += 1
            return []
        if self.noise[code] > 1:
            return []
        if self.grammar is None:
            self._first.append((code, at_ns))
            return []
        if code == self._code and at_ns - self._code_ns <= self._same_ns():
            gap_ms = (at_ns - self._code_ns) / MS
            period = self.grammar.repeat_ms
            # A repeat comes after one period, or two if one was lost; what rings comes at once.
            self.too_soon |= bool(period) and gap_ms * MS > TOGETHER_NS and abs(gap_ms - period) > period * LATE
            self._code_ns = at_ns
            return []
        if self._is_release(code):
            self._code_ns = at_ns
            return []
        if at_ns - self._press_ns <= TOGETHER_NS:
            self.ghosts.setdefault(self._code, set()).add(code)
            return []
        self._code, self._code_ns, self._press_ns = code, at_ns, at_ns
        return [code]

    def _same_ns(self) -> int:
        assert self.grammar is not None
        return round(self.grammar.repeat_ms * 1.6 * MS) + REBOUND_NS

    def _settle(self) -> list[str]:
        heard, self._first = self._first, []
        code = heard[0][0]
        times = [at for c, at in heard if c == code]
        gaps = [(b - a) / MS for a, b in pairwise(times) if b - a > TOGETHER_NS]
        others = [c for c, at in heard if c != code and at > heard[0][1] + TOGETHER_NS]
        release = _difference(code, others[-1]) if others and heard[-1][0] == others[-1] else None
        byte = bool(self._byte_mode)
        # One gap can be a bounce or a repeat: two equal ones are a period.
        period = round(median(gaps), 1) if len(gaps) >= 2 else 0.0
        self.grammar = Grammar(byte, "" if byte else self._ending, period, release)
        self._code, self._code_ns, self._press_ns = code, heard[-1][1], heard[0][1]
        return [code]

    def _is_release(self, code: str) -> bool:
        if self.grammar is None or self.grammar.release is None:
            return False
        press, release = self.grammar.release
        if self.grammar.byte:
            return ord(code) == ord(self._code) ^ ord(press) ^ ord(release)
        return code in (self._code.replace(press, release, 1), release + self._code[len(press) :])


def _difference(press: str, release: str) -> tuple[str, str] | None:
    """Returns the parts of two codes between their common start and end."""
    if len(press) == 1 == len(release):
        return press, release
    start = 0
    while start < min(len(press), len(release)) and press[start] == release[start]:
        start += 1
    end = 0
    while end < min(len(press), len(release)) - start and press[-1 - end] == release[-1 - end]:
        end += 1
    one, other = press[start : len(press) - end], release[start : len(release) - end]
    return (one, other) if one and other and not (one + other).isdigit() else None
