"""Cards of players: made, shown, replaced, revoked, kept in a backup, and forgotten with the player."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.people import cards
from daemon.people.cards import CARD, files_of, make, player_of, revoke
from engine.refusals import Refusal
from tests.daemon.test_player_files import ask
from tests.daemon.test_player_files import daemon as daemon  # a fixture
from tests.rig import Daemon, oche, until


def made(data: Path, player: str) -> str:
    card = make(data, player)
    assert isinstance(card, str) and CARD.fullmatch(card), card
    return card


def test_a_card_is_its_player_until_there_is_another(tmp_path: Path) -> None:
    ann, bob = made(tmp_path, "Ann"), made(tmp_path, "Bob")
    assert (player_of(tmp_path, ann), player_of(tmp_path, bob)) == ("Ann", "Bob")
    again = made(tmp_path, "Ann")
    assert (player_of(tmp_path, ann), player_of(tmp_path, again)) == (None, "Ann")
    assert len(files_of(tmp_path, "Ann")) == 1
    assert revoke(tmp_path, "Ann") == [] == revoke(tmp_path, "Ann")
    assert (player_of(tmp_path, again), player_of(tmp_path, bob)) == (None, "Bob")


def test_no_file_has_a_card_that_works(tmp_path: Path) -> None:
    card = made(tmp_path, "Ann")
    [path] = files_of(tmp_path, "Ann")
    assert json.loads(path.read_bytes()) == {"player": "Ann"}
    assert card[2:] not in path.name
    assert path.stat().st_mode & 0o077 == 0


@given(st.text(max_size=40) | st.sampled_from(["1.", "2.AAAAAAAAAAAAAAAAAAAAAA", "1.../../../../users.jso"]))
def test_no_text_is_a_card_that_nobody_made(text: str) -> None:
    assert player_of(Path("/nonexistent"), text) is None


def test_cards_are_bounded_and_damage_is_no_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "MOST", 2)
    first = made(tmp_path, "Ann")
    made(tmp_path, "Bob")
    assert isinstance(make(tmp_path, "Cleo"), Refusal)
    again = made(tmp_path, "Ann")
    [path] = files_of(tmp_path, "Ann")
    path.write_text("{")
    assert player_of(tmp_path, first) is player_of(tmp_path, again) is None


def test_cards_over_http(daemon: Daemon, tmp_path: Path) -> None:
    def asked(path: str, method: str = "GET", body: Any = None) -> tuple[int, Any]:
        status, text = ask(daemon, path, method, None if body is None else json.dumps(body).encode())
        return status, json.loads(text)

    assert asked("/players/Ann%20B/card") == (200, {"card": False})
    status, told = asked("/players/Ann%20B/card", "PUT", {})
    assert status == 200
    card = told["card"]
    assert asked("/players/Ann%20B/card") == (200, {"card": True})
    assert asked("/card", "POST", {"card": card}) == (200, {"player": "Ann B"})
    assert asked("/card", "POST", {"card": card[:-1]})[0] == 404
    not_cards: list[Any] = [{}, [], {"card": 1}]
    for wrong in not_cards:
        assert asked("/card", "POST", wrong)[0] == 400
    assert asked("/players/" + "a" * 65 + "/card", "PUT", {})[0] == 422
    assert ask(daemon, "/card", "POST", b"{}", Origin="http://evil.example")[0] == 403

    until((daemon.data / "oche.db").is_file, "the journal")
    file, restored = tmp_path / "backup.tar.gz", tmp_path / "restored"
    for command in (["backup", str(file), "--data", str(daemon.data)], ["restore", str(file), "--data", str(restored)]):
        oche(*command)
    assert player_of(restored, card) == "Ann B"
    oche("forget", "Ann B", "--data", str(restored))
    assert files_of(restored, "Ann B") == []

    assert asked("/players/Ann%20B", "DELETE")[0] == 200
    assert asked("/card", "POST", {"card": card})[0] == 404
    assert asked("/players/Ann%20B", "DELETE")[0] == 404
    assert asked("/players/Ann%20B/card", "PUT", {})[0] == 200
    assert asked("/players/Ann%20B/card", "DELETE") == (200, {"ok": True})
    assert asked("/players/Ann%20B/card") == (200, {"card": False})
