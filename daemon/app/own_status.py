"""What a daemon publishes about itself, for displays and other programs."""

from typing import Final

from daemon.app.board_registry import BoardRegistry
from daemon.mqtt.node_status import DamagedRecord, HallStatus, NodeStatus
from daemon.record.chain import Damage
from daemon.record.journal import Journal
from daemon.session import payloads
from daemon.system.catalogue import games
from daemon.system.version import version

DAMAGE_SHOWN: Final = 20
"""How many damaged records the node's status lists; `oche matches` shows every match."""


def own_status(registry: BoardRegistry, journal: Journal, hall: HallStatus | None) -> NodeStatus:
    """The node status, without what the bus adds. `hall` is None for a node that has joined no hall."""
    status: NodeStatus = {
        "state": "online",
        "version": version(),
        "schema": payloads.SCHEMA,
        "boards": sorted(registry.sessions),
        "games": sorted(games()),
    }
    if registry.houses is not None:
        status["houses"] = True
    if registry.said:
        status["unknown"] = [{"port": port, "message": message} for port, message in sorted(registry.said.items())]
    if hall is not None:
        status["hall"] = hall
    if journal.found:
        status["damaged"] = [_damaged(damage) for damage in journal.found[:DAMAGE_SHOWN]]
    return status


def _damaged(damage: Damage) -> DamagedRecord:
    about: DamagedRecord = {"message": damage.message}
    if damage.match is not None and damage.action is not None:
        about |= {"match": damage.match, "first_bad_action": damage.action}
    return about
