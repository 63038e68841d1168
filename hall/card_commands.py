"""`oche hall card`: makes, renews, revokes and lists the cards of a league's players."""

import asyncio
import sys
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

import segno

from engine import jsontext
from hall import cards
from hall.database import DatabaseError, opened
from league.cards import Card

VALID: Final = timedelta(days=730)
"""How long a card counts unless the league says until when."""


@dataclass(frozen=True, slots=True)
class Paper:
    """How a card is given: until which day it counts, and the file for its QR code, if it is wanted as one."""

    until: date | None = None
    svg: Path | None = None

    def last_day(self) -> date:
        """The last day on which the card counts."""
        return self.until or datetime.now().astimezone().date() + VALID


def make(url: str, name: str, paper: Paper) -> None:
    """Makes and prints the card of a new player.

    DatabaseError for a name or a day that no card can have, and before a card is made whose file cannot be written: the
    next attempt would make another person of the same name.
    """

    async def work() -> tuple[Card, str]:
        async with opened(url) as db:
            return await cards.make(db, name, paper.last_day())

    _check_picture(paper)
    try:
        card, text = asyncio.run(work())
    except ValueError as error:
        raise _impossible(name, paper) from error
    _give(card, text, paper)


def renew(url: str, player: str, paper: Paper) -> None:
    """Prints the card of a player again. DatabaseError for a player without one."""

    async def work() -> tuple[Card, str] | None:
        async with opened(url) as db:
            return await cards.renew(db, player, paper.last_day())

    try:
        made = asyncio.run(work())
    except ValueError as error:
        raise _impossible(player, paper) from error
    if made is None:
        raise DatabaseError(f"No card has the id {player}, or it was revoked; `oche hall card` lists them.")
    _give(*made, paper)


def revoke(url: str, player: str) -> None:
    """Takes a card back. DatabaseError for a player without one."""

    async def work() -> bool:
        async with opened(url) as db:
            return await cards.revoke(db, player)

    if not asyncio.run(work()):
        raise DatabaseError(f"No card has the id {player}; `oche hall card` lists them.")
    print("The card is revoked. Each node refuses it within a minute, or a minute after it has its connection again.")


def list_all(url: str, *, as_json: bool) -> None:
    """Prints every card: its id, the player's name, its last day, and how many matches the player has."""

    async def work() -> list[cards.Listed]:
        async with opened(url) as db:
            return await cards.listed(db)

    for card in asyncio.run(work()):
        about = {"player": card.player, "name": card.name, "until": card.until.isoformat(), "matches": card.matches}
        if as_json:
            print(jsontext.dump(about | ({"revoked": True} if card.revoked else {})))
        else:
            state = "revoked" if card.revoked else f"until {card.until}"
            print(f"{card.player}  {card.name}, {state}, {card.matches} matches")


def _impossible(name: str, paper: Paper) -> DatabaseError:
    return DatabaseError(
        f"{name!r} until {paper.last_day()} cannot be on a card. A name has 1 to 64 characters and no spaces at "
        "its ends; the last day is between 2020 and 2199."
    )


def _check_picture(paper: Paper) -> None:
    """DatabaseError if the file for the QR code cannot be written. Leaves no file that was not there."""
    if paper.svg is None:
        return
    try:
        is_there = paper.svg.exists()  # A folder that may not be entered fails here.
        paper.svg.open("ab").close()
    except OSError as error:
        raise DatabaseError(f"{paper.svg} cannot be written: {error.strerror}. No card was made.") from error
    if not is_there:
        paper.svg.unlink()


def _give(card: Card, text: str, paper: Paper) -> None:
    """Prints the text, and shows its QR code: in a file, or where a terminal can show it.

    The text comes first: a card that was made exists, also if the disk has no room for the file.
    """
    print(text)
    code = segno.make(text, error="m")
    if paper.svg is not None:
        try:
            code.save(str(paper.svg), kind="svg", scale=4)
        except OSError as error:
            raise DatabaseError(
                f"{paper.svg} cannot be written: {error.strerror}. The card is made, as printed above; "
                f"`oche hall card --again {card.player}` prints it again."
            ) from error
    if paper.svg is None and sys.stdout.isatty():
        code.terminal(compact=True)
    print(
        f"{card.name} shows this QR code, or types its text, at every node of the league, until {card.until}. "
        f"Their id is {card.player}.",
        file=sys.stderr,
    )
