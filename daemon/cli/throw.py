"""`oche throw`: sends darts, or any action, to a running daemon, as a display would."""

import argparse
import asyncio
import contextlib
import secrets
import sys
from typing import Any, Final

import aiomqtt

from daemon.mqtt.connection import command_client
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Exit
from daemon.system.urls import BrokerUrl, UsageError, broker_url, check_name, without_password
from engine import jsontext
from engine.refusals import Refusal
from engine.segments import SEGMENTS

WORDS: Final[dict[str, dict[str, Any]]] = {
    "NEXT": {"next": True},
    "UNDO": {"undo": True},
    "BOUNCE": {"bounce": True},
    "FOUL": {"foul": True},
    "DONE": {"done": True},
    "STOP": {"stop": True},
}
LOOK_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 5.0
FAIR_SECONDS: Final = 150.0
"""A fair handicap is worked out in up to two minutes."""


class Unanswered(Exception):
    """There is no daemon, no board, or no reply; the text says what to do."""


def throw(arguments: argparse.Namespace) -> int:
    """Sends the commands in order; stops at the first that is refused."""
    texts: list[str] = arguments.texts
    try:
        return asyncio.run(_send(texts, broker_url(arguments.broker), arguments.node, arguments.board))
    except Unanswered as error:
        print(error, file=sys.stderr)
    except aiomqtt.MqttError as error:
        print(f"No daemon at {without_password(arguments.broker)}: {error_text(error)}.", file=sys.stderr)
    return 1


def _command(text: str) -> dict[str, Any]:
    """Parses `T20`, a word of `WORDS`, or the JSON of any action or command. UsageError for anything else."""
    if text.startswith("{"):
        # As the daemon reads it: what it would refuse without an answer is a mistake here.
        value = jsontext.parse(text.encode(errors="replace"))
        if isinstance(value, Refusal):
            raise UsageError(f"{text[:100]!r}: {value.message}")
        return dict(value)
    if text.upper() in WORDS:
        return dict(WORDS[text.upper()])
    if text.upper() not in SEGMENTS:
        words = ", ".join(WORDS).lower()
        raise UsageError(f"{text!r} is not a dart: write T20, D5, SB or MISS, one of {words}, or JSON.")
    return {"throw": text.upper()}


async def _send(texts: list[str], url: BrokerUrl, node: str | None, board: str | None) -> int:
    # All are parsed before the first is sent: after a typing error nothing is sent.
    commands = [_command(text) for text in texts]
    async with command_client(url) as client:
        root = await find_board(client, node, board)
        await client.subscribe(f"{root}/reply", qos=1)
        for number, command in enumerate(commands, 1):
            if command.get("id") is None:
                command["id"] = f"throw-{secrets.token_hex(8)}"
            await client.publish(f"{root}/command", jsontext.dump(command), qos=1)
            seconds = FAIR_SECONDS if "fair" in command else ANSWER_SECONDS
            reply = await wait_for_reply(client, f"{root}/reply", command["id"], seconds)
            if not reply["ok"]:
                print(f"{reply.get('reason')}: {reply.get('message')}{_rest(texts[number:])}", file=sys.stderr)
                return Exit.FAILED
            print(f"done, revision {reply.get('revision')}")
            if answer := {key: value for key, value in reply.items() if key not in ("id", "ok", "revision")}:
                print(jsontext.dump(answer))
    return 0


def _rest(texts: list[str]) -> str:
    return f" Not sent: {' '.join(texts)}" if texts else ""


async def find_board(client: aiomqtt.Client, node: str | None, board: str | None) -> str:
    """Returns the topic of the named board, or of the only one. UsageError for a name that cannot be one, Unanswered
    unless there is exactly one."""
    for what, name in (("node", node), ("board", board)):
        if name is not None:
            check_name(what, name)
    await client.subscribe(f"oche/{node or '+'}/board/{board or '+'}/status", qos=0)
    found: set[str] = set()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LOOK_SECONDS):
            async for message in client.messages:
                found.add(str(message.topic).removesuffix("/status"))
                if node is not None and board is not None:
                    break
    if len(found) == 1:
        return found.pop()
    if not found:
        named = "".join(f" {what} {name}" for what, name in (("named", board), ("at node", node)) if name is not None)
        raise Unanswered(f"No board{named} answers. Is the daemon running? Start it with: oche run")
    raise Unanswered(f"There are several boards; name one with --board: {', '.join(sorted(found))}")


async def wait_for_reply(
    client: aiomqtt.Client, topic: str, command_id: object, seconds: float = ANSWER_SECONDS
) -> dict[str, Any]:
    """Returns the reply to a command; Unanswered if there is none."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            async for message in client.messages:
                if str(message.topic) == topic and isinstance(message.payload, bytes):
                    reply = jsontext.parse(message.payload)
                    # Anyone may publish there who may be answered there.
                    if isinstance(reply, dict) and reply.get("id") == command_id and "ok" in reply:
                        return reply
    raise Unanswered("The daemon did not answer.")
