"""The course of a lesson, from answer to answer: the same for the terminal and the browser.

A lesson is its answers, in order; all else is computed from them, so that it
is saved, resumed and undone by its list alone. Nothing here knows the time:
`learning.hearing` has made presses of what came in.

A press teaches one line of each kind. Guesses (`learning.guesses`) say what the
other beds on them must send, and `learning.asking` which bed to press next.
What contradicts is asked again first, for people press wrong beds more often
than membranes are odd.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.segments import SEGMENTS, Segment
from learning.asking import Ask, bull_presses, next_bed
from learning.guess import Guess, ring_of
from learning.guesses import STRONG, Guesses
from learning.known import Known

AGAIN: Final = "again:"
SURE: Final = 3
"""How many presses of a bed must agree until it is asked for no more, though another bed sends the same."""

BUTTONS: Final = ("next", "undo", "bounce", "miss")

State = Literal["proven", "inferred", "doubted", "silent", "unknown"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked (a segment, or `button:NAME`), and the code that came; `None` if nothing came.

    `again:BED`, without a code, is the wish to be asked for a bed once more.
    """

    asked: str
    code: str | None


class Lesson:
    """The lesson of one board."""

    def __init__(self, byte: bool = False, answers: Sequence[Answer] = (), hold: bool = True) -> None:
        self.byte = byte
        """Whether a code is one byte or one key, not a line."""
        self._hold = hold
        """Whether the first bed must be held, because the board's grammar is not known yet."""
        self._begin(answers)

    # ---- called by the terminal and the page ----

    @property
    def ask(self) -> Ask | None:
        """What to press now; `None` when all is known."""
        return self._ask

    @property
    def done(self) -> bool:
        return self._ask is None

    def heard(self, code: str) -> None:
        """Takes a press, once, without its repeats."""
        if self._ask is not None:
            self._take(Answer(self._ask.name, code))

    def skip(self) -> None:
        """Takes that this bed sends nothing, or that the board has no such button."""
        if self._ask is not None:
            self._take(Answer(self._ask.name, None))

    def repeat(self, bed: Segment) -> None:
        """Asks for a bed once more, whatever is known of it."""
        self._take(Answer(f"{AGAIN}{bed.text}", None))

    def undo(self) -> None:
        """Takes the last answer back."""
        self._begin(self.answers[:-1])

    @property
    def joined(self) -> bool:
        """Whether inner and outer single of a number are one bed, as far as is known."""
        return self._known.joined

    def beds(self) -> list[Segment]:
        """Returns every bed that the board has."""
        return self._known.beds()

    def code_of(self, bed: Segment) -> str | None:
        """Returns the code of a bed, pressed or inferred; `None` if it has none."""
        if bed in self._known.codes:
            return self._known.codes[bed]
        if bed in self._known.silent:
            return None
        trusted = self._guesses.trusted()
        return (trusted.expects(bed) or None) if trusted else None

    def state_of(self, bed: Segment) -> State:
        """Returns how well it is known what a bed sends."""
        if bed in self._known.codes:
            code = self._known.codes[bed]
            return "doubted" if bed in self._pending or code in self._known.shared() else "proven"
        if bed in self._known.silent:
            return "silent"
        trusted = self._guesses.trusted()
        expected = trusted.expects(bed) if trusted else None
        if expected is None:
            return "unknown"
        return "inferred" if expected else "silent"

    def duplicates(self) -> dict[str, list[str]]:
        """Codes that more than one bed sends, with those beds."""
        codes = self._known.codes
        return {code: [bed.text for bed, c in codes.items() if c == code] for code in sorted(self._known.shared())}

    def buttons(self) -> dict[str, str]:
        """The codes of the buttons, by name."""
        return dict(self._buttons)

    def wiring(self) -> Guess | None:
        """The guess that answers for the beds that were not pressed."""
        return self._guesses.trusted()

    @property
    def surprise(self) -> str:
        """Why the last answer is asked for again: the bed whose code it is, `button:NAME`, or `?` if it fits nothing;
        empty if it was no surprise."""
        return self._surprise

    @property
    def left(self) -> int:
        """How many presses of beds are left at most, if no more surprises come."""
        open_beds = sum(self.state_of(bed) == "unknown" for bed in self.beds())
        asked = bool(self.ask and self.ask.why != "button")
        return max(open_beds, bull_presses(self._known), asked) + max(0, len(self._again) - 1)

    @property
    def presses(self) -> int:
        """How often a bed was pressed."""
        return sum(not answer.asked.startswith(("button:", AGAIN)) for answer in self.answers)

    # ---- an answer ----

    def _begin(self, answers: Sequence[Answer]) -> None:
        """Begins with these answers. What to ask is worked out after the last one alone."""
        self.answers: list[Answer] = []
        self._known = Known()
        self._guesses = Guesses(self._known, self.byte)
        self._buttons: dict[str, str] = {}
        self._no_button: set[str] = set()
        self._pending: dict[Segment, str | None] = {}
        """The answer that contradicts a guess and waits for a second press."""
        self._again: list[Segment] = []
        self._surprise = ""
        for answer in answers:
            self._learn(answer)
        self._ask = self._next()

    def _take(self, answer: Answer) -> None:
        self._learn(answer)
        self._ask = self._next()

    def _learn(self, answer: Answer) -> None:
        self.answers.append(answer)
        self._surprise = ""
        if answer.asked.startswith(AGAIN):
            bed = self._known.one_bed(SEGMENTS[answer.asked.removeprefix(AGAIN)])
            self._known.sure[bed] = 0
            self._again = [bed, *(b for b in self._again if b != bed)]
        elif answer.asked.startswith("button:"):
            name = answer.asked.removeprefix("button:")
            if answer.code is None:
                self._no_button.add(name)
            elif answer.code not in self._known.codes.values():
                self._buttons[name] = answer.code
        else:
            self._segment(SEGMENTS[answer.asked], answer.code)

    def _next(self) -> Ask | None:
        if self._again:
            return Ask(self._again[0].text, "again")
        first = self._hold and not self.answers
        return next_bed(self._known, self._guesses, first=first) or self._doubtful() or self._button()

    def _doubtful(self) -> Ask | None:
        """Returns the next bed that shares its code with another one and was not pressed often enough."""
        shared = self._known.shared()
        if not shared:
            return None
        beds = (bed for bed, code in self._known.codes.items() if code in shared and self._known.sure[bed] < SURE)
        bed = min(beds, key=lambda bed: self._known.sure[bed], default=None)
        return None if bed is None else Ask(bed.text, "again")

    def _button(self) -> Ask | None:
        for name in BUTTONS:
            if name not in self._buttons and name not in self._no_button:
                return Ask(f"button:{name}", "button")
        return None

    def _segment(self, asked: Segment, code: str | None) -> None:
        bed = self._known.one_bed(asked)
        confirmed = bed in self._pending
        if not confirmed and self._is_surprise(asked, bed, code):
            self._pending[bed] = code
            self._known.disputed |= bed.is_bull
            self._surprise = self._owner_of(code, bed)
            self._again = [asked, *(b for b in self._again if b != asked)]
            return
        settles = code in (self._pending.get(bed), self._known.codes.get(bed, ""), self._guesses.expected(bed))
        if confirmed and not settles:
            # Two presses with two codes: the third decides.
            self._pending[bed] = code
            self._surprise = self._owner_of(code, bed)
            return
        self._pending.pop(bed, None)
        self._again = [b for b in self._again if b != asked]
        self._accept(asked, bed, code, confirmed)

    def _accept(self, asked: Segment, bed: Segment, code: str | None, confirmed: bool) -> None:
        if asked.text.startswith(("SI", "SO")):
            self._known.halves.setdefault(asked.number, {})[ring_of(asked)] = code
        leader = self._guesses.leader()
        if self.joined and asked.text.startswith("SI"):
            self._rename()
            return
        before = self._known.codes.get(bed)
        self._known.accept(bed, code, confirmed)
        self._rename()
        if before not in (None, code):
            self._guesses.forget()
        elif before is None:
            self._guesses.tell(bed, code)
        if leader is not None and leader.weight >= STRONG and not leader.alive:
            self._suspect(leader, bed)
        if code is not None and before != code:
            # One of them was a wrong press: of a bed that is asked for again, too.
            others = self._known.others_with(code, bed)
            self._again += [b for b in others if (before or self._known.sure[b] == 1) and b not in self._again]

    def _rename(self) -> None:
        if self._known.rename():
            self._again = [bed for bed in self._again if bed.text[:2] != "SI" or not self.joined]
            self._guesses.forget()

    # ---- surprises ----

    def _owner_of(self, code: str | None, bed: Segment) -> str:
        """Returns who else sends a code, as `surprise` names it."""
        others = [] if code is None else self._known.others_with(code, bed)
        trusted = self._guesses.leader()
        if not others and trusted is not None and trusted.weight >= STRONG and code is not None:
            others = [other for other in self.beds() if other != bed and trusted.expects(other) == code]
        buttons = [f"button:{name}" for name, theirs in self._buttons.items() if theirs == code]
        return next((other.text for other in others), next(iter(buttons), "?"))

    def _is_surprise(self, asked: Segment, bed: Segment, code: str | None) -> bool:
        known = self._known
        if bed in known.codes:
            return known.codes[bed] != code
        if bed in known.silent:
            return code is not None
        if code is None:
            return self._guesses.expected(bed) != ""
        same, other = known.votes()
        if asked.text.startswith("SI"):
            if known.halves.get(asked.number, {}).get("SO") == code:
                return other > 0
            if same > 0:
                return True
        if known.others_with(code, bed) or code in self._buttons.values():
            return True
        leader = self._guesses.leader()
        if leader is None or leader.weight < STRONG or bed.is_bull:
            return False
        expected = leader.expects(bed)
        return (expected is not None and expected != code) or not self._guesses.fits(leader, {**known.codes, bed: code})

    def _suspect(self, leader: Guess, bed: Segment) -> None:
        """Returns the earlier press that, if it was of a wrong bed, explains what contradicts the leading guess."""
        codes, sure = self._known.codes, self._known.sure
        for other in list(codes):
            if sure[other] != 1 or other == bed or other.is_bull or other in self._again:
                continue
            if self._guesses.fits(leader, {b: c for b, c in codes.items() if b != other}):
                self._again.append(other)
