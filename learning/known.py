"""What the presses show without any guess: the code of each bed, silent beds, and the halves of the singles.

Nothing here is guessed. Whether inner and outer single of a number are one bed
is not known at first; they are taken for one until more numbers say otherwise
than say so, and the books are kept under the names that go with it.
"""

from collections import Counter

from engine.segments import CLOCKWISE, SEGMENTS, Segment
from learning.guess import ring_of


class Known:
    """The answers of a lesson. Singles that are one bed are kept as `S`, others as `SO` and `SI`."""

    def __init__(self) -> None:
        self.codes: dict[Segment, str] = {}
        """The code of each bed."""
        self.sure: Counter[Segment] = Counter()
        """How many presses in a row gave a bed its code."""
        self.silent: set[Segment] = set()
        """Beds that sent nothing."""
        self.disputed = False
        """Whether a press of a bull was ever a surprise."""
        self.halves: dict[int, dict[str, str | None]] = {}
        """The codes of the outer and the inner single of a number, by `SO` and `SI`."""
        self._was_joined: bool | None = None

    @property
    def joined(self) -> bool:
        """Inner and outer single of a number are one bed, as far as is known."""
        same, other = self.votes()
        return same >= other

    @property
    def base(self) -> str:
        """The ring that is asked first: the singles, or the outer ones."""
        return "S" if self.joined else "SO"

    def ring(self, bed: Segment) -> str:
        """Returns the ring of a bed, the outer one of a single that is one bed with the inner one."""
        return "SO" if ring_of(bed) == "S" else ring_of(bed)

    def votes(self) -> tuple[int, int]:
        """Numbers whose halves sent the same code, and numbers whose halves did not."""
        both = [h for h in self.halves.values() if len(h) == 2 and h["SO"] is not None]
        same = sum(h["SO"] == h["SI"] for h in both)
        return same, len(both) - same

    def beds(self) -> list[Segment]:
        """Returns every bed that the board has."""
        rings = ("S", "D", "T") if self.joined else ("SO", "SI", "D", "T")
        return [SEGMENTS[f"{ring}{n}"] for ring in rings for n in CLOCKWISE] + [SEGMENTS["SB"], SEGMENTS["DB"]]

    def one_bed(self, asked: Segment) -> Segment:
        """Returns the bed by the name under which its answers are kept."""
        if self.joined and asked.text.startswith("SO"):
            return SEGMENTS[f"S{asked.number}"]
        if not self.joined and ring_of(asked) == "S" and not asked.is_bull:
            return SEGMENTS[f"SO{asked.number}"]
        return asked

    def shared(self) -> set[str]:
        """Codes that more than one bed sends."""
        return {code for code, times in Counter(self.codes.values()).items() if times > 1}

    def others_with(self, code: str | None, bed: Segment) -> list[Segment]:
        """Returns the other beds that sent this code."""
        return [other for other, theirs in self.codes.items() if theirs == code and other != bed]

    def accept(self, bed: Segment, code: str | None, confirmed: bool) -> None:
        """Sets what a bed sends, `None` for nothing; `confirmed` if a second press agreed."""
        known = self.codes.get(bed)
        if code is None:
            self.silent.add(bed)
            self.codes.pop(bed, None)
        else:
            self.silent.discard(bed)
            self.codes[bed] = code
        self.sure[bed] = self.sure[bed] + 1 if known == code else 1 + confirmed

    def rename(self) -> bool:
        """Renames the outer singles when it becomes known, or changes, whether the singles are one bed."""
        if self._was_joined == self.joined:
            return False
        self._was_joined = self.joined
        self.codes = {self._renamed(bed): code for bed, code in self.codes.items() if self._stays(bed)}
        self.sure = Counter({self._renamed(bed): times for bed, times in self.sure.items() if self._stays(bed)})
        self.silent = set(map(self._renamed, self.silent))
        if not self.joined:
            for number, halves in self.halves.items():
                bed, code = SEGMENTS[f"SI{number}"], halves.get("SI")
                if code is not None and bed not in self.codes:
                    self.codes[bed] = code
                    self.sure[bed] = 1
        return True

    def _renamed(self, bed: Segment) -> Segment:
        old = "SO" if self.joined else "S"
        return SEGMENTS[f"{self.base}{bed.number}"] if ring_of(bed) == old and not bed.is_bull else bed

    def _stays(self, bed: Segment) -> bool:
        return not (self.joined and ring_of(bed) == "SI")
