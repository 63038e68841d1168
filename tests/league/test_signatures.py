"""What a node signs: a signature fits its text and key alone, and a match has the same text without its names."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.match import Header
from league.digests import MatchRecord, Seat, digest_of, record_from_json, seat_from_json
from league.nameless import is_seat_name, nameless_action, nameless_header
from league.signatures import is_signed, key_from_text, key_text, new_key, public_key, sign

RECORD = MatchRecord("crown", "m-1", 1, digest_of("x\n"), "2026-01-01T19:30:00Z", "2026-01-01T19:50:00Z")
NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=8)


def test_a_signature_fits_no_other_record_and_no_other_key() -> None:
    key = new_key()
    signature = sign(key, RECORD.signed_text())
    assert is_signed(public_key(key), RECORD.signed_text(), signature)
    changes: list[dict[str, Any]] = [
        {"node": "swan"},
        {"match": "m-2"},
        {"edition": 2},
        {"digest": digest_of("y\n")},
        {"started": "2"},
        {"ended": "3"},
    ]
    for change in changes:
        assert not is_signed(public_key(key), replace(RECORD, **change).signed_text(), signature)
    assert not is_signed(public_key(new_key()), RECORD.signed_text(), signature)
    for wrong in ("", "AAAA", "no base64", signature[:-4], signature + "AAAA"):
        assert not is_signed(public_key(key), RECORD.signed_text(), wrong)


def test_the_signature_of_a_seat_fits_no_match() -> None:
    seat = Seat(1, "Ann", "a" * 32)
    assert seat.signed_text("crown", "m-1") != replace(seat, seat=2).signed_text("crown", "m-1")
    assert seat.signed_text("crown", "m-1") != seat.signed_text("crown", "m-2")
    assert not seat.signed_text("crown", "m-1").startswith(RECORD.signed_text()[:12])


def test_keys_are_read_as_they_are_written() -> None:
    key = public_key(new_key())
    assert key_from_text(key_text(key)) == key
    assert [key_from_text(text) for text in ("", "AAAA", None, 7, "é")] == [None] * 5


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=70),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(changed=st.dictionaries(st.sampled_from(sorted(RECORD.to_json())), json_values, max_size=2))
def test_a_record_is_read_as_it_is_written_or_not_at_all(changed: dict[str, Any]) -> None:
    assert record_from_json(RECORD.to_json()) == RECORD
    found = record_from_json(RECORD.to_json() | changed)
    assert found is None or found.to_json() == RECORD.to_json() | changed
    # No line break can move text from one field into the next.
    assert found is None or found.signed_text().count(b"\n") == 7


@given(changed=st.dictionaries(st.sampled_from(("seat", "name", "player", "bot")), json_values, max_size=2))
def test_a_seat_is_read_as_it_is_written_or_not_at_all(changed: dict[str, Any]) -> None:
    for seat in (Seat(1, "Ann", "a" * 32), Seat(2, "Bot", None, 25.0)):
        assert seat_from_json(seat.to_json()) == seat
        found = seat_from_json(seat.to_json() | changed)
        assert found is None or found.signed_text("n", "m").count(b"\n") == 7


def test_a_seat_is_of_a_player_or_of_a_bot() -> None:
    wrong: list[dict[str, Any]] = [
        {},
        {"bot": None},
        {"bot": True},
        {"player": "a" * 32, "bot": 25.0},
        {"bot": -1.0},
        {"bot": "25"},
    ]
    for about in wrong:
        assert seat_from_json({"seat": 1, "name": "Ann"} | about) is None, about


@settings(max_examples=50)
@given(names=st.lists(NAMES | st.sampled_from(["Player 1", "Player 2"]), min_size=2, max_size=4, unique=True))
def test_a_match_has_the_same_text_whatever_its_players_are_called(names: list[str]) -> None:
    def text(players: list[str]) -> list[dict[str, Any]]:
        legs = ["choice", {"game": "x01", "options": {"handicap": {players[1]: 301}}}]
        header = Header("x01", tuple(players), {"handicap": {players[0]: 301}, "legs": legs}, 2, ("a", "b"))
        actions: list[dict[str, Any]] = [
            {"throw": "T20", "by": players[0].lower(), "at_ms": 5},
            {"first": players[1]},
            {"defend": {"by": players[0]}},
            {"combat": {"zone": "kamchatka", "against": players[1]}},
        ]
        return [nameless_header(header), *(nameless_action(action, header) for action in actions)]

    assert text(names) == text([f"Somebody {n}" for n in range(len(names))])
    seats = nameless_header(Header("x01", tuple(names), {}))["players"]
    assert all(is_seat_name(name) for name in seats)


def test_options_have_the_same_words_whatever_the_players_are_called() -> None:
    options = {
        "in": "double",
        "best_of": {"legs": 5},
        "points": {"leg": 1, "match": 2},
        "targets": [20, "bull"],
        "legs": ["choice", {"game": "x01", "options": {"start": 301, "out": "double", "handicap": {"start": 401}}}],
        "handicap": {"legs": 501, "double": 301},
    }
    players = ("double", "legs", "leg", "bull", "choice", "x01", "start", "options")
    found = nameless_header(Header("x01", players, options))["options"]
    leg = {"game": "x01", "options": {"start": 301, "out": "double", "handicap": {"Player 7": 401}}}
    assert found == options | {"legs": ["choice", leg], "handicap": {"Player 2": 501, "Player 1": 301}}
