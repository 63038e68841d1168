"""Which darts of the turns before this one can be corrected.

A turn of darts alone can be replayed with another dart: what follows is the same record. A choice, a move or a combat
was made because of the darts before it, so such a turn can only be undone.
"""

from typing import TYPE_CHECKING, Final

from engine.actions import EARLIER, Bounce, Foul, GameAction, Next, Roll, Throw

if TYPE_CHECKING:
    from engine.match import Match

_OF_DARTS: Final = Throw | Foul | Bounce | Next | Roll


def earlier_darts(match: "Match", back: int) -> tuple[int, ...]:
    """Where the darts of the turn `back` turns ago are in `match.played`; empty if they cannot be corrected."""
    if not 1 <= back <= EARLIER or back >= len(match.turns):
        return ()
    start, end = match.turns[-1 - back], match.turns[-back].at
    turn = match.game.turn(start.state)
    if not turn.correctable or turn.apart:
        return ()
    played: tuple[GameAction, ...] = match.played.since(start.at)[: end - start.at]
    if not all(isinstance(action, _OF_DARTS) for action in played):
        return ()
    return tuple(at for at, action in enumerate(played, start.at) if isinstance(action, Throw | Foul))


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
