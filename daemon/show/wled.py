"""What a WLED controller is told: its JSON state, as its HTTP and MQTT interfaces take it.

Source: the documentation of WLED, "JSON API" and "MQTT": `POST /json/state`, and the same object on `TOPIC/api`.
"""

from dataclasses import dataclass
from typing import Any, Final, Self

from daemon.system.show_config import Wled

MOST_NAMED: Final = 256
"""Effects or palettes that are listed: their numbers are bytes."""
MOST_PRESETS: Final = 250
"""The highest number of a preset."""
MOST_LETTERS: Final = 64
"""Letters of a name that are kept; WLED itself keeps 32."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a controller shows: its JSON state, for some seconds or until the next one."""

    state: dict[str, Any]
    seconds: float | None = None

    @classmethod
    def of(cls, light: Wled) -> Self:
        """Returns what a rule shows."""
        return cls(state_of(light), light.seconds)

    @property
    def frozen(self) -> tuple[int, ...]:
        """The segments that run no effect any more, because their LEDs are set one by one."""
        return tuple(one["id"] for one in self.state.get("seg", ()) if "i" in one)


def state_of(light: Wled) -> dict[str, Any]:
    """Returns the JSON state for what a rule shows. A preset brings its own effect, so it stands alone."""
    if light.off:
        return {"on": False}
    state: dict[str, Any] = {"on": True}
    if light.brightness is not None:
        state["bri"] = light.brightness
    if light.preset is not None:
        return state | {"ps": light.preset}
    segment: dict[str, Any] = {}
    if light.color is not None:
        red, green, blue = bytes.fromhex(light.color[1:])
        segment["col"] = [[red, green, blue]]
    if light.effect is not None:
        segment["fx"] = light.effect
    elif light.color is not None:
        # A colour without an effect is a solid one, whatever ran before.
        segment["fx"] = 0
    if light.palette is not None:
        segment["pal"] = light.palette
    return state | {"seg": [segment]} if segment else state


SEGMENT_KEYS: Final = ("id", "on", "bri", "col", "fx", "sx", "ix", "pal")
"""What makes the look of a segment; its place on the strip stays as it is."""


def restored(state: object) -> dict[str, Any] | None:
    """Returns what brings a controller back to a `state` that it has told; None if it is not one.

    A playlist or a preset that runs begins again.
    """
    if not isinstance(state, dict) or not isinstance(state.get("on"), bool):
        return None
    found = {key: state[key] for key in ("on", "bri") if key in state}
    for key in ("pl", "ps"):
        number = state.get(key)
        if isinstance(number, int) and number > 0:
            return found | {"ps": number}
    segments = state.get("seg")
    kept = [
        {key: segment[key] for key in SEGMENT_KEYS if key in segment}
        for segment in (segments if isinstance(segments, list) else [])
        if isinstance(segment, dict)
    ]
    return found | {"seg": kept} if kept else found


def named(values: object) -> list[dict[str, Any]]:
    """Returns the numbers and names in a list of effects or palettes, without those that are reserved."""
    texts = values if isinstance(values, list) else []
    return [
        {"id": number, "name": text[:MOST_LETTERS]}
        for number, text in enumerate(texts[:MOST_NAMED])
        if isinstance(text, str) and text not in ("RSVD", "-", "")
    ]


def presets(values: object) -> list[dict[str, Any]]:
    """Returns the numbers and names in the content of `/presets.json`, by number."""
    found = []
    for key, preset in values.items() if isinstance(values, dict) else ():
        if key.isascii() and key.isdigit() and 1 <= int(key) <= MOST_PRESETS and isinstance(preset, dict) and preset:
            name = preset.get("n")
            found.append({"id": int(key), "name": name[:MOST_LETTERS] if isinstance(name, str) and name else key})
    return sorted(found, key=lambda preset: preset["id"])
