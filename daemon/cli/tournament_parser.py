"""The command line of `oche tournament`."""

import argparse
from collections.abc import Callable

from daemon.cli.parsing import Parser, number
from league.setup import FORMATS

Adder = Callable[["argparse._SubParsersAction[Parser]"], Callable[..., Parser]]


def tournament(command: Callable[..., Parser], adder: Adder) -> None:
    """Adds the command; `adder` returns a function that adds its parts."""
    whole = command(
        "tournament",
        help="make and run a tournament on the boards of a running daemon",
        example="oche tournament new Friday --format groups --best-of 3\noche tournament enter Ann Bob Cem Dora\n"
        "oche tournament draw",
    )
    what = adder(whole.add_subparsers(dest="what", metavar="WHAT"))
    parts = [_new(what), _enter(what)]
    withdraw = what("withdraw", help="take somebody out; opponents advance", example="oche tournament withdraw Ann")
    withdraw.add_argument("name", metavar="NAME", help="as they entered")
    draw = what("draw", help="end the sign-up and make the draw", example="oche tournament draw --seed friday")
    draw.add_argument("--seed", metavar="TEXT", help="the same text gives the same draw; default: a new one")
    call = what(
        "call", help="call a match to a board; without a board take it back", example="oche tournament call R1-2 lounge"
    )
    call.add_argument("fixture", metavar="FIXTURE", help="like R1-2, as `oche tournament show` prints it")
    call.add_argument("board", metavar="BOARD", nargs="?", help="the name of a board")
    result = what(
        "result", help="enter the result of a match that no board has seen", example="oche tournament result R1-2 2:1"
    )
    correct = what("correct", help="correct a result", example="oche tournament correct R1-2 1:2 --keep")
    for part in (result, correct):
        part.add_argument("fixture", metavar="FIXTURE", help="like R1-2, as `oche tournament show` prints it")
        part.add_argument("score", metavar="HOME:AWAY", help="legs, like 2:1")
    result.add_argument("--walkover", action="store_true", help="it was not played")
    correct.add_argument("--keep", action="store_true", help="keep later results; default: they are played again")
    undo = what("undo", help="take back the last result, correction or withdrawal", example="oche tournament undo")
    close = what("close", help="end the tournament; it stays on the disk", example="oche tournament close")
    show = what("show", help="print the matches and tables", example="oche tournament show --json")
    show.add_argument("--json", action="store_true", help="the state as it is on the bus")
    export = what("export", help="print the matches as CSV", example="oche tournament export > friday.csv")
    for part in (*parts, withdraw, draw, call, result, correct, undo, close, show, export):
        part.add_argument(
            "--http", metavar="HOST:PORT", default="localhost:8080", help="the daemon's pages; default localhost:8080"
        )


def _new(what: Callable[..., Parser]) -> Parser:
    new = what(
        "new",
        help="make a tournament; people can enter from then on",
        example="oche tournament new Friday --format knockout --best-of 3\n"
        'oche tournament new Cup --format swiss --set \'{"rounds": 5, "boards": ["lounge"]}\'',
    )
    new.add_argument("name", metavar="NAME", help="what it is called")
    new.add_argument("--format", choices=FORMATS, default="knockout", help="default knockout")
    new.add_argument("--game", metavar="GAME", default="x01", help="like x01, which is the default")
    new.add_argument("--options", metavar="JSON", help='options of the game, like {"start": 301}')
    new.add_argument("--best-of", metavar="N", type=int, default=3, help="legs of a match at most; default 3")
    new.add_argument("--nodes", metavar="NODE", nargs="+", help="other nodes at the same broker whose boards take part")
    new.add_argument(
        "--set", metavar="JSON", help="more: late, third_place, times, groups, advance, rounds, table, boards, pause"
    )
    return new


def _enter(what: Callable[..., Parser]) -> Parser:
    enter = what(
        "enter",
        help="enter players, or the lines of a CSV file",
        example="oche tournament enter Ann Bob\noche tournament enter --csv list.csv",
    )
    enter.add_argument("names", metavar="NAME", nargs="*", help="each a player; a pair is written Ann/Bob")
    enter.add_argument("--csv", metavar="FILE", help="a list with the columns name, and seed and players if needed")
    enter.add_argument("--bot", metavar="MM", type=number, help="they are bots with this spread of their darts")
    return enter
