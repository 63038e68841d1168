"""The colour of a player: an empty file in the folder of their picture and sounds, named by the colour.

So it is in every backup and is forgotten with the player, as those files are.
"""

import re
from pathlib import Path
from typing import Final

from daemon.people import player_files
from daemon.people.access import user_of
from daemon.people.player_files import COLOUR, FOLDER
from engine.refusals import Refusal

WRITTEN: Final = re.compile(r"#[0-9a-f]{6}")
SLOT: Final = "colour"
LETTERS: Final = 7
"""The length of a colour as it is written."""


def colour_of(data: Path, player: str) -> str | None:
    """Returns the colour of a player as six hexadecimal digits; `None` if they have none."""
    try:
        names = sorted(path.name for path in (data / FOLDER / user_of(player)).iterdir())
    except OSError:
        return None
    return next((known[1] for name in names if (known := COLOUR.fullmatch(name))), None)


def choose(data: Path, player: str, colour: str) -> Refusal | None:
    """Keeps a colour such as `#0060ff` in place of the one before. OSError if it cannot be written."""
    if WRITTEN.fullmatch(colour) is None:
        return Refusal("bad_value", "This is not a colour; write it as # and six digits from 0 to 9 and a to f.")
    return player_files.store(data, player, SLOT, f"{SLOT}-{colour[1:]}", b"")


def remove(data: Path, player: str) -> None:
    """Removes the colour of a player, if they have one. OSError if it cannot be removed."""
    player_files.remove(data, player, SLOT)
