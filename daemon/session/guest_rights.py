"""What another house may do in a match that this node records: act for its own players, and nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass

from daemon.session.commands import NOT_YOUR_TURN, Command, Fair, Hint, Screens, Start, Stop
from daemon.session.house_asks import HouseAsk
from daemon.session.recorded_match import RecordedMatch
from engine.actions import Correct, Deck, Roll, Throw, Undo
from engine.earlier_turns import thrower
from engine.refusals import Refusal


@dataclass(frozen=True, slots=True)
class GuestAction:
    """What a house asks to do: `place` is its board as `node/board`. `dart` is the number of a throw in the visit,
    and `turn` that of the visit in the match.

    `have` is how many lines of the record the house had; where it is `exact`, the action is for that state alone.
    """

    place: str
    match: str
    dart: int | None = None
    turn: int | None = None
    have: int = 0
    exact: bool = False


def guests(recorded: RecordedMatch) -> Iterable[str]:
    """The boards of other houses on which a match is played, each once."""
    foreign = (name for name in recorded.match.header.boards if "/" in name)
    return dict.fromkeys(name for name in foreign if not name.startswith(f"{recorded.node}/"))


def guest_may(command: Command, guest: GuestAction, recorded: RecordedMatch | None) -> Refusal | None:
    """Why a house may not do this now; `None` if it may."""
    if recorded is None or recorded.row.id != guest.match:
        return Refusal("no_match", f"The match {guest.match[:64]!r} is not on this board.")
    match, ask = recorded.match, command.ask
    if isinstance(ask, Start | Fair | Stop | Screens | Hint | Deck | Roll | HouseAsk):
        return Refusal("not_allowed", "Only the house that records the match can do that.")
    players = [name for name, board in zip(match.header.players, match.header.boards, strict=False)]
    mine = {name for name in players if recorded.board_of(name) == guest.place}
    if not mine:
        return Refusal("not_allowed", f"Nobody throws at {guest.place[:80]} in this match.")
    if guest.exact and guest.have != recorded.actions:
        return Refusal("stale_revision", "The match has moved on; look again.")
    turn = match.turn
    if isinstance(ask, Correct) and ask.back:
        owner = thrower(match, ask.back)
        return None if owner in mine else Refusal("not_allowed", f"These are {owner}'s darts.")
    if isinstance(ask, Correct | Undo):
        # What a turn without darts would take back is somebody else's.
        return None if turn.player in mine and turn.darts else NOT_YOUR_TURN
    if turn.actor not in mine:
        return NOT_YOUR_TURN
    if isinstance(ask, Throw) and guest.turn is not None and guest.turn != match.turns[-1].number:
        return Refusal("not_awaited", "This dart belongs to an earlier visit.")
    if isinstance(ask, Throw) and guest.dart is not None and guest.dart != len(turn.darts) + 1:
        return Refusal("not_awaited", f"Dart {len(turn.darts) + 1} of the visit is next, not dart {guest.dart}.")
    return None
