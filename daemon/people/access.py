"""Who may do what, once the owner has opened the door to the network.

A user has one of three roles. A display looks. A player looks, sees his own
hand, and acts in his own turn. A referee may do all that somebody at this
machine may. The broker enforces it by an access list that is made here, for
the one that oche brings along and for one outside: both are mosquitto.

Not chosen: rules by seat, renewed with every match. A broker reads its list
again at a moment of its own, and until then one player sees another's hand.
So topics carry the user's name, and the list is the same all evening.
"""

import base64
import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

Role = Literal["display", "player", "referee"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

NAME: Final = re.compile(r"[a-z0-9-]{0,31}[a-z-][a-z0-9-]{0,31}")
"""What a user may be called: as a board, and not a number alone, for `hand/1` is a seat's."""
LONGEST: Final = 32

ROUNDS: Final = 20_000
"""Rounds of PBKDF2 for a stored password: tens of milliseconds on a small Pi. They slow down who has stolen the file of
users and guesses at a password that a person chose."""
ROUNDS_OF_OURS: Final = 1
"""Rounds for a password of `new_password`: nobody guesses 128 bits, and each round is a round of a stranger's guess on
the broker's only thread."""
SALT_BYTES: Final = 12
HASH_BYTES: Final = 64
PASSWORD_BYTES: Final = 16


DISPLAY: Final = (
    "A display sees statuses, hits, matches, events, replies, the history and who is not confirmed yet; "
    "it sees no hand, no command and no pairing code, and changes nothing."
)
"""What a display may know, as SECURITY.md and docs/access.md say it. It stands in the access list as well."""


@dataclass(frozen=True, slots=True)
class Origin:
    """How a user was added with a code: the name they gave, the address they came from, the time (ISO 8601, UTC)."""

    name: str
    address: str
    time: str


@dataclass(frozen=True, slots=True)
class User:
    """One who was let in. `secret` is his password as mosquitto stores it, never the password itself.

    `unconfirmed` is there from pairing until a referee, or the owner at the machine, confirms the user.
    """

    name: str
    role: Role
    secret: str
    unconfirmed: Origin | None = None


def is_user_name(text: str) -> bool:
    """Whether it can name a user: 32 of a to z, 0 to 9 and the dash at the most, and not digits alone."""
    return len(text) <= LONGEST and NAME.fullmatch(text) is not None


def user_of(player: str) -> str:
    """The user that speaks for a player: his name in small plain letters; a number for one that has none."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", player).casefold() if not unicodedata.combining(c))
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].strip("-")
    return name if is_user_name(name) else f"u-{hashlib.sha256(player.encode()).hexdigest()[:8]}"


def speaks_for(user: str, players: Sequence[str]) -> str | None:
    """The player for whom a user speaks; None where there is none, or more than one."""
    found = [player for player in players if user_of(player) == user]
    if len(found) > 1:
        return None
    # Only a broker outside has users that are called like a player to the letter.
    return found[0] if found else user if user in players else None


def new_password() -> str:
    """One that nobody has to type: 128 bits."""
    return secrets.token_urlsafe(PASSWORD_BYTES)


def secret_of(password: str, salt: bytes, rounds: int = ROUNDS) -> str:
    """The password as mosquitto 2 stores it: PBKDF2 with SHA-512 (`mosquitto_passwd`, format 7)."""
    return _secret(password, salt, rounds)


def is_password(user: User, password: str) -> bool:
    """Whether this is the user's password."""
    try:
        _, kind, rounds, salt, _ = user.secret.split("$")
        right = kind == "7" and hmac.compare_digest(
            user.secret, _secret(password, base64.b64decode(salt, validate=True), int(rounds))
        )
    except ValueError:
        return False
    return right


def is_password_of(user: User | None, password: str) -> bool:
    """Whether this is the user's password. Takes the same time for nobody, and for whatever rounds a secret has."""
    right = user is not None and is_password(user, password)
    if (left := ROUNDS - _rounds(user)) > 0:
        _secret(password, bytes(SALT_BYTES), left)
    return right


def _rounds(user: User | None) -> int:
    try:
        return 0 if user is None else int(user.secret.split("$")[2])
    except (IndexError, ValueError):
        return 0


def _secret(password: str, salt: bytes, rounds: int) -> str:
    found = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds, HASH_BYTES)
    return f"$7${rounds}${base64.b64encode(salt).decode()}${base64.b64encode(found).decode()}"


def passwords(users: Iterable[User]) -> str:
    """The password file of mosquitto."""
    return "".join(f"{user.name}:{user.secret}\n" for user in users)


def access_list(node: str, users: Iterable[User]) -> str:
    """The access list of mosquitto. It begins with no line for all, so one without a name may do nothing."""
    first = f"# Made by oche for the node {node}; changes here are lost.\n"
    return "\n".join([first, *(_section(node, user) for user in users)])


def _section(node: str, user: User) -> str:
    about = f"# {DISPLAY}\n" if user.role == "display" else ""
    return about + f"user {user.name}\n" + "".join(f"topic {line}\n" for line in _may(node, user))


def _may(node: str, user: User) -> list[str]:
    root = f"oche/{node}"
    # Not `pairing`: whoever reads the code can become a player, and a player another player. A screen that is to show
    # it is at this machine, or has a referee's password.
    looks = [f"read {root}/status", f"read {root}/unconfirmed"]
    looks += [f"read {root}/board/+/{leaf}" for leaf in ("status", "hit", "match", "event", "reply")]
    match user.role:
        case "display":
            return looks
        case "player":
            return [
                *looks,
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
