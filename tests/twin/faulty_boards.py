"""Boards with seeded faults, and how many of these are found: `python -m tests.twin.faulty_boards [BOARDS]`.

Each board is a virtual one on which two players play X01. Every other board is well. The others have a dead bed, a bed
that answers to 30 % of its darts, a row that answers to 20 %, or a bed that counts every tenth dart twice.
"""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

from boards.board import Cell
from daemon.system.catalogue import dialects, faces, games, model
from drivers.events import BoardEvent, DartLanded
from drivers.pipeline import Pipeline
from drivers.simulated import MS, Faults, Pieces, VirtualBoard
from drivers.virtual import cell_of
from engine.actions import Next, Throw
from engine.darts import Position
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import CLOCKWISE, MISS, SEGMENTS, Segment
from twin.aims import bed_of, thrown
from twin.board_health import DOUBLED_MS, BoardFault, expected, faults
from twin.fit import fit

LINES: Final = {
    **{
        f"row {n}": [SEGMENTS[f"{ring}{number}"] for ring in ("SI", "T", "SO", "D")]
        for n, number in enumerate(CLOCKWISE)
    }
}
SKILLS: Final = (12.0, 22.0, 30.0)
LONGEST: Final = 3000
KINDS: Final = ("dead", "weak", "row", "doubled")


@dataclass(slots=True)
class Evening:
    """What a board reported: matches by player, darts by bed, and those that followed another one too quickly."""

    matches: dict[str, list[Match]] = field(default_factory=dict)
    doubled: Counter[Segment] = field(default_factory=Counter)


class FaultyBoard:
    """A virtual board and what the daemon makes of its bytes."""

    def __init__(self, seed: int, seeded: Faults) -> None:
        board = model("virtual")
        self._pipeline = Pipeline(board, dialects()[board.dialect])
        self._board = VirtualBoard(seed, faults=seeded)
        self._now = 0
        self._pipeline.opened(0)
        self._heard(self._board.start())

    def throw(self, aim: Position, skill_mm: float) -> list[tuple[Segment, int]]:
        """The darts that are heard when one is thrown, with their times in ms."""
        self._now += 1500 * MS
        return self._heard(self._board.throw(aim, skill_mm))

    def _heard(self, pieces: Pieces) -> list[tuple[Segment, int]]:
        events: list[BoardEvent] = []
        for after_ns, data in pieces:
            self._now += after_ns
            events += self._pipeline.feed(data, self._now)
        self._now += 500 * MS
        events += self._pipeline.tick(self._now)
        return [
            (event.dart, event.at_ns // MS)
            for event in events
            if isinstance(event, DartLanded) and isinstance(event.dart, Segment)
        ]


def evening(seed: int, darts: int, seeded: Faults, skills: Sequence[float] = ()) -> Evening:
    """Players play X01 alone, one after the other, on a board with these faults; without `skills` two of `SKILLS`."""
    board, found = FaultyBoard(seed, seeded), Evening()
    skills = skills or Random(seed).sample(SKILLS, 2)
    for name, skill in zip(("Ann", "Bob"), skills, strict=False):
        left = darts // len(skills)
        found.matches[name] = []
        while left > 0:
            match, left = _match(board, name, skill, left, found.doubled)
            found.matches[name].append(match)
    return found


def _match(board: FaultyBoard, name: str, skill: float, left: int, doubled: Counter[Segment]) -> tuple[Match, int]:
    match = open_match(Header("x01", (name,), {}, NEWEST), games(), faces())
    assert isinstance(match, Match)
    in_hand = 3
    before: tuple[Segment, int] | None = None
    for _ in range(LONGEST):
        if match.finished or not left:
            break
        if match.turn.awaits == "throw" and in_hand:
            aim = match.game.advice(match.state, skill).aim
            assert aim is not None
            in_hand, left = in_hand - 1, left - 1
            for bed, at in board.throw(Position(aim.x, aim.y), skill):
                doubled[bed] += before is not None and bed is before[0] and at - before[1] < DOUBLED_MS
                before = (bed, at)
                if match.turn.awaits == "throw":
                    after = apply(match, Throw(bed))
                    assert not isinstance(after, Refusal)
                    match = after
        else:
            after = apply(match, Next())
            assert not isinstance(after, Refusal)
            match, in_hand = after, 3
    return match, left


def found_on(of: Evening) -> list[BoardFault]:
    """What the darts of an evening say of the board."""
    likely: Counter[Segment] = Counter()
    seen: Counter[Segment] = Counter()
    for name, matches in of.matches.items():
        rows = thrown(matches, name, 100_000)
        fitted = fit(rows)
        if fitted is not None:
            likely.update(expected(rows, fitted))
            for row in rows:
                seen[row.bed] += row.count
    told = {bed: count for bed, count in likely.items() if not bed.text.startswith("S") or bed.text[1] in "IOB"}
    return faults(told, seen, of.doubled, LINES)


def drawn(seed: int) -> tuple[str, Faults, Mapping[str, str]]:
    """The faults of a board: their kind, and what should be reported, as name to kind."""
    random = Random(seed)
    if seed % 2 == 0:
        return "well", Faults(), {}
    kind = KINDS[seed // 2 % len(KINDS)]
    bed = random.choice(_often_hit(seed))
    cell = cell_of(bed)
    match kind:
        case "dead":
            return kind, Faults({cell: 0.0}), {bed.text: "bed"}
        case "weak":
            return kind, Faults({cell: 0.3}), {bed.text: "bed"}
        case "row":
            cells: dict[Cell, float] = {(cell[0], col): 0.2 for col in range(4)}
            return kind, Faults(cells), {f"row {cell[0]}": "line"}
        case _:
            return kind, Faults(doubled={cell: 0.1}), {bed.text: "doubled"}


def _often_hit(seed: int) -> list[Segment]:
    """The six beds that these players hit most often: where nobody throws, no fault can be found."""
    hit: Counter[Segment] = Counter()
    for matches in evening(seed, 200, Faults()).matches.values():
        for match in matches:
            hit.update(bed for act in match.played if isinstance(act, Throw) and (bed := bed_of(act)) is not None)
    return [bed for bed, _ in hit.most_common(8) if bed is not MISS and not bed.is_bull][:6]


def one(darts: int, seed: int) -> tuple[str, int, int, int]:
    """The kind of a board; how many of its faults were found, how many there are, and how many were named in vain."""
    kind, seeded, wanted = drawn(seed)
    named = {fault.name: fault.kind for fault in found_on(evening(seed, darts, seeded))}
    right = sum(named.get(name) == of for name, of in wanted.items())
    return kind, right, len(wanted), len(named) - sum(name in wanted for name in named)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", type=int, nargs="?", default=80)
    parser.add_argument("--darts", type=int, nargs="*", default=[1000, 3000])
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    print("| darts | boards | found | recall | precision | well boards with a fault named |\n|---|---|---|---|---|---|")
    with ProcessPoolExecutor(arguments.processes) as pool:
        for darts in arguments.darts:
            rows = list(pool.map(partial(one, darts), range(arguments.boards)))
            right, there, vain = (sum(numbers) for numbers in zip(*(row[1:] for row in rows), strict=True))
            kinds = {
                kind: (sum(row[1] for row in rows if row[0] == kind), sum(row[2] for row in rows if row[0] == kind))
                for kind in KINDS
            }
            by_kind = ", ".join(f"{kind} {hit} of {all_}" for kind, (hit, all_) in kinds.items())
            well = [row for row in rows if row[0] == "well"]
            print(
                f"| {darts} | {len(rows)} | {by_kind} | {right / max(1, there):.1%} "
                f"| {right / max(1, right + vain):.1%} | {sum(row[3] > 0 for row in well)} of {len(well)} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
