"""Why a hall refuses something: a reason from a closed list, and a message that says what to do."""

from dataclasses import dataclass
from typing import Final, Literal

HallReason = Literal[
    "bad_value",
    "too_large",
    "too_fast",
    "bad_token",
    "revoked",
    "bad_code",
    "name_taken",
    "foreign",
    "half",
    "bad_digest",
    "bad_signature",
    "stale_edition",
    "edition_taken",
    "rules",
    "hidden_cards",
    "no_index",
]
"""Every reason. Add a new one here and in `docs/hall.md`."""

HTTP_STATUS: Final[dict[HallReason, int]] = {
    "bad_value": 400,
    "too_large": 413,
    "too_fast": 429,
    "bad_token": 401,
    "revoked": 403,
    "bad_code": 403,
    "name_taken": 409,
    "foreign": 403,
    "half": 400,
    "bad_digest": 400,
    "bad_signature": 403,
    "stale_edition": 409,
    "edition_taken": 409,
    "rules": 422,
    "hidden_cards": 422,
    "no_index": 503,
}
"""The status of the HTTP answer for each reason. A node tries again after `too_fast`, `half` and `no_index`."""


@dataclass(frozen=True, slots=True)
class HallRefusal:
    """Why a hall refused something and changed nothing."""

    reason: HallReason
    message: str
    edition: int | None = None
    """With `stale_edition` and `edition_taken`: the edition that the hall has."""

    def to_json(self) -> dict[str, object]:
        """The body of the HTTP answer."""
        about: dict[str, object] = {"reason": self.reason, "message": self.message}
        return about if self.edition is None else about | {"edition": self.edition}
