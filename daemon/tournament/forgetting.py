"""Replaces the name of a forgotten person in the files of tournaments, the running one among them.

The fixtures, results and tables stay as they are: they name entrants by their numbers.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from daemon.system.secure_files import sync, write_secret
from daemon.tournament.tournament_file import ENDING, FOLDER, line_of, value_of
from league.setup import LONGEST_NAME

BLANK: Final = b"00000000 damaged\n"
"""Takes the place of a damaged line that has the name: still damaged, so that all others keep their numbers."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was written: the new content of each file, and the files that cannot be written."""

    contents: dict[Path, bytes]
    stay: list[Path]


def naming(data: Path, name: str) -> list[Path]:
    """The files of tournaments that name a person, and those that cannot be read."""
    return [path for path in _files(data) if _names(path, name)]


def forget(data: Path, name: str) -> Forgotten:
    """Replaces a person's name in every file that has it. Each file is the old or the new one at any moment; no error
    of one keeps another."""
    done = Forgotten({}, [])
    for left in (data / FOLDER).glob(f".*{ENDING}-*"):
        try:
            left.unlink(missing_ok=True)  # Of a process that was killed while it wrote.
        except OSError:
            done.stay.append(left)
    for path in _files(data):
        try:
            content = without_name(path.read_bytes(), name)
            if content is not None:
                write_secret(path, content, data)
                done.contents[path] = content
                sync(path.parent)
        except OSError:
            done.stay.append(path)
    return done


def without_name(content: bytes, name: str) -> bytes | None:
    """The content of a file with another name in place of this one; `None` if it does not have it.

    The name of a pair or a team in which the person plays is changed where it has theirs.
    """
    lines = [line + b"\n" for line in content.split(b"\n")[:-1]]
    values = [value_of(line[:-1]) for line in lines]
    names = _new_names([value for value in values if isinstance(value, dict)], name)
    found = [_line(line, value, name, names) for line, value in zip(lines, values, strict=True)]
    # An unfinished line at the end was never answered, and nobody reads it.
    unfinished = content[content.rfind(b"\n") + 1 :]
    return None if found == lines and not _has(unfinished, name) else b"".join(found)


def _names(path: Path, name: str) -> bool:
    try:
        return without_name(path.read_bytes(), name) is not None
    except OSError:
        return True


def _line(line: bytes, value: Any, name: str, names: dict[str, str]) -> bytes:
    if not isinstance(value, dict):
        return BLANK if _has(line, name) else line
    changed = {key: part for key, part in value.items() if key != "id" or not _word(name).search(str(part))}
    changed["event"] = _event(value.get("event"), name, names)
    return line if changed == value else line_of(changed)


def _event(event: Any, name: str, names: dict[str, str]) -> Any:
    """The event with the new names. Names of boards and the seed of the draw stay: they say what was played."""
    match event:
        case {"enter": {"name": str() as entrant} as entry}:
            players = {"players": [names[name] if player == name else player for player in _players(entry)]}
            return {"enter": entry | {"name": names.get(entrant, entrant)} | (players if "players" in entry else {})}
        case {"withdraw": str() as entrant}:
            return {"withdraw": names.get(entrant, entrant)}
        case {"tournament": _, "name": str() as title}:
            return event | {"name": names[name] if title == name else title}
    return event


def _new_names(values: Iterable[dict[str, Any]], name: str) -> dict[str, str]:
    """The new names of the person, and of the pairs and teams in which they play, by the old ones."""
    events = [value.get("event") for value in values]
    entries = [entry for event in events for entry in _entries(event)]
    taken = {part for entry in entries for part in (entry["name"], *_players(entry)) if isinstance(part, str)}
    other = next(text for n in range(1, len(taken) + 2) if (text := f"Player {n}") not in taken)
    teams = {entry["name"] for entry in entries if name in _players(entry)}
    # Their entry may be damaged.
    unknown = {gone for event in events for gone in _withdrawn(event)} - {entry["name"] for entry in entries}
    found = {}
    for team in sorted(teams | unknown):
        new = _word(name).sub(lambda _: other, team)
        found[team] = new if len(new) <= LONGEST_NAME and new not in taken - {team} else other
    return found | {name: other}


def _withdrawn(event: Any) -> list[str]:
    match event:
        case {"withdraw": str() as name}:
            return [name]
    return []


def _entries(event: Any) -> list[dict[str, Any]]:
    match event:
        case {"enter": {"name": str()} as entry}:
            return [entry]
    return []


def _players(entry: dict[str, Any]) -> list[Any]:
    players = entry.get("players")
    return players if isinstance(players, list) else [entry["name"]]


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def _has(line: bytes, name: str) -> bool:
    """Whether a line has a name, as it is or with escapes, whatever else is in it."""
    return any(json.dumps(name, ensure_ascii=escaped)[1:-1].encode() in line for escaped in (False, True))


def _files(data: Path) -> list[Path]:
    return sorted((data / FOLDER).glob(f"[!.]*{ENDING}"))
