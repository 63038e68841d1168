"""Invitations: how long a code is valid, whom it lets in, and what is left of it afterwards."""

import asyncio
import json
import subprocess
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from daemon.history.match_import import read_match_file
from daemon.houses.invitations import CLOSED, FILE, KEPT, VALID, WRONG, Invitation, Invitations
from daemon.record.journal import Imported, Journal
from daemon.system.catalogue import faces, games
from engine.refusals import Refusal
from tests.rig import OCHE, oche

BEGUN = datetime(2026, 1, 1, 20, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def invitations(tmp_path: Path, clock: Clock) -> Invitations:
    return Invitations(tmp_path, clock)


def made(invitations: Invitations, *players: str) -> Invitation:
    """An invitation of the board lounge, whose last player is the guest."""
    names = players or ("Ann", "Bob")
    return invitations.make("lounge", "x01", names, {"start": 301}, names[-1:])


def refused(found: Invitation | Refusal) -> bool:
    return isinstance(found, Refusal) and found.reason == "not_invited"


def on_disk(folder: Path) -> list[str]:
    """The secrets in the file."""
    return [one["secret"] for one in json.loads((folder / FILE).read_text())]


def test_a_code_is_valid_until_it_expires(invitations: Invitations, clock: Clock) -> None:
    secret = made(invitations).secret
    clock.now = BEGUN + VALID - SECOND
    assert not refused(invitations.find("lounge", secret, "bob/lounge"))
    clock.now = BEGUN + VALID
    assert refused(invitations.find("lounge", secret, "bob/lounge"))


def test_an_expired_code_lets_back_in_whoever_used_it(invitations: Invitations, clock: Clock) -> None:
    found = made(invitations)
    invitations.use(found, "bob/lounge", "20260101-200000-aaaaaa")
    clock.now = BEGUN + 2 * VALID
    assert not refused(invitations.find("lounge", found.secret, "bob/lounge"))
    assert refused(invitations.find("lounge", found.secret, "eve/lounge"))


def test_a_code_is_of_one_board_and_one_house(invitations: Invitations) -> None:
    found = made(invitations)
    assert refused(invitations.find("kitchen", found.secret, "bob/lounge"))
    invitations.use(found, "bob/lounge")
    assert refused(invitations.find("lounge", found.secret, "eve/lounge"))
    invitations.use(found, None)
    assert not refused(invitations.find("lounge", found.secret, "eve/lounge"))


def test_wrong_codes_close_the_door_for_a_while_for_that_house_alone(invitations: Invitations, clock: Clock) -> None:
    secret = made(invitations).secret
    for _ in range(WRONG):
        invitations.find("lounge", "AAAAAAAA", "eve/lounge")
    clock.now = BEGUN + CLOSED - SECOND
    assert refused(invitations.find("lounge", secret, "eve/den"))
    assert not refused(invitations.find("lounge", secret, "bob/lounge"))
    clock.now = BEGUN + CLOSED
    assert not refused(invitations.find("lounge", secret, "eve/den"))


def test_what_has_expired_is_dropped_but_for_a_match_that_goes_on(
    tmp_path: Path, invitations: Invitations, clock: Clock
) -> None:
    over, going_on, unused = (made(invitations) for _ in range(3))
    invitations.use(over, "bob/lounge", "over")
    invitations.use(going_on, "bob/lounge", "going on")
    clock.now = BEGUN + VALID - SECOND
    invitations.drop_expired(lambda match: match == "over")
    assert on_disk(tmp_path) == [over.secret, going_on.secret, unused.secret]
    clock.now = BEGUN + VALID
    invitations.drop_expired(lambda match: match == "over")
    assert on_disk(tmp_path) == [going_on.secret]
    again = Invitations(tmp_path, clock)
    assert not refused(again.find("lounge", going_on.secret, "bob/lounge"))
    again.drop_expired(lambda _: True)
    assert on_disk(tmp_path) == []


def test_the_oldest_of_many_is_forgotten(tmp_path: Path, invitations: Invitations) -> None:
    secrets = [made(invitations).secret for _ in range(KEPT + 1)]
    assert on_disk(tmp_path) == secrets[1:]
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_invitations_that_name_a_forgotten_player_are_withdrawn(tmp_path: Path, invitations: Invitations) -> None:
    gone, kept = made(invitations, "Ann", "Zoë Quark"), made(invitations, "Ann", "Bob")
    assert invitations.names("Zoë Quark")
    invitations.forget("Zoë Quark")
    assert not invitations.names("Zoë Quark")
    assert refused(invitations.find("lounge", gone.secret, "bob/lounge"))
    assert on_disk(tmp_path) == [kept.secret]


def test_a_file_that_cannot_be_read_invites_nobody_and_keeps_no_name(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('[{"players": ["Zoë Quark"')
    found = Invitations(tmp_path)
    assert refused(found.find("lounge", "AAAAAAAA", "bob/lounge"))
    found.forget("Zoë Quark")
    assert on_disk(tmp_path) == []


@pytest.mark.parametrize("expires", [BEGUN.replace(tzinfo=None).isoformat(), "tomorrow", 7])
def test_a_time_that_cannot_be_read_is_in_no_invitation(tmp_path: Path, clock: Clock, expires: object) -> None:
    secret = made(Invitations(tmp_path, clock)).secret
    (one,) = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps([one | {"expires": expires}]))
    found = Invitations(tmp_path, clock)
    found.drop_expired(lambda _: True)
    assert refused(found.find("lounge", secret, "bob/lounge"))


def test_the_commands_forget_back_up_and_restore_invitations(tmp_path: Path) -> None:
    data, again, file = tmp_path / "data", tmp_path / "again", tmp_path / "oche.tar.gz"
    with closing(Journal(data)) as journal:
        header = json.dumps({"match": 1, "game": "x01", "players": ["Ann", "Bob"], "options": {}})
        read = read_match_file(f'{header}\n{{"throw":"MISS"}}'.encode(), games(), faces())
        assert isinstance(read, Imported)
        asyncio.run(journal.write(read))
    both = [made(Invitations(data), "Ann", "Zoë Quark").secret, made(Invitations(data), "Ann", "Bob").secret]
    for command, folder in (("backup", data), ("restore", again)):
        oche(command, "--data", str(folder), str(file))
    assert on_disk(again) == both
    assert (again / FILE).stat().st_mode & 0o777 == 0o600
    forget = [OCHE, "forget", "--data", str(again), "Zoë Quark"]
    subprocess.run(forget, check=True, capture_output=True)
    assert on_disk(again) == both[1:]
    assert subprocess.run(forget, check=False, capture_output=True).returncode == 1
