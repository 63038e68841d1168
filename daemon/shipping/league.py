"""What the hall tells its nodes of the players' cards, kept so that a card is checked without the hall."""

import asyncio
import json
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from daemon.people.league_cards import accept, shown_cards
from daemon.shipping.hall_client import HallAway, HallClient, HallRefused
from daemon.shipping.membership import FILE as MEMBERSHIP
from daemon.shipping.sent_file import SentFile
from engine import jsontext
from engine.refusals import Refusal
from league.cards import CardRefusal, read_card
from league.digests import is_player_id
from league.signatures import key_from_text

ASK_SECONDS: Final = 60.0
"""How often the hall is asked; a card that it revokes counts here for so long."""
AGAIN_SECONDS: Final = 5.0
"""How soon it is asked again if it does not answer; each time twice as long after that, up to `ASK_SECONDS`."""
_KEY: Final = "league"


@dataclass(frozen=True, slots=True)
class League:
    """The public key of a league, the players whose cards do not count any more, and those of them it has forgotten."""

    key: bytes
    revoked: frozenset[str]
    forgotten: frozenset[str]


async def keep_up(client: HallClient, sent: SentFile, waiting: Callable[[], int], draws: random.Random) -> None:
    """Asks the hall again and again, and keeps what it says, until it is cancelled. `waiting`: how many lines are still
    to be sent, for the list of nodes."""
    again = AGAIN_SECONDS
    while True:
        seconds = ASK_SECONDS
        try:
            await ask(client, sent, waiting())
            again = AGAIN_SECONDS
        except HallRefused:
            pass  # Another answer needs somebody to do something.
        except (HallAway, sqlite3.Error):
            seconds, again = again, min(2 * again, ASK_SECONDS)
        await asyncio.sleep(seconds * draws.uniform(0.5, 1.0))


async def ask(client: HallClient, sent: SentFile, waiting: int) -> None:
    """Asks the hall once. HallAway, HallRefused, sqlite3.Error."""
    sent.note(_KEY, jsontext.dump(await client.cards(waiting)))


def league_of(data: Path) -> League | None:
    """What the hall of this node has said last; None without a hall, and before it has said anything. sqlite3.Error."""
    sent = SentFile(data)
    if not (data / MEMBERSHIP).exists() or not sent.path.exists() or (text := sent.about(_KEY)) is None:
        return None
    value = json.loads(text)
    key = key_from_text(value.get("league"))
    if key is None:
        return None
    forgotten = _players(value.get("forgotten"))
    return League(key, forgotten | _players(value.get("revoked")) | sent.forgotten().keys(), forgotten)


def refused_matches(sent: SentFile) -> dict[str, str]:
    """The matches of this node that the rules of the hall refused after it had taken them, with the reason of each, as
    the hall has said last. sqlite3.Error."""
    value = json.loads(sent.about(_KEY) or "{}").get("refused")
    found = value.items() if isinstance(value, dict) else ()
    return {match: why for match, why in found if isinstance(why, str)}


def take_card(data: Path, text: str, today: date) -> str | Refusal:
    """The name at this node of the player of a league's card, who has it from now on. OSError, sqlite3.Error."""
    league = league_of(data)
    if league is None:
        return Refusal(
            "not_a_card", "This node cannot check the cards of a league: it is in no hall, or has just joined."
        )
    card = read_card(text, league.key, today, league.revoked)
    if isinstance(card, CardRefusal):
        return Refusal(card.reason, card.message)
    return accept(data, card.player, card.name, text.strip())


def to_forget(data: Path) -> list[str]:
    """The names at this node of players whom the league has forgotten. OSError, sqlite3.Error."""
    if not (shown := shown_cards(data)) or (league := league_of(data)) is None:
        return []
    return [one.name for one in shown if one.player in league.forgotten]


def _players(value: object) -> frozenset[str]:
    return frozenset(one for one in value if is_player_id(one)) if isinstance(value, list) else frozenset()
