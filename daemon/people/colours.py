"""The colour of a player: an empty file in the folder of their picture and sounds, named by the colour.

So it is in every backup and is forgotten with the player, as those files are.
"""

import contextlib
import re
from pathlib import Path
from typing import Final

from daemon.people.access import user_of
from daemon.people.player_files import COLOUR, FOLDER, folder_for
from daemon.system.secure_files import write_secret
from engine.refusals import Refusal

WRITTEN: Final = re.compile(r"#[0-9a-f]{6}")
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
    folder = folder_for(data, player)
    if isinstance(folder, Refusal):
        return folder
    name = f"colour-{colour[1:]}"
    write_secret(folder / name, b"", data)
    remove_colours(folder, but=name)
    return None


def remove(data: Path, player: str) -> None:
    """Removes the colour of a player, if they have one. OSError if it cannot be removed."""
    folder = data / FOLDER / user_of(player)
    remove_colours(folder, but=None)
    with contextlib.suppress(OSError):  # It has files, or was never there.
        folder.rmdir()


def remove_colours(folder: Path, but: str | None) -> None:
    """Removes all files of a folder that are colours, but one."""
    for path in folder.glob("colour-*"):
        if path.name != but:
            path.unlink(missing_ok=True)
