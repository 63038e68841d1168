"""Moves the passwords of a configuration into its secrets file; the Debian package runs it at an upgrade.

`python3 -I -m daemon.system.keep_secrets /etc/oche/oche.toml`
"""

import sys
from pathlib import Path

from daemon.system.config_parser import parse, split_secrets
from daemon.system.config_writer import replace_file, secrets_text, toml_of, without_secret_comments
from daemon.system.error_text import error_text
from daemon.system.secret_addresses import read_secrets, secrets_path
from daemon.system.urls import UsageError


def keep_secrets_apart(path: Path) -> bool:
    """Moves the passwords of a configuration into its secrets file, and makes the rest readable for everybody.

    Comments stay. Returns False, and changes nothing, if a password would remain, as one in a comment does; OSError,
    UnicodeDecodeError or TOMLKitError if the file cannot be read.
    """
    text = path.read_text(encoding="utf-8")
    try:
        config = parse(text, str(path))
        kept = dict(read_secrets(path))
    except UsageError:
        return False
    plain, secrets = split_secrets(config)
    text = toml_of(plain, text) if secrets else text
    if parse(text, str(path)) != plain or without_secret_comments(text, plain) != text:
        return False
    if secrets:
        replace_file(secrets_path(path), secrets_text(kept | secrets), 0o640)
    replace_file(path, text, 0o644)
    return True


def why_not_kept_apart(path: Path) -> str | None:
    """Calls `keep_secrets_apart`. Returns a sentence if the file stays as it is, with what to do."""
    try:
        if keep_secrets_apart(path):
            return None
        why = "a password would remain in it, as in a comment"
    except (OSError, ValueError) as error:
        why = error_text(error)
    return f"{path} stays closed to other users ({why}): `sudo oche setup` writes it again."


def main() -> int:
    """Exit code 1 if the file stays as it is, with a sentence on stderr."""
    problem = why_not_kept_apart(Path(sys.argv[1]))
    if problem is not None:
        print(problem, file=sys.stderr)
    return 0 if problem is None else 1


if __name__ == "__main__":
    sys.exit(main())
