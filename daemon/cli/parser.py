"""The command line: every command with its arguments.

Imports no code of a command, so that `oche --help` is quick; `daemon/main.py` knows where that is.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from daemon.cli.boards_parser import boards
from daemon.cli.hall_parser import hall
from daemon.cli.parsing import Parser, ShowVersion, data_of, number
from daemon.cli.record_parser import record
from daemon.cli.season_parser import season
from daemon.cli.tournament_parser import tournament
from daemon.system.exit_codes import EXITS
from daemon.system.skills import WORDS
from engine.texts import LANGUAGES

PAGES_BROKER: Final = "ws://localhost:8080/mqtt"

Command = Callable[..., Parser]
"""Adds a command: its name, `help`, and an `example` of one or more command lines."""


def parser() -> Parser:
    """Returns the parser. The result of its `parse_args` has the name of the command in `command`, or None."""
    whole = Parser(
        prog="oche",
        description="The daemon between dartboards and their displays.\n\nExit codes:\n"
        + "\n".join(f"  {code:d}  {says}" for code, says in EXITS.items()),
        example="oche run --board lounge=maddarts@/dev/ttyUSB0",
    )
    whole.add_argument("--version", action=ShowVersion, help="print the version and end")
    command = _adder(whole.add_subparsers(dest="command", metavar="COMMAND"))
    _daemon(command)
    boards(command)
    _games(command)
    record(command)
    _people(command)
    _bus(command)
    tournament(command, _adder)
    season(command, _adder)
    hall(command, _adder)
    _machine(command)
    return whole


def _adder(commands: "argparse._SubParsersAction[Parser]") -> Command:
    """Returns a function that adds commands; the first sentence of a command's help is its line in the list too."""

    def command(name: str, *, help: str, example: str) -> Parser:  # noqa: A002
        return commands.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.", example=example)

    return command


def _daemon(command: Command) -> None:
    run = command(
        "run",
        help="run the daemon; without a configuration bots play on a virtual board",
        example="oche run\noche run --board lounge=maddarts@/dev/ttyUSB0 --http 8080",
    )
    _daemon_options(run)
    run.add_argument("--node", metavar="NAME", help="the name of this machine in topics; default: its host name")
    run.add_argument("--record", metavar="DIR", help="write what each board sends to DIR/NAME.jsonl, to be replayed")

    setup = command(
        "setup", help="answer questions at the first run: board, broker, who sees the pages", example="sudo oche setup"
    )
    setup.add_argument("--config", metavar="FILE", help="what it writes; default /etc/oche/oche.toml")
    setup.add_argument("--seconds", metavar="N", type=number, default=60.0, help="how long it waits for the test dart")
    setup.add_argument("--http", metavar="HOST:PORT", help="ask in a browser of this machine too, at this port")

    doctor = command(
        "doctor", help="look for what is wrong, and print what to do", example="oche doctor\nsudo oche doctor --json"
    )
    _daemon_options(doctor)
    doctor.add_argument("--user", metavar="NAME", help="who the daemon runs as; default: oche, or you")
    doctor.add_argument("--seconds", metavar="N", type=number, default=4.0, help="how long it listens; default 4")
    doctor.add_argument("--root", metavar="DIR", default="/", help="where the machine's /proc, /run and /sys are")
    doctor.add_argument("--json", action="store_true", help="print one list")


def _daemon_options(command: Parser) -> None:
    """Adds the options of a daemon's start."""
    command.add_argument("--config", metavar="FILE", help="a TOML file; default /etc/oche/oche.toml, if it is there")
    command.add_argument(
        "--board", metavar="NAME=MODEL@URL", action="append", default=[], help="a board; again for more"
    )
    command.add_argument("--broker", metavar="URL", help="an MQTT broker; default: the embedded one")
    command.add_argument("--http", metavar="HOST:PORT", help="where the pages are; default localhost:8080")
    command.add_argument("--data", metavar="DIR", help="where matches are kept")


def _games(command: Command) -> None:
    replay = command("replay", help="play match files, print how they end", example="oche replay evening.jsonl --json")
    replay.add_argument("files", metavar="FILE", nargs="+", help="a match file, or - for standard input")
    replay.add_argument("--json", action="store_true", help="the end state, one object a file")
    replay.add_argument("--every", action="store_true", help="the state after each action, one object a line")
    replay.add_argument("--private", action="store_true", help="with the players' hands")

    rules = command(
        "rules",
        help="print the rule cards of a game, or list all games",
        example="oche rules\noche rules overs --lang de",
    )
    rules.add_argument("game", metavar="GAME", nargs="?", help="like cerberus; default: a list of all games")
    rules.add_argument("--lang", "--language", dest="language", choices=LANGUAGES, default="en", help="default en")
    rules.add_argument("--json", action="store_true", help="one value")

    simulate = command(
        "simulate",
        help="play matches of bots and print how long they are and who wins",
        example="oche simulate x01 --players 2 --matches 1000 --options '{\"start\": 301}'",
    )
    simulate.add_argument("game", metavar="GAME", help="like cerberus; a wrong one lists them all")
    simulate.add_argument("--players", metavar="N", type=int, default=2, help="how many play; default 2")
    simulate.add_argument("--matches", metavar="N", type=int, default=100, help="how many are played; default 100")
    simulate.add_argument(
        "--skill",
        metavar="MM",
        default="25",
        help=f"spread of the darts, or one of {', '.join(WORDS)}; default 25",
    )
    simulate.add_argument(
        "--seed", metavar="N", type=int, help="the same seed plays the same matches; default: a new one"
    )
    simulate.add_argument("--options", metavar="JSON", help='options of the game, like {"start": 301}')
    simulate.add_argument("--rival", choices=("random",), help="every second player takes no advice")
    simulate.add_argument("--json", action="store_true", help="one object")
    fair = command(
        "fair",
        help="find the handicap with which two players have the same chance to win",
        example="oche fair x01 Ann=12 Bob=pub --options '{\"start\": 301}'",
    )
    fair.add_argument("game", metavar="GAME", help="like cricket; a wrong one lists them all")
    fair.add_argument("hands", metavar="NAME=MM", nargs=2, help="a player with the spread of their darts, or its word")
    fair.add_argument(
        "--bot", metavar="NAME", action="append", default=[], help="this player is a bot, which can aim otherwise"
    )
    fair.add_argument("--options", metavar="JSON", help='options of the game, like {"start": 301}')
    fair.add_argument("--seed", metavar="N", type=int, help="the same seed plays the same matches; default: a new one")
    fair.add_argument("--json", action="store_true", help="one object")


def _people(command: Command) -> None:
    access = command(
        "access",
        help="manage who has access over the network",
        example="oche access add home-assistant --role referee --generate",
    )
    what = _adder(access.add_subparsers(dest="what", metavar="WHAT"))
    listed = what("list", help="list the users and their roles", example="oche access list")
    add = what(
        "add",
        help="add a user; asks for the password",
        example="oche access add tv --role display --generate",
    )
    add.add_argument("name", metavar="NAME", help="a user's name; players have it in their matches")
    add.add_argument(
        "--role", choices=("display", "player", "referee", "board"), required=True, help="what they may do"
    )
    add.add_argument("--generate", action="store_true", help="make a password and print it")
    confirm = what(
        "confirm",
        help="confirm users who were added with a code",
        example="oche access confirm ann",
    )
    remove = what("remove", help="remove users; takes effect at once", example="oche access remove ann")
    for part in (confirm, remove):
        part.add_argument("names", metavar="NAME", nargs="+", help="as `oche access list` prints it")
    code = what("code", help="print the running daemon's codes that grant access", example="oche access code")
    code.add_argument("--http", metavar="HOST:PORT", default="localhost:8080", help="its pages; default localhost:8080")
    code.add_argument("--data", metavar="DIR", help="not used; every other `oche access` has it")

    files = command(
        "broker-config",
        help="write access and password files for an external mosquitto",
        example="oche broker-config --out /etc/oche/broker --node lounge\n"
        "oche broker-config --out hub --houses anna bob --host hub.example.org",
    )
    files.add_argument("--out", metavar="DIR", type=Path, required=True, help="where they are written")
    whose = files.add_mutually_exclusive_group(required=True)
    whose.add_argument("--node", metavar="NAME", help="the node in the topics")
    whose.add_argument(
        "--houses", metavar="NAME", nargs="+", help="the nodes that play matches in two houses over this broker"
    )
    whose.add_argument("--nodes", metavar="NAME", nargs="+", help="the nodes of one hall that share this broker")
    files.add_argument("--organizer", metavar="NAME", help="the node whose tournaments are played on all of --nodes")
    files.add_argument("--host", metavar="HOST", default="localhost", help="where the broker is; default localhost")
    files.add_argument("--config", metavar="FILE", help="whose boards publish; default /etc/oche/oche.toml")
    files.add_argument("--certificate", metavar="FILE", type=Path, help="encrypts the broker's port")
    files.add_argument("--key", metavar="FILE", type=Path, help="the certificate's key")
    for part in (listed, confirm, remove):
        data_of(part)
    # The first user and a broker may be set up before anything was played.
    for part in (add, files):
        data_of(part, may_be_missing=True)


def _bus(command: Command) -> None:
    throw = command(
        "throw",
        help="send darts, or any action, to a running daemon",
        example='oche throw T20 T20 MISS next\noche throw \'{"start": {"game": "x01", "players": ["Ann", "Bob"]}}\'',
    )
    throw.add_argument(
        "texts", metavar="TEXT", nargs="+", help="T20, MISS, next, undo, bounce, foul, done, stop, or JSON"
    )
    watch = command("watch", help="show the scores in a terminal", example="oche watch --board lounge")
    watch.add_argument("--once", action="store_true", help="print them and end")
    houses = _houses(command)
    for part in (throw, watch, *houses):
        part.add_argument("--broker", metavar="URL", default=PAGES_BROKER, help="default: through the pages")
        part.add_argument("--node", metavar="NAME", help="only of this machine")
        part.add_argument("--board", metavar="NAME", help="only of this board")

    show = command(
        "show",
        help="tell lights, web hooks and callers what happens, by the configuration; `oche run` starts it",
        example="oche show --broker mqtt://127.0.0.1:1884 --node lounge --config show.toml",
    )
    show.add_argument("--config", metavar="FILE", help="a TOML file; default /etc/oche/oche.toml, if it is there")
    show.add_argument("--broker", metavar="URL", help="the daemon's broker; default: that of the configuration")
    show.add_argument("--node", metavar="NAME", help="the name of the daemon's machine; default: this one's")
    show.add_argument("--data", metavar="DIR", help="the daemon's data directory, with the rules made on its pages")


def _houses(command: Command) -> tuple[Parser, ...]:
    """Adds the commands for matches with another house."""
    invite = command(
        "invite",
        help="invite another house to a match, and print the code for it",
        example="oche invite x01 Ann Bob --guest Bob\noche invite --again",
    )
    invite.add_argument("game", metavar="GAME", nargs="?", help="like x01 or cricket; none that hides something")
    invite.add_argument("players", metavar="NAME", nargs="*", help="all who play, in their order")
    invite.add_argument("--guest", metavar="NAME", action="append", help="a player of the other house; again for more")
    invite.add_argument("--options", metavar="JSON", help='options of the game, like {"start": 301}')
    invite.add_argument("--again", action="store_true", help="play the match on the board once more")
    accept = command(
        "accept", help="accept a match in another house, by its code", example="oche accept anna/lounge/7KQ4MX2P"
    )
    accept.add_argument("code", metavar="CODE", help="as `oche invite` printed it in the other house")
    accept.add_argument("--yes", action="store_true", help="accept without asking")
    adjourn = command(
        "adjourn", help="take a match with another house off the boards; it can be resumed", example="oche adjourn"
    )
    resume = command("resume", help="go on with a match that was adjourned", example="oche resume")
    resume.add_argument("id", metavar="ID", nargs="?", help="as `oche matches` prints it; default: the last one")
    return invite, accept, adjourn, resume


def _machine(command: Command) -> None:
    service = command(
        "install-service",
        help="install the daemon as a service of this machine (systemd)",
        example="oche install-service --dry-run",
    )
    service.add_argument("--dry-run", action="store_true", help="print what would be written and done")
    service.add_argument("--root", metavar="DIR", default="/", help="write below DIR, and start nothing")
    service.add_argument("--program", metavar="PATH", help="what the service runs; default: this program")
    service.add_argument("--packaged", action="store_true", help="use the places of a Debian package; create no users")
