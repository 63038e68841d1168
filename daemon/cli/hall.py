"""`oche hall`: the commands of a hall, which need PostgreSQL's client, and those of a node."""

import argparse
import os
import ssl
from typing import Any

from daemon.cli.hall_parser import OF_HALL
from daemon.record.journal_file import make_folder
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Exit, Failed
from daemon.system.hall_config import hall_url
from daemon.system.urls import UsageError, check_name, http_address
from engine import jsontext


def hall(arguments: argparse.Namespace) -> int:
    """Runs one part of the command. Failed where a package that it needs is not installed."""
    try:
        return _hall(arguments) if arguments.what in OF_HALL else _node(arguments)
    except ImportError as error:
        if error.name is None or error.name.split(".")[0] not in ("asyncpg", "cryptography", "jinja2"):
            raise
        raise Failed(f"`oche hall` needs {error.name.split('.')[0]}: pip install 'oche[hall]'.") from error


def _hall(arguments: argparse.Namespace) -> int:
    from hall import commands
    from hall.database import DatabaseError

    try:
        url = commands.database(arguments.db)
        match arguments.what:
            case "init":
                return commands.init(url)
            case "card":
                return _card(url, arguments)
            case "code":
                return commands.code(url, arguments.replace)
            case "nodes":
                return commands.list_nodes(url, as_json=arguments.json)
            case "revoke":
                return commands.revoke(url, arguments.node)
            case "token":
                return commands.token(url)
            case "verify":
                return commands.verify(url)
            case "matches":
                return commands.season_matches(url, arguments.since)
            case "rebuild":
                return commands.rebuild(url, arguments.source)
            case _:
                return _serve(url, arguments)
    except DatabaseError as error:
        raise Failed(str(error)) from error


def _card(url: str, arguments: argparse.Namespace) -> int:
    from hall import card_commands

    paper = card_commands.Paper(arguments.until, arguments.svg)
    player = arguments.again or arguments.revoke
    if arguments.name is not None and player is not None:
        raise UsageError("Give a NAME for a new card, or the ID of a card with --again or --revoke.")
    if arguments.revoke is not None:
        card_commands.revoke(url, arguments.revoke)
    elif arguments.again is not None:
        card_commands.renew(url, arguments.again, paper)
    elif arguments.name is not None:
        card_commands.make(url, arguments.name, paper)
    else:
        card_commands.list_all(url, as_json=arguments.json)
    return Exit.DONE


def _serve(url: str, arguments: argparse.Namespace) -> int:
    from hall import commands
    from hall.server import TlsFiles

    host, port = http_address(arguments.http)
    if not 1 <= arguments.processes <= 64:
        raise UsageError("--processes is a number from 1 to 64.")
    if (arguments.certificate is None) != (arguments.key is None):
        raise UsageError("Give both --certificate and --key, or neither.")
    tls = None if arguments.certificate is None else TlsFiles(arguments.certificate, arguments.key)
    try:
        return commands.serve(url, commands.Address(host, port, arguments.processes, tls))
    except ssl.SSLError as error:
        raise Failed(f"The certificate {arguments.certificate} with its key cannot be used: {error}.") from error
    except OSError as error:
        why = error.strerror or os.strerror(error.errno) if error.errno else error_text(error)
        raise Failed(f"The hall cannot be served at {arguments.http}: {why}.") from error


def _node(arguments: argparse.Namespace) -> int:
    match arguments.what:
        case "join":
            return _join(arguments)
        case "leave":
            from daemon.shipping.join import leave

            if not leave(arguments.data):
                raise Failed(f"The node with the data in {arguments.data} is in no hall.")
            print("Nothing is sent to the hall any more. What it has stays there.")
            return Exit.DONE
        case _:
            return _status(arguments)


def _join(arguments: argparse.Namespace) -> int:
    from daemon.shipping.join import NotJoined, join
    from daemon.system.config import load_settings

    name = arguments.name or load_settings(arguments.config, [], None, None, None, None, encrypts=False).node
    check_name("node", name)
    try:
        make_folder(arguments.data)
        member = join(arguments.data, hall_url(arguments.url), arguments.code, name)
    except NotJoined as error:
        raise Failed(str(error)) from error
    print(f"This node is {member.node} in the hall at {member.url}. The daemon sends its matches while it runs.")
    return Exit.DONE


def _status(arguments: argparse.Namespace) -> int:
    """Prints the state that the daemon noted last; exit code 1 if the hall does not take everything."""
    from daemon.shipping.league import refused_matches
    from daemon.shipping.membership import BadMembership, load
    from daemon.shipping.sent_file import SentFile, Stage

    try:
        member = load(arguments.data)
    except BadMembership as error:
        raise Failed(str(error)) from error
    if member is None or not member.token:
        raise Failed("This node is in no hall. Join one with a code: oche hall join URL CODE")
    sent = SentFile(arguments.data)
    status = {"state": "unknown", "waiting": 0} | sent.status() | {"url": member.url, "node": member.node}
    unforgotten = sum(stage < Stage.GONE for stage in sent.forgotten().values())
    status |= {"to_forget": unforgotten} if unforgotten else {}
    refused = {match: one.refused for match, one in sent.all().items() if one.refused and one.digest}
    refused |= refused_matches(sent)
    status |= {"refused": refused} if refused else {}
    if arguments.json:
        print(jsontext.dump(status))
    else:
        print("\n".join(_sentences(status)))
    return Exit.DONE if status["state"] == "connected" and not refused else Exit.FAILED


def _sentences(status: dict[str, Any]) -> list[str]:
    said = [f"This node is {status['node']} in the hall at {status['url']}."]
    match status["state"]:
        case "connected" if not status["waiting"]:
            said.append("The hall has everything.")
        case "connected":
            said.append(f"{status['waiting']} lines are still to be sent.")
        case "unknown":
            said.append("Nothing was sent yet: the daemon sends while it runs.")
        case _:
            said.append(f"{status['waiting']} lines wait. {status.get('message', '')}")
    if "to_forget" in status:
        said.append(f"{status['to_forget']} players are still to be forgotten by the hall.")
    said += [f"The hall refused the match {match}. {why}" for match, why in status.get("refused", {}).items()]
    return said
