"""Checks passwords for the web server and for the clients that it passes to the broker, so that guessing is slow.

A right password is remembered until the daemon ends and costs nothing from then on. All others are checked in one
thread, one after the other, one at a time for each address, and a wrong one is followed by a pause: guesses take at
most a tenth of one core, however many guess. An unknown name costs the same as a known one and gets the same answer.

Not chosen: refusing an address after some wrong guesses. People behind one proxy share an address, and one phone with
an old password would keep all of them out.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from daemon.people.access import User, is_password_of
from daemon.people.users import Users
from daemon.web.rate_limit import RateLimit

_CHECKER: Final = ThreadPoolExecutor(1, "passwords")
"""One at a time: checking keeps one core busy, and none of the threads that open boards."""
PAUSE: Final = 9
"""Pause after a wrong password, in multiples of the time that its check took."""
LONGEST_PAUSE: Final = 0.5
"""Seconds; on a busy machine a check takes long because of others."""
WRONG_AT_ONCE: Final = 10
"""Wrong passwords that an address may send in a row before it has to wait."""
WRONG_PER_SECOND: Final = 0.5
"""Wrong passwords of an address that are checked from then on."""
ADDRESSES: Final = 1024
"""Addresses of which wrong passwords are counted; beyond them the one that was quiet for longest is forgotten."""


class _Address:
    """One address that has sent passwords: they are checked one by one, the next not before `free_at`."""

    def __init__(self, now: float) -> None:
        self.turn = asyncio.Lock()
        self.wrong = RateLimit(now, WRONG_PER_SECOND, WRONG_AT_ONCE)
        self.free_at = now


class Passwords:
    """Who is who, by name and password."""

    def __init__(self, users: Users) -> None:
        self._users = users
        self._key = secrets.token_bytes(32)
        self._right: dict[str, tuple[str, bytes]] = {}
        self._addresses: OrderedDict[str, _Address] = OrderedDict()
        self._one = asyncio.Lock()

    async def check(self, name: str, password: str, address: str) -> User | None:
        """The user with this name and password, asked from an address; None for everybody else.

        Waits where an address, or all of them, have sent many wrong ones: callers bound the time.
        """
        sent = self._digest(password)
        if (user := self._remembered(name, sent)) is not None:
            return user
        asker = self._address(address)
        async with asker.turn:
            await asyncio.sleep(max(0.0, asker.free_at - _now()))
            async with self._one:
                return await self._checked(name, password, sent, asker)

    async def _checked(self, name: str, password: str, sent: bytes, asker: _Address) -> User | None:
        user, began = self._users.by_name.get(name), _now()
        if await asyncio.get_running_loop().run_in_executor(_CHECKER, is_password_of, user, password):
            assert user is not None  # nobody has no password
            self._right[name] = (user.secret, sent)
            # It may have been removed meanwhile.
            return self._remembered(name, sent)
        asker.free_at = _now() + asker.wrong.wait(1, _now())
        await asyncio.sleep(min(LONGEST_PAUSE, PAUSE * (_now() - began)))
        return None

    def remember(self, user: User, password: str) -> None:
        """Spares the check of a password that was just made."""
        self._right[user.name] = (user.secret, self._digest(password))

    def _remembered(self, name: str, sent: bytes) -> User | None:
        user = self._users.by_name.get(name)
        secret, right = self._right.get(name, ("", b""))
        return user if user is not None and user.secret == secret and hmac.compare_digest(right, sent) else None

    def _digest(self, password: str) -> bytes:
        return hashlib.blake2b(password.encode("utf-8", "surrogatepass"), key=self._key).digest()

    def _address(self, address: str) -> _Address:
        found = self._addresses.setdefault(address, _Address(_now()))
        self._addresses.move_to_end(address)
        if len(self._addresses) > ADDRESSES:
            self._addresses.popitem(last=False)
        return found


def _now() -> float:
    return time.monotonic()
