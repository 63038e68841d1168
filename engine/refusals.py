"""Refusals: a reason from a closed list, and a message that says what to do."""

from dataclasses import dataclass
from typing import Literal

Reason = Literal[
    "not_json",
    "too_large",
    "unknown_action",
    "bad_value",
    "unknown_game",
    "bad_players",
    "no_hand",
    "unknown_option",
    "bad_option",
    "finished",
    "not_awaited",
    "no_face",
    "unknown_zone",
    "which_segment",
    "not_a_choice",
    "must_attack",
    "not_a_move",
    "no_such_dart",
    "no_such_visit",
    "nothing_to_undo",
    "correction_illegal",
    "undo_only",
    "no_match",
    "stale_revision",
    "not_allowed",
    "not_your_turn",
    "board_cannot",
    "bad_boards",
    "board_busy",
    "not_invited",
    "away",
    "disk",
    "game_failed",
    "damaged",
    "counting",
    "not_a_card",
    "bad_signature",
    "expired",
    "revoked",
]
"""Every reason. Add a new one here and in `docs/reasons.md`."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action was refused and changed nothing. A value, not an exception: refusals are ordinary.

    The match handles `which_segment` itself: it asks the player for the bed of the dart.
    """

    reason: Reason
    message: str

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"
