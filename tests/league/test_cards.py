"""A player's card is read as it was signed, or refused with a reason; whatever a scanner reads, nothing raises."""

from base64 import b64decode, urlsafe_b64encode
from datetime import date, timedelta

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from league.cards import FIRST_DAY, LAST_DAY, MOST_CHARACTERS, PREFIX, Card, CardRefusal, card_text, read_card
from league.signatures import new_key, public_key, sign

KEY = new_key()
LEAGUE = public_key(KEY)
TODAY = date(2026, 11, 23)
ANN = Card("0123456789abcdef" * 2, "Ann", TODAY + timedelta(days=365))

names = st.text(min_size=1, max_size=64).filter(lambda name: name.isprintable() and name.strip() == name)
cards = st.builds(
    Card, st.binary(min_size=16, max_size=16).map(bytes.hex), names, st.dates(min_value=TODAY, max_value=LAST_DAY)
)


def reason(text: str, league: bytes = LEAGUE, today: date = TODAY, revoked: tuple[str, ...] = ()) -> str:
    """Why a card is refused."""
    found = read_card(text, league, today, revoked)
    assert isinstance(found, CardRefusal)
    assert found.message
    return found.reason


@given(card=cards)
def test_a_card_is_read_as_it_was_signed(card: Card) -> None:
    text = card_text(card, KEY)
    assert read_card(f" {text}\n", LEAGUE, TODAY) == card
    assert len(text) <= MOST_CHARACTERS


@given(card=cards, data=st.data())
def test_a_changed_card_is_refused(card: Card, data: st.DataObject) -> None:
    text = card_text(card, KEY)
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="utf-8").filter(lambda letter: letter != text[place]))
    changed = text[:place] + letter + text[place + 1 :]
    if changed.strip() != text:
        assert isinstance(read_card(changed, LEAGUE, TODAY), CardRefusal)
    assert isinstance(read_card(text[:place], LEAGUE, TODAY), CardRefusal)


@given(text=st.one_of(st.text(), st.binary().map(lambda some: PREFIX + some.hex()), st.text().map(PREFIX.__add__)))
def test_no_text_raises(text: str) -> None:
    assert reason(text) in ("not_a_card", "bad_signature")


def test_a_card_says_why_it_does_not_count() -> None:
    text = card_text(ANN, KEY)
    assert reason(text, today=ANN.until + timedelta(days=1)) == "expired"
    assert read_card(text, LEAGUE, ANN.until) == ANN
    assert reason(text, revoked=(ANN.player,)) == "revoked"
    assert reason(text, league=public_key(new_key())) == "bad_signature"
    assert reason(text.removeprefix(PREFIX)) == "not_a_card"
    assert reason(text + "=") == "not_a_card"
    # What the league has signed for something else is no card.
    about = bytes.fromhex(ANN.player) + bytes(2) + b"Ann"
    signed = about + b64decode(sign(KEY, about))
    assert reason(PREFIX + urlsafe_b64encode(signed).decode().rstrip("=")) == "bad_signature"


@pytest.mark.parametrize(
    "card",
    [
        Card("ab", "Ann", TODAY),
        Card(ANN.player, "", TODAY),
        Card(ANN.player, " Ann", TODAY),
        Card(ANN.player, "A\nnn", TODAY),
        Card(ANN.player, "A" * 65, TODAY),
        Card(ANN.player, "Ann", FIRST_DAY - timedelta(days=1)),
        Card(ANN.player, "Ann", LAST_DAY + timedelta(days=1)),
    ],
)
def test_a_card_that_nobody_could_read_is_not_made(card: Card) -> None:
    with pytest.raises(ValueError, match="not "):
        card_text(card, KEY)


def test_a_card_fits_into_a_small_qr_code_and_a_small_nfc_tag() -> None:
    text = card_text(ANN, KEY)
    assert int(segno.make(text, micro=False, error="m").version) <= 8
    # An NTAG213 has 144 bytes for NDEF; a text record takes 9 of them, without its text.
    assert len(text) + 9 <= 144
