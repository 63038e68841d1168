"""The card of a league at a running daemon: taken or refused over HTTP, gone when its player is forgotten."""

import json
from datetime import date
from typing import Any

from daemon.people.league_cards import shown_cards
from daemon.shipping.membership import FILE, Membership, save
from daemon.shipping.sent_file import SentFile
from league.cards import Card, card_text
from league.signatures import key_text, new_key, public_key
from tests.daemon.test_player_files import ask
from tests.daemon.test_player_files import daemon as daemon  # a fixture
from tests.rig import Daemon, until

ANN = Card("a" * 32, "Ann", date(2199, 1, 1))


def test_a_card_is_taken_refused_and_forgotten(daemon: Daemon) -> None:
    def asked(path: str, method: str = "GET", body: Any = None) -> tuple[int, Any]:
        status, text = ask(daemon, path, method, None if body is None else json.dumps(body).encode())
        return status, json.loads(text)

    def shown(text: str) -> tuple[int, str]:
        status, answer = asked("/card", "POST", {"card": text})
        return status, answer.get("player") or answer["reason"]

    key, sent = new_key(), SentFile(daemon.data)
    league = {"league": key_text(public_key(key)), "revoked": ["b" * 32], "forgotten": []}
    assert shown(card_text(ANN, key)) == (422, "not_a_card"), "in no hall"
    # As the node has them after it has joined and asked; its hall is away.
    save(daemon.data, Membership("http://localhost:9", "crown", new_key()))
    sent.note("league", json.dumps(league))
    assert shown(card_text(ANN, new_key())) == (422, "bad_signature")
    assert shown(card_text(Card("a" * 32, "Ann", date(2026, 1, 1)), key)) == (422, "expired")
    assert shown(card_text(Card("b" * 32, "Bob", ANN.until), key)) == (422, "revoked")
    assert shown_cards(daemon.data) == []
    assert shown(card_text(ANN, key)) == (200, "Ann")
    assert asked("/players/Ann/card") == (200, {"card": False, "league": True})
    assert asked("/players/Ann/card", "PUT", {})[0] == 200
    assert asked("/players/Ann/card") == (200, {"card": True, "league": True})

    sent.note("league", json.dumps(league | {"forgotten": ["a" * 32]}))
    until(lambda: asked("/players/Ann/card") == (200, {"card": False}), "Ann is forgotten here as well")
    assert shown(card_text(ANN, key)) == (422, "revoked")
    (daemon.data / FILE).unlink()
    assert shown(card_text(ANN, key)) == (422, "not_a_card")
