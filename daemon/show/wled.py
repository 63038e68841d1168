"""What a WLED controller is told: its JSON state, as its HTTP and MQTT interfaces take it.

Source: the documentation of WLED, "JSON API" and "MQTT": `POST /json/state`, and the same object on `TOPIC/api`.
"""

from typing import Any

from daemon.system.show_config import Wled


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
        # A color without an effect is a solid one, whatever ran before.
        segment["fx"] = 0
    if light.palette is not None:
        segment["pal"] = light.palette
    return state | {"seg": [segment]} if segment else state
