"""All guesses of how a board is wired that no answer contradicts, and which of them leads.

A guess counts when presses that could have contradicted it did not.
"""

from collections.abc import Mapping
from typing import Final

from engine.segments import CLOCKWISE, SEGMENTS, Segment
from learning.guess import Guess, ring_of
from learning.known import Known
from learning.layouts import Layout, ordered_layouts
from learning.views import TOKEN, View, views

STRONG: Final = 4
"""The weight from which a guess leads the asking, and from which what contradicts it is asked again."""
TRUSTED: Final = 8
"""The weight from which a guess may answer for beds that nobody pressed."""
VIEWED: Final = 3
"""How many codes must be known before they are read as coordinates."""


Cells = list[tuple[Segment, tuple[int, int] | None]]
"""Beds with the coordinates of their codes, `None` where a code has none, in the order of their presses."""


class Guesses:
    """The guesses about one board, kept from press to press, and made again after an answer is taken back."""

    def __init__(self, known: Known, byte: bool) -> None:
        self._known = known
        self._byte = byte
        self._pool: list[Guess] | None = None
        self._padded = self._made = False

    def alive(self) -> list[Guess]:
        """The guesses that nothing contradicts; empty until enough codes are known."""
        codes = {bed: code for bed, code in self._known.codes.items() if not bed.is_bull}
        if len(codes) < VIEWED:
            return []
        padded = not self._byte and any(t[0] == "0" and len(t) > 1 for c in codes.values() for t in TOKEN.findall(c))
        answered = self._known.codes.keys() | self._known.silent
        made = all(SEGMENTS[f"{self._known.base}{number}"] in answered for number in CLOCKWISE)
        if self._pool is None or padded != self._padded or made != self._made:
            self._padded, self._made = padded, made
            self._pool = []
            for view in views(list(codes.values()), self._byte):
                cells = _cells(view, codes)
                for turned in (False, True):
                    layouts = ordered_layouts()
                    if made:
                        layouts = (*layouts, *self._made_layout(view, turned))
                    fed = (self._fed(Guess(view, layout, turned), cells) for layout in layouts)
                    self._pool += [guess for guess in fed if guess.alive]
        return self._pool

    def leader(self) -> Guess | None:
        """The guess with the most weight; of trusted ones, the one that tells most."""
        return max(
            self.alive(), key=lambda g: (min(g.weight, TRUSTED), g.layout.ordered, -g.size, g.weight), default=None
        )

    def trusted(self) -> Guess | None:
        """The guess that answers for the beds that were not pressed."""
        leader = self.leader()
        if leader is None or leader.weight < TRUSTED:
            return None
        rings = {"D", "T"} if self._known.joined else {"SI", "D", "T"}
        return leader if all(leader.proven[ring] for ring in rings) else None

    def expected(self, bed: Segment) -> str | None:
        """Returns what a bed should send, as `Guess.expects`; `None` if no strong guess leads."""
        leader = self.leader()
        return leader.expects(bed) if leader and leader.weight >= STRONG and not bed.is_bull else None

    def tell(self, bed: Segment, code: str | None) -> None:
        """Takes the first press of a bed: what it sent, or that it sent nothing."""
        for guess in self._pool or ():
            if code is None:
                guess.was_silent(bed)
            elif not bed.is_bull:
                guess.add(bed, guess.view.cell(code))
        if self._pool is not None:
            self._pool = [guess for guess in self._pool if guess.alive]

    def forget(self) -> None:
        """Drops all guesses: an earlier answer is no longer valid. They are made again from what is known."""
        self._pool = None

    def fits(self, guess: Guess, codes: dict[Segment, str]) -> bool:
        """Whether these codes do not contradict the guess."""
        return self._fed(Guess(guess.view, guess.layout, guess.turned), _cells(guess.view, codes)).alive

    def _fed(self, guess: Guess, cells: Cells) -> Guess:
        """Returns the guess with what is known; one that dies on the way has not taken the rest."""
        if not guess.layout.ordered:
            # The layout was made from these: that they fit it proves nothing.
            base = self._known.base
            made = [(bed, cell) for bed, cell in cells if ring_of(bed) == base]
            cells = [(bed, cell) for bed, cell in cells if ring_of(bed) != base]
            all(guess.add(bed, cell) for bed, cell in made)
            guess.weight = 0
            guess.proven.clear()
        if all(guess.add(bed, cell) for bed, cell in cells):
            for bed in self._known.silent:
                if not bed.is_bull:
                    guess.was_silent(bed)
        return guess

    def _made_layout(self, view: View, turned: bool) -> list[Layout]:
        """Returns the layout that the outer singles show, in any order."""
        base = self._known.base
        places: dict[int, tuple[int, int]] = {}
        for bed, code in self._known.codes.items():
            if ring_of(bed) == base and not bed.is_bull and (cell := view.cell(code)) is not None:
                places[bed.number] = (cell[1], cell[0]) if turned else cell
        alone = len(set(places.values())) == len(places)
        return [Layout("as the singles show", places, ordered=False)] if alone else []


def _cells(view: View, codes: Mapping[Segment, str]) -> Cells:
    """Returns what the codes of all beds but the bulls are as coordinates."""
    return [(bed, view.cell(code)) for bed, code in codes.items() if not bed.is_bull]
