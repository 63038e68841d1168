"""The throw for the bull: the nearest starts, equals throw again, and all darts are compared by the same rule."""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.bullthrow import FOUL, BullThrow, Landing, landing, ranked, throw_for_bull, thrown
from engine.codec import from_json, to_json
from engine.darts import Dart, Points, Position, Zone
from engine.refusals import Refusal
from engine.segments import SEGMENTS

PLAYERS = ("Ann", "Bob", "Cid", "Dot")
coordinates = st.floats(-1.3, 1.3, allow_nan=False).map(lambda x: round(x, 3))
positions = st.builds(Position, coordinates, coordinates)
beds = st.sampled_from(tuple(SEGMENTS.values()))
darts: st.SearchStrategy[Dart | None] = st.one_of(positions, beds, st.none())


def landed(dart: Dart | None) -> Landing:
    result = landing(dart)
    assert isinstance(result, Landing)
    return result


def play(bull: BullThrow, *darts: Dart | str | None) -> BullThrow:
    for dart in darts:
        after = thrown(bull, SEGMENTS[dart] if isinstance(dart, str) else dart)
        assert isinstance(after, BullThrow)
        bull = after
    return bull


def test_rings_are_ordered_from_the_centre_outwards() -> None:
    texts = ("DB", "SB", "SI20", "T1", "SO7", "D3", "MISS")
    assert ranked([landed(SEGMENTS[text]) for text in texts]) == tuple((i,) for i in range(7))
    assert ranked([landed(SEGMENTS[text]) for text in reversed(texts)]) == tuple((i,) for i in reversed(range(7)))


def test_a_plain_single_counts_as_an_outer_single() -> None:
    assert ranked([landed(SEGMENTS[text]) for text in ("S20", "SO1", "T5", "SI5")]) == ((3,), (2,), (0, 1))


def test_a_foul_is_a_miss() -> None:
    assert ranked([FOUL, landed(SEGMENTS["D20"]), landed(SEGMENTS["MISS"])]) == ((1,), (0, 2))


def test_positions_are_compared_exactly() -> None:
    # 0.3 and 0.4 give a distance of exactly 0.5; in floating point the squares differ from 0.25.
    assert ranked([landed(Position(0.3, 0.4)), landed(Position(0.0, 0.5))]) == ((0, 1),)
    assert ranked([landed(Position(0.1, 0.7)), landed(Position(0.5, -0.5))]) == ((0, 1),)
    assert ranked([landed(Position(0.0, 0.5000000001)), landed(Position(0.0, 0.5))]) == ((1,), (0,))


def test_one_dart_without_a_position_makes_it_rings_for_all() -> None:
    near, far = landed(Position(0.0, 0.2)), landed(Position(0.0, 0.5))
    assert ranked([far, near]) == ((1,), (0,))
    assert ranked([far, near, landed(SEGMENTS["T20"])]) == ((0, 1), (2,))
    assert ranked([far, near, FOUL]) == ((0, 1), (2,))


def test_beyond_the_double_all_are_equal() -> None:
    edge = landed(Position(0.6, 0.8))
    assert edge.text == "MISS"
    inside = landed(Position(0.0, 0.9999))
    assert ranked([landed(Position(5.0, 5.0)), edge, inside]) == ((2,), (0, 1))


def test_points_need_their_bed_only_where_rings_differ() -> None:
    eighteen = Points(18, (SEGMENTS["T6"], SEGMENTS["D9"], SEGMENTS["S18"]))
    asked = landing(eighteen)
    assert isinstance(asked, Refusal) and asked.reason == "which_segment"
    assert landed(Points(50, (SEGMENTS["DB"],))).ring == SEGMENTS["DB"].ring
    assert landed(Points(18, (SEGMENTS["T6"],))).text == "18"


def test_a_zone_is_refused() -> None:
    refused = landing(Zone(("star",)))
    assert isinstance(refused, Refusal) and refused.reason == "no_face"


def test_the_nearest_starts_and_the_farthest_is_last() -> None:
    bull = play(throw_for_bull(PLAYERS), "S20", "DB", "MISS", "SB")
    assert bull.order == ("Bob", "Dot", "Ann", "Cid") and bull.thrower is None


def test_one_dart_each_in_the_order_of_the_list() -> None:
    bull = throw_for_bull(PLAYERS)
    for player, dart in zip(PLAYERS, ("S20", "DB", "MISS", "SB"), strict=True):
        assert bull.thrower == player and bull.shown(player) is None
        bull = play(bull, dart)
        assert bull.thrower is None or bull.shown(player) == dart


def test_equals_throw_again_in_the_order_of_the_list_and_keep_their_places() -> None:
    bull = play(throw_for_bull(PLAYERS), "SB", "T20", "DB", "T5")
    assert bull.places == (("Cid",), ("Ann",), ("Bob", "Dot")) and bull.thrower == "Bob"
    bull = play(bull, "T1", "T2")
    assert bull.thrower == "Bob"
    # Nearest now, but still behind the players who were nearer in the first throw.
    assert play(bull, "MISS", "DB").order == ("Cid", "Ann", "Dot", "Bob")


def test_the_nearer_of_two_groups_throws_first() -> None:
    bull = play(throw_for_bull(PLAYERS), "MISS", "SB", "MISS", "SB")
    assert bull.places == (("Bob", "Dot"), ("Ann", "Cid")) and bull.thrower == "Bob"
    bull = play(bull, "SB", "DB")
    assert bull.places == (("Dot",), ("Bob",), ("Ann", "Cid")) and bull.thrower == "Ann"
    assert play(bull, None, "D1").order == ("Dot", "Bob", "Cid", "Ann")


def test_one_player_alone_does_not_throw() -> None:
    bull = throw_for_bull(("Ann",))
    assert bull.thrower is None and bull.order == ("Ann",)
    refused = thrown(bull, SEGMENTS["DB"])
    assert isinstance(refused, Refusal) and refused.reason == "not_awaited"


@given(st.lists(darts, min_size=1, max_size=8))
@settings(deadline=None, max_examples=150)
def test_a_ranking_has_everyone_once_and_in_order(thrown_darts: Sequence[Dart | None]) -> None:
    landings = [landed(dart) for dart in thrown_darts]
    groups = ranked(landings)
    assert sorted(i for group in groups for i in group) == list(range(len(landings)))
    measured = all(isinstance(dart, Position) for dart in thrown_darts)

    def far(i: int) -> Fraction:
        dart = thrown_darts[i]
        if measured and isinstance(dart, Position):
            square = Fraction(repr(dart.x)) ** 2 + Fraction(repr(dart.y)) ** 2
            return Fraction(2) if square >= 1 else square
        return Fraction(landings[i].ring)

    assert all(len({far(i) for i in group}) == 1 and list(group) == sorted(group) for group in groups)
    firsts = [far(group[0]) for group in groups]
    assert firsts == sorted(set(firsts))


@given(st.integers(1, 8), st.lists(darts, max_size=40))
@settings(deadline=None, max_examples=150)
def test_the_throw_ends_when_nobody_is_equal(count: int, thrown_darts: Sequence[Dart | None]) -> None:
    players = tuple(f"P{i}" for i in range(count))
    bull = throw_for_bull(players)
    for dart in thrown_darts:
        if bull.thrower is None:
            break
        before = bull.order
        bull = play(bull, dart)
        assert sorted(bull.order) == sorted(before)
        assert from_json(BullThrow, to_json(bull)) == bull
        assert all(group == tuple(p for p in players if p in group) for group in bull.places)
    assert (bull.thrower is None) == all(len(group) == 1 for group in bull.places)
    assume(bull.thrower is None)
    assert isinstance(thrown(bull, None), Refusal)
