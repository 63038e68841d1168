"""The command line of `oche hall`: the commands of a hall, and how a node joins one."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

from daemon.cli.parsing import Parser
from daemon.cli.tournament_parser import Adder

HTTP: Final = "localhost:8090"
OF_HALL: Final = ("init", "card", "code", "matches", "nodes", "revoke", "serve", "token", "verify", "rebuild")
"""The parts that need the database of the hall."""


def hall(command: Callable[..., Parser], adder: Adder) -> None:
    """Adds the command; `adder` returns a function that adds its parts."""
    whole = command(
        "hall",
        help="collect the matches of many nodes in one place; needs oche[hall]",
        example="oche hall serve --db postgresql:///hall\noche hall join https://darts.example.org K7QM-2XPA-9TRC",
    )
    what = adder(whole.add_subparsers(dest="what", metavar="WHAT"))
    _centre(what)
    _node(what)


def _centre(what: Callable[..., Parser]) -> None:
    init = what(
        "init",
        help="make the database and the tables of a hall; serve does so too",
        example="oche hall init --db postgresql:///hall",
    )
    code = what("code", help="print a code with which one node can join", example="oche hall code")
    code.add_argument("--replace", metavar="NODE", help="for a machine that was set up again: it gets this node's name")
    matches = what(
        "matches",
        help="print the finished matches of two sides, one a line, for `oche season results`",
        example="oche hall matches --since 2026-09-01 > played.jsonl",
    )
    matches.add_argument("--since", metavar="DATE", type=date.fromisoformat, default=date.min, help="the first day")
    nodes = what("nodes", help="list the nodes, and how much each has still to send", example="oche hall nodes --json")
    nodes.add_argument("--json", action="store_true", help="one object a line")
    revoke = what("revoke", help="shut a node out; its matches stay", example="oche hall revoke crown")
    revoke.add_argument("node", metavar="NODE", help="as `oche hall nodes` prints it")
    serve = what(
        "serve",
        help="serve the hall: its pages, and what the nodes send",
        example="oche hall serve --db postgresql:///hall --http 0.0.0.0:8443 --certificate crt.pem --key key.pem",
    )
    serve.add_argument("--http", metavar="HOST:PORT", default=HTTP, help=f"where it listens; default {HTTP}")
    serve.add_argument("--processes", metavar="N", type=int, default=1, help="how many processes serve; default 1")
    serve.add_argument("--certificate", metavar="FILE", type=Path, help="encrypts the connections")
    serve.add_argument("--key", metavar="FILE", type=Path, help="the certificate's key")
    token = what("token", help="print a token for the page /league of the hall", example="oche hall token")
    verify = what("verify", help="check every match against its signature and the rules", example="oche hall verify")
    rebuild = what("rebuild", help="make the index of the hall again", example="oche hall rebuild --from nodes")
    rebuild.add_argument(
        "--from",
        dest="source",
        choices=("nodes", "files"),
        default="nodes",
        help="have the nodes send everything again, or count the stored matches again; default nodes",
    )
    for part in (init, _card(what), code, matches, nodes, revoke, serve, token, verify, rebuild):
        part.add_argument("--db", metavar="URL", help="default: OCHE_HALL_DB, else postgresql:///hall")


def _card(what: Callable[..., Parser]) -> Parser:
    card = what(
        "card",
        help="make the card of a player, or list all cards",
        example="oche hall card Ann\noche hall card --svg ann.svg Ann",
    )
    card.add_argument("name", metavar="NAME", nargs="?", help="the player; without it every card is listed")
    which = card.add_mutually_exclusive_group()
    which.add_argument("--again", metavar="ID", help="print the card of a player again")
    which.add_argument("--revoke", metavar="ID", help="take a card back")
    card.add_argument("--until", metavar="DATE", type=date.fromisoformat, help="its last day; default: in two years")
    card.add_argument("--svg", metavar="FILE", type=Path, help="write the QR code to a file")
    card.add_argument("--json", action="store_true", help="list the cards, one object a line")
    return card


def _node(what: Callable[..., Parser]) -> None:
    join = what(
        "join",
        help="have this node send its matches to a hall",
        example="oche hall join https://darts.example.org K7QM-2XPA-9TRC",
    )
    join.add_argument("url", metavar="URL", help="where the hall is")
    join.add_argument("code", metavar="CODE", help="as `oche hall code` prints it at the hall")
    join.add_argument("--name", metavar="NODE", help="how the hall calls this node; default: its name")
    join.add_argument("--config", metavar="FILE", help="whose node name counts; default /etc/oche/oche.toml")
    leave = what("leave", help="send nothing to the hall any more", example="oche hall leave")
    status = what("status", help="print whether the hall has everything", example="oche hall status")
    status.add_argument("--json", action="store_true", help="one object")
    for part, may_be_missing in ((join, True), (leave, False), (status, False)):
        part.add_argument("--data", metavar="DIR", type=Path, help="where the daemon keeps its matches")
        part.set_defaults(data_may_be_missing=may_be_missing)
