"""User names, passwords, codes, the file of users, and backups."""

import argparse
import fcntl
import json
import os
import socketserver
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.cli.backup import backup, restore
from daemon.main import main
from daemon.people.access import (
    PAIRED_ROLES,
    ROLES,
    User,
    access_list,
    is_password,
    is_user_name,
    secret_of,
    speaks_for,
    user_of,
)
from daemon.people.pairing import Pairing
from daemon.people.users import FILE, Users, UsersError, change, load, save
from daemon.record.journal import Journal
from engine.refusals import Refusal


@given(st.text(min_size=1, max_size=64))
def test_every_player_has_a_user_name(player: str) -> None:
    assert is_user_name(user_of(player))


@pytest.mark.parametrize(
    ("player", "user"), [("Ann", "ann"), ("Jürgen K.", "jurgen-k"), ("  x  ", "x"), ("180", "u-"), ("李", "u-")]
)
def test_names_in_plain_letters(player: str, user: str) -> None:
    assert user_of(player).startswith(user)


def test_players_with_the_same_user_name_have_no_user() -> None:
    assert speaks_for("ann", ["Ann", "ANN", "Bob"]) is None
    assert speaks_for("bob", ["Ann", "ANN", "Bob"]) == "Bob"
    assert speaks_for("ANN", ["Ann", "ANN"]) == "ANN", "an exact name is unambiguous"
    assert speaks_for("ann", ["Ann", "ann"]) is None, "the user may be either of them"
    assert speaks_for("eve", ["Ann"]) is None


@given(st.text(max_size=40), st.text(max_size=40), st.binary(min_size=12, max_size=12))
def test_only_the_password_is_accepted(password: str, other: str, salt: bytes) -> None:
    user = User("ann", "player", secret_of(password, salt))
    assert is_password(user, other) == (password == other)


@pytest.mark.parametrize("secret", ["", "$7$1$x$y", "$7$many$AAAA$AAAA", "$6$1$AAAA$AAAA", "$7$0$AAAA$AAAA", "plain"])
def test_a_damaged_secret_matches_no_password(secret: str) -> None:
    assert not is_password(User("ann", "player", secret), "plain")


def test_no_rule_precedes_the_first_user() -> None:
    lines = access_list("test", [User(role, role, "") for role in ROLES]).splitlines()
    before = lines[: next(at for at, line in enumerate(lines) if line.startswith("user"))]
    assert not [line for line in before if line.strip() and not line.startswith("#")]


def test_pairing_closes_after_ten_wrong_codes_and_opens_again() -> None:
    now = [0.0]
    pairing = Pairing(lambda: now[0])
    right = pairing.codes["player"]
    assert pairing.claim(right) == "player"
    for _ in range(10):
        assert isinstance(pairing.claim("no"), Refusal)
    assert isinstance(pairing.claim(right), Refusal)
    now[0] = 600.0
    assert pairing.claim(right) == "player"


def test_codes_are_distinct() -> None:
    drawn = iter(["1", "1", "2", "2", "3", "3", "4"])
    pairing = Pairing(lambda: 0.0, lambda: next(drawn))
    assert sorted(pairing.codes.values()) == ["1", "2", "3"]
    pairing.used("player")
    assert len(set(pairing.codes.values())) == len(PAIRED_ROLES)


def test_a_valid_code_does_not_reset_the_count_of_wrong_ones() -> None:
    pairing = Pairing(lambda: 0.0)
    for _ in range(2):
        for _ in range(9):
            pairing.claim("no")
        pairing.used("player")
    assert isinstance(pairing.claim(pairing.codes["referee"]), Refusal)


def test_users_are_saved_and_loaded(tmp_path: Path) -> None:
    users = {name: User(name, "player", secret_of(name, b"salt" * 3)) for name in ("ann", "bob")}
    save(tmp_path, users)
    assert load(tmp_path) == users
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


SECRETS = (
    "x",
    "\ud83c",
    "$7$99999999999$AAAA$AAAA",
    "$7$1$AAAA$AAAA\r",
    "$7$1$AAAA$AAAA\nbob:",
    "$6$1$AAAA$AAAA",
    "$7$1$\u00e4$AAAA",
)


def _secret(text: str) -> bytes:
    return json.dumps([{"name": "eve", "role": "referee", "secret": text}]).encode()


@pytest.mark.parametrize("text", SECRETS)
def test_an_invalid_secret_is_refused(tmp_path: Path, text: str) -> None:
    """The broker would not start with it, or would not load the next change."""
    (tmp_path / FILE).write_bytes(_secret(text))
    with pytest.raises(UsersError, match="invalid user"):
        load(tmp_path)


@given(
    st.one_of(
        st.binary(max_size=60),
        st.sampled_from([b"{}", b"[1]", b'[{"name": "1"}]', b"[" * 5000, *(_secret(text) for text in SECRETS)]),
    )
)
def test_a_damaged_file_is_reported_and_adds_no_user(tmp_path_factory: pytest.TempPathFactory, text: bytes) -> None:
    folder = tmp_path_factory.mktemp("users")
    ann = User("ann", "player", "$7$1$AAAA$AAAA")
    save(folder, {"ann": ann})
    users = Users(folder)
    (folder / FILE).write_bytes(text)
    try:
        load(folder)
    except UsersError as error:
        assert FILE in str(error)
    users.reload()
    assert set(users.by_name) <= {"ann"}


def test_a_change_of_the_file_is_noticed(tmp_path: Path) -> None:
    users = Users(tmp_path)
    told: list[int] = []
    users.on_change(lambda: told.append(len(users.by_name)))
    users.reload()
    save(tmp_path, {"ann": User("ann", "player", "$7$1$AAAA$AAAA")})
    users.reload()
    users.add(User("tv", "display", "$7$1$AAAA$AAAA"))
    users.reload()
    assert told == [1, 2]


def test_concurrent_changes_lose_nothing(tmp_path: Path) -> None:
    def add_users(part: int) -> None:
        for n in range(10):
            user = User(f"u-{part}-{n}", "player", "$7$1$AAAA$AAAA")
            change(tmp_path, lambda users, user=user: users | {user.name: user})  # type: ignore[misc]

    threads = [Thread(target=add_users, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(load(tmp_path)) == 40


def test_a_failed_callback_is_repeated(tmp_path: Path) -> None:
    users = Users(tmp_path)
    told: list[int] = []

    def full() -> None:
        raise OSError(28, "No space left on device")

    users.on_change(full)
    save(tmp_path, {"ann": User("ann", "player", "$7$1$AAAA$AAAA")})
    users.reload()
    users.add(User("bob", "player", "$7$1$AAAA$AAAA"))
    users.on_change(lambda: told.append(len(users.by_name)))
    users.reload()
    users.reload()
    assert told == [2]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_files_that_root_writes_get_the_owner_of_the_folder(tmp_path: Path) -> None:
    data, again = tmp_path / "data", tmp_path / "again"
    Journal(data).close()
    again.mkdir()
    for folder in (data, again):
        os.chown(folder, 1234, 1234)
    assert main(["access", "add", "ann", "--role", "player", "--generate", "--data", str(data)]) == 0
    (data / "boards").mkdir()
    (data / "boards" / "mine.toml").write_text("x = 1")
    assert backup(argparse.Namespace(data=data, file=tmp_path / "b.tar.gz")) == 0
    assert restore(argparse.Namespace(data=again, file=tmp_path / "b.tar.gz")) == 0
    assert (data / FILE).stat().st_uid == 1234
    assert {path.stat().st_uid for path in again.rglob("*")} == {1234}


def test_an_unwritable_folder_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["access", "add", "ann", "--role", "player", "--generate", "--data", str(tmp_path / "file" / "x")]) == 1
    assert "cannot be" in capsys.readouterr().err


def test_access_at_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--data", str(tmp_path)]
    assert main(["access", "add", "ann", "--role", "player", "--generate", *data]) == 0
    assert is_password(load(tmp_path)["ann"], capsys.readouterr().out.strip())
    assert main(["access", "add", "ann", "--role", "player", "--generate", *data]) == 1
    assert main(["access", "add", "7", "--role", "player", "--generate", *data]) == 2
    assert main(["access", "list", *data]) == 0
    assert capsys.readouterr().out == "ann  player\n"
    assert main(["access", "remove", "ann", *data]) == 0
    assert main(["access", "remove", "ann", *data]) == 1
    assert load(tmp_path) == {}


def test_the_guide_can_be_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Runs every command of the page that ends by itself."""
    text = (Path(__file__).parent.parent.parent / "docs" / "access.md").read_text()
    lines = [line for block in text.split("```")[1::2] for line in block.splitlines() if line.startswith("oche ")]
    data = tmp_path / "data"
    Journal(data).close()
    save(data, {"ann": User("ann", "player", "$7$1$AAAA$AAAA")})
    ran = []
    for line in lines:
        words = [word.replace("/etc/oche", str(tmp_path)) for word in line.split()[1:]]
        words = [str(tmp_path / word) if word.endswith(".tar.gz") else word for word in words]
        if words[0] == "run" or words[:2] == ["access", "code"]:
            continue
        if words[0] == "restore":
            words[-1] = str(tmp_path / "again")
        else:
            words += ["--data", str(data)]
        assert main(words) == 0, capsys.readouterr().err
        ran.append(words[0])
    assert ran == ["access", "access", "access", "broker-config", "broker-config", "backup", "restore"]


class _Answer(socketserver.BaseRequestHandler):
    text = b""

    def handle(self) -> None:
        self.request.recv(1000)
        self.request.sendall(self.text)


@pytest.mark.parametrize(
    "text",
    [b"\x20\x02\x00\x05", b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", b"HTTP/1.1 200 OK\r\n\r\n[1]"],
    ids=["no HTTP", "nothing", "no codes", "a list"],
)
def test_the_code_command_reports_another_server(
    text: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setattr(_Answer, "text", text)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Answer) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        assert main(["access", "code", "--http", f"127.0.0.1:{server.server_address[1]}"]) == 1
        server.shutdown()
    assert "No daemon answers" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["nonsense", "local host:80", "localhost:port", ":80"])
def test_the_code_command_refuses_an_invalid_address(address: str) -> None:
    assert main(["access", "code", "--http", address]) == 2


def test_a_program_that_holds_the_file_does_not_hold_the_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daemon handles no dart while it waits, and could not be stopped."""
    monkeypatch.setattr("daemon.people.users.LOCK_SECONDS", 0.05)
    held = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with pytest.raises(UsersError, match="in use by another program"):
        change(tmp_path, lambda users: users)
    os.close(held)
    assert change(tmp_path, lambda users: users) == {}
