"""The state of a match of Dards, what it waits for, and its view for each viewer."""

from dataclasses import dataclass
from typing import Any, Final

from engine.bullthrow import BullThrow
from engine.cards import PACK, Card
from engine.game import Awaits
from engine.games.dards_cards import EMPTY, Pile, before, laid

DARTS: Final = 3


@dataclass(frozen=True, slots=True)
class Setup:
    """The options of the match: hands or rapid, and whether the rank of the first card is wild."""

    players: tuple[str, ...]
    hands: bool
    wild: bool

    @property
    def each(self) -> int:
        """The number of cards that each player plays; the rest is set aside."""
        return (len(PACK) - self.wild) // len(self.players)


@dataclass(frozen=True, slots=True)
class Seat:
    """A player; `hand` is secret, and empty in rapid."""

    score: int = 0
    round_score: int = 0
    hand: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A match. `seats` are in the order of the header, `order` is that of the round, `at` the index in it.

    `stock` are the cards to come, top card first, without those set aside; `shown`
    are those that everyone has seen. `worth` are the points of each dart of the
    turn. `round` is 0 before the deck.
    """

    setup: Setup
    bull: BullThrow
    seats: tuple[Seat, ...]
    order: tuple[int, ...] = ()
    at: int = 0
    number: int = 0
    round: int = 0
    stock: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()
    wild: str | None = None
    pile: Pile = EMPTY
    card: Card | None = None
    darts: tuple[str, ...] = ()
    worth: tuple[int, ...] = ()
    finished: bool = False


def awaits(state: State) -> Awaits:
    """What the match waits for."""
    if state.finished:
        return "nothing"
    if not state.round:
        return "deck" if state.order else "throw"
    if state.card is None:
        return "choose"
    return "next" if len(state.darts) == DARTS else "throw"


def view(state: State, viewer: str | None) -> dict[str, Any]:
    """The state as JSON, with the hand of `viewer` only."""
    players = state.setup.players
    seen: dict[str, Any] = {"players": [_player(state, i, players[i] == viewer) for i in range(len(players))]}
    seen["mode"] = "hands" if state.setup.hands else "rapid"
    if state.order:
        seen["order"] = [players[i] for i in state.order]
    if state.round:
        seen |= {"round": state.round, "position": state.pile.number}
    if state.wild is not None:
        seen |= {"wild": state.wild, "wild_card": str(state.shown[0])}
    if state.pile.height:
        stack = [str(one) for one in state.shown[-state.pile.height :]]
        seen["stack"] = {"rank": state.pile.rank, "height": state.pile.height, "cards": stack}
    if state.card is not None:
        about = {"card": str(state.card), "from": before(state.pile, state.card).number} | _aim(state.pile)
        seen["turn"] = about | {"points": list(state.worth), "scored": sum(state.worth)}
    return seen


def _player(state: State, seat_at: int, own: bool) -> dict[str, Any]:
    name, seat = state.setup.players[seat_at], state.seats[seat_at]
    left = len(seat.hand) if state.setup.hands else _turns_left(state, seat_at)
    about = {"name": name, "score": seat.score, "round_score": seat.round_score, "cards_left": left}
    if own and state.setup.hands:
        about["hand"] = [str(one) for one in seat.hand]
        if awaits(state) == "choose" and state.order[state.at] == seat_at:
            about["plays"] = {str(one): _aim(laid(state.pile, one, state.wild)) for one in seat.hand}
    dart = state.bull.shown(name)
    return about if dart is None else about | {"bull": dart}


def _aim(pile: Pile) -> dict[str, int]:
    """The target with this pile, and its multiplier."""
    return {"target": pile.number, "multiplier": pile.height}


def _turns_left(state: State, seat_at: int) -> int:
    """How many cards of the stock this player will get."""
    if not state.round:
        return 0
    count = len(state.order)
    ahead = (state.order.index(seat_at) - state.at - 1) % count
    return (len(state.stock) - ahead + count - 1) // count
