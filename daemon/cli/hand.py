"""`oche hand NAME`: how a player's darts scatter, and where they should aim, from everything that they threw."""

import argparse
import sys

from daemon.cli.history import open_history
from daemon.history.player_matches import FEWEST_DARTS, MOST_DARTS, matches_of
from daemon.system.exit_codes import Exit, Failed
from daemon.system.numpy_package import install_command
from engine import jsontext


def hand(arguments: argparse.Namespace) -> int:
    """Fits the hand of a player. Failed without numpy, without a journal, or with too few darts."""
    try:
        from twin import aims
        from twin.fit import fit
        from twin.summary import sentences, summary
    except ImportError as error:
        raise Failed(f"`oche hand` needs numpy: {install_command()}.") from error
    matches = (found.match for found in matches_of(open_history(arguments.data), arguments.name))
    fitted = fit(aims.thrown(matches, arguments.name, MOST_DARTS))
    if fitted is None or fitted.darts < FEWEST_DARTS:
        found = 0 if fitted is None else fitted.darts
        raise Failed(f"{found} darts of {arguments.name} are known, in {arguments.data}: {FEWEST_DARTS} are needed.")
    about = summary(fitted)
    if arguments.json:
        print(jsontext.dump(about | {"player": arguments.name}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in sentences(arguments.name, about))
    return Exit.DONE
