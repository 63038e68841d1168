"""What the ghosts of one board have to throw: found when a match begins, kept for a restart, gone with the player."""

import logging
from collections.abc import Mapping
from pathlib import Path

from daemon.people import hand_files
from daemon.session.ghost_legs import Ghost, legs_from_json, legs_to_json
from daemon.system.skills import HandOf

log = logging.getLogger(__name__)


class Ghosts:
    """The ghosts of a board, in files beside the hands of their players. All methods read or write files."""

    def __init__(self, data: Path, board: str) -> None:
        self._data, self._board = data, board

    def find(self, hand: HandOf) -> Ghost | None:
        """The darts of the leg that a command names; None if none is known."""
        legs = legs_from_json(hand_files.legs_of(self._data, hand.player, hand.month, hand.leg or ""))
        return Ghost(hand.player, legs) if legs else None

    def keep(self, match: str, ghosts: Mapping[str, Ghost]) -> None:
        """Keeps the ghosts of the match that has begun, in place of those of the match before."""
        by_player: dict[str, dict[str, object]] = {}
        for bot, ghost in ghosts.items():
            by_player.setdefault(ghost.player, {})[bot] = legs_to_json(ghost.legs)
        try:
            hand_files.end_ghosts(self._data, self._board)
            for player, bots in by_player.items():
                hand_files.keep_ghost(self._data, player, self._board, {"match": match, "bots": bots})
        except OSError as error:
            # Without its file a ghost throws with the hand alone.
            log.warning("%s: the darts of a ghost cannot be kept: %s", self._board, error)

    def kept(self, match: str) -> Mapping[str, Ghost]:
        """The ghosts of a match that goes on after a restart."""
        found: dict[str, Ghost] = {}
        for about in hand_files.ghosts_on(self._data, self._board):
            bots = about.get("bots")
            if about.get("match") == match and isinstance(bots, dict):
                found |= {str(bot): Ghost(about["player"], legs_from_json(legs)) for bot, legs in bots.items()}
        return found

    def is_forgotten(self, ghost: Ghost) -> bool:
        """Whether the player of a ghost was forgotten since the match began."""
        return not hand_files.is_known(self._data, ghost.player)
