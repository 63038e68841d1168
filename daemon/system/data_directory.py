"""Finds the data directory of a command without `--data`: the user's own, or the service's."""

import os
import sys
from pathlib import Path

from daemon.system.config import SERVICE_DATA, SYSTEM_FILE, default_data
from daemon.system.config_parser import parse_file
from daemon.system.exit_codes import Failed


def data_directory(named: Path | None, *, may_be_missing: bool = False) -> Path:
    """Returns the directory of `--data`, of the configuration, or else of `find`. Failed if it cannot be read.

    Failed too if it is missing, unless `may_be_missing`: the command makes it, or does without.
    """
    if named is None and os.access(SYSTEM_FILE, os.R_OK) and (configured := parse_file(SYSTEM_FILE).data) is not None:
        named = Path(configured)
    found = find(default_data(), SERVICE_DATA) if named is None else named.expanduser()
    if not found.exists():
        if may_be_missing:
            return found
        raise Failed(
            f"There is no data directory {found}: nothing was played here yet, or oche keeps it elsewhere. "
            "Name it with --data."
        )
    if not found.is_dir():
        raise Failed(f"{found} is not a directory; name the data directory with --data.")
    return _readable(found)


def find(own: Path, service: Path) -> Path:
    """Returns `own` if it has a journal, else `service` if that exists, else `own`. Prints to stderr if both exist.

    Failed if it is `service` and may not be read.
    """
    if has_journal(own):
        if service.is_dir() and service != own:
            print(f"oche: This is {own}; what the service plays is in {service} (--data).", file=sys.stderr)
        return own
    return _readable(service) if service.is_dir() else own


def has_journal(folder: Path) -> bool:
    """Whether a folder has a journal, as far as this user can see."""
    try:
        return (folder / "oche.db").is_file()
    except OSError:
        return False


def _readable(folder: Path) -> Path:
    if not os.access(folder, os.R_OK | os.X_OK):
        raise Failed(f"What was played is in {folder}, which you may not read: use sudo, or name another with --data.")
    return folder
