"""The hall that this node has joined: where it is, and the key and token with which the node sends.

The file is readable for the daemon alone. Without it the node is in no hall, and nothing here costs anything.
"""

import hmac
import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from daemon.system.error_text import reason
from daemon.system.secure_files import write_secret
from engine import jsontext

FILE: Final = "hall.json"
_ID_DIGITS: Final = 32


class BadMembership(Exception):
    """The file cannot be read; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Membership:
    """A node in a hall. `token` is empty until the hall has answered; `key` is the private key, 32 bytes."""

    url: str
    node: str
    key: bytes
    token: str = ""

    def player_id(self, name: str, generation: int = 0) -> str:
        """The id of a player of this node at the hall: without the key nobody finds the name to an id.

        `generation` is how many players of this name were forgotten before.
        """
        text = f"oche-player-1\n{generation}\n{name}".encode()
        return hmac.new(self.key, text, sha256).hexdigest()[:_ID_DIGITS]


def load(data: Path) -> Membership | None:
    """The membership in a data directory; None without one. BadMembership if the file cannot be read.

    Its cause is an OSError if what is in the file may be right.
    """
    path = data / FILE
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        key = b64decode(value["key"], validate=True)
        found = Membership(str(value["url"]), str(value["node"]), key, str(value["token"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadMembership(f"{path} cannot be read: {reason(error)}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise BadMembership(f"{path} cannot be read ({error}). `oche hall leave`, then join the hall again.") from error
    return found


def save(data: Path, member: Membership) -> None:
    """Writes the membership. OSError if that fails."""
    value = {"url": member.url, "node": member.node, "key": b64encode(member.key).decode(), "token": member.token}
    write_secret(data / FILE, jsontext.dump(value) + "\n", data)
