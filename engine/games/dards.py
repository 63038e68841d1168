"""Dards: cards move a target around the board, stacks multiply it, three darts score on it.

One shuffled deck arrives as an action and determines all hands. A turn is a card
and three darts, and stays open until `next`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import bullthrow
from engine.about import About
from engine.actions import Bounce, Choose, Deck, Foul, GameAction, Next, Throw
from engine.bullthrow import BullThrow
from engine.cards import PACK, Card, card
from engine.darts import Dart
from engine.faces import Face
from engine.game import Advice, AnyDart, AnyDeck, Event, Legal, Step, Turn
from engine.games import dards_advice
from engine.games.beds import CLOSE_FIRST, CLOSING, FINISHED, NOTHING, THROWING, effect, not_awaited
from engine.games.dards_about import ABOUT
from engine.games.dards_cards import Pile, dealt, hand_sizes, laid, moved
from engine.games.dards_state import DARTS, Seat, Setup, State, awaits, view
from engine.games.points_to_begin import points_to_begin
from engine.games.score_statistics import score_statistics
from engine.games.seats import with_seat
from engine.match import dart_text
from engine.options import Flag, OneOf, Option
from engine.refusals import Refusal
from engine.statistics import Statistics

_WHOLE_PACK: Final = frozenset(PACK)
_NO_DECK: Final = Refusal("bad_value", "A deck for Dards has each of the 52 cards once.")
_NO_NEXT: Final = Refusal("not_awaited", "Everyone throws for the bull; next is not possible here.")
_BULL: Final = Legal((Bounce(),), (AnyDart(bullthrow.can_be_compared),))
_DEAL: Final = Legal((), (AnyDeck(_WHOLE_PACK),))


@dataclass(frozen=True, slots=True)
class Dards:
    """The game `dards`."""

    name: str = "dards"
    title: str = "Dards"
    seats: range = range(1, 9)
    needs_segments: bool = False
    about: About = ABOUT
    state_type: type[State] = State
    options: tuple[Option, ...] = (
        Option(
            "mode",
            OneOf(("rapid", "hands")),
            None,
            "rapid: the top card counts; hands: each plays from a hand; default: rapid for 1 or 2 players, else hands",
        ),
        Option(
            "wild",
            Flag(),
            None,
            "the rank of the first card is wild; default: with hands, if 52 cards cannot be dealt evenly",
        ),
        Option("order", OneOf(("bull", "listed")), "bull", "the order of play: the throw for the bull, or as listed"),
        points_to_begin(1000, since=2),
    )

    def face(self, options: Mapping[str, Any]) -> None:
        return None

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> State:
        mode, wild = options["mode"], options["wild"]
        hands = mode == "hands" if mode is not None else len(players) > 2
        setup = Setup(players, hands, (hands and len(PACK) % len(players) > 0) if wild is None else wild)
        bull = bullthrow.throw_for_bull(players)
        if options["order"] == "listed":
            bull = BullThrow(tuple((player,) for player in players))
        state = State(setup, bull, tuple(Seat(options["handicap"].get(name, 0)) for name in players))
        return state if bull.thrower is not None else _in_order(state)

    def apply(self, state: State, action: GameAction) -> Step[State] | Refusal:
        if state.finished:
            return FINISHED
        awaited = awaits(state)
        match action:
            case Throw(dart) if awaited == "throw":
                return _throw_for_bull(state, dart) if state.bull.thrower is not None else _dart(state, dart)
            case Foul() if awaited == "throw":
                return _throw_for_bull(state, None) if state.bull.thrower is not None else _dart(state, None)
            case Bounce() if awaited == "throw":
                return Step(state)
            case Next() if awaited in ("throw", "next"):
                return _NO_NEXT if state.bull.thrower is not None else _close(state)
            case Deck(cards) if awaited == "deck":
                whole = len(cards) == len(PACK) and set(cards) == _WHOLE_PACK
                return _deal_first(state, cards) if whole else _NO_DECK
            case Choose(key, value) if awaited == "choose":
                return _choose(state, key, value)
            case Throw() | Foul() | Bounce() if awaited == "next":
                return CLOSE_FIRST
            case _:
                return not_awaited(awaited)

    def turn(self, state: State) -> Turn:
        name = state.bull.thrower
        if name is None:
            name = state.setup.players[state.order[state.at]]
        # Before the deck all darts were thrown for the bull.
        correctable = state.round > 0 or state.number == 0
        apart = state.bull.thrower is not None
        return Turn(state.number, name, name, state.darts, awaits(state), correctable, apart)

    def winners(self, state: State) -> tuple[str, ...] | None:
        if not state.finished:
            return None
        most = max(seat.score for seat in state.seats)
        return tuple(p for p, seat in zip(state.setup.players, state.seats, strict=True) if seat.score == most)

    def view(self, state: State, viewer: str | None) -> dict[str, Any]:
        return view(state, viewer)

    def legal(self, state: State) -> Legal:
        match awaits(state):
            case "deck":
                return _DEAL
            case "choose":
                hand = state.seats[state.order[state.at]].hand
                return Legal(tuple(Choose("card", text) for held_card in hand for text in _texts(held_card)))
            case "throw":
                return THROWING if state.bull.thrower is None else _BULL
            case "next":
                return CLOSING
            case _:
                return NOTHING

    def advice(self, state: State, skill_mm: float) -> Advice:
        match awaits(state):
            case "choose":
                return Advice(action=Choose("card", str(dards_advice.card_to_play(_prospect(state), skill_mm))))
            case "throw" if state.bull.thrower is not None:
                return Advice(aim=dards_advice.aim_at_bull(skill_mm))
            case "throw":
                return Advice(aim=dards_advice.aim_at_number(skill_mm, state.pile.number, state.pile.height))
            case "next":
                return Advice(action=Next())
            case _:
                return Advice()

    def statistics(self) -> Statistics[State]:
        return STATISTICS


def _score_of(state: State, name: str) -> int:
    return state.seats[state.setup.players.index(name)].score


STATISTICS: Final[Statistics[State]] = score_statistics(_score_of)


def _texts(one: Card) -> tuple[str, ...]:
    """The texts of a card: a ten has two."""
    return (str(one), f"10{one.suit}") if one.rank == "T" else (str(one),)


def _throw_for_bull(state: State, dart: Dart | None) -> Step[State] | Refusal:
    bull, thrower = bullthrow.thrown(state.bull, dart), state.bull.thrower
    if isinstance(bull, Refusal):
        return bull
    after = replace(state, bull=bull, number=state.number + 1)
    events = (Event("dart", {"player": thrower, "dart": dart_text(dart)}),)
    if bull.thrower is None:
        return Step(_in_order(after), events)
    return Step(after, (*events, Event("turn", {"player": bull.thrower})))


def _in_order(state: State) -> State:
    return replace(state, order=tuple(state.setup.players.index(player) for player in state.bull.order))


def _deal_first(state: State, cards: tuple[Card, ...]) -> Step[State]:
    if state.setup.wild:
        first, cards = cards[0], cards[1:]
        state = replace(state, wild=first.rank, shown=(first,), pile=Pile(moved(0, first)))
    stock = cards[: state.setup.each * len(state.seats)]
    return _begin_round(replace(state, stock=stock), state.order, ())


def _begin_round(state: State, order: tuple[int, ...], events: tuple[Event, ...]) -> Step[State]:
    """Begins the next round and deals its hands; in rapid a round is one turn each."""
    number, stock = state.round + 1, state.stock
    events = (*events, Event("round", {"round": number}))
    hands: tuple[tuple[Card, ...], ...] = ((),) * len(order)
    if state.setup.hands:
        count = hand_sizes(state.setup.each)[number - 1] * len(order)
        hands, stock = dealt(stock[:count], len(order)), stock[count:]
        events = (*events, _deal(state, len(hands[0])))
    elif number == 1:
        events = (*events, _deal(state, state.setup.each))
    seats = tuple(Seat(seat.score, 0, hand) for seat, hand in zip(state.seats, hands, strict=True))
    begun = replace(state, seats=seats, order=order, at=0, round=number, stock=stock)
    return _begin_turn(begun, events)


def _deal(state: State, cards: int) -> Event:
    """The event of a deal: cards per player, of a hand or in rapid of the whole match."""
    wild = {} if state.wild is None else {"wild": state.wild, "wild_card": str(state.shown[0])}
    return Event("deal", {"cards": cards} | wild)


def _begin_turn(state: State, events: tuple[Event, ...]) -> Step[State]:
    events = (*events, Event("turn", {"player": state.setup.players[state.order[state.at]]}))
    if state.setup.hands:
        return Step(replace(state, card=None, darts=(), worth=()), events)
    top, stock = state.stock[0], state.stock[1:]
    return _lay(replace(state, stock=stock, darts=(), worth=()), top, events)


def _choose(state: State, key: str, value: int | str) -> Step[State] | Refusal:
    at = state.order[state.at]
    chosen, seat = card(str(value)), state.seats[at]
    if key != "card" or chosen is None or chosen not in seat.hand:
        return Refusal("not_a_choice", 'Choose a card of the hand, like {"card": "2H"}.')
    hand = tuple(one for one in seat.hand if one != chosen)
    return _lay(replace(state, seats=with_seat(state.seats, at, replace(seat, hand=hand))), chosen, ())


def _lay(state: State, top: Card, events: tuple[Event, ...]) -> Step[State]:
    pile = laid(state.pile, top, state.wild)
    event = {
        "player": state.setup.players[state.order[state.at]],
        "card": str(top),
        "target": pile.number,
        "multiplier": pile.height,
    }
    return Step(replace(state, card=top, pile=pile, shown=(*state.shown, top)), (*events, Event("card", event)))


def _dart(state: State, dart: Dart | None) -> Step[State] | Refusal:
    number, height = state.pile.number, state.pile.height
    points = 0 if dart is None else effect(dart, lambda bed: bed.points * height if bed.number == number else 0)
    if isinstance(points, Refusal):
        return points
    at = state.order[state.at]
    seat, darts = state.seats[at], (*state.darts, dart_text(dart))
    seat = Seat(seat.score + points, seat.round_score + points, seat.hand)
    event = {"player": state.setup.players[at], "dart": darts[-1], "points": points, "score": seat.score}
    after = replace(state, seats=with_seat(state.seats, at, seat), darts=darts, worth=(*state.worth, points))
    events = (Event("dart", event),)
    return Step(after, events if len(darts) < DARTS else (*events, _score(after)))


def _score(state: State) -> Event:
    at = state.order[state.at]
    name, total = state.setup.players[at], state.seats[at].score
    return Event("score", {"player": name, "points": sum(state.worth), "score": total})


def _close(state: State) -> Step[State]:
    """Closes the turn and, if they are over, the round and the match."""
    count, at = len(state.order), state.at + 1
    following = replace(state, at=at % count, number=state.number + 1)
    events = () if len(state.darts) == DARTS else (_score(state),)
    if at < count or any(seat.hand for seat in state.seats):
        return _begin_turn(following, events)
    if not state.stock:
        over = replace(state, finished=True)
        return Step(over, (*events, Event("won", {"winners": list(GAME.winners(over) or ())})))
    order = state.order
    if state.setup.hands:
        # The sort is stable: equals keep their order.
        order = tuple(sorted(order, key=lambda i: -state.seats[i].round_score))
    return _begin_round(following, order, events)


def _prospect(state: State) -> dards_advice.Prospect:
    """What the player who chooses knows: their hand, the pile, and which cards they have not seen."""
    at = state.order[state.at]
    hand = state.seats[at].hand
    rival = state.order[(state.at + 1) % len(state.order)]
    seen = frozenset((*state.shown, *hand))
    return dards_advice.Prospect(
        hand=hand,
        pile=state.pile,
        wild=state.wild,
        unseen=tuple(one for one in PACK if one not in seen),
        rival_cards=0 if rival == at else len(state.seats[rival].hand),
    )


GAME: Final = Dards()
