"""The handicap of games of the kit: targets done at the start, lives of one's own, or points to begin with."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, cast

from engine.kit.options import options_of
from engine.kit.state import G, O, State
from engine.options import Number, Option, PerPlayer
from engine.refusals import Refusal
from engine.texts import Text

if TYPE_CHECKING:
    from engine.kit.game import Kit

MOST_POINTS: Final = 1000
NAME: Final = "handicap"


def option_of(game: "Kit[Any, Any]") -> tuple[Option, ...]:
    """The option `handicap`, in a race, a game of lives or one whose score is points; else none."""
    if game.head_start:
        # Also where the race has lives: the score is what is ahead.
        label = Text("Head start: targets done", "Vorsprung: geschaffte Ziele", "Avance : cibles déjà faites")
        return (Option(NAME, PerPlayer(1, game.head_start), {}, "targets that some players have done", label=label),)
    lives = next((option for option in options_of(game.rules) if option.name == "lives"), None)
    if lives is not None and isinstance(lives.kind, Number):
        label = Text("Lives of their own", "Eigene Zahl der Leben", "Vies personnelles")
        own = PerPlayer(1, lives.kind.high, instead_of=lives.name)
        return (Option(NAME, own, {}, "lives of some players' own", label=label),)
    if game.points_to_begin:
        label = Text("Points to begin with", "Punkte zu Beginn", "Points au départ")
        return (Option(NAME, PerPlayer(1, MOST_POINTS), {}, "points that some players begin with", label=label),)
    return ()


def given(game: "Kit[O, G]", state: State[O, G], handicap: dict[str, int]) -> State[O, G] | Refusal:
    """The first state with the handicap of each side."""
    first = state.players[: len(state.scores)]
    if not set(handicap) <= set(first):
        return Refusal("bad_option", f"A handicap is for the first player of each team: {', '.join(first)}.")
    lives = not game.head_start and any(each.name == "lives" for each in fields(cast(Any, game.rules)))
    for name, value in handicap.items():
        side = first.index(name)
        state = state.with_score(value, side) if lives else state.gains(value, side)
    return (game.refuses_head_start(state) if handicap else None) or state
