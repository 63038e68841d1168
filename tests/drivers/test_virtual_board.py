"""The virtual board: the same seed throws the same darts, and what its contacts do makes none more or less."""

import random
from itertools import product

import pytest

from drivers.events import DartLanded, DoubtfulDart, TakeOut
from drivers.pipeline import Pipeline
from drivers.simulated import Pieces, VirtualBoard
from drivers.virtual import DRIVER, cell_of
from engine.geometry import centre_of
from engine.segments import MISS, SEGMENTS, Segment
from tests.drivers.boards import model

BOARD = model("virtual")
FINE = [bed for bed in SEGMENTS.values() if bed.text.startswith(("SI", "SO", "D", "T")) or bed.is_bull]


class Player:
    """Throws at a virtual board, and returns the darts that the pipeline reports."""

    def __init__(self, board: VirtualBoard) -> None:
        self.board = board
        self.pipeline = Pipeline(BOARD, DRIVER)
        self.now = 0

    def hears(self, pieces: Pieces, pause_ms: int) -> list[Segment]:
        darts: list[Segment] = []
        for after, data in pieces:
            self.now += after
            heard = self.pipeline.feed(data, self.now)
            assert not any(isinstance(h, DoubtfulDart) for h in heard)
            darts += [h.dart for h in heard if isinstance(h, DartLanded) and isinstance(h.dart, Segment)]
            self.took_out = any(isinstance(h, TakeOut) for h in heard)
        self.now += pause_ms * 1_000_000
        self.pipeline.tick(self.now)
        return darts


def test_the_table_of_the_model_is_the_board_s_own() -> None:
    assert {bed: cell for cell, bed in BOARD.contacts.items()} == {bed: cell_of(bed) for bed in FINE}
    assert len(FINE) == 82


@pytest.mark.parametrize("bed", [*FINE, MISS], ids=str)
def test_a_perfect_thrower_hits_what_is_aimed_at(bed: Segment) -> None:
    player = Player(VirtualBoard(seed=1, skill_mm=0.0))
    assert player.hears(player.board.throw(centre_of(bed)), 500) == [bed]


@pytest.mark.parametrize(("bounce", "hold", "ghosts"), list(product([False, True], repeat=3)))
def test_every_throw_is_one_dart(bounce: bool, hold: bool, ghosts: bool) -> None:
    ghosts_seen = repeats = 0
    for seed in range(20):
        rng = random.Random(seed)
        player = Player(VirtualBoard(seed, 25.0, bounce=bounce, hold=hold, ghosts=ghosts))
        for n in range(150):
            pause = rng.randrange(60, 900)
            assert len(player.hears(player.board.throw(centre_of(rng.choice(FINE))), pause)) == 1
            if n % 9 == 8:
                assert player.hears(player.board.take_out(), 3000) == []
                assert player.took_out
        ghosts_seen += player.pipeline.counters.get("ghosts", 0)
        repeats += player.pipeline.counters.get("repeats", 0)
    assert (repeats > 0) == bounce
    assert ghosts_seen > 0 or not (ghosts and hold)


def test_the_same_seed_throws_the_same_darts_to_the_byte() -> None:
    def evening(seed: int) -> list[Pieces]:
        board = VirtualBoard(seed, 30.0, bounce=True, hold=True, ghosts=True)
        pieces = [board.throw(centre_of(SEGMENTS["T20"])) for _ in range(50)]
        return [*pieces, board.take_out()]

    assert evening(7) == evening(7)
    assert evening(7) != evening(8)


def test_skill_is_a_spread_in_mm() -> None:
    def hits(skill_mm: float) -> int:
        player = Player(VirtualBoard(3))
        return sum(
            player.hears(player.board.throw(centre_of(SEGMENTS["T20"]), skill_mm), 500)[0].text == "T20"
            for _ in range(200)
        )

    assert hits(0.0) == 200 > hits(10.0) > hits(60.0)


def test_a_board_reports_its_start_and_contacts_held_then_are_no_darts() -> None:
    player = Player(VirtualBoard(1))
    player.hears(player.board.start(), 1)
    assert player.hears(((0, b"+0,1\n"),), 1) == []
    assert list(player.pipeline.stuck) == ["T20"]
    assert player.hears(((5_000_000_000, b"-0,1\n"),), 500) == []
    assert not player.pipeline.stuck
    assert player.hears(((0, b"+0,1\n"),), 1) == [SEGMENTS["T20"]]
