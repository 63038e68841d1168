"""Knock-out and double knock-out: the fixtures, from the sides of the first round."""

from collections.abc import Sequence

from league.fixtures import Fixture, LoserOf, Side, WinnerOf

FINAL = "F1"
DECIDER = "F2"
THIRD = "T1"


def knockout(lines: Sequence[Side], *, third_place: bool = False) -> tuple[Fixture, ...]:
    """A knock-out. `lines` are the sides of the first round from the top, a power of two of them.

    n entrants play n - 1 matches, and one more for the third place.
    """
    found = _rounds(lines, "R", "knockout")
    semis = found[-3:-1]
    if third_place and len(semis) == 2:
        sides = [LoserOf(semi.id) for semi in semis]
        third = Fixture(THIRD, "third", 1, sides[0], sides[1], from_end=1)
        # Before the final, as it is played.
        return (*found[:-1], third, found[-1])
    return found


def double_knockout(lines: Sequence[Side]) -> tuple[Fixture, ...]:
    """A double knock-out: whoever loses twice is out.

    n entrants play 2 n - 2 matches, and one more if the winner of the losers' side wins the final: then both have
    lost once. Who comes from the winners' side is placed in turned order, so that a pair does not meet again soon.
    """
    # Their last round is one before the final.
    winners = _rounds(lines, "W", "winners", after=1)
    rounds = [[f for f in winners if f.round == number] for number in range(1, winners[-1].round + 1)]
    losers: list[Fixture] = []
    alive: list[Side] = [LoserOf(fixture.id) for fixture in rounds[0]]
    number = 0
    while len(alive) > 1:
        number += 1
        alive = _pairs(losers, alive, number)
        number += 1
        # Two rounds of the losers' side for each round of the winners' side.
        fallen: list[Side] = [LoserOf(fixture.id) for fixture in rounds[(number + 1) // 2]]
        half = len(fallen) // 2
        placed = fallen[::-1] if number % 4 == 2 else fallen[half:] + fallen[:half]
        alive = _pairs(losers, [side for pair in zip(alive, placed, strict=True) for side in pair], number)
    final = Fixture(FINAL, "final", 1, WinnerOf(winners[-1].id), alive[0], from_end=1)
    decider = Fixture(DECIDER, "final", 2, LoserOf(FINAL), WinnerOf(FINAL), from_end=1, only_after=FINAL)
    return (*_woven(winners, losers), final, decider)


def _rounds(lines: Sequence[Side], prefix: str, stage: str, after: int = 0) -> tuple[Fixture, ...]:
    """The rounds until one is left; `after` is how many rounds come after them."""
    found: list[Fixture] = []
    alive, number = list(lines), 0
    count = len(lines).bit_length() - 1
    while len(alive) > 1:
        number += 1
        pairs = zip(alive[::2], alive[1::2], strict=True)
        new = [
            Fixture(f"{prefix}{number}-{index}", stage, number, home, away, from_end=count - number + 1 + after)
            for index, (home, away) in enumerate(pairs, 1)
        ]
        found += new
        alive = [WinnerOf(fixture.id) for fixture in new]
    return tuple(found)


def _pairs(losers: list[Fixture], alive: Sequence[Side], number: int) -> list[Side]:
    """Adds a round of the losers' side; returns its winners."""
    new = [
        Fixture(f"L{number}-{index}", "losers", number, home, away)
        for index, (home, away) in enumerate(zip(alive[::2], alive[1::2], strict=True), 1)
    ]
    losers += new
    return [WinnerOf(fixture.id) for fixture in new]


def _woven(winners: Sequence[Fixture], losers: Sequence[Fixture]) -> list[Fixture]:
    """All fixtures in an order in which they can be played: each after those whose winners or losers it needs."""
    found: list[Fixture] = []
    for number in range(1, winners[-1].round + 1):
        found += [fixture for fixture in winners if fixture.round == number]
        found += [fixture for fixture in losers if fixture.round in (2 * number - 2, 2 * number - 1)]
    return found
