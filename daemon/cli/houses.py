"""`oche invite`, `accept`, `adjourn`, `resume`: matches with another house, asked of a running daemon."""

import argparse
import asyncio
import json
import secrets
import sys
from typing import Any

import aiomqtt

from daemon.cli.parsing import json_object
from daemon.cli.throw import Unanswered, find_board, wait_for_reply
from daemon.mqtt.connection import command_client
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Exit
from daemon.system.urls import UsageError, broker_url, without_password
from engine import jsontext


def invite(arguments: argparse.Namespace) -> int:
    """Prints the code with which another house accepts a match."""
    if arguments.again:
        if arguments.game or arguments.guest:
            raise UsageError("--again plays the match on the board once more: name no game and no players.")
        command: dict[str, Any] = {"invite": True}
    elif not arguments.game or not arguments.guest:
        raise UsageError("Name the game, the players, and with --guest those of the other house; or write --again.")
    else:
        body = {"game": arguments.game, "players": arguments.players, "guests": arguments.guest}
        options = json_object("--options", arguments.options or "{}")
        command = {"invite": body | ({"options": options} if options else {})}
    reply = _ask(arguments, command)
    if reply is None:
        return Exit.FAILED
    invitation = reply["invitation"]
    print(_about(invitation))
    print(f"Give the other house this code; it can be accepted once, until {invitation['expires']}:")
    print(f"  {invitation['code']}")
    return 0


def accept(arguments: argparse.Namespace) -> int:
    """Shows what a code invites to, and accepts it if the answer is yes."""
    looked = _ask(arguments, {"accept": {"code": arguments.code, "look": True}})
    if looked is None:
        return Exit.FAILED
    print(_about(looked["invitation"]))
    if not arguments.yes and input("Play? [y/N] ").strip().lower() not in ("y", "yes"):
        print("Not accepted; the code stays valid.")
        return Exit.FAILED
    if _ask(arguments, {"accept": {"code": arguments.code}}) is None:
        return Exit.FAILED
    print("The match is on the board.")
    return 0


def adjourn(arguments: argparse.Namespace) -> int:
    """Takes a match with another house off the boards of both."""
    if _ask(arguments, {"adjourn": True}) is None:
        return Exit.FAILED
    print("The match is adjourned; go on with: oche resume")
    return 0


def resume(arguments: argparse.Namespace) -> int:
    """Puts an adjourned match back on the boards of both houses."""
    if _ask(arguments, {"resume": arguments.id or True}) is None:
        return Exit.FAILED
    print("The match goes on.")
    return 0


def _about(invitation: dict[str, Any]) -> str:
    there = ", ".join(invitation["guests"])
    options = f" {json.dumps(invitation['options'], ensure_ascii=False)}" if invitation["options"] else ""
    return f"{invitation['game']}{options}: {', '.join(invitation['players'])}; the guests are {there}."


def _ask(arguments: argparse.Namespace, command: dict[str, Any]) -> dict[str, Any] | None:
    """Sends a command; returns the reply, or `None` after a message on stderr."""
    try:
        reply = asyncio.run(_send(arguments, command))
    except Unanswered as error:
        print(error, file=sys.stderr)
        return None
    except aiomqtt.MqttError as error:
        print(f"No daemon at {without_password(arguments.broker)}: {error_text(error)}.", file=sys.stderr)
        return None
    if not reply["ok"]:
        print(f"{reply['reason']}: {reply['message']}", file=sys.stderr)
        return None
    return reply


async def _send(arguments: argparse.Namespace, command: dict[str, Any]) -> dict[str, Any]:
    async with command_client(broker_url(arguments.broker)) as client:
        root = await find_board(client, arguments.node, arguments.board)
        await client.subscribe(f"{root}/reply", qos=1)
        number = f"houses-{secrets.token_hex(8)}"
        await client.publish(f"{root}/command", jsontext.dump({"id": number} | command), qos=1)
        return await wait_for_reply(client, f"{root}/reply", number, HOST_SECONDS)


HOST_SECONDS = 20.0
"""How long a reply may take: the daemon asks the host for eight seconds."""
