"""The command lines about boards: what is plugged in, what it sends, its lessons and its firmware."""

from collections.abc import Callable
from pathlib import Path

from daemon.cli.parsing import Parser, number


def boards(command: Callable[..., Parser]) -> None:
    """Adds the commands."""
    known = command(
        "boards",
        help="list known board models, and what is plugged in now",
        example="oche boards --why\noche boards --scan\noche boards /dev/ttyUSB0",
    )
    known.add_argument("--json", action="store_true", help="one object")
    known.add_argument("--why", action="store_true", help="print why a model fits what is plugged in, or does not")
    known.add_argument("--scan", action="store_true", help="list the Bluetooth boards in reach as well")
    known.add_argument("port", metavar="URL", nargs="?", help="listen at this port, and print what it could be")
    known.add_argument(
        "--seconds",
        metavar="N",
        type=number,
        default=5.0,
        help="how long to listen at each speed, or to scan; default 5",
    )

    listen = command(
        "listen", help="print the hits of a board, normalized", example="oche listen maddarts@/dev/ttyUSB0 --json"
    )
    listen.add_argument("board", metavar="MODEL@URL", help="like maddarts@/dev/ttyUSB0")
    listen.add_argument("--json", action="store_true", help="one object a line")
    listen.add_argument("--raw", action="store_true", help="print the bytes too")
    listen.add_argument("--record", metavar="FILE", help="write a recording, to be replayed or attached to a report")

    learn = command(
        "learn", help="make a board file by asking for segments", example="oche learn /dev/ttyACM0 --out garage.toml"
    )
    learn.add_argument(
        "url",
        metavar="[MODEL@]URL",
        help="where the board is, and its model, if you know it; with --again the board file, or FILE@URL",
    )
    learn.add_argument("--again", metavar="BED", help="repair one bed, like T13, of a board file that was learned")
    learn.add_argument("--out", metavar="FILE", default="learnt.toml", help="the file to write; default learnt.toml")
    learn.add_argument(
        "--http", metavar="HOST:PORT", help="show the lesson in a browser of this machine too, at this port"
    )

    flash = command(
        "flash",
        help="write oche's firmware into an Arduino or a Raspberry Pi Pico; without a port, list the ports",
        example="oche flash\noche flash /dev/ttyUSB0\noche flash RPI-RP2",
    )
    flash.add_argument(
        "port", metavar="PORT", nargs="?", help="a serial port, like /dev/ttyUSB0, or RPI-RP2: the drive of a Pico"
    )
    flash.add_argument(
        "--dry-run", action="store_true", help="identify the part, say what would be written, write nothing"
    )
    flash.add_argument(
        "--part", choices=("atmega328p", "atmega2560", "atmega32u4", "rp2040"), help="default: what answers"
    )
    flash.add_argument("--image", metavar="FILE", type=Path, help="an image of your own; default: oche's")
