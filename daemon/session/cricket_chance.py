"""The chance to win Cricket between two, in one leg or several, from many matches that are played at once.

In several legs the chance of a leg is played out once for each player who begins it, and the chance of the match
follows from these. Playing whole matches would tell the same with more darts.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Any, Final

from daemon.session.rollouts import Computed
from engine.actions import Next
from engine.formats.plan import Plan
from engine.formats.series import Series
from engine.formats.state import State as FormatState
from engine.formats.state import in_leg, inner
from engine.formats.wins import needed
from engine.games.cricket_state import State as CricketState
from engine.match import Match
from engine.refusals import Refusal
from twin.cricket_policy import knows

PART_OF_LEGS: Final = 2
"""By what the numbers of matches are divided for each leg of a match of several: two or three legs are played out."""
LEGS_KEPT: Final = 64
"""The chances of how many legs that have not begun are kept: of two for each match on some boards."""
STEP: Final = 1e-4
"""By how much the chance of a leg is changed to see how much that changes the chance of the match."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The hands of the players, which of them are bots, and how many matches are played: at least `fewest`, and `most`
    where the chance is about a half.

    Bots aim as they have learned, others as the game advises. `hands` are spreads in mm.
    """

    hands: Mapping[str, float]
    bots: Set[str]
    most: int
    fewest: int


def cricket_chance(match: Match, asked: Asked) -> Computed | None:
    """Returns the chances in a match of Cricket; None if it is no such match, or one by other rules. Needs numpy."""
    if len(match.header.players) != 2 or not isinstance(in_leg(match.state), CricketState):
        return None
    state = match.state
    if match.turn.awaits == "next":
        # All darts of a turn are thrown. What follows is a turn, a leg or the end.
        step = match.game.apply(state, Next())
        state = state if isinstance(step, Refusal) else step.state
    if (winners := match.game.winners(state)) is not None:
        return Computed({name: (name in winners) / len(winners) for name in match.header.players})
    if isinstance(state, CricketState):
        return _of_leg(state, asked)
    if isinstance(match.game, Series) and isinstance(state, FormatState) and _is_usual(match.game.plan, state):
        return _of_legs(match.game.plan, state, asked)
    return None


def _is_usual(plan: Plan, state: FormatState[Any]) -> bool:
    """Whether legs of Cricket between two are played that each begins in turn, and one of them must win the match."""
    best, alone = plan.best, [len(side) for side in plan.sides] == [1, 1]
    is_cricket = plan.medley is None and isinstance(inner(state), CricketState)
    is_decided = best.mode == "first_to" or best.legs % 2 == 1
    in_turn = plan.start == "alternate" and state.bull is None and state.phase == "leg"
    return alone and is_cricket and is_decided and in_turn and best.sets == 1 and not best.clear


def _of_leg(state: CricketState, asked: Asked) -> Computed | None:
    from twin.cricket_learned import learned_player
    from twin.cricket_matches import Hand, Player, can_play, share_of_first

    if not can_play(state):
        return None
    players = [
        learned_player(asked.hands[name])
        if name in asked.bots and knows(asked.hands[name])
        else Player(Hand.of(asked.hands[name]))
        for name in state.rules.players
    ]
    share, error = share_of_first(state, players, asked.most, fewest=asked.fewest)
    first, second = state.rules.players
    return Computed({first: share, second: 1 - share}, error)


def _of_legs(plan: Plan, state: FormatState[Any], asked: Asked) -> Computed | None:
    from twin.cricket_matches import BATCH, SURE

    # A chance of a leg far from a half must be known as well: the match can be even.
    each, most = max(BATCH, asked.fewest // PART_OF_LEGS), asked.most // PART_OF_LEGS
    while True:
        found = _from_legs(plan, state, Asked(asked.hands, asked.bots, each, each))
        if found is None or 2 * each > most or abs(found.chance[plan.players[0]] - 0.5) > SURE * found.error:
            return found
        each *= 2


def _from_legs(plan: Plan, state: FormatState[Any], asked: Asked) -> Computed | None:
    """The chances of a match from as many matches of each kind of leg as are asked for."""
    from twin.x01_chance import MOST_LEGS, Standing, match_chances

    to_win = needed(plan.best.legs, plan.best.mode)
    if 2 * to_win**2 > MOST_LEGS:
        return None
    names = [plan.sides[side][0] for side in state.order]
    fresh = [_fresh(plan, state, side) for side in state.order]
    starter = state.order.index(state.starter)
    legs = [_of_fresh(leg, frozenset(asked.hands.items()), frozenset(asked.bots), asked.most) for leg in fresh]
    if inner(state) != fresh[starter]:
        legs.append(_of_leg(inner(state), asked))
    known = [leg for leg in legs if leg is not None]
    if len(known) < len(legs):
        return None
    now = Standing(tuple(state.wins[side] for side in state.order), (0, 0), state.played)

    def first(shares: Sequence[float]) -> float:
        """The chance of the first player to win the match, by their chances in the legs."""
        both = [(share, 1 - share) for share in shares]
        found = match_chances(both[2] if len(both) > 2 else both[starter], both[:2], now, to_win, 1)
        assert found is not None  # it is not too long
        return found[0]

    shares = [leg.chance[names[0]] for leg in known]
    share = first(shares)
    error = hypot(*(leg.error * _slope(first, shares, at) for at, leg in enumerate(known)))
    return Computed({names[0]: share, names[1]: 1 - share}, error)


def _fresh(plan: Plan, state: FormatState[Any], side: int) -> CricketState:
    """A leg that this side begins, before its first dart."""
    leg = plan.legs[0]
    begun = leg.game.new(plan.in_order(side, state.order), leg.options, leg.face)
    assert isinstance(begun, CricketState)  # a plan is made of legs that can be played
    return begun


@lru_cache(LEGS_KEPT)
def _of_fresh(
    leg: CricketState, hands: frozenset[tuple[str, float]], bots: frozenset[str], matches: int
) -> Computed | None:
    """The chances in a leg before its first dart, which stay the same for a whole match."""
    return _of_leg(leg, Asked(dict(hands), bots, matches, matches))


def _slope(chance: Callable[[Sequence[float]], float], shares: Sequence[float], at: int) -> float:
    """How much the chance of the match changes with that of one of the legs."""
    changed = [share + STEP * (place == at) for place, share in enumerate(shares)]
    return (chance(changed) - chance(shares)) / STEP
