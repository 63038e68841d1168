"""Codes that let people in: six digits for each role, for a phone that is held against the screen or typed in.

The player's code is on the scoreboard of this machine's own screen and on a
referee's phone; the referee's and the display's only at this machine. A code is good until it was used, so one that
somebody photographed lets in nobody later. After ten wrong ones in ten minutes
nobody is let in until they are over: 1,440 tries a day at a million codes, and
`oche access` still works. A right one forgives no wrong ones: the player's code is
there for all to see, and would buy new guesses at the referee's.
"""

import secrets
from collections import deque
from collections.abc import Callable
from typing import Final

from daemon.people.access import ROLES, Role
from engine.refusals import Refusal

DIGITS: Final = 6
WRONG_TRIES: Final = 10
CLOSED_SECONDS: Final = 600.0


class Pairing:
    """The codes of now. `now` gives seconds that only grow; `draw` a code; `page` is where others type one."""

    def __init__(self, now: Callable[[], float], draw: Callable[[], str] | None = None, page: str = "") -> None:
        self.page = page
        self._now = now
        self._draw = draw or _code
        self._wrong: deque[float] = deque(maxlen=WRONG_TRIES)
        self.codes: dict[Role, str] = {}
        self.changed: Callable[[], None] = lambda: None
        for role in ROLES:
            self._renew(role)

    def claim(self, code: str) -> Role | Refusal:
        """The role that a code gives. It is used up when the one who asked was let in (`used`)."""
        if len(self._wrong) == WRONG_TRIES and self._now() < self._wrong[0] + CLOSED_SECONDS:
            return Refusal(
                "not_allowed", "Too many wrong codes: try again in ten minutes, or type `oche access add` there."
            )
        for role, right in self.codes.items():
            if secrets.compare_digest(code.encode(), right.encode()):
                return role
        self._wrong.append(self._now())
        return Refusal("not_allowed", "This is not the code that is shown now; look again.")

    def link(self, role: Role) -> str:
        """The page with the code of a role already typed: what a phone's camera is to read."""
        return f"{self.page}?code={self.codes[role]}"

    def used(self, role: Role) -> None:
        """Takes the code of a role away and draws another one."""
        self._renew(role)
        self.changed()

    def _renew(self, role: Role) -> None:
        taken = set(self.codes.values())
        while (code := self._draw()) in taken:
            pass
        self.codes[role] = code


def _code() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
