"""What the Debian package runs at an upgrade: moves passwords out of a configuration that everybody shall read.

`python3 -I -m daemon.setup.keep_secrets /etc/oche/oche.toml`
"""

import sys
from pathlib import Path

from daemon.setup.config_file import keep_secrets_apart
from daemon.system.error_text import error_text


def main() -> int:
    """Exit code 1 where the file stays as it is, closed to others, with a sentence that says so."""
    path = Path(sys.argv[1])
    try:
        if keep_secrets_apart(path):
            return 0
        why = "its passwords could not be found in it"
    except (OSError, ValueError) as error:
        why = error_text(error)
    print(f"{path} stays closed to other users ({why}): `sudo oche setup` writes it again.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
