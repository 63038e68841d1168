"""Chooses the bed to press next: the one whose answer tells most."""

from dataclasses import dataclass
from typing import Final, Literal

from engine.segments import CLOCKWISE, SEGMENTS, Segment
from learning.guess import Guess, ring_of
from learning.guesses import STRONG, Guesses
from learning.known import Known

SAME_NUMBER: Final = 2
"""How many numbers must agree on whether inner and outer single are one bed."""

BULLS: Final = (SEGMENTS["SB"], SEGMENTS["DB"])
AGREE: Final = 2
"""How many presses of each bull must agree, one more if there was a surprise."""

RINGS: Final = ("D", "SO", "T", "SI")
"""Rings that touch are next to each other."""

Why = Literal["new", "check", "again", "single", "button"]


@dataclass(frozen=True, slots=True)
class Ask:
    """What to press now. `why`: `new`, `check` a prediction, `again` after a surprise, `single` for its two halves."""

    name: str
    why: Why
    hold: bool = False


def next_bed(known: Known, guesses: Guesses, first: bool) -> Ask | None:
    """Returns the bed to press next; `None` when every bed is known. The `first` bed of a lesson must be held."""
    return _single(known, first) or _number(known, guesses) or _bull(known) or _check(known, guesses)


def _single(known: Known, first: bool) -> Ask | None:
    """Asks whether inner and outer single are one bed: two numbers must agree."""
    if max(known.votes()) >= SAME_NUMBER:
        return None
    open_numbers = [n for n in CLOCKWISE if known.halves.get(n, {}).get("SO") is not None]
    wanted = [n for n in open_numbers if "SI" not in known.halves[n]]
    if wanted and sum(known.votes()) < (1 if len(open_numbers) < SAME_NUMBER else 20):
        return Ask(f"SI{wanted[0]}", "single")
    number = next((n for n in CLOCKWISE if "SO" not in known.halves.get(n, {})), None)
    return None if number is None else Ask(f"SO{number}", "new", hold=first)


def _number(known: Known, guesses: Guesses) -> Ask | None:
    base = known.base
    left = [b for b in known.beds() if not b.is_bull and b not in known.codes and b not in known.silent]
    if not left:
        return None
    leader = guesses.leader()
    basic = [bed for bed in left if ring_of(bed) == base]
    if leader is None or (basic and leader.weight < STRONG):
        return Ask((basic or left)[0].text, "new")
    new = [bed for bed in left if leader.unknown(bed)]
    if new:
        return Ask(min(new, key=lambda bed: _newness(leader, bed, base)).text, "new")
    if guesses.trusted() is None:
        sure = [bed for bed in left if leader.expects(bed)]
        if sure:
            return Ask(min(sure, key=lambda bed: _testing(leader, bed)).text, "check")
    for bed in left:
        said = leader.expects(bed)
        if said is None or guesses.trusted() is None:
            return Ask(bed.text, "new")
        if any(g.weight >= STRONG and g.expects(bed) not in (None, said) for g in guesses.alive()):
            return Ask(bed.text, "check")
    return None


def _newness(guess: Guess, bed: Segment, base: str) -> tuple[int, ...]:
    group, line = guess.place(bed)
    # First the line of a group by its outer singles, then a new line at a known group, which also tests that group.
    other = ring_of(bed) != base
    return (other, guess.unknown(bed) if other else 0, guess.seen[group] if other else 0, line[1])


def _testing(guess: Guess, bed: Segment) -> tuple[int, ...]:
    group, line = guess.place(bed)
    return (guess.proven[ring_of(bed)], guess.seen[line], guess.seen[group])


def _check(known: Known, guesses: Guesses) -> Ask | None:
    """Asks again for one of each two beds that touch, where no order of the foils proves them.

    Two slips that swap two beds fit all that is known: this is what shows them.
    """
    trusted = guesses.trusted()
    for at, number in enumerate(CLOCKWISE):
        if trusted is not None and trusted.layout.ordered:
            break
        beds = [bed for bed in known.codes if bed.number == number and not bed.is_bull]
        if trusted is not None and (len(beds) > 1 or at % 2):
            # The other beds of a number prove its place, and every second number its neighbours'.
            continue
        for bed in beds:
            if known.sure[bed] == 1 and (trusted is not None or (RINGS.index(known.ring(bed)) + at) % 2):
                return Ask(bed.text, "check")
    return _check_bulls(known)


def _check_bulls(known: Known) -> Ask | None:
    """Asks for both bulls again, once more if there was a surprise: no line proves them, and slips swap them easily."""
    unsure = [bull for bull in BULLS if bull in known.codes and _presses(known, bull)]
    return Ask(max(unsure, key=lambda bull: _presses(known, bull)).text, "check") if unsure else None


def bull_presses(known: Known) -> int:
    """Returns how many presses of the bulls are left."""
    return sum(_presses(known, bull) for bull in BULLS if bull not in known.silent)


def _presses(known: Known, bull: Segment) -> int:
    return max(0, AGREE + known.disputed - known.sure[bull])


def _bull(known: Known) -> Ask | None:
    new = (bull for bull in BULLS if bull not in known.codes and bull not in known.silent)
    return next((Ask(bull.text, "new") for bull in new), None)
