"""`oche doctor` and the hall that a node has joined."""

import errno
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from daemon.doctor.findings import Unseen
from daemon.doctor.hall_checks import hall
from daemon.doctor.machine import Machine
from daemon.shipping.membership import Membership, save
from daemon.shipping.sent_file import Sent, SentFile
from tests.install.doctor import Doctor, only

CHECKS = {"hall", "hall-away", "hall-match"}


def asked(folder: Path, data: Path) -> list[dict[str, Any]]:
    """What the doctor says of the hall."""
    _, troubles = Doctor(folder).ask("--data", str(data))
    return [trouble for trouble in troubles if trouble["check"] in CHECKS]


def test_a_node_in_no_hall_has_no_trouble_with_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    assert asked(tmp_path, tmp_path / "data") == []


@pytest.mark.parametrize(
    ("status", "check"),
    [
        ('{"state":"connected","waiting":0}', None),
        ('{"state":"away","waiting":7,"message":"No answer."}', "hall-away"),
        ('{"state":"refused","waiting":7,"message":"Shut out."}', "hall"),
    ],
)
def test_a_hall_that_takes_nothing_is_named_with_its_reason(tmp_path: Path, status: str, check: str | None) -> None:
    data = tmp_path / "data"
    data.mkdir()
    save(data, Membership("https://darts.example.org", "crown", b"1" * 32, "token"))
    sent = SentFile(data)
    sent.note("status", status)
    found = asked(tmp_path, data)
    assert [trouble["check"] for trouble in found] == ([] if check is None else [check])
    if check is not None:
        assert status.split('"')[-2] in only(found, check)["wrong"]
    sent.put("m", Sent("state", 1, "digest", "rules: The rules refuse line 5."))
    assert "refuse line 5" in only(asked(tmp_path, data), "hall-match")["wrong"]


def test_a_membership_that_cannot_be_read_is_trouble(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "hall.json").write_text("{")
    assert "hall.json" in only(asked(tmp_path, data), "hall")["wrong"]


def test_a_membership_that_this_user_may_not_read_is_no_trouble(tmp_path: Path) -> None:
    # A folder cannot be read as a file by root either.
    (tmp_path / "data" / "hall.json").mkdir(parents=True)
    assert asked(tmp_path, tmp_path / "data") == []


def test_who_may_not_read_the_membership_is_told_to_use_sudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> str:
        raise PermissionError(errno.EACCES, "Permission denied")

    # Root may read every file, and the tests can run as root.
    monkeypatch.setattr(Path, "read_text", refuse)
    machine = cast(Machine, SimpleNamespace(settings=SimpleNamespace(data=tmp_path)))
    (found,) = hall(machine)
    assert found == Unseen(f"you may not read {tmp_path / 'hall.json'}: sudo oche doctor.")


def test_a_node_that_has_sent_nothing_has_no_file_afterwards_either(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    save(data, Membership("https://darts.example.org", "crown", b"1" * 32, "token"))
    assert asked(tmp_path, data) == []
    assert not SentFile(data).path.exists()
