"""The retained message from which Home Assistant makes a device with entities for a board.

It is the MQTT integration's device discovery (Home Assistant 2024.11 and later):
https://www.home-assistant.io/integrations/mqtt/. The entities read the topics that everyone reads, by templates;
nothing else is published for Home Assistant alone.
"""

from typing import Any, Final, get_args

from engine.game import Awaits, EventKind

PREFIX: Final = "homeassistant"
"""Home Assistant's default prefix of discovery topics."""
EVERY_TOPIC: Final = f"{PREFIX}/device/+/config"
BIRTH: Final = f"{PREFIX}/status"
"""Topic on which Home Assistant publishes `online` when it has started."""

HIT_TYPES: Final = ("single", "double", "triple", "outer_bull", "inner_bull", "miss", "points")
"""The event types of a hit; `points` if the board does not tell the bed."""
STATES: Final = ("no_match", "finished", *(awaits for awaits in get_args(Awaits) if awaits != "nothing"))

_HIT: Final = (
    "{% set bed = value_json.segment | default('') %}"
    "{% set rings = {'S': 'single', 'D': 'double', 'T': 'triple', 'M': 'miss'} %}"
    "{% set bulls = {'SB': 'outer_bull', 'DB': 'inner_bull'} %}"
    "{{ dict(value_json, event_type=bulls[bed] if bed in bulls else rings[bed[0]] if bed else 'points') | to_json }}"
)
_EVENT: Final = "{{ dict(value_json, event_type=value_json.event) | to_json }}"
# A match that was stopped leaves an empty message; None sets a sensor to unknown.
_STATE: Final = (
    "{{ 'no_match' if value_json is not defined else 'finished' if value_json.finished else value_json.turn.awaits }}"
)
_PLAYER: Final = "{{ value_json.turn.actor if value_json is defined else None }}"
_SCORE: Final = (
    "{{ (value_json.players | selectattr('name', 'eq', value_json.turn.player) | list + [{'score': None}])[0].score"
    " if value_json is defined else None }}"
)
_DARTS: Final = "{{ value_json.turn.darts | join(' ') if value_json is defined else None }}"
# Not the whole state: Home Assistant keeps at most 16 KiB of attributes, and a map is larger.
_ATTRIBUTES: Final = (
    "{% set all = namespace(about={}) %}"
    "{% if value_json is defined %}{% for key in ['match', 'revision', 'game', 'players', 'winners'] %}"
    "{% set all.about = dict(all.about, **{key: value_json[key]}) %}"
    "{% endfor %}{% endif %}"
    "{{ all.about | to_json }}"
)
_SCORES: Final = (
    "{% set all = namespace(scores={}) %}"
    "{% if value_json is defined %}{% for player in value_json.players %}"
    "{% set all.scores = dict(all.scores, **{player.name: player.score}) %}"
    "{% endfor %}{% endif %}"
    "{{ all.scores | to_json }}"
)


def topic(node: str, board: str) -> str:
    """Returns the topic of a board's message. Names have no underscore, so no two boards share a topic."""
    return f"{PREFIX}/device/{device_id(node, board)}/config"


def of_node(node: str, found: str) -> bool:
    """Whether a discovery topic is of a board of this node, present or former."""
    return found.startswith(f"{PREFIX}/device/{device_id(node, '')}") and found.endswith("/config")


def device_id(node: str, board: str) -> str:
    """Returns the identifier of a board in Home Assistant, whatever its name there."""
    return f"oche_{node}_{board}"


def device(
    node: str, board: str, model: str, version: str, pages: str | None, *, battery: bool = False
) -> dict[str, Any]:
    """Returns the message. `pages` is the web server's URL for other machines, `None` if they cannot reach it.

    `battery`: the board says how full its battery is.
    """
    base, key = f"oche/{node}/board/{board}", device_id(node, board)
    daemon = {"topic": f"oche/{node}/status", "value_template": "{{ value_json.state }}"}
    port = {
        "topic": f"{base}/status",
        "value_template": "{{ 'offline' if value_json.state == 'offline' else 'online' }}",
    }
    about = {"identifiers": [key], "name": f"Dartboard {board}", "manufacturer": "oche", "model": model}
    about |= {"sw_version": version} | ({} if pages is None else {"configuration_url": f"{pages}/board/{board}"})
    return {
        "device": about,
        "origin": {"name": "oche", "sw_version": version},
        "qos": 1,
        # A match goes on while its board is away, so most entities depend on the daemon only.
        "availability": [daemon],
        "components": {
            leaf: {"unique_id": f"{key}_{leaf}"} | entity
            for leaf, entity in (_entities(base, daemon, port) | (_battery(base) if battery else {})).items()
        },
    }


def _battery(base: str) -> dict[str, dict[str, Any]]:
    about = {"platform": "sensor", "state_topic": f"{base}/status", "entity_category": "diagnostic", "name": "Battery"}
    about |= {"device_class": "battery", "unit_of_measurement": "%"}
    # Unknown until the board has said it.
    return {"battery": about | {"value_template": "{{ value_json.battery | default(None) }}"}}


def _entities(base: str, daemon: dict[str, str], port: dict[str, str]) -> dict[str, dict[str, Any]]:
    match = {"platform": "sensor", "state_topic": f"{base}/match"}
    status = {"platform": "binary_sensor", "state_topic": f"{base}/status", "entity_category": "diagnostic"}
    button = {"platform": "button", "command_topic": f"{base}/command"}
    everything = {"json_attributes_topic": f"{base}/match"}
    return {
        "hit": {
            "platform": "event",
            "name": "Hit",
            "icon": "mdi:bullseye-arrow",
            "state_topic": f"{base}/hit",
            "event_types": list(HIT_TYPES),
            "value_template": _HIT,
            "availability": [daemon, port],
            "availability_mode": "all",
        },
        "event": {
            "platform": "event",
            "name": "Match event",
            "icon": "mdi:party-popper",
            "state_topic": f"{base}/event",
            "event_types": list(get_args(EventKind)),
            "value_template": _EVENT,
        },
        "state": match
        | everything
        | {
            "name": "Match",
            "icon": "mdi:scoreboard",
            "device_class": "enum",
            "options": list(STATES),
            "value_template": _STATE,
            "json_attributes_template": _ATTRIBUTES,
        },
        "turn": match | {"name": "Turn", "icon": "mdi:account", "value_template": _PLAYER},
        "score": match
        | everything
        | {
            "name": "Score",
            "icon": "mdi:counter",
            "value_template": _SCORE,
            "json_attributes_template": _SCORES,
        },
        "darts": match | {"name": "Darts", "icon": "mdi:arrow-projectile-multiple", "value_template": _DARTS},
        "board": status
        | {
            "name": "Board",
            "device_class": "connectivity",
            "value_template": "{{ 'OFF' if value_json.state == 'offline' else 'ON' }}",
        },
        "fault": status
        | {
            "name": "Fault",
            "device_class": "problem",
            "value_template": "{{ 'ON' if value_json.state == 'faulty' or value_json.stuck else 'OFF' }}",
            "json_attributes_topic": f"{base}/status",
        },
        "next": button | {"name": "Next", "icon": "mdi:skip-next", "payload_press": '{"next": true}'},
        "undo": button | {"name": "Undo", "icon": "mdi:undo", "payload_press": '{"undo": true}'},
    }
