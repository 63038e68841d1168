"""A player's picture and sounds: files of the data directory, forgotten with the player, and in every backup.

The folder of a player has their user name. A file's name has a part of its hash: a page can keep it, and only those who
may read the list know it.
"""

import contextlib
import hashlib
import re
import shutil
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Final, Literal, get_args

from daemon.people.access import user_of
from daemon.system.secure_files import give_to_owner, write_secret
from engine.refusals import Refusal

FOLDER: Final = "people"
CALLERS: Final = "callers"
"""Folder of the caller's packs: a folder for each, with a file for each word, names of players among them."""
Slot = Literal["picture", "walk_on", "maximum", "checkout", "bust", "won"]
SLOTS: Final[tuple[Slot, ...]] = get_args(Slot)
"""The picture, and the sounds at the first turn of a match, at 180, a checkout, a bust and a win."""
MOST_BYTES: Final = 512 * 1024
"""Bytes of a file; a larger one is refused. Half a minute of MP3 has that."""
MOST_PLAYERS: Final = 100
"""How many players can have files; beyond it another one is refused. All of them fit into a backup."""
FILE: Final = re.compile(rf"({'|'.join(SLOTS)})-[0-9a-f]{{16}}\.(png|jpg|gif|webp|mp3|ogg|wav|m4a)")
COLOUR: Final = re.compile(r"colour-([0-9a-f]{6})")
"""The name of an empty file: the colour of the player."""
PICTURES: Final = ("png", "jpg", "gif", "webp")


def kind_of(content: bytes) -> str | None:
    """Returns the ending of a file by its first bytes, whatever its name was; `None` for kinds that are not kept."""
    match content[:12]:
        case head if head.startswith(b"\x89PNG\r\n\x1a\n"):
            return "png"
        case head if head.startswith(b"\xff\xd8\xff"):
            return "jpg"
        case head if head.startswith((b"GIF87a", b"GIF89a")):
            return "gif"
        case head if head.startswith(b"RIFF") and head[8:] == b"WEBP":
            return "webp"
        case head if head.startswith(b"RIFF") and head[8:] == b"WAVE":
            return "wav"
        case head if head.startswith(b"OggS"):
            return "ogg"
        case head if head[4:8] == b"ftyp":
            return "m4a"
        case head if head.startswith(b"ID3") or (len(head) > 1 and head[0] == 0xFF and head[1] & 0xE6 == 0xE2):
            return "mp3"  # with a tag, or the first frame of layer 3
        case _:
            return None


def put(data: Path, player: str, slot: Slot, content: bytes) -> Refusal | None:
    """Keeps a player's file in place of the one before. OSError if it cannot be written."""
    kind = kind_of(content)
    if kind is None or (kind in PICTURES) != (slot == "picture"):
        kinds = "PNG, JPEG, GIF or WebP" if slot == "picture" else "MP3, Ogg, WAV or M4A"
        return Refusal("bad_value", f"This is not a file of the kind {kinds}.")
    if len(content) > MOST_BYTES:
        return Refusal("too_large", f"The file is larger than {MOST_BYTES // 1024} KiB.")
    return store(data, player, slot, f"{slot}-{hashlib.sha256(content).hexdigest()[:16]}.{kind}", content)


def store(data: Path, player: str, slot: str, name: str, content: bytes) -> Refusal | None:
    """Writes a file of a player, and removes others of the slot. OSError if it cannot be written."""
    folder = folder_for(data, player)
    if isinstance(folder, Refusal):
        return folder
    write_secret(folder / name, content, data)
    _remove(folder, slot, but=name)
    return None


def folder_for(data: Path, player: str) -> Path | Refusal:
    """Returns the folder of a player, which is made if it is missing. OSError if it cannot be made."""
    folder = data / FOLDER / user_of(player)
    known = listed(data)
    if folder.name not in known and len(known) >= MOST_PLAYERS:
        return Refusal("not_allowed", f"{MOST_PLAYERS} players have files; remove those of another one first.")
    for path in (folder.parent, folder):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        give_to_owner(path, data)
    return folder


def remove(data: Path, player: str, slot: str) -> None:
    """Removes a player's file, if there is one. OSError if it cannot be removed."""
    folder = data / FOLDER / user_of(player)
    _remove(folder, slot, but=None)
    with contextlib.suppress(OSError):  # It has other files, or was never there.
        folder.rmdir()


def files_of(data: Path, player: str) -> list[Path]:
    """Returns a player's folder, and their name in the caller's packs, as far as there are any."""
    user = user_of(player)
    folder = data / FOLDER / user
    named = [path for path in (data / CALLERS).glob("*/*") if path.name.split(".")[0] == f"player_{user}"]
    return [*([folder] if folder.is_dir() else []), *named]


def forget(data: Path, player: str) -> list[Path]:
    """Removes all of `files_of` a player. Returns those that cannot be removed; no error of one keeps another."""
    stay = []
    for path in files_of(data, player):
        try:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        except OSError:
            stay.append(path)
    return stay


def stays_of(files: Iterable[Path], player: str) -> str:
    """Returns a sentence about files of a forgotten player that stay."""
    return f"Files of {player} cannot be removed; delete them as their owner: {', '.join(map(str, files))}"


def listed(data: Path) -> dict[str, dict[str, str]]:
    """Returns the names of the files by user name and slot, and the colours, of `MOST_PLAYERS` players at most."""
    try:
        folders = sorted(path for path in (data / FOLDER).iterdir() if path.is_dir())
    except OSError:
        return {}
    found = ((folder.name, files) for folder in folders if (files := _files(folder)))
    return dict(islice(found, MOST_PLAYERS))


def _files(folder: Path) -> dict[str, str]:
    """The names of the files of a player, by slot. None of a folder that is removed meanwhile, or cannot be read."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return {}
    found = {known[1]: name for name in names if (known := FILE.fullmatch(name))}
    colour = next((known[1] for name in names if (known := COLOUR.fullmatch(name))), None)
    return found if colour is None else found | {"colour": f"#{colour}"}


def _remove(folder: Path, slot: str, but: str | None) -> None:
    for path in folder.glob(f"{slot}-*"):
        if path.name != but:
            path.unlink(missing_ok=True)
