"""The contrast of colours, as the Web Content Accessibility Guidelines 2.1 define it (section 1.4.3)."""

from typing import Final

READABLE: Final = 4.5
"""The least contrast of a text with its background."""
STEPS: Final = 100


def contrast(one: str, other: str) -> float:
    """Returns the contrast of two colours like `#ff8000`: 1 for the same one, 21 for black and white."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def readable_on(colour: str, background: str, towards: str) -> str:
    """Returns the colour mixed with as little of `towards`, black or white, as makes it readable on a background."""
    for step in range(STEPS):
        mixed = _mixed(colour, towards, step / STEPS)
        if contrast(mixed, background) >= READABLE:
            return mixed
    return towards


def _mixed(one: str, other: str, share: float) -> str:
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue
