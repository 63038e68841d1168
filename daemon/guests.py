"""`oche access`: who was let in, one more, one less, and the codes that let people in."""

import argparse
import getpass
import json
import secrets
import sys
import urllib.error
import urllib.request
from typing import Final

from daemon.access import ROLES, SALT_BYTES, User, is_user_name, new_password, secret_of
from daemon.urls import UsageError
from daemon.users import UsersError, load, save

SHORTEST: Final = 8
"""Characters of a password that somebody thought up."""
WAIT_SECONDS: Final = 5


def access(arguments: argparse.Namespace) -> int:
    """`list`, `add`, `remove` or `code`."""
    try:
        match arguments.what:
            case "add":
                return _add(arguments)
            case "remove":
                return _remove(arguments)
            case "code":
                return _codes(arguments.http)
            case _:
                return _list(arguments)
    except UsersError as error:
        print(error, file=sys.stderr)
        return 1


def _list(arguments: argparse.Namespace) -> int:
    for user in load(arguments.data).values():
        print(f"{user.name}  {user.role}")
    return 0


def _add(arguments: argparse.Namespace) -> int:
    if not is_user_name(arguments.name):
        raise UsageError(f"{arguments.name!r} cannot name a user: use a to z, 0 to 9 and the dash, 32 at the most.")
    users = load(arguments.data)
    if arguments.name in users:
        print(f"{arguments.name} is there already; take the name out first: oche access remove.", file=sys.stderr)
        return 1
    password = new_password() if arguments.generate else _asked_for()
    if len(password) < SHORTEST:
        print(f"A password has {SHORTEST} characters at least; --generate makes one.", file=sys.stderr)
        return 1
    user = User(arguments.name, arguments.role, secret_of(password, secrets.token_bytes(SALT_BYTES)))
    save(arguments.data, users | {user.name: user})
    if arguments.generate:
        print(password)
    return 0


def _asked_for() -> str:
    """From the terminal without being shown, or the first line of what is piped in."""
    return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def _remove(arguments: argparse.Namespace) -> int:
    users = load(arguments.data)
    if users.pop(arguments.name, None) is None:
        print(f"There is no user {arguments.name!r}; `oche access list` shows them.", file=sys.stderr)
        return 1
    save(arguments.data, users)
    return 0


def _codes(http: str) -> int:
    url = f"http://{http}/pairing.json"
    try:
        with urllib.request.urlopen(url, timeout=WAIT_SECONDS) as answer:
            codes: dict[str, str] = json.load(answer)
    except urllib.error.HTTPError as error:
        print(_message(error), file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"No daemon answers at {url} ({error}); name its address with --http.", file=sys.stderr)
        return 1
    for role in ROLES:
        print(f"{role}  {codes[role]}")
    print("Open the pages on the other screen; it asks for one of these.", file=sys.stderr)
    return 0


def _message(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["message"])
    except (ValueError, KeyError, TypeError):
        return f"The daemon answered {error.code}."
