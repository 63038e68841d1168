"""`oche hall`: the commands of the centre, which need PostgreSQL's client, and those of a node."""

import argparse
import os
import ssl

from daemon.cli.hall_parser import CENTRE
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Failed
from daemon.system.urls import UsageError, http_address


def hall(arguments: argparse.Namespace) -> int:
    """Runs one part of the command. Failed where a package that it needs is not installed."""
    try:
        return _centre(arguments) if arguments.what in CENTRE else _node(arguments)
    except ImportError as error:
        if error.name is None or error.name.split(".")[0] not in ("asyncpg", "cryptography", "jinja2"):
            raise
        raise Failed(f"`oche hall` needs {error.name.split('.')[0]}: pip install 'oche[hall]'.") from error


def _centre(arguments: argparse.Namespace) -> int:
    from hall import commands
    from hall.database import DatabaseError

    try:
        url = commands.database(arguments.db)
        match arguments.what:
            case "init":
                return commands.init(url)
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
            case "rebuild":
                return commands.rebuild(url, arguments.source)
            case _:
                return _serve(url, arguments)
    except DatabaseError as error:
        raise Failed(str(error)) from error


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
    raise NotImplementedError(arguments.what)
