"""The cards of a league that were shown at this node: each makes a name here the name of one person at all nodes.

They are kept beside the node's own cards, so they are listed, backed up, revoked and forgotten like those. The text of
the card is in the file: it shows the hall that the node has seen the card.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.people import cards
from daemon.system.secure_files import give_to_owner, write_secret
from engine.matchfile import MAX_NAME
from engine.refusals import Refusal

MOST_NAMESAKES: Final = 100
"""How many players with cards can have one name at a node. The second one is called `Ann 2`."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A card that was shown: the name of its player at this node, their id at all nodes, and the text of the card."""

    name: str
    player: str
    text: str


def accept(data: Path, player: str, name: str, text: str) -> str | Refusal:
    """Keeps a card that was checked. Returns the name of its player at this node: the one before, if they have one.

    `player` is the id on the card, `name` its name. OSError if it cannot be written.
    """
    known = {shown.player: shown for shown in shown_cards(data)}
    if player in known:
        here = known[player].name
    else:
        if len(cards.files(data)) >= cards.MOST:
            return Refusal("not_allowed", f"{cards.MOST} players have cards here; revoke that of another one first.")
        taken = {shown.name for shown in known.values()}
        names = (name, *(f"{name[: MAX_NAME - 4].rstrip()} {n}" for n in range(2, MOST_NAMESAKES + 1)))
        free = next((one for one in names if one not in taken), None)
        if free is None:
            message = f"{MOST_NAMESAKES} players with cards are called {name} here; revoke one first."
            return Refusal("not_allowed", message)
        here = free
    if player not in known or known[player].text != text:
        path = cards.path_of(data, player)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        give_to_owner(path.parent, data)
        write_secret(path, json.dumps({"player": here, "id": player, "card": text}).encode(), data)
    return here


def shown_cards(data: Path) -> list[Shown]:
    """Every card of a league that was shown here. A file that cannot be read is left out."""
    found = []
    for path in cards.files(data):
        match cards.about(path):
            case {"player": str(name), "id": str(player), "card": str(text)}:
                found.append(Shown(name, player, text))
    return found


class ShownCards:
    """The cards of a data directory by the name of their player, read again when one has changed."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._changed: int | None = None
        self._by_name: dict[str, Shown] = {}

    def by_name(self) -> dict[str, Shown]:
        """The cards by name."""
        try:
            changed = (self._data / cards.FOLDER).stat().st_mtime_ns
        except OSError:
            return {}
        if changed != self._changed:
            self._by_name = {shown.name: shown for shown in shown_cards(self._data)}
            self._changed = changed
        return self._by_name
