"""The program. Each command's code is imported when it is called: `oche replay` waits for no broker library."""

import argparse
import gc
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from daemon.cli.command_line import parser
from daemon.logtext import LogFormatter
from daemon.urls import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0 done, 1 refused or failed (a sentence on stderr), 2 the command line is wrong."""
    parsed = parser().parse_args(arguments)
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(LogFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=_level(os.environ.get("OCHE_LOG", "")), handlers=[terminal])
    try:
        code = COMMANDS[parsed.command](parsed)
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


def _setup(parsed: argparse.Namespace) -> int:
    from daemon.cli.setup import setup

    return setup(parsed)


def _doctor(parsed: argparse.Namespace) -> int:
    from daemon.cli.doctor import doctor

    return doctor(parsed)


def _boards(parsed: argparse.Namespace) -> int:
    from daemon.cli.ports import boards

    return boards(parsed)


def _listen(parsed: argparse.Namespace) -> int:
    from daemon.cli.listen import listen

    return listen(parsed)


def _learn(parsed: argparse.Namespace) -> int:
    from daemon.cli.learn import learn

    return learn(parsed)


def _flash(parsed: argparse.Namespace) -> int:
    from daemon.cli.flash import flash

    return flash(parsed)


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


def _forget(parsed: argparse.Namespace) -> int:
    from daemon.cli.records import forget

    return forget(_with_data(parsed))


def _salvage(parsed: argparse.Namespace) -> int:
    from daemon.cli.salvage import run_salvage

    return run_salvage(_with_data(parsed))


def _backup(parsed: argparse.Namespace) -> int:
    from daemon.cli.backup import backup

    return backup(_with_data(parsed))


def _restore(parsed: argparse.Namespace) -> int:
    from daemon.cli.backup import restore

    return restore(_with_data(parsed))


def _access(parsed: argparse.Namespace) -> int:
    from daemon.cli.guests import access

    return access(_with_data(parsed))


def _broker_config(parsed: argparse.Namespace) -> int:
    from daemon.mqtt.broker_config import broker_config

    if (parsed.certificate is None) != (parsed.key is None):
        raise UsageError("A certificate goes with its key: name both.")
    return broker_config(_with_data(parsed))


def _throw(parsed: argparse.Namespace) -> int:
    from daemon.cli.throw import throw

    return throw(parsed)


def _watch(parsed: argparse.Namespace) -> int:
    from daemon.cli.watch import watch

    return watch(parsed)


def _install_service(parsed: argparse.Namespace) -> int:
    from daemon.cli.service import install_service

    return install_service(parsed)


def _with_data(parsed: argparse.Namespace) -> argparse.Namespace:
    from daemon.config import default_data

    parsed.data = parsed.data or default_data()
    return parsed


COMMANDS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = {
    "run": _run,
    "setup": _setup,
    "doctor": _doctor,
    "boards": _boards,
    "listen": _listen,
    "learn": _learn,
    "flash": _flash,
    "replay": _replay,
    "simulate": _simulate,
    "matches": _matches,
    "export": _export,
    "forget": _forget,
    "salvage": _salvage,
    "backup": _backup,
    "restore": _restore,
    "access": _access,
    "broker-config": _broker_config,
    "throw": _throw,
    "watch": _watch,
    "install-service": _install_service,
}


if __name__ == "__main__":
    sys.exit(main())
