"""`oche access`: who was let in, one more, one less, and the codes that let people in."""

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
from daemon.people.access import ROLES, ROUNDS, ROUNDS_OF_OURS, SALT_BYTES, User, is_user_name, new_password, secret_of
from daemon.people.newcomers import confirm
from daemon.people.users import UsersError, change, load
from daemon.system.error_text import error_text
from daemon.system.lan_address import in_brackets
from daemon.system.urls import UsageError, http_address, is_this_machine

SHORTEST: Final = 8
"""Characters of a password that somebody thought up."""


def access(arguments: argparse.Namespace) -> int:
    """`list`, `add`, `confirm`, `remove` or `code`."""
    try:
        match arguments.what:
            case "add":
                return _add(arguments)
            case "confirm":
                return _confirm(arguments)
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
        print(f"{user.name}  {user.role}{_unconfirmed(user)}")
    return 0


def _add(arguments: argparse.Namespace) -> int:
    if not is_user_name(arguments.name):
        raise UsageError(f"{arguments.name!r} cannot name a user: use a to z, 0 to 9 and the dash, 32 at the most.")
    if arguments.name in load(arguments.data):
        print(f"{arguments.name} is there already; take the name out first: oche access remove.", file=sys.stderr)
        return 1
    password = new_password() if arguments.generate else _asked_for()
    if len(password) < SHORTEST:
        print(f"A password has {SHORTEST} characters at least; --generate makes one.", file=sys.stderr)
        return 1
    rounds = ROUNDS_OF_OURS if arguments.generate else ROUNDS
    user = User(arguments.name, arguments.role, secret_of(password, secrets.token_bytes(SALT_BYTES), rounds))
    change(arguments.data, lambda users: users | {user.name: user})
    if arguments.generate:
        print(password)
    return 0


def _asked_for() -> str:
    """From the terminal without being shown, or the first line of what is piped in."""
    return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def _unconfirmed(user: User) -> str:
    return "" if user.unconfirmed is None else f"  not confirmed, added from {user.unconfirmed.address}"


def _confirm(arguments: argparse.Namespace) -> int:
    if (code := _known(arguments)) == 0:
        change(arguments.data, lambda users: confirm(users, arguments.names))
    return code


def _remove(arguments: argparse.Namespace) -> int:
    if (code := _known(arguments)) == 0:
        change(arguments.data, lambda users: {n: user for n, user in users.items() if n not in arguments.names})
    return code


def _known(arguments: argparse.Namespace) -> int:
    """0 where there is a user of every name, else 1 with a sentence."""
    users = load(arguments.data)
    for name in arguments.names:
        if name not in users:
            print(f"There is no user {name!r}; `oche access list` shows them.", file=sys.stderr)
            return 1
    return 0


def _codes(http: str) -> int:
    host, port = http_address(http)
    address = f"{in_brackets(host)}:{port}"
    try:
        codes = ask_pages(address, "/pairing.json", here=is_this_machine(host))
        lines = [f"{role}  {codes[role]}" for role in ROLES]
        square = segno.make(str(codes["url"]), error="l")
    except urllib.error.HTTPError as error:
        print(_message(error), file=sys.stderr)
        return 1
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as error:
        print(f"No daemon answers at {address} ({error_text(error)}); name its address with --http.", file=sys.stderr)
        return 1
    print("\n".join(lines))
    if sys.stdout.isatty():
        print("For a player's phone:\n")
        square.terminal(compact=True)
    print("Open the pages on the other screen; it asks for one of these.", file=sys.stderr)
    return 0


def _message(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["message"])
    except (ValueError, KeyError, TypeError):
        return f"The daemon answered {error.code}."
