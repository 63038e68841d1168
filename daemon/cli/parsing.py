"""The parser of the command line: argparse, with an example in each help and a suggestion for each misspelled word."""

import argparse
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from daemon.system.exit_codes import Exit


class Parser(argparse.ArgumentParser):
    """Like argparse's own, but errors are sentences that name the nearest command, option or choice."""

    def __init__(self, *arguments: Any, example: str = "", **settings: Any) -> None:
        """`example`: command lines at the end of the help, one a line."""
        if example:
            settings["epilog"] = "\n".join(["Example:", *(f"  {line}" for line in example.splitlines())])
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(*arguments, **settings)
        self.example = example

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> Any:
        """As argparse does; the error for an option that does not exist names the nearest one of its command."""
        words = sys.argv[1:] if args is None else list(args)
        found, unknown = self.parse_known_args(words, namespace)
        if unknown:
            from boards.problems import did_you_mean  # imported late: most starts do not need it

            chosen = self.chosen(words)
            known = chosen.options()
            hints = [did_you_mean(word.partition("=")[0], known) for word in unknown if word.startswith("-")]
            chosen.error(f"unrecognized arguments: {' '.join(unknown)}.{''.join(hints)}")
        return found

    def error(self, message: str) -> NoReturn:
        """Prints the message and how to get help, and ends the program."""
        message = message if message.endswith((".", "?")) else f"{message}."
        self.exit(Exit.USAGE, f"oche: {message}\n`{self.prog} --help` shows the options.\n")

    def options(self) -> list[str]:
        """Every option of this command, like `--json`."""
        return [option for action in self._actions for option in action.option_strings]

    def commands(self) -> "dict[str, Parser]":
        """The subcommands, by name."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                return dict(action.choices)
        return {}

    def chosen(self, words: Iterable[str]) -> "Parser":
        """Returns the parser of the command that the words name."""
        parser = self
        for word in words:
            parser = parser.commands().get(word, parser)
        return parser

    def _print_message(self, message: str, file: Any = None) -> None:
        """Raises what argparse would ignore: a help that could not be printed must not end with 0."""
        (file or sys.stderr).write(message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Adds the nearest choice to argparse's error, which lists the choices alone."""
        if action.choices is None or value in action.choices:
            return
        from boards.problems import did_you_mean

        choices = [str(choice) for choice in action.choices]
        what = "command" if isinstance(action, argparse._SubParsersAction) else argparse._get_action_name(action)
        raise argparse.ArgumentError(
            None,
            f"{value!r} is not a {what}.{did_you_mean(str(value), choices)} The choices are: {', '.join(choices)}",
        )


class ShowVersion(argparse.Action):
    """Prints `oche VERSION` and ends. Looking up the version takes a tenth of the program's start."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **settings)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Called by argparse for the option."""
        from daemon.system.version import version

        print(f"oche {version()}")
        parser.exit(Exit.DONE)


def data_of(command: Parser, *, may_be_missing: bool = False) -> None:
    """Adds `--data`, and has the directory found, or the command refused, as `data_directory` does."""
    command.add_argument("--data", metavar="DIR", type=Path, help="where the daemon keeps its matches")
    command.set_defaults(data_may_be_missing=may_be_missing)


def json_object(option: str, text: str) -> dict[str, Any]:
    """Reads the JSON of an option. UsageError if it is not an object, or more than the daemon would read."""
    # Only here: the help need not wait for them.
    from daemon.system.urls import UsageError
    from engine import jsontext

    value = jsontext.parse(text.encode(errors="replace"))
    if not isinstance(value, dict):
        raise UsageError(f'{option} is a JSON object, like {{"start": 301}}.')
    return value


def number(text: str) -> float:
    """Reads a number of 0 or more for argparse. ValueError for anything else, infinity included."""
    value = float(text)
    if not 0 <= value < math.inf:
        raise ValueError(text)
    return value
