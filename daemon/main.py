"""The program. Each command's code is imported when it is called: `oche replay` waits for no broker library."""

import argparse
import contextlib
import gc
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from daemon.cli.parser import parser
from daemon.system.colours import painted
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Exit, Failed
from daemon.system.log_text import LogFormatter
from daemon.system.standard_streams import flush_or_discard, open_closed_streams
from daemon.system.urls import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: those of `daemon.system.exit_codes`, with a sentence on stderr and never a traceback."""
    open_closed_streams()
    try:
        try:
            code = _carry_out(sys.argv[1:] if arguments is None else arguments)
        except SystemExit:
            # The parser's, after --help or an error.
            sys.stdout.flush()
            raise
        # Here and not at the interpreter's end, which could only print a traceback.
        sys.stdout.flush()
    except UsageError as error:
        _complain(str(error))
        return Exit.USAGE
    except Failed as error:
        _complain(str(error))
        return Exit.FAILED
    except BrokenPipeError:
        # Whoever read our output has read enough.
        flush_or_discard()
        return Exit.FAILED
    except KeyboardInterrupt:
        _complain("Stopped.")
        return Exit.FAILED
    except OSError as error:
        _complain(f"{error_text(error)}.")
        flush_or_discard()
        return Exit.FAILED
    except Exception as error:
        # A fault of the program. People get a sentence; who looks for it sets OCHE_LOG=debug.
        logging.getLogger(__name__).debug("the command failed", exc_info=True)
        _complain(f"failed, {type(error).__name__}: {error_text(error)}. OCHE_LOG=debug tells more.")
        return Exit.FAILED
    else:
        return code


def _carry_out(words: Sequence[str]) -> int:
    """The exit code of a command line. `oche` and `oche access` alone show what there is."""
    whole = parser()
    parsed = whole.parse_args(words)
    chosen = whole.chosen(words)
    if chosen.commands():
        print(chosen.format_help(), end="")
        return Exit.DONE
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(LogFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=_level(os.environ.get("OCHE_LOG", "")), handlers=[terminal])
    return COMMANDS[parsed.command](parsed)


def _complain(message: str) -> None:
    """Says it on stderr, if that can be done: it may be a full disk too."""
    with contextlib.suppress(OSError):
        print(f"{painted('oche:', 'red', sys.stderr)} {message}", file=sys.stderr, flush=True)


def _level(name: str) -> int:
    level = logging.getLevelName(name.upper())
    return level if isinstance(level, int) else logging.WARNING


def _run(parsed: argparse.Namespace) -> int:
    # What a start makes stays: looking for garbage in it is a tenth of the start's work. The daemon begins to look when
    # it is ready.
    gc.disable()
    try:
        from daemon.app.run import run
        from daemon.system.config import settle

        settings = settle(parsed.config, parsed.board, parsed.broker, parsed.http, parsed.data, parsed.node)
        return run(settings, parsed.record)
    finally:
        gc.enable()


def _setup(parsed: argparse.Namespace) -> int:
    from daemon.setup.terminal import setup

    return setup(parsed)


def _doctor(parsed: argparse.Namespace) -> int:
    from daemon.doctor.doctor import doctor

    return doctor(parsed)


def _boards(parsed: argparse.Namespace) -> int:
    from daemon.cli.boards import boards

    return boards(parsed)


def _listen(parsed: argparse.Namespace) -> int:
    from daemon.cli.listen import listen

    return listen(parsed)


def _learn(parsed: argparse.Namespace) -> int:
    from daemon.teach.learn import learn

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
    from daemon.cli.history import matches

    return matches(_with_data(parsed))


def _export(parsed: argparse.Namespace) -> int:
    from daemon.cli.history import export

    return export(_with_data(parsed))


def _forget(parsed: argparse.Namespace) -> int:
    from daemon.cli.history import forget

    return forget(_with_data(parsed))


def _salvage(parsed: argparse.Namespace) -> int:
    from daemon.cli.salvage import run_salvage

    return run_salvage(_with_data(parsed))


def _backup(parsed: argparse.Namespace) -> int:
    from daemon.cli.backup import backup

    return backup(_with_data(parsed))


def _restore(parsed: argparse.Namespace) -> int:
    from daemon.cli.backup import restore

    return restore(_with_data(parsed, may_be_missing=True))


def _access(parsed: argparse.Namespace) -> int:
    from daemon.cli.access import access

    if parsed.what == "code":
        return access(parsed)
    return access(_with_data(parsed, may_be_missing=parsed.what == "add"))


def _broker_config(parsed: argparse.Namespace) -> int:
    from daemon.mqtt.broker_config import broker_config

    if (parsed.certificate is None) != (parsed.key is None):
        raise UsageError("A certificate goes with its key: name both.")
    # A broker may be set up before anything was played.
    return broker_config(_with_data(parsed, may_be_missing=True))


def _throw(parsed: argparse.Namespace) -> int:
    from daemon.cli.throw import throw

    return throw(parsed)


def _watch(parsed: argparse.Namespace) -> int:
    from daemon.cli.watch import watch

    return watch(parsed)


def _install_service(parsed: argparse.Namespace) -> int:
    from daemon.cli.service import install_service

    return install_service(parsed)


def _with_data(parsed: argparse.Namespace, *, may_be_missing: bool = False) -> argparse.Namespace:
    from daemon.system.data_directory import data_directory

    parsed.data = data_directory(parsed.data, may_be_missing=may_be_missing)
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
