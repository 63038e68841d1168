"""The table `[[ring]]` of a configuration: a ring of LEDs around a board, at a WLED controller.

```toml
[[ring]]
at = "http://wled.local"
leds = 60
first = 7
```
"""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from daemon.system.show_config import Table, light_address


class WledRing(Table):
    """Where a ring is, and how its LEDs lie around the board."""

    at: Annotated[str, AfterValidator(light_address)]
    board: str | None = None
    """The board whose match it shows. None: the only one."""
    leds: Annotated[int, Field(ge=1, le=1000)]
    first: Annotated[int, Field(ge=0, le=999)] = 0
    """The LED at which the 20 begins, counted from 0."""
    clockwise: bool = True
    """Whether the LEDs follow each other clockwise, as seen by the player."""
    segment: Annotated[int, Field(ge=0, le=31)] = 0
    """The segment of the controller that is the ring."""
    brightness: Annotated[int, Field(ge=1, le=255)] | None = None
    """None: as the controller is set."""

    @model_validator(mode="after")
    def _begins_on_the_ring(self) -> Self:
        if self.first >= self.leds:
            raise ValueError(f"the LEDs of a ring of {self.leds} are 0 to {self.leds - 1}: first is one of these")
        return self
