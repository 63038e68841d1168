"""Users, roles, stored passwords, and mosquitto's password file and access list.

A board publishes its darts, and reads nothing. A display reads. A player reads,
sees their own hand, and acts in their own turn. A referee has the rights of
this machine. The broker enforces the roles by the
access list that this module generates, for the embedded broker and for an
outside one: both are mosquitto.

Not chosen: rules by seat, renewed with every match. A broker reloads its list
some time after the change, and until then one player would see another's hand.
So topics contain the user's name, and the list does not depend on the match.
"""

import base64
import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

PairedRole = Literal["display", "player", "referee"]
Role = PairedRole | Literal["board"]
PAIRED_ROLES: Final[tuple[PairedRole, ...]] = get_args(PairedRole)
"""The roles that a pairing code can give."""
ROLES: Final[tuple[Role, ...]] = (*PAIRED_ROLES, "board")

NAME: Final = re.compile(r"[a-z0-9-]{0,31}[a-z-][a-z0-9-]{0,31}")
"""A user's name: like a board's, but not digits alone, because `hand/1` is a seat's topic."""
MAX_NAME: Final = 32

ROUNDS: Final = 20_000
"""PBKDF2 rounds for a typed password: tens of milliseconds on a small Pi. They slow down guessing by someone who has
stolen the file of users."""
GENERATED_ROUNDS: Final = 1
"""PBKDF2 rounds for a generated password: 128 bits cannot be guessed, and each round is also spent for every guess of a
stranger on the broker's only thread."""
SALT_BYTES: Final = 12
HASH_BYTES: Final = 64
PASSWORD_BYTES: Final = 16

DISPLAY: Final = (
    "A display sees statuses, hits, matches, events, what rules show, replies, the history, the tournament and the "
    "unconfirmed users; it sees no hand, no command and no pairing code, and changes nothing."
)
"""What a display may read. SECURITY.md, docs/access.md and the access list contain this sentence."""


@dataclass(frozen=True, slots=True)
class Origin:
    """How a user was added with a code: the name they gave, their address, and the time (ISO 8601, UTC)."""

    name: str
    address: str
    time: str


@dataclass(frozen=True, slots=True)
class User:
    """A user. `secret` is the password as mosquitto stores it, never the password itself.

    `unconfirmed` is set from pairing until a referee, or the owner at the machine, confirms the user.
    """

    name: str
    role: Role
    secret: str
    unconfirmed: Origin | None = None


def is_user_name(text: str) -> bool:
    """Whether this is a valid user name: at most 32 of a to z, 0 to 9 and the dash, and not digits alone."""
    return len(text) <= MAX_NAME and NAME.fullmatch(text) is not None


def user_of(player: str) -> str:
    """The user name for a player: their name in plain lower-case letters, or `u-` and a hash if that is not valid."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", player).casefold() if not unicodedata.combining(c))
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_NAME].strip("-")
    return name if is_user_name(name) else f"u-{hashlib.sha256(player.encode()).hexdigest()[:8]}"


def speaks_for(user: str, players: Sequence[str]) -> str | None:
    """Returns the player for whom a user acts, or `None` unless there is exactly one."""
    found = [player for player in players if user_of(player) == user]
    if len(found) > 1:
        return None
    # Only an outside broker has users whose name is exactly a player's.
    return found[0] if found else user if user in players else None


def new_password() -> tuple[str, str]:
    """A random password of 128 bits, and its stored form."""
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    return password, secret_of(password, secrets.token_bytes(SALT_BYTES), GENERATED_ROUNDS)


def secret_of(password: str, salt: bytes, rounds: int = ROUNDS) -> str:
    """The password as mosquitto 2 stores it: PBKDF2 with SHA-512 (`mosquitto_passwd`, format 7)."""
    found = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds, HASH_BYTES)
    return f"$7${rounds}${base64.b64encode(salt).decode()}${base64.b64encode(found).decode()}"


def is_password(user: User, password: str) -> bool:
    """Whether this is the user's password."""
    try:
        _, kind, rounds, salt, _ = user.secret.split("$")
        return kind == "7" and hmac.compare_digest(
            user.secret, secret_of(password, base64.b64decode(salt, validate=True), int(rounds))
        )
    except ValueError:
        return False


def is_password_of(user: User | None, password: str) -> bool:
    """Whether this is the user's password. Takes the same time for `None`, and for every number of rounds."""
    right = user is not None and is_password(user, password)
    if (left := ROUNDS - _rounds(user)) > 0:
        secret_of(password, bytes(SALT_BYTES), left)
    return right


def _rounds(user: User | None) -> int:
    try:
        return 0 if user is None else int(user.secret.split("$")[2])
    except (IndexError, ValueError):
        return 0


def passwords(users: Iterable[User]) -> str:
    """The content of mosquitto's password file."""
    return "".join(f"{user.name}:{user.secret}\n" for user in users)


def access_list(node: str, users: Iterable[User], topics: Mapping[str, str] = MappingProxyType({})) -> str:
    """The content of mosquitto's access list. No rule precedes the first user, so a nameless client has no rights.

    `topics` are those at which boards publish, by the names of the boards. The user of a board has the board's name.
    """
    first = f"# Made by oche for the node {node}; changes here are lost.\n"
    return "\n".join([first, *(_section(node, user, topics) for user in users)])


def _section(node: str, user: User, topics: Mapping[str, str]) -> str:
    about = f"# {DISPLAY}\n" if user.role == "display" else ""
    return about + f"user {user.name}\n" + "".join(f"topic {rule}\n" for rule in _rules(node, user, topics))


def _rules(node: str, user: User, topics: Mapping[str, str]) -> list[str]:
    if user.role == "board":
        return [f"write {topics[user.name]}"] if user.name in topics else []
    root = f"oche/{node}"
    # Not `pairing`: with the code a display could become a player, and a player a second one. A screen that is to show
    # the code is on this machine, or has a referee's password.
    reads = [f"read {root}/{topic}" for topic in ("status", "unconfirmed", "tournament", "tournament/event")]
    reads += [f"read {root}/board/+/{leaf}" for leaf in ("status", "hit", "match", "event", "show", "reply")]
    match user.role:
        case "display":
            return reads
        case "player":
            return [
                *reads,
                f"read {root}/board/+/hand/{user.name}",
                f"read {root}/reply/{user.name}/#",
                f"write {root}/board/+/command/{user.name}",
            ]
        case "referee":
            return [
                f"read {root}/#",
                f"write {root}/board/+/command",
                "read homeassistant/#",
                "write homeassistant/status",
            ]
