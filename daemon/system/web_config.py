"""The table `[web]` of a configuration: what makes the pages those of a venue, and who may embed them.

```toml
[web]
name = "The Crown"
logo = "crown.png"  # in the folder `show` of the data directory
accent = "#ffb81c"
idle = "League night on Thursday"
frame_ancestors = ["http://homeassistant.local:8123"]
```
"""

import re
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from daemon.system.contrast import READABLE, contrast, readable_on
from daemon.system.show_config import FILE_NAME, Table

DARK: Final = "#232b28"
"""The lightest background of the dark theme, `--raised` in `colours.css`: a test compares them."""
LIGHT: Final = "#f1ece0"
"""The darkest background of the light theme, `--felt` in `colours.css`."""
PICTURES: Final = (".gif", ".jpeg", ".jpg", ".png", ".webp")
_ORIGIN: Final = re.compile(r"https?://(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:[1-9][0-9]{0,4})?")
"""A site as a header names it; nothing else may get into the header."""
_CLOCK: Final = re.compile(r"([01]?[0-9]|2[0-3]):[0-5][0-9]")


def _shown(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("write at least one letter, and no line breaks")
    return text


def _picture(name: str) -> str:
    if FILE_NAME.fullmatch(name) is None or not name.lower().endswith(PICTURES):
        raise ValueError(
            f"name a file in the folder show of the data directory, without a path, that ends in {', '.join(PICTURES)}"
        )
    return name


def _accent(colour: str) -> str:
    if re.fullmatch(r"#[0-9a-fA-F]{6}", colour) is None:
        raise ValueError('write a colour like "#ffb81c"')
    if (found := contrast(colour, DARK)) < READABLE:
        raise ValueError(
            f"{colour} has a contrast of {found:.1f} with the pages' background, and text needs {READABLE}; "
            f'this is the same colour, lighter: "{readable_on(colour, DARK, "#ffffff")}"'
        )
    return colour.lower()


def _origin(text: str) -> str:
    if _ORIGIN.fullmatch(text) is None:
        raise ValueError(f'{text!r} is not the address of a site: write it like "http://homeassistant.local:8123"')
    return text


def _hours(hours: list[str]) -> list[str]:
    if len(hours) not in (0, 2) or not all(_CLOCK.fullmatch(hour) for hour in hours):
        raise ValueError('write when it begins and ends, like ["23:00", "7:00"], or [] for never')
    return [hour.zfill(5) for hour in hours]


class WebPages(Table):
    """What the pages of a venue look like, and which other pages may embed them."""

    name: Annotated[str, Field(max_length=32), AfterValidator(_shown)] | None = None
    logo: Annotated[str, AfterValidator(_picture)] | None = None
    accent: Annotated[str, AfterValidator(_accent)] | None = None
    idle: Annotated[str, Field(max_length=120), AfterValidator(_shown)] | None = None
    night: Annotated[list[str], AfterValidator(_hours)] = Field(default_factory=lambda: ["23:00", "07:00"])
    """From when to when a screen without a match is dim."""
    fixed_sides: bool = False
    """Whether players keep their places on the screen when the other one begins the next match."""
    font_size: Annotated[int, Field(ge=80, le=150)] = 100
    """In percent."""
    frame_ancestors: list[Annotated[str, AfterValidator(_origin)]] = Field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Returns what the pages need to know; what is not configured is left out."""
        about: dict[str, Any] = {"night": self.night, "font_size": self.font_size, "fixed_sides": self.fixed_sides}
        about |= {key: value for key in ("name", "logo", "idle") if (value := getattr(self, key)) is not None}
        if self.accent is not None:
            about["accent"] = {"dark": self.accent, "light": readable_on(self.accent, LIGHT, "#000000")}
        return about
