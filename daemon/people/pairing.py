"""Pairing codes: six digits for each role, to be typed in or read as a QR code.

This machine's own screen and a referee's phone show the player's code; the
referee's and the display's are shown only on this machine. Each code works
once, so a photographed one is worthless later. After ten wrong codes within
ten minutes pairing is closed until these are over: 1,440 tries a day among a
million codes, and `oche access` still works. A valid code does not reset the
count: anyone can see the player's code, and could buy new guesses at the
referee's with it.
"""

import secrets
from collections import deque
from collections.abc import Callable
from typing import Final

from daemon.people.access import PAIRED_ROLES, PairedRole
from daemon.system.payload import Payload
from engine.refusals import Refusal

DIGITS: Final = 6
WRONG_TRIES: Final = 10
CLOSED_SECONDS: Final = 600.0


class PairingCode(Payload):
    """Lets a player in, where the pages are open to the network: the code, and the page that takes it."""

    code: str
    url: str


class Pairing:
    """The current codes by role.

    `now` is a monotonic clock in seconds; `page` the address at which codes are typed in. `on_change` is called with
    this object after a code was replaced. `draw` returns a code.
    """

    def __init__(
        self,
        now: Callable[[], float],
        draw: Callable[[], str] | None = None,
        page: str = "",
        on_change: "Callable[[Pairing], None]" = lambda _: None,
    ) -> None:
        self.page = page
        self._now = now
        self._draw = draw or _random_code
        self._on_change = on_change
        self._wrong: deque[float] = deque(maxlen=WRONG_TRIES)
        self.codes: dict[PairedRole, str] = {}
        for role in PAIRED_ROLES:
            self._renew(role)

    def claim(self, code: str) -> PairedRole | Refusal:
        """The role that a code gives. The code stays valid until `used` is called."""
        if len(self._wrong) == WRONG_TRIES and self._now() < self._wrong[0] + CLOSED_SECONDS:
            return Refusal(
                "not_allowed",
                "Too many wrong codes: try again in ten minutes, or type `oche access add` at the machine.",
            )
        for role, right in self.codes.items():
            if secrets.compare_digest(code.encode(), right.encode()):
                return role
        self._wrong.append(self._now())
        return Refusal("not_allowed", "This is not the code that is shown now; look again.")

    def link(self, role: PairedRole) -> str:
        """The address of the page with the code of a role filled in, for the QR code."""
        return f"{self.page}?code={self.codes[role]}"

    def player_code(self) -> PairingCode:
        """The payload of the topic `pairing`."""
        return {"code": self.codes["player"], "url": self.link("player")}

    def used(self, role: PairedRole) -> None:
        """Replaces the code of a role."""
        self._renew(role)
        self._on_change(self)

    def _renew(self, role: PairedRole) -> None:
        taken = set(self.codes.values())
        while (code := self._draw()) in taken:
            pass
        self.codes[role] = code


def _random_code() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
