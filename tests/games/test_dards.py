"""Dards: cards, stacks, hands and rounds, compared with a second implementation; secrets; the advice."""

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Choose, Deck, Next, Throw
from engine.cards import PACK, Card, card
from engine.darts import Position
from engine.games.dards import GAME
from engine.games.dards_advice import Prospect, card_to_play
from engine.games.dards_cards import EMPTY, Pile, dealt, hand_sizes, laid
from engine.games.dards_state import State
from engine.geometry import BOARD_MM, centre_of, segment_at
from engine.options import check_options
from engine.segments import CLOCKWISE, SEGMENTS
from tests.games.setups import played

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal")
decks = st.permutations(PACK).map(tuple)

play = partial(played, GAME)


def begin(players: tuple[str, ...], **options: Any) -> State:
    checked = check_options(GAME.options, {"order": "listed"} | options, players, 1)
    assert isinstance(checked, dict)
    return GAME.new(players, checked, None)


def of(*texts: str) -> list[Card]:
    return [found for text in texts if (found := card(text)) is not None]


def piled(texts: list[str], wild: str | None = None, start: Pile = EMPTY) -> Pile:
    for one in of(*texts):
        start = laid(start, one, wild)
    return start


def test_twos_go_to_and_fro() -> None:
    assert [piled(["2H", "2S", "2D"][:n]) for n in (1, 2, 3)] == [Pile(2, "2", 1), Pile(0, "2", 2), Pile(2, "2", 3)]
    assert [piled(["2H", "2S", "2D"][:n]).number for n in (1, 2, 3)] == [18, 20, 18]


def test_two_sixes_and_a_wild_card() -> None:
    assert piled(["6H", "6S", "2D"], "2").height == 3
    assert piled(["6H", "6S", "2D", "6C"], "2") == piled(["6H", "6S", "6C", "2D"], "2")
    assert piled(["6H", "6S", "2D", "2C"], "2").height == 4
    assert piled(["6H", "6S", "2D", "7C"], "2") == Pile(15, "7", 1)


@given(decks, st.booleans())
@settings(deadline=None, max_examples=60)
def test_stacks_are_no_higher_than_they_can_be(deck: tuple[Card, ...], wild: bool) -> None:
    pile, rank = EMPTY, deck[0].rank if wild else None
    for one in deck[wild:]:
        before, pile = pile, laid(pile, one, rank)
        assert pile.height in (1, before.height + 1) and pile.height <= (7 if wild else 4)


@pytest.mark.parametrize(
    ("cards", "sizes"),
    [
        (17, (6, 6, 5)),
        (13, (5, 4, 4)),
        (10, (5, 5)),
        (26, (6, 5, 5, 5, 5)),
        (6, (6,)),
        (52, (6,) * 7 + (5, 5)),
    ],
)
def test_hand_sizes(cards: int, sizes: tuple[int, ...]) -> None:
    assert hand_sizes(cards) == sizes


@given(st.integers(1, 60))
def test_hands_are_few_even_and_the_larger_first(cards: int) -> None:
    sizes = hand_sizes(cards)
    assert sum(sizes) == cards and max(sizes) <= 6 and 6 * (len(sizes) - 1) < cards
    assert max(sizes) - min(sizes) <= 1 and list(sizes) == sorted(sizes, reverse=True)


def test_hands_are_dealt_one_card_at_a_time() -> None:
    assert dealt(tuple(of("AC", "2C", "3C", "4C", "5C", "6C")), 3) == tuple(
        tuple(of(*hand)) for hand in (("AC", "4C"), ("2C", "5C"), ("3C", "6C"))
    )


def slow_points(cards: list[Card], wild: str | None, start: int, beds: list[list[str]]) -> list[int]:
    """The points of each turn, by walking around the board one number at a time and listing the cards played."""
    ring, stack, points = list(CLOCKWISE), list[Card](), []
    while ring[0] != start:
        ring.append(ring.pop(0))
    for one, thrown in zip(cards, beds, strict=True):
        for _ in range(one.paces):
            if one.is_red:
                ring.append(ring.pop(0))
            else:
                ring.insert(0, ring.pop())
        base = stack[0].rank if stack else one.rank
        stack = [*stack, one] if one.rank in (base, wild) else [one]
        hits = [SEGMENTS[text] for text in thrown]
        points.append(sum(ring[0] * bed.multiplier * len(stack) for bed in hits if bed.number == ring[0]))
    return points


@given(decks, st.integers(1, 8), st.booleans(), st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_rapid_scores_like_slow_counting(deck: tuple[Card, ...], count: int, wild: bool, seed: int) -> None:
    chance, players = Random(seed), NAMES[:count]
    state = play(begin(players, mode="rapid", wild=wild), Deck(deck))
    assert GAME.view(state, None)["mode"] == "rapid"
    turns = (52 - wild) // count * count
    start = 20
    if wild:
        start = CLOCKWISE[(deck[0].paces if deck[0].is_red else -deck[0].paces) % 20]
    beds = []
    for turn in range(turns):
        assert GAME.turn(state).player == players[turn % count]
        assert GAME.view(state, None)["round"] == turn // count + 1
        left = [player["cards_left"] for player in GAME.view(state, None)["players"]]
        assert left == [
            len(range(turns)[seat::count][turn // count :]) - (seat <= turn % count) for seat in range(count)
        ]
        target = state.pile.number
        beds.append([chance.choice([f"S{target}", f"D{target}", f"T{target}", "SB", "S1"]) for _ in range(3)])
        state = play(state, *(Throw(SEGMENTS[text]) for text in beds[-1]), Next())
    points = slow_points(list(deck[wild : wild + turns]), deck[0].rank if wild else None, start, beds)
    totals = [sum(points[seat::count]) for seat in range(count)]
    assert [seat.score for seat in state.seats] == totals
    assert GAME.winners(state) == tuple(p for p, total in zip(players, totals, strict=True) if total == max(totals))


@given(decks, st.integers(1, 8), st.integers(0, 2**32))
@settings(deadline=None, max_examples=40)
def test_rounds_of_hands(deck: tuple[Card, ...], count: int, seed: int) -> None:
    chance, players = Random(seed), NAMES[:count]
    state = play(begin(players, mode="hands"), Deck(deck))
    assert GAME.view(state, None)["mode"] == "hands"
    top, order, hits = int(52 % count > 0), list(range(count)), chance.choice([0.02, 0.3])
    for number, size in enumerate(hand_sizes((52 - top) // count), 1):
        view = GAME.view(state, None)
        assert view["round"] == number and view["order"] == [players[i] for i in order]
        cards, top = deck[top : top + size * count], top + size * count
        assert [seat.hand for seat in state.seats] == [cards[i::count] for i in range(count)]
        points = [0] * count
        for _ in range(size):
            for seat in order:
                assert GAME.turn(state).player == players[seat]
                state = play(state, Choose("card", str(chance.choice(state.seats[seat].hand))))
                if chance.random() < hits:
                    state = play(state, Throw(SEGMENTS[f"T{state.pile.number}"]))
                    points[seat] += 3 * state.pile.number * state.pile.height
                assert [s.round_score for s in state.seats] == points
                state = play(state, Next())
        order = sorted(order, key=lambda seat: (-points[seat], order.index(seat)))
    assert GAME.winners(state) is not None


@given(decks, st.integers(1, 5), st.integers(0, 30))
@settings(deadline=None, max_examples=40)
def test_only_its_owner_sees_a_hand(deck: tuple[Card, ...], count: int, turns: int) -> None:
    players = NAMES[:count]
    state = play(begin(players, mode="hands"), Deck(deck))
    for _ in range(turns):
        action = GAME.legal(state).actions[0]
        assert isinstance(action, Choose)
        state = play(state, action, Next())
    for viewer in (None, *players):
        for player, seat in zip(GAME.view(state, viewer)["players"], state.seats, strict=True):
            assert player.get("hand") == ([str(one) for one in seat.hand] if player["name"] == viewer else None)
            assert player["cards_left"] == len(seat.hand)


@given(decks, st.integers(0, 2**32), st.sampled_from([5.0, 20.0]))
@settings(deadline=None, max_examples=20)
def test_advice_does_not_peek(deck: tuple[Card, ...], seed: int, skill: float) -> None:
    """The advice to Ann stays the same if the cards that she has not seen are shuffled."""
    state = play(begin(NAMES[:3]), Deck(deck))
    mine = [at for at, one in enumerate(deck) if one in state.seats[0].hand or at == 0]
    others = Random(seed).sample([one for at, one in enumerate(deck) if at not in mine], 52 - len(mine))
    shuffled = [deck[at] if at in mine else others.pop() for at in range(52)]
    other = play(begin(NAMES[:3]), Deck(tuple(shuffled)))
    assert other.seats[0] == state.seats[0]
    assert GAME.advice(state, skill) == GAME.advice(other, skill)


def test_advice_goes_on_with_a_stack() -> None:
    # The deal alternates: Ann gets 6D, 7C and so on; Bob 6S, and cards that lead to small numbers.
    first = of("6D", "6S", "7C", "KC", "8C", "QC", "9C", "JC", "TC", "5C", "JH", "4C")
    deck = Deck(tuple(first + [one for one in PACK if one not in first]))
    state = play(begin(("Ann", "Bob"), mode="hands"), deck, Choose("card", "6D"), Next())
    assert state.pile == Pile(6, "6", 1)
    # 6S leads back to 20 and doubles it.
    assert GAME.advice(state, 10.0).action == Choose("card", "6S")


def test_advice_keeps_a_wild_card_for_a_better_number() -> None:
    # From 13 the wild 2D leads to 10, doubled, and JH to 11; from 12 it leads to 20, doubled, and JH to 17.
    poor = Prospect(hand=tuple(of("2D", "JH")), pile=Pile(4, "9", 1), wild="2", unseen=(), rival_cards=0)
    assert [str(card_to_play(one, 10.0)) for one in (poor, replace(poor, pile=Pile(18, "9", 1)))] == ["JH", "2D"]
    assert str(card_to_play(replace(poor, hand=tuple(of("2D"))), 10.0)) == "2D"


def test_advice_leaves_the_next_player_little() -> None:
    # 6H leads to 10, which is worth more than 5, but 6S would follow: to 20, doubled.
    here = Prospect(hand=tuple(of("6H", "AS")), pile=Pile(), wild=None, unseen=tuple(of("6S", "2C")), rival_cards=2)
    assert laid(here.pile, here.hand[0], None).number == 10 and laid(here.pile, here.hand[1], None).number == 5
    assert str(card_to_play(here, 10.0)) == "AS"
    assert str(card_to_play(replace(here, rival_cards=0), 10.0)) == "6H"


@pytest.mark.parametrize("skill", [2.0, 10.0, 25.0, 60.0])
def test_darts_go_to_the_target(skill: float) -> None:
    state = play(begin(("Ann",)), Deck(PACK))
    aim = GAME.advice(state, skill).aim
    assert aim is not None and aim.value > 0
    assert segment_at(Position(aim.x, aim.y)).number == state.pile.number or skill > 30
    bull = GAME.advice(begin(("Ann", "Bob"), order="bull"), skill).aim
    assert bull is not None and bull.target == "DB"


def test_advice_beats_random_cards_at_the_largest_bed() -> None:
    chance, skill, totals = Random(11), 15.0, [0, 0]
    for _ in range(4):
        state = play(begin(("Bot", "Other"), mode="hands"), Deck(tuple(chance.sample(PACK, 52))))
        while GAME.winners(state) is None:
            turn, advice = GAME.turn(state), GAME.advice(state, skill)
            if turn.awaits == "choose" and turn.player == "Bot" and advice.action is not None:
                state = play(state, advice.action)
            elif turn.awaits == "choose":
                state = play(state, chance.choice(GAME.legal(state).actions))
            elif turn.awaits == "next":
                state = play(state, Next())
            else:
                at = centre_of(SEGMENTS[f"SO{state.pile.number}"])
                if turn.player == "Bot" and advice.aim is not None:
                    at = Position(advice.aim.x, advice.aim.y)
                landed = Position(at.x + chance.gauss(0, skill) / BOARD_MM, at.y + chance.gauss(0, skill) / BOARD_MM)
                state = play(state, Throw(segment_at(landed)))
        totals = [total + seat.score for total, seat in zip(totals, state.seats, strict=True)]
    assert totals[0] > 1.3 * totals[1]
