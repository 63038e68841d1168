"""Passwords: valid ones are remembered, wrong ones slow down their sender, and unknown names cost the same."""

import asyncio
import hashlib
import secrets
from pathlib import Path

import pytest

from daemon.people.access import GENERATED_ROUNDS, ROUNDS, User, is_password_of, secret_of
from daemon.people.users import Users, change, save
from daemon.web import passwords as module
from daemon.web.passwords import PAUSE, WRONG_BURST, WRONG_PER_SECOND, Passwords

ANNS, EVES = "192.0.2.1", "192.0.2.2"


def _user(name: str, password: str, rounds: int) -> User:
    return User(name, "player", secret_of(password, secrets.token_bytes(12), rounds))


@pytest.fixture
def users(tmp_path: Path) -> Users:
    save(tmp_path, {"ann": _user("ann", "typed", ROUNDS), "bob": _user("bob", "drawn", GENERATED_ROUNDS)})
    return Users(tmp_path)


def test_only_a_valid_password_gives_the_user(users: Users) -> None:
    async def run() -> list[User | None]:
        passwords = Passwords(users)
        asked = [("ann", "typed"), ("ann", "drawn"), ("bob", "drawn"), ("eve", "typed"), ("ann", "typed"), ("", "")]
        return [await passwords.check(name, password, ANNS) for name, password in asked]

    ann, bob = users.by_name["ann"], users.by_name["bob"]
    assert asyncio.run(run()) == [ann, None, bob, None, ann, None]


def test_a_remembered_password_does_not_wait_for_guesses(users: Users) -> None:
    async def run() -> None:
        passwords = Passwords(users)
        assert await passwords.check("ann", "typed", EVES) is not None
        guesses = [asyncio.create_task(passwords.check("ann", f"wrong {n}", EVES)) for n in range(50)]
        await asyncio.sleep(0)
        assert await passwords.check("ann", "typed", EVES) is not None
        assert not any(guess.done() for guess in guesses)
        for guess in guesses:
            guess.cancel()
        await asyncio.gather(*guesses, return_exceptions=True)

    asyncio.run(run())


def test_an_address_waits_for_at_most_one_guess_of_another(users: Users) -> None:
    async def run() -> int:
        passwords = Passwords(users)
        guesses = [asyncio.create_task(passwords.check("bob", f"wrong {n}", EVES)) for n in range(2 * WRONG_BURST)]
        await asyncio.sleep(0)
        assert await passwords.check("ann", "typed", ANNS) is not None
        done = sum(guess.done() for guess in guesses)
        for guess in guesses:
            guess.cancel()
        await asyncio.gather(*guesses, return_exceptions=True)
        return done

    assert asyncio.run(run()) <= 1


def test_guesses_are_slowed(users: Users, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause follows each wrong one, and an address that goes on waits for a rate. Counted on a clock of the test."""
    tick, now = 0.01, 0.0
    waited: list[float] = []

    def clock() -> float:
        nonlocal now
        now += tick
        return now

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        waited.append(seconds)

    monkeypatch.setattr(module, "_now", clock)
    monkeypatch.setattr(asyncio, "sleep", sleep)

    async def run() -> None:
        passwords = Passwords(users)
        for n in range(2 * WRONG_BURST):
            assert await passwords.check("bob", f"wrong {n}", EVES) is None

    asyncio.run(run())
    assert sum(seconds > PAUSE * tick / 2 for seconds in waited) >= 2 * WRONG_BURST
    assert now >= WRONG_BURST / WRONG_PER_SECOND * 0.9


def test_a_removed_user_is_not_remembered(users: Users, tmp_path: Path) -> None:
    async def run() -> None:
        passwords = Passwords(users)
        assert await passwords.check("ann", "typed", ANNS) is not None
        passwords.remember(users.by_name["bob"], "drawn")
        change(tmp_path, lambda known: known | {"ann": _user("ann", "another", 1)})
        users.reload()
        assert await passwords.check("ann", "typed", ANNS) is None
        assert await passwords.check("ann", "another", ANNS) is not None
        change(tmp_path, lambda _: {})
        users.reload()
        assert await passwords.check("ann", "another", ANNS) is None
        assert await passwords.check("bob", "drawn", ANNS) is None

    asyncio.run(run())


@pytest.mark.parametrize("name", ["ann", "bob", "nobody"])
def test_a_wrong_password_costs_the_same_for_every_name(
    users: Users, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    done: list[int] = []
    real = hashlib.pbkdf2_hmac

    def counted(kind: str, password: bytes, salt: bytes, rounds: int, size: int | None = None) -> bytes:
        done.append(rounds)
        return real(kind, password, salt, rounds, size)

    monkeypatch.setattr(hashlib, "pbkdf2_hmac", counted)
    assert not is_password_of(users.by_name.get(name), "wrong")
    assert sum(done) == ROUNDS
