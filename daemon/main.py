"""The command line. Each command's code is imported when it is called: `oche replay` waits for no broker library."""

import argparse
import gc
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from daemon.urls import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0 done, 1 refused or failed (a sentence on stderr), 2 the command line is wrong."""
    parsed = _parser().parse_args(arguments)
    logging.basicConfig(
        level=_level(os.environ.get("OCHE_LOG", "")),
        stream=sys.stderr,
        format="%(levelname)s %(name)s: %(message)s",
    )
    try:
        code: int = parsed.command(parsed)
    except UsageError as error:
        print(f"oche: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has read enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"oche: {error}", file=sys.stderr)
        return 1
    except Exception as error:
        # A fault of the program. People get a sentence; who looks for it sets OCHE_LOG=debug.
        logging.getLogger(__name__).debug("the command failed", exc_info=True)
        print(f"oche: failed, {type(error).__name__}: {error}. OCHE_LOG=debug tells more.", file=sys.stderr)
        return 1
    else:
        return code


def _level(name: str) -> int:
    level = logging.getLevelName(name.upper())
    return level if isinstance(level, int) else logging.WARNING


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="oche", description="The daemon between dartboards and their displays.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="the daemon; without any configuration bots play on a virtual board")
    run.add_argument("--config", metavar="FILE", help="a TOML file; default /etc/oche/oche.toml, if it is there")
    run.add_argument("--board", metavar="NAME=MODEL@URL", action="append", default=[], help="a board; again for more")
    run.add_argument("--broker", metavar="URL", help="an MQTT broker; default: the embedded one")
    run.add_argument("--http", metavar="HOST:PORT", help="where the pages are; default localhost:8080")
    run.add_argument("--data", metavar="DIR", help="where matches are kept")
    run.add_argument("--node", metavar="NAME", help="the name of this machine in topics; default: its host name")
    run.add_argument("--record", metavar="DIR", help="write what each board says to DIR/NAME.jsonl, to be replayed")
    run.set_defaults(command=_run)

    listen = commands.add_parser("listen", help="print what a board says as normalized hits")
    listen.add_argument("board", metavar="MODEL@URL")
    listen.add_argument("--json", action="store_true", help="one object a line")
    listen.add_argument("--raw", action="store_true", help="the bytes beside it")
    listen.add_argument("--record", metavar="FILE", help="write a recording, to be replayed or attached to a report")
    listen.set_defaults(command=_listen)

    learn = commands.add_parser("learn", help="make a board file by asking for segments")
    learn.add_argument("url", metavar="[MODEL@]URL", help="where the board is, and what it is one of, where you know")
    learn.add_argument("--out", metavar="FILE", default="learnt.toml", help="the file to write; default learnt.toml")
    learn.add_argument("--http", metavar="PORT", type=int, help="show the lesson in a browser too, at this port")
    learn.set_defaults(command=_learn)

    boards = commands.add_parser("boards", help="known board models, and what is plugged in now")
    boards.add_argument("--json", action="store_true")
    boards.add_argument("--why", action="store_true", help="why a model fits what is plugged in, or does not")
    boards.add_argument("port", metavar="URL", nargs="?", help="listen at this port, and say what it could be")
    boards.add_argument("--seconds", type=float, default=5.0, help="how long to listen at each speed; default 5")
    boards.set_defaults(command=_boards)

    replay = commands.add_parser("replay", help="play match files and say how they end")
    replay.add_argument("files", metavar="FILE", nargs="+", help="a match file, or - for standard input")
    replay.add_argument("--json", action="store_true", help="the end state, one object a file")
    replay.add_argument("--every", action="store_true", help="the state after each action, one object a line")
    replay.add_argument("--private", action="store_true", help="with the players' hands")
    replay.set_defaults(command=_replay)

    simulate = commands.add_parser("simulate", help="play matches of bots and say how long they are and who wins")
    simulate.add_argument("game", metavar="GAME")
    simulate.add_argument("--players", metavar="N", type=int, default=2, help="how many play; default 2")
    simulate.add_argument("--matches", metavar="N", type=int, default=100, help="how many are played; default 100")
    simulate.add_argument("--skill", metavar="MM", type=float, default=25.0, help="spread of the darts; default 25")
    simulate.add_argument(
        "--seed", metavar="N", type=int, help="the same seed plays the same matches; default: a new one"
    )
    simulate.add_argument("--options", metavar="JSON", help='options of the game, like {"start": 301}')
    simulate.add_argument("--rival", choices=("random",), help="every second player takes no advice")
    simulate.add_argument("--json", action="store_true", help="one object")
    simulate.set_defaults(command=_simulate)

    matches = commands.add_parser("matches", help="what was played")
    export = commands.add_parser("export", help="one match as a match file")
    export.add_argument("id", metavar="ID")
    forget = commands.add_parser("forget", help="take a player's name out of all matches")
    forget.add_argument("name", metavar="NAME")
    for command, run_it in ((matches, _matches), (export, _export), (forget, _forget)):
        command.add_argument("--data", metavar="DIR", type=Path)
        command.set_defaults(command=run_it)
    matches.add_argument("--json", action="store_true", help="one object a line")

    access = commands.add_parser("access", help="who may come in over the network")
    what = access.add_subparsers(dest="what", required=True, metavar="WHAT")
    listed = what.add_parser("list", help="who was let in, and as what")
    add = what.add_parser("add", help="let somebody in with a password, which is asked for")
    add.add_argument("name", metavar="NAME")
    add.add_argument("--role", choices=("display", "player", "referee"), required=True)
    add.add_argument("--generate", action="store_true", help="make a password and print it")
    remove = what.add_parser("remove", help="put somebody out, at once")
    remove.add_argument("name", metavar="NAME")
    code = what.add_parser("code", help="the codes that let people in, of the daemon that is running")
    code.add_argument("--http", metavar="HOST:PORT", default="localhost:8080")

    files = commands.add_parser("broker-config", help="access and password files for a mosquitto outside")
    files.add_argument("--out", metavar="DIR", type=Path, required=True)
    files.add_argument("--node", metavar="NAME", required=True, help="the node in the topics")
    files.add_argument("--host", metavar="HOST", default="localhost", help="where the broker is; default localhost")
    files.add_argument("--certificate", metavar="FILE", help="with it the broker's port is encrypted")
    files.add_argument("--key", metavar="FILE", help="the certificate's key")

    backup = commands.add_parser("backup", help="everything that is kept, in one file")
    restore = commands.add_parser("restore", help="put a backup back")
    for command in (backup, restore):
        command.add_argument("file", metavar="FILE", type=Path)
    for command, run_it in (
        *((part, _access) for part in (listed, add, remove, code)),
        (files, _broker_config),
        (backup, _backup),
        (restore, _restore),
    ):
        command.add_argument("--data", metavar="DIR", type=Path)
        command.set_defaults(command=run_it)

    throw = commands.add_parser("throw", help="send darts, or any action, to a running daemon")
    throw.add_argument("texts", metavar="TEXT", nargs="+", help="T20, MISS, next, undo, bounce, stop, or JSON")
    throw.add_argument("--broker", metavar="URL", default="ws://localhost:8080/mqtt", help="default: through the pages")
    throw.add_argument("--node", metavar="NAME")
    throw.add_argument("--board", metavar="NAME")
    throw.set_defaults(command=_throw)

    flash = commands.add_parser(
        "flash", help="write our own firmware into an Arduino; without a port, look at what is there"
    )
    flash.add_argument("port", metavar="PORT", nargs="?", help="a serial port, like /dev/ttyUSB0")
    flash.add_argument("--part", choices=("atmega328p", "atmega2560", "atmega32u4"), help="default: what answers")
    flash.add_argument("--image", metavar="FILE", type=Path, help="an image of your own; default: the one that ships")
    flash.set_defaults(command=_flash)

    watch = commands.add_parser("watch", help="the scores in a terminal")
    watch.add_argument("--broker", metavar="URL", default="ws://localhost:8080/mqtt", help="default: through the pages")
    watch.add_argument("--node", metavar="NAME", help="of one machine alone")
    watch.add_argument("--board", metavar="NAME", help="of one board alone")
    watch.add_argument("--once", action="store_true", help="print them and end")
    watch.set_defaults(command=_watch)

    service = commands.add_parser("install-service", help="the daemon as a service of this machine (systemd)")
    service.add_argument("--dry-run", action="store_true", help="print what would be written and done")
    service.add_argument("--root", metavar="DIR", default="/", help="write below DIR, and start nothing")
    service.add_argument("--program", metavar="PATH", help="what the service runs; default: this program")
    service.add_argument("--packaged", action="store_true", help="where a Debian package has its files; no users")
    service.set_defaults(command=_install_service)

    doctor = commands.add_parser("doctor", help="look for what is wrong, and say what to do")
    doctor.add_argument("--config", metavar="FILE", help="as for run; so are --board, --broker, --http and --data")
    doctor.add_argument("--board", metavar="NAME=MODEL@URL", action="append", default=[])
    doctor.add_argument("--broker", metavar="URL")
    doctor.add_argument("--http", metavar="HOST:PORT")
    doctor.add_argument("--data", metavar="DIR")
    doctor.add_argument("--user", metavar="NAME", help="who the daemon runs as; default: oche, or you")
    doctor.add_argument("--seconds", metavar="N", type=float, default=4.0, help="how long boards are heard; default 4")
    doctor.add_argument("--root", metavar="DIR", default="/", help="where the machine's /proc, /run and /sys are")
    doctor.add_argument("--json", action="store_true", help="what was found, as one list")
    doctor.set_defaults(command=_doctor)

    setup = commands.add_parser("setup", help="the first run, by questions: board, broker, who sees the pages")
    setup.add_argument("--config", metavar="FILE", help="what it writes; default /etc/oche/oche.toml")
    setup.add_argument("--seconds", metavar="N", type=float, default=60.0, help="how long it waits for the test dart")
    setup.add_argument("--http", metavar="PORT", type=int, help="ask in a browser of this machine too, at this port")
    setup.set_defaults(command=_setup)

    return parser


def _flash(parsed: argparse.Namespace) -> int:
    from daemon.cli.flash import flash

    return flash(parsed)


def _run(parsed: argparse.Namespace) -> int:
    # What a start makes stays: looking for garbage in it is a tenth of the start's work. The daemon begins to look when
    # it is ready.
    gc.disable()
    try:
        from daemon.config import settle
        from daemon.run import run

        settings = settle(parsed.config, parsed.board, parsed.broker, parsed.http, parsed.data, parsed.node)
        return run(settings, parsed.record)
    finally:
        gc.enable()


def _listen(parsed: argparse.Namespace) -> int:
    from daemon.cli.listen import listen

    return listen(parsed)


def _learn(parsed: argparse.Namespace) -> int:
    from daemon.cli.learn import learn

    return learn(parsed)


def _boards(parsed: argparse.Namespace) -> int:
    from daemon.cli.ports import boards

    return boards(parsed)


def _replay(parsed: argparse.Namespace) -> int:
    from daemon.cli.replay import replay

    return replay(parsed)


def _simulate(parsed: argparse.Namespace) -> int:
    from daemon.cli.simulate import simulate

    return simulate(parsed)


def _matches(parsed: argparse.Namespace) -> int:
    from daemon.cli.records import matches

    return matches(_with_data(parsed))


def _export(parsed: argparse.Namespace) -> int:
    from daemon.cli.records import export

    return export(_with_data(parsed))


def _access(parsed: argparse.Namespace) -> int:
    from daemon.cli.guests import access

    return access(_with_data(parsed))


def _broker_config(parsed: argparse.Namespace) -> int:
    from daemon.mqtt.broker_config import broker_config

    if (parsed.certificate is None) != (parsed.key is None):
        raise UsageError("A certificate goes with its key: name both.")
    return broker_config(_with_data(parsed))


def _backup(parsed: argparse.Namespace) -> int:
    from daemon.cli.backup import backup

    return backup(_with_data(parsed))


def _restore(parsed: argparse.Namespace) -> int:
    from daemon.cli.backup import restore

    return restore(_with_data(parsed))


def _forget(parsed: argparse.Namespace) -> int:
    from daemon.cli.records import forget

    return forget(_with_data(parsed))


def _with_data(parsed: argparse.Namespace) -> argparse.Namespace:
    from daemon.config import default_data

    parsed.data = parsed.data or default_data()
    return parsed


def _throw(parsed: argparse.Namespace) -> int:
    from daemon.cli.throw import throw

    return throw(parsed)


def _watch(parsed: argparse.Namespace) -> int:
    from daemon.cli.watch import watch

    return watch(parsed)


def _doctor(parsed: argparse.Namespace) -> int:
    from daemon.cli.doctor import doctor

    return doctor(parsed)


def _setup(parsed: argparse.Namespace) -> int:
    from daemon.cli.setup import setup

    return setup(parsed)


def _install_service(parsed: argparse.Namespace) -> int:
    from daemon.cli.service import install_service

    return install_service(parsed)


if __name__ == "__main__":
    sys.exit(main())
