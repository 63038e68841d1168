"""Every topic and its payload, and the AsyncAPI page and the JSON Schemas in `docs/` that are made from them."""

from dataclasses import dataclass
from typing import Any, Final

from daemon.mqtt.node_name import NameClaim
from daemon.mqtt.node_status import NodeStatus
from daemon.people.newcomers import Unconfirmed
from daemon.people.pairing import PairingCode
from daemon.session.command_payloads import CommandBody
from daemon.session.payloads import SCHEMA, BoardStatus, Event, Hand, Hit, MatchState
from daemon.session.reply_payloads import Reply
from daemon.system.payload import schema
from daemon.system.show_config import Shout
from daemon.tournament.payloads import TournamentEvent, TournamentState


@dataclass(frozen=True, slots=True)
class Channel:
    """One topic: its address below `oche/{node}/`, which way it goes, and what it carries."""

    name: str
    address: str
    payload: type[Any]
    retained: bool
    sent_by_us: bool


_BOARD: Final = "board/{board}"

CHANNELS: Final = (
    Channel(name="nodeStatus", address="status", payload=NodeStatus, retained=True, sent_by_us=True),
    Channel(name="nameClaim", address="claim", payload=NameClaim, retained=False, sent_by_us=True),
    Channel(name="pairing", address="pairing", payload=PairingCode, retained=True, sent_by_us=True),
    Channel(name="unconfirmed", address="unconfirmed", payload=Unconfirmed, retained=True, sent_by_us=True),
    Channel(name="tournament", address="tournament", payload=TournamentState, retained=True, sent_by_us=True),
    Channel(
        name="tournamentEvent", address="tournament/event", payload=TournamentEvent, retained=False, sent_by_us=True
    ),
    Channel(name="boardStatus", address=f"{_BOARD}/status", payload=BoardStatus, retained=True, sent_by_us=True),
    Channel(name="hit", address=f"{_BOARD}/hit", payload=Hit, retained=False, sent_by_us=True),
    Channel(name="match", address=f"{_BOARD}/match", payload=MatchState, retained=True, sent_by_us=True),
    Channel(name="event", address=f"{_BOARD}/event", payload=Event, retained=False, sent_by_us=True),
    Channel(name="show", address=f"{_BOARD}/show", payload=Shout, retained=False, sent_by_us=True),
    Channel(name="hand", address=f"{_BOARD}/hand/{{seat}}", payload=Hand, retained=True, sent_by_us=True),
    Channel(name="userHand", address=f"{_BOARD}/hand/{{user}}", payload=Hand, retained=True, sent_by_us=True),
    Channel(name="reply", address=f"{_BOARD}/reply", payload=Reply, retained=False, sent_by_us=True),
    Channel(name="command", address=f"{_BOARD}/command", payload=CommandBody, retained=False, sent_by_us=False),
    Channel(
        name="userCommand", address=f"{_BOARD}/command/{{user}}", payload=CommandBody, retained=False, sent_by_us=False
    ),
)


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI 3.0 description of the bus; its version is that of the payloads."""
    payloads = dict.fromkeys(channel.payload for channel in CHANNELS)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "oche on MQTT", "version": f"{SCHEMA}.0.0", "description": "See docs/bus.md for the words."},
        "defaultContentType": "application/json",
        "channels": {channel.name: _channel(channel) for channel in CHANNELS},
        "operations": {
            f"{'send' if channel.sent_by_us else 'receive'}{channel.name[0].upper()}{channel.name[1:]}": {
                "action": "send" if channel.sent_by_us else "receive",
                "channel": {"$ref": f"#/channels/{channel.name}"},
                "bindings": {"mqtt": {"qos": 1, "retain": channel.retained}},
            }
            for channel in CHANNELS
        },
        "components": {"schemas": {payload.__name__: schema(payload) for payload in payloads}},
    }


def schema_files() -> dict[str, dict[str, Any]]:
    """The JSON Schema of every payload, by file name."""
    return {f"{channel.payload.__name__}.json": schema(channel.payload) for channel in CHANNELS}


def _channel(channel: Channel) -> dict[str, Any]:
    address = f"oche/{{node}}/{channel.address}"
    names = [part[1:-1] for part in address.split("/") if part.startswith("{")]
    return {
        "address": address,
        "messages": {
            channel.payload.__name__: {"payload": {"$ref": f"#/components/schemas/{channel.payload.__name__}"}}
        },
        "parameters": {name: {} for name in names},
    }
