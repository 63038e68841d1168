"""Turns the text of a board file into a Board, or into all of its problems at once.

The daemon reads the file and hands in the known dialects, because boards do not import drivers. `docs/boards.md`
explains the format.
"""

import tomllib
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from boards.board import Board, Can, Cell, Gatt, Meaning, Pace, Press, ReportLayout, Ring, Shape
from boards.board_shape import BluetoothTable, BoardFile, LightsTable, PaceTable, ReportTable, SpeechTable, UsbTable
from boards.capabilities import capabilities
from boards.grid import cells_of_contacts, cells_of_grid, cells_of_keys, cells_of_lines, is_index
from boards.identity import Fingerprint, Speech, is_generic
from boards.problems import Problem, did_you_mean
from boards.turned import turned
from engine.segments import MISS, PLAYABLE, SEGMENTS, Segment

LARGEST: Final = 64 * 1024
"""Characters of the largest board file that is accepted. The largest that ships has 2,000."""

RING_INPUT: Final[Cell] = (8, 5)
LAMP_INPUT: Final[Cell] = (8, 4)
"""The contacts of our firmware whose pins become those of a ring and of a plain LED."""

LEAST_SERIAL: Final = 4
"""How many characters of a serial number a pattern must name."""


def board_from_toml(text: str, filename: str, dialects: Mapping[str, Shape]) -> Board | tuple[Problem, ...]:
    """Returns the board of a file `NAME.toml`, or every problem of the file."""
    if len(text) > LARGEST:
        return (Problem(filename, "", f"The file has more than {LARGEST} characters: that is not a board file."),)
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return (Problem(filename, "", f"This is not TOML: {error}."),)
    try:
        file = BoardFile.model_validate(raw)
    except ValidationError as error:
        return (*_shape_problems(error, filename), *_early_problems(raw, filename, dialects))
    return _Checker(file, filename, dialects).board()


def _shape_problems(error: ValidationError, filename: str) -> tuple[Problem, ...]:
    return tuple(
        Problem(filename, ".".join(str(part) for part in found["loc"]), _sentence(found)) for found in error.errors()
    )


def _sentence(found: Any) -> str:
    match found["type"]:
        case "missing":
            return "This is missing."
        case "extra_forbidden":
            *_, key = found["loc"]
            parts: dict[object, type[BaseModel]] = {
                "pace": PaceTable,
                "lights": LightsTable,
                "usb": UsbTable,
                "speech": SpeechTable,
                "report": ReportTable,
                "bluetooth": BluetoothTable,
            }
            known = parts.get(found["loc"][0] if len(found["loc"]) > 1 else None, BoardFile).model_fields
            return f"There is no such key.{did_you_mean(str(key), known)}"
        case _:
            return f"{found['msg']}."


def _early_problems(raw: Mapping[str, Any], filename: str, dialects: Mapping[str, Shape]) -> tuple[Problem, ...]:
    """Returns further problems of a file whose shape is wrong, so that one try shows as many as possible."""
    dialect = raw.get("dialect")
    if isinstance(dialect, str) and dialect not in dialects:
        return (_unknown_dialect(dialect, filename, dialects),)
    return ()


def _unknown_dialect(dialect: str, filename: str, dialects: Mapping[str, Shape]) -> Problem:
    known = ", ".join(sorted(dialects))
    return Problem(
        filename, "dialect", f"There is no dialect {dialect!r}.{did_you_mean(dialect, dialects)} There are: {known}."
    )


class _Checker:
    """Checks the values of one file that has the right shape."""

    def __init__(self, file: BoardFile, filename: str, dialects: Mapping[str, Shape]) -> None:
        self._file = file
        self._filename = filename
        self._dialects = dialects
        self._problems: list[Problem] = []

    def board(self) -> Board | tuple[Problem, ...]:
        """Returns the board, or every problem of the file."""
        file = self._file
        shape = self._dialects.get(file.dialect)
        if shape is None:
            self._problems.append(_unknown_dialect(file.dialect, self._filename, self._dialects))
        stem = self._filename.rsplit("/", 1)[-1].removesuffix(".toml")
        if file.name != stem:
            self._say("name", f"The file is called {stem}.toml, so its name must be {stem!r}.")
        contacts = self._contacts(shape)
        self._table(shape, contacts)
        masked = self._masked(contacts)
        usb = tuple(self._usb(n, usb) for n, usb in enumerate(file.usb))
        speech = self._speech()
        if file.report is not None and not file.dialect.startswith("usb-"):
            self._say("report", f"The dialect {file.dialect} has no USB reports: leave this out.")
        if file.bluetooth is not None and file.bluetooth.wake and not file.bluetooth.write:
            self._say("bluetooth.wake", "There is no characteristic to write this to: add write, or leave it out.")
        if file.settle_us is not None and file.dialect != "oche-matrix":
            self._say("settle_us", f"A board of the dialect {file.dialect} cannot be told this: leave it out.")
        self._lights(contacts)
        if file.at_button is not None and shape is not None and not shape.turns:
            self._say("at_button", f"A board of the dialect {file.dialect} knows its numbers: leave this out.")
        if file.at_button is not None:
            contacts = turned(contacts, file.at_button)
        can = Can() if shape is None else capabilities(file.dialect, shape, file.lacks, contacts, self._say)
        if self._problems:
            return tuple(self._problems)
        return Board(
            name=file.name,
            title=file.title,
            dialect=file.dialect,
            can=can,
            contacts=contacts,
            masked=masked,
            pace=Pace(**file.pace.model_dump()),
            at_button=file.at_button,
            settle_us=file.settle_us,
            ring=None if file.lights is None else Ring(**file.lights.model_dump()),
            baud=file.baud,
            fingerprints=usb,
            report=ReportLayout() if file.report is None else ReportLayout(**file.report.model_dump()),
            gatt=self._gatt(),
            speech=speech,
            source=file.source,
            verified=file.verified,
            learn=file.learn,
        )

    def _lights(self, contacts: Mapping[Cell, Meaning]) -> None:
        lights, dialect = self._file.lights, self._file.dialect
        if lights is None:
            return
        if dialect != "oche-matrix":
            self._say("lights", f"A board of the dialect {dialect} cannot be told this: leave it out.")
        if lights.leds and lights.first >= lights.leds:
            self._say("lights.first", f"The LEDs of a ring of {lights.leds} are 0 to {lights.leds - 1}.")
        for cell, is_light in ((RING_INPUT, lights.leds > 0), (LAMP_INPUT, lights.lamp)):
            if is_light and cell in contacts:
                text = f"{cell[0]},{cell[1]}"
                self._say("lights", f"The contact {text} is on this light's pin: connect it to another input.")

    def _say(self, key: str, message: str) -> None:
        self._problems.append(Problem(self._filename, key, message))

    def _contacts(self, shape: Shape | None) -> dict[Cell, Meaning]:
        file = self._file
        texts = (
            cells_of_grid(file.grid, self._say)
            + cells_of_contacts(file.contacts or {}, self._say)
            + cells_of_keys(file.keys or {}, self._say)
            + cells_of_lines(file.lines or {}, self._say)
        )
        if shape is not None and shape.rows and shape.characters and (file.grid is not None or file.contacts):
            self._say("grid", f"The dialect {file.dialect} sends characters: write a table [keys] instead.")
        elif shape is not None and shape.rows and not shape.characters and (file.keys or file.lines) is not None:
            self._say("keys", f"The dialect {file.dialect} sends no characters: write a grid instead.")
        contacts: dict[Cell, Meaning] = {}
        for cell, key, text in texts:
            if cell in contacts:
                self._say(key, f"Contact {cell[0]},{cell[1]} is there twice.")
            if shape is not None and shape.rows and not (cell[0] < shape.rows and cell[1] < shape.cols):
                self._say(key, f"Contact {cell[0]},{cell[1]} is out of range: the dialect has {_size(shape)}.")
            meaning = self._meaning(key, text)
            if meaning is not None:
                contacts[cell] = meaning
        return contacts

    def _meaning(self, key: str, text: str) -> Meaning | None:
        if text in ("stuck", "takeout"):
            return "stuck" if text == "stuck" else "takeout"
        if text.startswith("button:"):
            name = text.removeprefix("button:")
            if name.isascii() and name.replace("-", "").replace("_", "").isalnum() and len(name) <= 32:
                return Press(name)
            self._say(key, f"{text!r} is not a button: write it like button:next.")
            return None
        bed = SEGMENTS.get(text)
        if bed is None:
            hint = did_you_mean(text, SEGMENTS)
            self._say(key, f"{text!r} is not a segment.{hint} Write T20, SI5, DB, MISS, button:next, stuck or takeout.")
        return bed

    def _table(self, shape: Shape | None, contacts: Mapping[Cell, Meaning]) -> None:
        """Checks that there is a table if there must be one, and that it has every bed once."""
        file = self._file
        if shape is None:
            return
        where = "keys" if shape.characters else "grid"
        given = file.grid is not None or file.keys is not None or file.lines is not None or file.contacts is not None
        if not shape.rows:
            if given:
                self._say(where, f"The dialect {file.dialect} names its beds itself: leave the table out.")
            if file.learn:
                self._say("learn", f"The dialect {file.dialect} names its beds itself: there is nothing to learn.")
            return
        if file.learn:
            if contacts:
                self._say("learn", "A board with a table has nothing to learn: leave out one of the two.")
            return
        if not given:
            self._say(where, f"The dialect {file.dialect} needs a table of its contacts, or learn = true.")
            return
        beds = [meaning for meaning in contacts.values() if isinstance(meaning, Segment) and meaning is not MISS]
        silent = [SEGMENTS[text] for text in file.silent if self._is_silent(text, beds)]
        missing = [bed.text for bed in PLAYABLE if not _reached(bed, beds + silent)]
        if missing:
            self._say(where, f"No contact is {', '.join(missing)}: every bed must be reachable.")
        for bed in dict.fromkeys(beds):
            # A bull often has several contacts, and a plain single can have two; every other bed has one.
            if beds.count(bed) > 1 and not bed.is_bull and bed.text != f"S{bed.number}":
                self._say(where, f"{bed.text} is on {beds.count(bed)} contacts: one of them must be another bed.")

    def _is_silent(self, text: str, beds: list[Segment]) -> bool:
        """Checks a bed that the board cannot report. Returns whether there is such a bed."""
        bed = SEGMENTS.get(text)
        if bed is None:
            self._say("silent", f"{text!r} is not a segment.{did_you_mean(text, SEGMENTS)}")
        elif bed in beds:
            self._say("silent", f"{text} is in the table: it cannot be silent as well.")
        return bed is not None

    def _masked(self, contacts: Mapping[Cell, Meaning]) -> frozenset[Cell]:
        masked = set()
        for text in self._file.masked:
            row, _, col = text.partition(",")
            cell = (int(row), int(col)) if is_index(row) and is_index(col) else None
            if cell is None or cell not in contacts:
                self._say("masked", f"{text!r} is not a contact of the table: write row and column like 3,7.")
            else:
                masked.add(cell)
        return frozenset(masked)

    def _usb(self, n: int, usb: UsbTable) -> Fingerprint:
        mark = Fingerprint(int(usb.vid, 16), int(usb.pid, 16), usb.product, usb.manufacturer, usb.serial)
        key = f"usb.{n}"
        if usb in self._file.usb[:n]:
            self._say(key, "This mark is there twice.")
        if usb.serial is not None and len(usb.serial.replace("*", "").replace("?", "")) < LEAST_SERIAL:
            self._say(f"{key}.serial", f"Name at least {LEAST_SERIAL} characters of the serial number: others fit too.")
        if is_generic(mark.vid, mark.pid) and not mark.decides:
            self._say(
                key,
                f"{usb.vid}:{usb.pid} is a serial chip that many devices have: add a serial or a product that only "
                "this board has, or leave it out and let users name the port.",
            )
        return mark

    def _gatt(self) -> Gatt | None:
        if self._file.bluetooth is None:
            return None
        values = self._file.bluetooth.model_dump()
        return Gatt(**{**values, "wake": bytes.fromhex(values["wake"])})

    def _speech(self) -> Speech:
        speech = self._file.speech
        for key, patterns in (("names", speech.names), ("lines", speech.lines)):
            for pattern in patterns:
                if "##" in pattern or not pattern.isprintable():
                    self._say(
                        f"speech.{key}", f"{pattern!r} is not a line: # is a whole number, the rest are characters."
                    )
        for pattern in speech.names:
            if not any(character.isalpha() for character in pattern):
                self._say("speech.names", f"{pattern!r} names nobody: darts look like that too. Put it under lines.")
        if not speech.hello.isascii():
            self._say("speech.hello", "What is written to a board is ASCII.")
        return Speech(speech.hello.encode("ascii", "replace"), speech.names, speech.lines)


def _reached(bed: Segment, beds: list[Segment]) -> bool:
    if bed in beds:
        return True
    both = (SEGMENTS.get(f"SI{bed.number}"), SEGMENTS.get(f"SO{bed.number}"))
    return bed.multiplier == 1 and not bed.is_bull and all(part in beds for part in both)


def _size(shape: Shape) -> str:
    return f"rows 0 to {shape.rows - 1} and columns 0 to {shape.cols - 1}"
