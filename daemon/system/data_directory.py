"""Which data directory a command looks at where none was named: the user's own, or the service's."""

import os
import sys
from pathlib import Path

from daemon.system.config import SERVICE_DATA, SYSTEM_FILE, default_data, parse_file
from daemon.system.exit_codes import Failed


def data_directory(named: Path | None, *, may_be_missing: bool = False) -> Path:
    """The directory of a command's `--data`, or the one found by `find`. Failed where it is missing or unreadable.

    `may_be_missing`: the command makes it, or does without.
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
    """`own` where something was played there, else the service's where there is one, else `own`.

    Failed where the service's is the one that is meant and may not be read. Where both are there, stderr says so.
    """
    if has_journal(own):
        if service.is_dir() and service != own:
            print(f"oche: This is {own}; what the service plays is in {service} (--data).", file=sys.stderr)
        return own
    return _readable(service) if service.is_dir() else own


def has_journal(folder: Path) -> bool:
    """Whether a daemon has kept matches in a folder, as far as that can be seen."""
    try:
        return (folder / "oche.db").is_file()
    except OSError:
        return False


def _readable(folder: Path) -> Path:
    if not os.access(folder, os.R_OK | os.X_OK):
        raise Failed(f"What was played is in {folder}, which you may not read: use sudo, or name another with --data.")
    return folder
