"""`oche access`: lists, adds, confirms and removes users, and prints the pairing codes."""

import argparse
import getpass
import json
import secrets
import sys
import urllib.error
from http.client import HTTPException
from typing import Final

import segno

from daemon.doctor.running_daemon import ask_pages
from daemon.people.access import PAIRED_ROLES, SALT_BYTES, User, is_user_name, new_password, secret_of
from daemon.people.newcomers import confirm
from daemon.people.users import UsersError, change, load
from daemon.system.error_text import error_text
from daemon.system.lan_address import in_brackets
from daemon.system.urls import UsageError, http_address, is_this_machine

MIN_PASSWORD: Final = 8
"""Characters of a typed password; a shorter one is refused."""
MOST_PASSWORD: Final = 1024
"""A longer one is refused."""


def access(arguments: argparse.Namespace) -> int:
    """Runs `list`, `add`, `confirm`, `remove` or `code`; returns the exit code."""
    try:
        match arguments.what:
            case "add":
                return _add(arguments)
            case "confirm" | "remove":
                return _change(arguments)
            case "code":
                return _codes(arguments.http)
            case _:
                return _list(arguments)
    except UsersError as error:
        print(error, file=sys.stderr)
        return 1


def _list(arguments: argparse.Namespace) -> int:
    for user in load(arguments.data).values():
        print(f"{user.name}  {user.role}{_unconfirmed(user)}")
    return 0


def _add(arguments: argparse.Namespace) -> int:
    if not is_user_name(arguments.name):
        raise UsageError(f"{arguments.name!r} is not a valid user name: use a to z, 0 to 9 and the dash, at most 32.")
    if arguments.name in load(arguments.data):
        print(
            f"There is a user {arguments.name} already; remove them first: oche access remove {arguments.name}",
            file=sys.stderr,
        )
        return 1
    if arguments.generate:
        password, secret = new_password()
    else:
        password = _typed_password()
        if len(password) < MIN_PASSWORD:
            print(f"A password has at least {MIN_PASSWORD} characters; --generate makes one.", file=sys.stderr)
            return 1
        if len(password) > MOST_PASSWORD:
            print(f"A password has at most {MOST_PASSWORD} characters.", file=sys.stderr)
            return 1
        secret = secret_of(password, secrets.token_bytes(SALT_BYTES))
    user = User(arguments.name, arguments.role, secret)
    change(arguments.data, lambda users: users | {user.name: user})
    if arguments.generate:
        print(password)
    return 0


def _typed_password() -> str:
    """The password from the terminal, without echo, or the first line of piped input."""
    return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline(MOST_PASSWORD + 1).rstrip("\n")


def _unconfirmed(user: User) -> str:
    return "" if user.unconfirmed is None else f"  not confirmed, added from {user.unconfirmed.address}"


def _change(arguments: argparse.Namespace) -> int:
    """Confirms or removes the users that are named; changes nothing if one of them does not exist."""
    users, names = load(arguments.data), arguments.names
    for name in names:
        if name not in users:
            print(f"There is no user {name!r}; `oche access list` shows them.", file=sys.stderr)
            return 1
    if arguments.what == "confirm":
        change(arguments.data, lambda users: confirm(users, names))
    else:
        change(arguments.data, lambda users: {name: user for name, user in users.items() if name not in names})
    return 0


def _codes(http: str) -> int:
    host, port = http_address(http)
    address = f"{in_brackets(host)}:{port}"
    try:
        codes = ask_pages(address, "/pairing.json", here=is_this_machine(host))
        lines = [f"{role}  {codes[role]}" for role in PAIRED_ROLES]
        qr_code = segno.make(str(codes["url"]), error="l")
    except urllib.error.HTTPError as error:
        print(_message(error), file=sys.stderr)
        return 1
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as error:
        print(f"No daemon answers at {address} ({error_text(error)}); name its address with --http.", file=sys.stderr)
        return 1
    print("\n".join(lines))
    if sys.stdout.isatty():
        print("For a player's phone:\n")
        qr_code.terminal(compact=True)
    print("Open the pages on the other device and type in the code of its role.", file=sys.stderr)
    return 0


def _message(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["message"])
    except (ValueError, KeyError, TypeError):
        return f"The daemon answered {error.code}."
