"""What to ask for next, and what follows from the answers: the same for the terminal and the browser.

A lesson is its answers, in order; all else is computed from them, so that it
is saved, resumed and undone by its list alone. Nothing here knows the time:
`learning.hearing` has made presses of what came in.

A press teaches one line of each kind. Guesses (`learning.guess`) say what the
other beds on them must send; a guess counts when presses that could have
contradicted it did not. What contradicts is asked again first, for people press
wrong beds more often than membranes are odd.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.segments import CLOCKWISE, SEGMENTS, Segment
from learning.guess import Guess, ring_of
from learning.layouts import Layout, ordered_layouts
from learning.views import TOKEN, views

STRONG: Final = 4
"""The weight from which a guess leads the asking, and from which what contradicts it is asked again."""
TRUSTED: Final = 8
"""The weight from which a guess may answer for beds that nobody pressed."""
VIEWED: Final = 3
"""Codes that must be there before they are looked at as coordinates."""
BUTTONS: Final = ("next", "undo", "bounce", "miss")
SAME_NUMBER: Final = 2
"""Numbers whose inner and outer single must agree on whether they are one bed."""

Why = Literal["new", "check", "again", "single", "button"]
State = Literal["proven", "inferred", "doubted", "silent", "unknown"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked for (a segment, or `button:NAME`), and the code that came, None where nothing came."""

    asked: str
    code: str | None


@dataclass(frozen=True, slots=True)
class Ask:
    """What is to be pressed now. `why`: `new`, `check` a prediction, `again` after a surprise, a `single`'s halves."""

    name: str
    why: Why
    hold: bool = False


class Lesson:
    """One board being learnt."""

    def __init__(self, byte: bool = False, answers: Sequence[Answer] = ()) -> None:
        self.byte = byte
        """A code is one byte or one key, not a line."""
        self.answers: list[Answer] = []
        self._clear()
        for answer in answers:
            self._take(answer)

    # ---- what a front calls ----

    @property
    def ask(self) -> Ask | None:
        """What is to be pressed now; None when all is known."""
        return self._ask

    @property
    def done(self) -> bool:
        return self._ask is None

    def heard(self, code: str) -> None:
        """A press, once, whatever it repeated."""
        if self._ask is not None:
            self._take(Answer(self._ask.name, code))

    def skip(self) -> None:
        """Nothing comes from this bed, or the board has no such button."""
        if self._ask is not None:
            self._take(Answer(self._ask.name, None))

    def undo(self) -> None:
        """Takes the last answer back."""
        kept = self.answers[:-1]
        self.answers = []
        self._clear()
        for answer in kept:
            self._take(answer)

    @property
    def joined(self) -> bool:
        """Inner and outer single of a number are one bed, as far as is known."""
        return self._votes()[0] >= self._votes()[1]

    def beds(self) -> list[Segment]:
        """Every bed that the board has."""
        rings = ("S", "D", "T") if self.joined else ("SO", "SI", "D", "T")
        return [SEGMENTS[f"{ring}{n}"] for ring in rings for n in CLOCKWISE] + [SEGMENTS["SB"], SEGMENTS["DB"]]

    def code_of(self, bed: Segment) -> str | None:
        """The code of a bed, pressed or inferred; None where it has none."""
        if bed in self._codes:
            return self._codes[bed]
        if bed in self._silent:
            return None
        trusted = self._trusted()
        return (trusted.expects(bed) or None) if trusted else None

    def state_of(self, bed: Segment) -> State:
        """How well it is known what a bed sends."""
        if bed in self._codes:
            code = self._codes[bed]
            return "doubted" if bed in self._pending or code in self._shared() else "proven"
        if bed in self._silent:
            return "silent"
        trusted = self._trusted()
        expected = trusted.expects(bed) if trusted else None
        if expected is None:
            return "unknown"
        return "inferred" if expected else "silent"

    def duplicates(self) -> dict[str, list[str]]:
        """Codes that more than one bed sends, with those beds."""
        shared = self._shared()
        return {code: [bed.text for bed, c in self._codes.items() if c == code] for code in sorted(shared)}

    def buttons(self) -> dict[str, str]:
        """The codes of the buttons, by name."""
        return dict(self._buttons)

    def wiring(self) -> Guess | None:
        """The guess that answers for the beds that were not pressed."""
        return self._trusted()

    @property
    def presses(self) -> int:
        """How often somebody pressed a bed."""
        return sum(not answer.asked.startswith("button:") for answer in self.answers)

    # ---- an answer ----

    def _clear(self) -> None:
        self._codes: dict[Segment, str] = {}
        self._sure: Counter[Segment] = Counter()
        self._silent: set[Segment] = set()
        self._halves: dict[int, dict[str, str | None]] = {}
        self._buttons: dict[str, str] = {}
        self._no_button: set[str] = set()
        self._pending: dict[Segment, str | None] = {}
        self._again: list[Segment] = []
        self._pool: list[Guess] | None = None
        self._padded = self._made = False
        self._was_joined: bool | None = None
        self._ask = self._next()

    def _take(self, answer: Answer) -> None:
        self.answers.append(answer)
        if answer.asked.startswith("button:"):
            name = answer.asked.removeprefix("button:")
            if answer.code is None:
                self._no_button.add(name)
            elif answer.code not in self._codes.values():
                self._buttons[name] = answer.code
        else:
            self._segment(SEGMENTS[answer.asked], answer.code)
        self._ask = self._next()

    def _segment(self, asked: Segment, code: str | None) -> None:
        bed = self._one_bed(asked)
        first = ("-" if code is None else code) if bed not in self._pending else None
        if first is not None and self._is_surprise(asked, bed, code):
            self._pending[bed] = code
            self._again = [asked, *(b for b in self._again if b != asked)]
            return
        if first is None and self._pending[bed] != code and self._expected(bed) != code:
            # Two presses, two codes: the third decides.
            self._pending[bed] = code
            return
        confirmed = first is None
        self._pending.pop(bed, None)
        self._again = [b for b in self._again if b != asked]
        self._accept(asked, bed, code, confirmed)

    def _accept(self, asked: Segment, bed: Segment, code: str | None, confirmed: bool) -> None:
        if asked.text.startswith(("SI", "SO")):
            self._halves.setdefault(asked.number, {})[ring_of(asked)] = code
        leader = self._leader()
        if self.joined and asked.text.startswith("SI"):
            self._rename()
            return
        known = self._codes.get(bed)
        if code is None:
            self._silent.add(bed)
            if known is not None:
                del self._codes[bed]
        else:
            self._silent.discard(bed)
            self._codes[bed] = code
        self._sure[bed] = self._sure[bed] + 1 if known == code else 1 + confirmed
        self._rename()
        if known not in (None, code) or (code is None and known is not None):
            self._pool = None
        elif known is None:
            self._tell(bed, code)
        if leader is not None and leader.weight >= STRONG and not leader.alive:
            self._suspect(leader, bed)
        if code is not None and known is None:
            others = [b for b, c in self._codes.items() if c == code and b != bed]
            self._again += [b for b in others if self._sure[b] == 1 and b not in self._again]

    def _tell(self, bed: Segment, code: str | None) -> None:
        for guess in self._pool or ():
            if code is None:
                guess.was_silent(bed)
            elif not bed.is_bull:
                guess.add(bed, code)
        if self._pool is not None:
            self._pool = [guess for guess in self._pool if guess.alive]

    def _rename(self) -> None:
        """Whether the singles are one bed was settled, or settled otherwise: the outer ones change their names."""
        if self._was_joined == self.joined:
            return
        self._was_joined = self.joined
        old, new = ("SO", "S") if self.joined else ("S", "SO")
        for book in (self._codes, self._sure):
            renamed = {SEGMENTS[f"{new}{b.number}"] if ring_of(b) == old and not b.is_bull else b: v
                       for b, v in book.items() if not (self.joined and ring_of(b) == "SI")}  # fmt: skip
            book.clear()
            book.update(renamed)  # type: ignore[arg-type]
        self._silent = {
            SEGMENTS[f"{new}{b.number}"] if ring_of(b) == old and not b.is_bull else b for b in self._silent
        }
        if not self.joined:
            for number, halves in self._halves.items():
                bed, code = SEGMENTS[f"SI{number}"], halves.get("SI")
                if code is not None and bed not in self._codes:
                    self._codes[bed] = code
                    self._sure[bed] = 1
        self._again = [bed for bed in self._again if bed.text[:2] != "SI" or not self.joined]
        self._pool = None

    def _one_bed(self, asked: Segment) -> Segment:
        if self.joined and asked.text.startswith("SO"):
            return SEGMENTS[f"S{asked.number}"]
        if not self.joined and ring_of(asked) == "S" and not asked.is_bull:
            return SEGMENTS[f"SO{asked.number}"]
        return asked

    def _votes(self) -> tuple[int, int]:
        """Numbers whose halves sent the same code, and numbers whose did not."""
        both = [h for h in self._halves.values() if len(h) == 2 and h["SO"] is not None]
        same = sum(h["SO"] == h["SI"] for h in both)
        return same, len(both) - same

    # ---- surprises ----

    def _is_surprise(self, asked: Segment, bed: Segment, code: str | None) -> bool:
        if bed in self._codes and bed in self._again:
            return self._codes[bed] != code
        if bed in self._silent:
            return code is not None
        if code is None:
            return self._expected(bed) != ""
        single = asked.text.startswith("SI") and self._halves.get(asked.number, {}).get("SO")
        if single == code:
            return self._votes()[1] > 0
        if asked.text.startswith("SI") and self._votes()[0] > 0:
            return True
        if any(c == code for b, c in self._codes.items() if b != bed) or code in self._buttons.values():
            return True
        leader = self._leader()
        if leader is None or leader.weight < STRONG or bed.is_bull:
            return False
        expected = leader.expects(bed)
        return (expected is not None and expected != code) or not self._fits(leader, bed, code)

    def _fits(self, guess: Guess, bed: Segment, code: str) -> bool:
        trial = self._fed(Guess(guess.view, guess.layout, guess.turned), {**self._codes, bed: code})
        return trial.alive

    def _suspect(self, leader: Guess, bed: Segment) -> None:
        """Which single earlier press, if it was a wrong bed, would explain what contradicts the leading guess?"""
        for other in list(self._codes):
            if self._sure[other] == 1 and other != bed and not other.is_bull and other not in self._again:
                codes = {b: c for b, c in self._codes.items() if b != other}
                if self._fed(Guess(leader.view, leader.layout, leader.turned), codes).alive:
                    self._again.append(other)

    def _expected(self, bed: Segment) -> str | None:
        leader = self._leader()
        return leader.expects(bed) if leader and leader.weight >= STRONG and not bed.is_bull else None

    def _shared(self) -> set[str]:
        return {code for code, times in Counter(self._codes.values()).items() if times > 1}

    # ---- guesses ----

    def _fed(self, guess: Guess, codes: dict[Segment, str]) -> Guess:
        base = "S" if self.joined else "SO"
        beds = [bed for bed in codes if not bed.is_bull]
        if not guess.layout.ordered:
            # The layout was made of these: that they fit it proves nothing.
            for bed in beds:
                if ring_of(bed) == base and guess.alive:
                    guess.add(bed, codes[bed])
            guess.weight = 0
            guess.proven.clear()
            beds = [bed for bed in beds if ring_of(bed) != base]
        for bed in beds:
            if guess.alive:
                guess.add(bed, codes[bed])
        for bed in self._silent:
            if not bed.is_bull:
                guess.was_silent(bed)
        return guess

    def _guesses(self) -> list[Guess]:
        codes = {bed: code for bed, code in self._codes.items() if not bed.is_bull}
        if len(codes) < VIEWED:
            return []
        padded = not self.byte and any(t[0] == "0" and len(t) > 1 for c in codes.values() for t in TOKEN.findall(c))
        made = all(
            SEGMENTS[f"{'S' if self.joined else 'SO'}{n}"] in self._codes.keys() | self._silent for n in CLOCKWISE
        )
        if self._pool is None or padded != self._padded or made != self._made:
            self._padded, self._made = padded, made
            self._pool = []
            for view in views(list(codes.values()), self.byte):
                for turned in (False, True):
                    layouts = ordered_layouts()
                    if made:
                        layouts = (*layouts, *self._made_layout(view.cell, turned))
                    fed = (self._fed(Guess(view, layout, turned), codes) for layout in layouts)
                    self._pool += [guess for guess in fed if guess.alive]
        return self._pool

    def _made_layout(self, cell: object, turned: bool) -> list[Layout]:
        """The layout that the outer singles show, whatever their order."""
        assert callable(cell)
        places: dict[int, tuple[int, int]] = {}
        for bed, code in self._codes.items():
            if ring_of(bed) == ("S" if self.joined else "SO") and not bed.is_bull:
                a, b = cell(code)
                places[bed.number] = (b, a) if turned else (a, b)
        return (
            [Layout("as the singles show", places, ordered=False)] if len(set(places.values())) == len(places) else []
        )

    def _leader(self) -> Guess | None:
        return max(self._guesses(), key=lambda g: (min(g.weight, TRUSTED), g.layout.ordered, -g.size, g.weight),
                   default=None)  # fmt: skip

    def _trusted(self) -> Guess | None:
        leader = self._leader()
        if leader is None or leader.weight < TRUSTED:
            return None
        rings = {"D", "T"} if self.joined else {"SI", "D", "T"}
        return leader if all(leader.proven[ring] for ring in rings) else None

    # ---- what is next ----

    def _next(self) -> Ask | None:
        if self._again:
            return Ask(self._again[0].text, "again")
        return self._single() or self._number() or self._bull() or self._button()

    def _single(self) -> Ask | None:
        """Are inner and outer single one bed? Two numbers must say the same."""
        if max(self._votes()) >= SAME_NUMBER:
            return None
        open_numbers = [n for n in CLOCKWISE if self._halves.get(n, {}).get("SO") is not None]
        wanted = [n for n in open_numbers if "SI" not in self._halves[n]]
        if wanted and sum(self._votes()) < (1 if len(open_numbers) < SAME_NUMBER else 20):
            return Ask(f"SI{wanted[0]}", "single")
        number = next((n for n in CLOCKWISE if "SO" not in self._halves.get(n, {})), None)
        return None if number is None else Ask(f"SO{number}", "new", hold=not self.answers)

    def _number(self) -> Ask | None:
        base = "S" if self.joined else "SO"
        left = [b for b in self.beds() if not b.is_bull and b not in self._codes and b not in self._silent]
        if not left:
            return None
        leader = self._leader()
        basic = [bed for bed in left if ring_of(bed) == base]
        if leader is None or (basic and leader.weight < STRONG):
            return Ask((basic or left)[0].text, "new")
        new = [bed for bed in left if leader.unknown(bed)]
        if new:
            return Ask(min(new, key=lambda bed: self._newness(leader, bed, base)).text, "new")
        if self._trusted() is None:
            sure = [bed for bed in left if leader.expects(bed)]
            if sure:
                return Ask(min(sure, key=lambda bed: self._testing(leader, bed)).text, "check")
        for bed in left:
            said = leader.expects(bed)
            if said is None or self._trusted() is None:
                return Ask(bed.text, "new")
            if any(g.weight >= STRONG and g.expects(bed) not in (None, said) for g in self._guesses()):
                return Ask(bed.text, "check")
        return None

    def _newness(self, guess: Guess, bed: Segment, base: str) -> tuple[int, ...]:
        group, line = guess.place(bed)
        # A group's line first by the outer singles; then a new line at a group that is known, which makes it a test.
        other = ring_of(bed) != base
        return (other, guess.unknown(bed) if other else 0, guess.seen[group] if other else 0, line[1])

    def _testing(self, guess: Guess, bed: Segment) -> tuple[int, ...]:
        group, line = guess.place(bed)
        return (guess.proven[line[0]], guess.seen[line], guess.seen[group])

    def _bull(self) -> Ask | None:
        for name in ("SB", "DB"):
            if SEGMENTS[name] not in self._codes and SEGMENTS[name] not in self._silent:
                return Ask(name, "new")
        return None

    def _button(self) -> Ask | None:
        for name in BUTTONS:
            if name not in self._buttons and name not in self._no_button:
                return Ask(f"button:{name}", "button")
        return None
