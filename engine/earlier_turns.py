"""Which darts of the turns before this one can be corrected.

A turn of darts alone can be replayed with another dart: what follows is the same record. A choice, a move or a combat
was made because of the darts before it, so such a turn can only be undone.
"""

from typing import TYPE_CHECKING, Final

from engine.actions import EARLIER, Bounce, Foul, GameAction, Next, Roll, Throw

if TYPE_CHECKING:
    from engine.match import Match

_DARTS: Final = Throw | Foul
_WITHOUT_CHOICE: Final = Bounce | Next | Roll


def earlier_turn(match: "Match", back: int) -> tuple[str, dict[int, GameAction]] | None:
    """Whose turn it was `back` turns ago, and its darts by their place in `match.played`, none if they cannot be
    corrected. `None` if the match does not reach that far back, or corrections do not."""
    if not 1 <= back <= EARLIER or back >= len(match.turns):
        return None
    start, end = match.turns[-1 - back], match.turns[-back].at
    turn = match.game.turn(start.state)
    darts: dict[int, GameAction] = {}
    if turn.correctable and not turn.apart:
        for at, action in enumerate(match.played.since(start.at)[: end - start.at], start.at):
            if isinstance(action, _DARTS):
                darts[at] = action
            elif not isinstance(action, _WITHOUT_CHOICE):
                return turn.player, {}
    return turn.player, darts


def thrower(match: "Match", back: int) -> str | None:
    """Whose turn it was `back` turns ago; `None` if the match does not reach that far back."""
    if back >= len(match.turns):
        return None
    start = match.turns[-1 - back]
    return match.game.turn(start.state).player


def same_course(before: "Match", after: "Match", back: int) -> bool:
    """Whether the same turns of the same legs follow the turn `back` turns ago in both matches.

    A correction that ends a leg earlier, or puts a player out, would give the darts after it to somebody else.
    """
    return (
        len(before.turns) == len(after.turns)
        and before.finished == after.finished
        and all(thrower(before, n) == thrower(after, n) for n in range(back + 1))
        and _legs(before) == _legs(after)
    )


def _legs(match: "Match") -> tuple[object, ...]:
    view = match.view()
    won = [(player.get("legs"), player.get("sets")) for player in view["players"]]
    return view.get("leg"), view.get("playing"), won, "result" in view
