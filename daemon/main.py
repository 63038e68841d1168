"""The program `oche`: its commands, and what is printed when one fails."""

import argparse
import contextlib
import errno
import gc
import logging
import os
import sys
from collections.abc import Callable, Sequence

from daemon.cli.parser import parser
from daemon.system.colours import painted
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Exit, Failed
from daemon.system.log_text import LogFormatter
from daemon.system.standard_streams import flush_or_discard, open_closed_streams
from daemon.system.urls import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line. Returns its exit code, one of `daemon.system.exit_codes`; never prints a traceback."""
    open_closed_streams()
    try:
        try:
            code = _run_command(sys.argv[1:] if arguments is None else arguments)
        except SystemExit:
            # Raised by the parser after --help or an error.
            sys.stdout.flush()
            raise
        sys.stdout.flush()
    except UsageError as error:
        _complain(str(error))
        return Exit.USAGE
    except Failed as error:
        _complain(str(error))
        return Exit.FAILED
    except BrokenPipeError:
        # The reader of our output has left, as `head` does.
        return Exit.FAILED
    except KeyboardInterrupt:
        _complain("Stopped.")
        return Exit.FAILED
    except OSError as error:
        # Of our files only a closed stdout is open for reading alone.
        closed = error.errno == errno.EBADF
        _complain("stdout is closed: nothing can be printed." if closed else f"{error_text(error)}.")
        return Exit.FAILED
    except UnicodeEncodeError as error:
        # Python keeps the bytes of an argument that is not UTF-8 as lone surrogates, which nothing else takes.
        _complain(f"{error.object[:100]!r} is not UTF-8.")
        return Exit.USAGE
    except Exception as error:
        # A bug. The traceback is for programmers.
        logging.getLogger(__name__).debug("the command failed", exc_info=True)
        _complain(f"failed, {type(error).__name__}: {error_text(error)}. OCHE_LOG=debug shows the traceback.")
        return Exit.FAILED
    else:
        return code
    finally:
        flush_or_discard()


def _run_command(words: Sequence[str]) -> int:
    """Runs a command; `oche` and `oche access` alone print their help."""
    whole = parser()
    parsed = whole.parse_args(words)
    chosen = whole.chosen(words)
    if chosen.commands():
        print(chosen.format_help(), end="")
        return Exit.DONE
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(LogFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=_level(os.environ.get("OCHE_LOG", "")), handlers=[terminal])
    if (may_be_missing := getattr(parsed, "data_may_be_missing", None)) is not None:
        from daemon.system.data_directory import data_directory

        parsed.data = data_directory(parsed.data, may_be_missing=may_be_missing)
    return command(parsed.command)(parsed)


def _complain(message: str) -> None:
    """Prints a message to stderr, unless that fails: it may be a file on a full disk."""
    with contextlib.suppress(OSError):
        print(f"{painted('oche:', 'red', sys.stderr)} {message}", file=sys.stderr, flush=True)


def _level(name: str) -> int:
    level = logging.getLevelName(name.upper())
    return level if isinstance(level, int) else logging.WARNING


def command(name: str) -> Callable[[argparse.Namespace], int]:
    """Returns the function of a command, which returns its exit code. Its code is imported here, and not before:
    `oche replay` waits for no broker library."""
    match name:
        case "setup":
            from daemon.setup.terminal import setup as function
        case "doctor":
            from daemon.doctor.doctor import doctor as function
        case "boards":
            from daemon.cli.boards import boards as function
        case "listen":
            from daemon.cli.listen import listen as function
        case "learn":
            from daemon.teach.learn import learn as function
        case "flash":
            from daemon.cli.flash import flash as function
        case "replay":
            from daemon.cli.replay import replay as function
        case "rules":
            from daemon.cli.rules import rules as function
        case "simulate":
            from daemon.cli.simulate import simulate as function
        case "fair":
            from daemon.cli.fair import fair as function
        case "matches":
            from daemon.cli.history import matches as function
        case "export":
            from daemon.cli.history import export as function
        case "forget":
            from daemon.cli.history import forget as function
        case "leaders":
            from daemon.cli.leaders import leaders as function
        case "hand":
            from daemon.cli.hand import hand as function
        case "salvage":
            from daemon.cli.salvage import run_salvage as function
        case "backup":
            from daemon.cli.backup import backup as function
        case "restore":
            from daemon.cli.backup import restore as function
        case "access":
            from daemon.cli.access import access as function
        case "broker-config":
            from daemon.mqtt.broker_config import broker_config as function
        case "throw":
            from daemon.cli.throw import throw as function
        case "invite":
            from daemon.cli.houses import invite as function
        case "accept":
            from daemon.cli.houses import accept as function
        case "adjourn":
            from daemon.cli.houses import adjourn as function
        case "resume":
            from daemon.cli.houses import resume as function
        case "season":
            from daemon.cli.season import season as function
        case "tournament":
            from daemon.cli.tournament import tournament as function
        case "hall":
            from daemon.cli.hall import hall as function
        case "watch":
            from daemon.cli.watch import watch as function
        case "show":
            from daemon.show.command import show as function
        case "install-service":
            from daemon.cli.service import install_service as function
        case "run":
            return _run
        case _:
            raise LookupError(name)
    return function


def _run(arguments: argparse.Namespace) -> int:
    # Collecting garbage would take a tenth of the start and find none. The daemon turns it on when it is ready.
    gc.disable()
    try:
        from daemon.app.run import run
        from daemon.system.config import load_settings

        settings = load_settings(
            arguments.config, arguments.board, arguments.broker, arguments.http, arguments.data, arguments.node
        )
        return run(settings, arguments.record)
    finally:
        gc.enable()


if __name__ == "__main__":
    sys.exit(main())
