"""Checks passwords for the web server and for the clients that it passes on to the broker, and slows down guessing.

A valid password is remembered until the daemon ends and costs nothing afterwards. All others are checked in one thread,
one at a time, and one at a time for each address. A wrong one is followed by a pause, so guesses take at most a tenth
of one core, however many clients guess. An unknown name costs as much as a known one and gets the same answer.

Not chosen: refusing an address after some wrong guesses. Clients behind one proxy share an address, and one phone with
an old password would lock all of them out.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from daemon.network.fair_turns import RateLimit
from daemon.people.access import User, is_password_of
from daemon.people.users import Users

_CHECKER: Final = ThreadPoolExecutor(1, "passwords")
"""A thread of its own: a check keeps one core busy, and must not delay the threads that open boards."""
PAUSE: Final = 9
"""The pause after a wrong password, in multiples of the duration of its check."""
MAX_PAUSE: Final = 0.5
"""Seconds. On a busy machine a check takes long because of other processes."""
WRONG_BURST: Final = 10
"""Wrong passwords that an address may send before it has to wait."""
WRONG_PER_SECOND: Final = 0.5
"""Wrong passwords of an address that are checked afterwards."""
MAX_ADDRESSES: Final = 1024
"""Addresses whose wrong passwords are counted; beyond it the least recently used one is forgotten."""


class _Address:
    """An address that has sent passwords. They are checked one by one, the next not before `free_at`."""

    def __init__(self, now: float) -> None:
        self.turn = asyncio.Lock()
        self.wrong = RateLimit(now, WRONG_PER_SECOND, WRONG_BURST)
        self.free_at = now


class Passwords:
    """Checks names and passwords against the users, with the valid ones cached."""

    def __init__(self, users: Users) -> None:
        self._users = users
        self._key = secrets.token_bytes(32)
        self._valid: dict[str, tuple[str, bytes]] = {}
        self._addresses: OrderedDict[str, _Address] = OrderedDict()
        self._check = asyncio.Lock()

    async def check(self, name: str, password: str, address: str) -> User | None:
        """The user with this name and password; `None` if they are wrong.

        Waits after wrong ones from this address, or from any: callers bound the time.
        """
        digest = self._digest(password)
        if (user := self._remembered(name, digest)) is not None:
            return user
        client = self._address(address)
        async with client.turn:
            await asyncio.sleep(max(0.0, client.free_at - _now()))
            async with self._check:
                return await self._checked(name, password, digest, client)

    async def _checked(self, name: str, password: str, digest: bytes, client: _Address) -> User | None:
        user, started = self._users.by_name.get(name), _now()
        if await asyncio.get_running_loop().run_in_executor(_CHECKER, is_password_of, user, password):
            assert user is not None  # without a user no password is valid
            self._valid[name] = (user.secret, digest)
            # The user may have been removed meanwhile.
            return self._remembered(name, digest)
        client.free_at = _now() + client.wrong.wait(1, _now())
        await asyncio.sleep(min(MAX_PAUSE, PAUSE * (_now() - started)))
        return None

    def remember(self, user: User, password: str) -> None:
        """Caches a password that was just generated."""
        self._valid[user.name] = (user.secret, self._digest(password))

    def _remembered(self, name: str, digest: bytes) -> User | None:
        user = self._users.by_name.get(name)
        secret, valid = self._valid.get(name, ("", b""))
        return user if user is not None and user.secret == secret and hmac.compare_digest(valid, digest) else None

    def _digest(self, password: str) -> bytes:
        return hashlib.blake2b(password.encode("utf-8", "surrogatepass"), key=self._key).digest()

    def _address(self, address: str) -> _Address:
        found = self._addresses.setdefault(address, _Address(_now()))
        self._addresses.move_to_end(address)
        if len(self._addresses) > MAX_ADDRESSES:
            self._addresses.popitem(last=False)
        return found


def _now() -> float:
    return time.monotonic()
