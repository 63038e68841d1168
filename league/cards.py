"""A player's card: an id and a name, signed by the league, so that a node can check it without a network.

A card is one line of about 150 characters, for a QR code or as the text of an NFC tag: `oche-card-1:` and base64url of
16 bytes of the id, 2 bytes of the last day it counts, the name in UTF-8, and 64 bytes of the signature (Ed25519).
Whoever has the card is taken for its player: it names people for a ladder, and opens nothing.
"""

from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Container
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from engine.matchfile import MAX_NAME
from league.digests import is_line
from league.signatures import SIGNATURE_BYTES, is_signed, sign

PREFIX: Final = "oche-card-1:"
"""What a card begins with. It is signed in front of the bytes: no other signature of the league fits a card."""
FIRST_DAY: Final = date(2020, 1, 1)
LAST_DAY: Final = FIRST_DAY + timedelta(days=0xFFFF)
_ID_BYTES: Final = 16
_DAY_BYTES: Final = 2
_HEAD_BYTES: Final = _ID_BYTES + _DAY_BYTES
MOST_CHARACTERS: Final = len(PREFIX) + (_HEAD_BYTES + 4 * MAX_NAME + SIGNATURE_BYTES) * 4 // 3 + 2
"""Of a card with the longest name; a longer text is not read."""

CardReason = Literal["not_a_card", "bad_signature", "expired", "revoked"]


@dataclass(frozen=True, slots=True)
class Card:
    """A player of a league. `player` has 32 hexadecimal digits; `until` is the last day on which the card counts."""

    player: str
    name: str
    until: date


@dataclass(frozen=True, slots=True)
class CardRefusal:
    """Why a card is not taken, and what to do."""

    reason: CardReason
    message: str


def card_text(card: Card, private: bytes) -> str:
    """The signed text of a card. ValueError for an id, a name or a day that no card can have."""
    name = card.name.encode()
    if not _is_name(card.name) or not FIRST_DAY <= card.until <= LAST_DAY:
        raise ValueError(f"not a name and a day for a card: {card.name!r}, {card.until}")
    player = bytes.fromhex(card.player)
    if len(player) != _ID_BYTES:
        raise ValueError(f"not the id of a player: {card.player!r}")
    about = player + (card.until - FIRST_DAY).days.to_bytes(_DAY_BYTES, "big") + name
    signed = about + b64decode(sign(private, _signed_text(about)))
    return PREFIX + urlsafe_b64encode(signed).decode().rstrip("=")


def read_card(text: str, league: bytes, today: date, revoked: Container[str] = ()) -> Card | CardRefusal:
    """The card in a text, or why it is refused. Never raises.

    `league` is the league's public key. `revoked` has the ids of players whose cards were taken back or who are
    forgotten. The signature is checked before anything that the card says is believed.
    """
    body = text.strip()
    if not body.startswith(PREFIX) or len(body) > MOST_CHARACTERS or not body.isascii():
        return _NOT_A_CARD
    packed = body.removeprefix(PREFIX)
    try:
        signed = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    except ValueError:
        return _NOT_A_CARD
    about, written = signed[:-SIGNATURE_BYTES], signed[-SIGNATURE_BYTES:]
    # Base64 has several texts for the same bytes; one card has one text.
    if len(about) <= _HEAD_BYTES or urlsafe_b64encode(signed).decode().rstrip("=") != packed:
        return _NOT_A_CARD
    if not is_signed(league, _signed_text(about), b64encode(written).decode()):
        return CardRefusal("bad_signature", "The card is not one of this league, or was changed.")
    try:
        name = about[_HEAD_BYTES:].decode()
    except UnicodeDecodeError:
        return _NOT_A_CARD
    if not _is_name(name):
        return _NOT_A_CARD
    day = FIRST_DAY + timedelta(days=int.from_bytes(about[_ID_BYTES:_HEAD_BYTES], "big"))
    card = Card(about[:_ID_BYTES].hex(), name, day)
    if card.player in revoked:
        return CardRefusal("revoked", "The card does not count any more. Ask the league for another one.")
    if today > card.until:
        return CardRefusal("expired", f"The card counted until {card.until}. Ask the league for another one.")
    return card


_NOT_A_CARD: Final = CardRefusal("not_a_card", "This is not the card of a player.")


def _signed_text(about: bytes) -> bytes:
    return PREFIX.encode() + about


def _is_name(name: str) -> bool:
    return is_line(name, MAX_NAME) and name.strip() == name
