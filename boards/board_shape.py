"""The shape of a board file: its keys and their types. `board_files` checks how the values fit together."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Hex4 = Annotated[str, StringConstraints(pattern=r"^[0-9a-fA-F]{4}$")]
Number = Annotated[int, Field(ge=1, le=20)]
Uuid = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Milliseconds = Annotated[float, Field(ge=0, le=60_000)]


class Strict(BaseModel):
    """A table without unknown keys and without type conversions."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class UsbTable(Strict):
    """What a device reports on USB: `serial` is a pattern with `*`, the other texts are parts of its strings."""

    vid: Hex4
    pid: Hex4
    product: Text | None = None
    manufacturer: Text | None = None
    serial: Text | None = None


class SpeechTable(Strict):
    """What a board of this model says, and what it must be asked; `#` is a number of one to three digits."""

    hello: Annotated[str, StringConstraints(max_length=32)] = ""
    names: tuple[Line, ...] = Field(default=(), strict=False)
    lines: tuple[Line, ...] = Field(default=(), strict=False)


class ReportTable(Strict):
    """Where in a USB device's interrupt reports its contacts are."""

    interface: Annotated[int, Field(ge=0, le=255)] | None = None
    endpoint: Annotated[int, Field(ge=0x81, le=0x8F)] | None = None
    id: Annotated[int, Field(ge=0, le=255)] | None = None
    first: Annotated[int, Field(ge=0, le=63)] = 0
    length: Annotated[int, Field(ge=1, le=64)] | None = None


class BluetoothTable(Strict):
    """How a Bluetooth board is found and read: patterns of its name with `*`, and 128-bit UUIDs in small letters.

    `notify` may be left out: then every characteristic that notifies is read. Without `write` nothing is written;
    `wake` is written first, in hexadecimal.
    """

    names: tuple[Text, ...] = Field(default=(), strict=False)
    service: Uuid | Literal[""] = ""
    notify: Uuid | Literal[""] = ""
    write: Uuid | Literal[""] = ""
    wake: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){0,20}$")] = ""


class LightsTable(Strict):
    """What is connected to a board with our firmware: a ring of WS2812, and a plain LED."""

    leds: Annotated[int, Field(ge=0, le=240)] = 0
    first: Annotated[int, Field(ge=0, le=239)] = 0
    clockwise: bool = True
    lamp: bool = False


class PaceTable(Strict):
    """Times that differ from the dialect's, in ms."""

    repeat_ms: Milliseconds | None = None
    button_ms: Milliseconds | None = None
    miss_ms: Milliseconds | None = None
    takeout_ms: Milliseconds | None = None
    stuck_first_ms: Milliseconds | None = None
    stuck_ms: Milliseconds | None = None
    jitter_ms: Milliseconds | None = None
    rebound_ms: Milliseconds | None = None
    neighbour_ms: Milliseconds | None = None
    deaf_ms: Milliseconds | None = None
    boot_ms: Milliseconds | None = None


class BoardFile(Strict):
    """One board model."""

    name: Name
    title: Text
    dialect: Text
    source: Text
    verified: bool = False
    learn: bool = False
    baud: Annotated[int, Field(ge=300, le=4_000_000)] | None = None
    settle_us: Annotated[int, Field(ge=2, le=120)] | None = None
    lacks: tuple[Text, ...] = Field(default=(), strict=False)
    masked: tuple[Text, ...] = Field(default=(), strict=False)
    grid: str | None = None
    contacts: dict[str, Text] | None = None
    keys: dict[str, Text] | None = None
    lines: dict[str, Text] | None = None
    silent: tuple[Text, ...] = Field(default=(), strict=False)
    usb: tuple[UsbTable, ...] = Field(default=(), strict=False)
    report: ReportTable | None = None
    bluetooth: BluetoothTable | None = None
    lights: LightsTable | None = None
    at_button: Number | None = None
    speech: SpeechTable = SpeechTable()
    pace: PaceTable = PaceTable()


def schema() -> dict[str, Any]:
    """Returns the JSON Schema of board files, for editors."""
    made = BoardFile.model_json_schema()
    return made | {"title": "A board file of oche"}
