"""What a ring of LEDs around a board shows of its match, as the JSON of WLED. Pure.

Individual LEDs are `seg.i` of WLED's JSON API: a range is its first LED, the one after its last, and a colour. WLED
stops the effects of such a segment until it is told `frz: false`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from daemon.show.cues import Cue
from daemon.show.wled import Look
from daemon.system.ring_config import WledRing
from drivers.target_lights import Part, part, parts
from engine.segments import BULL, CLOCKWISE, SEGMENTS

PLAYERS: Final = ("0060ff", "ff8000", "c000ff", "00c0a0", "ff4080", "a0c000", "6040ff", "c06000")
"""The colour of the turn of a player without one of their own, by their place; the ninth has that of the first."""
COLOURS: Final[Mapping[Part, str]] = {"any": "00ff00", "S": "ffffff", "D": "ff0000", "T": "ff00ff"}
"""The colour of a number, by what of it counts."""
Colours = Callable[[str], str | None]
BLACK: Final = "000000"
DIM: Final = 5
"""How many times darker the player's colour is where a number has a colour of its own."""
HIT_SECONDS: Final = 0.7
EVENT_SECONDS: Final = {"bust": 2.0, "checkout": 4.0, "leg": 4.0}
BLINK, RAINBOW, CHASE = 1, 9, 28
"""Effects of WLED, by their numbers in its list, which do not change."""
BLINK_SPEED: Final = 215
"""Less than two flashes a second: faster ones can cause seizures."""


def lasting(ring: WledRing, state: Mapping[str, Any], own: Colours = lambda _player: None) -> Look:
    """Returns what a ring shows while the match of a board waits; `state` is as published, empty without a match.

    `own` gives the colour that a player has chosen.
    """
    turn = state.get("turn")
    if not isinstance(turn, Mapping):
        return Look({"on": False})
    if state.get("finished"):
        return _effect(ring, RAINBOW)
    colour = own(str(turn.get("player"))) or _player_colour(state, turn)
    match turn.get("awaits"):
        case "throw":
            found = parts(_targets(turn))
            dim = _darker(colour) if found else colour
            return _each(ring, {number: COLOURS[some] for number, some in found.items()}, dim)
        case "next":
            return _effect(ring, CHASE, colour)
        case _:
            return _each(ring, {}, _darker(colour))


def brief(ring: WledRing, cue: Cue) -> Look | None:
    """Returns what a ring shows for a moment after an event; None if it is nothing."""
    seconds = EVENT_SECONDS.get(cue.kind)
    if cue.kind == "bust":
        return _effect(ring, BLINK, COLOURS["D"], seconds)
    if seconds is not None:
        return _effect(ring, RAINBOW, seconds=seconds)
    bed = SEGMENTS.get(cue.segment or "")
    if bed is None or not bed.multiplier:
        return None
    return _each(ring, {bed.number: COLOURS[part(bed)]}, BLACK, HIT_SECONDS)


def is_at(board: str, state: Mapping[str, Any]) -> bool:
    """Whether a match, on several boards perhaps, is at this one now; one that is over is at all of them."""
    turn, players = state.get("turn"), state.get("players")
    if state.get("finished") or not isinstance(turn, Mapping) or not isinstance(players, list):
        return True
    seats = [one for one in players if isinstance(one, Mapping) and one.get("name") == turn.get("player")]
    return not seats or bool(seats[-1].get("board", board) == board)


def _targets(turn: Mapping[str, Any]) -> list[int | str]:
    """What scores now; without targets the first dart of the checkout that the state proposes."""
    for key, most in (("targets", None), ("checkout", 1)):
        found = turn.get(key)
        if isinstance(found, list) and found:
            return [one for one in found[:most] if isinstance(one, int | str)]
    return []


def _player_colour(state: Mapping[str, Any], turn: Mapping[str, Any]) -> str:
    players = state.get("players")
    names = [one.get("name") for one in players if isinstance(one, Mapping)] if isinstance(players, list) else []
    at = names.index(turn.get("player")) if turn.get("player") in names else 0
    return PLAYERS[at % len(PLAYERS)]


def _darker(colour: str) -> str:
    return bytes(channel // DIM for channel in bytes.fromhex(colour)).hex()


def _each(ring: WledRing, colours: Mapping[int, str], rest: str, seconds: float | None = None) -> Look:
    """Each number in its colour; a bull colours all numbers that have none."""
    rest = colours.get(BULL, rest)
    leds = [rest] * ring.leds
    for n in range(ring.leds):
        number = CLOCKWISE[n * len(CLOCKWISE) // ring.leds]
        leds[(ring.first + (n if ring.clockwise else -n)) % ring.leds] = colours.get(number, rest)
    return _look(ring, {"i": _ranges(leds)}, seconds)


def _ranges(leds: Sequence[str]) -> list[int | str]:
    found: list[int | str] = []
    begin = 0
    for n in range(1, len(leds) + 1):
        if n == len(leds) or leds[n] != leds[begin]:
            found += [begin, n, leds[begin]]
            begin = n
    return found


def _effect(ring: WledRing, effect: int, colour: str | None = None, seconds: float | None = None) -> Look:
    segment: dict[str, Any] = {"frz": False, "fx": effect}
    if colour is not None:
        segment["col"] = [list(bytes.fromhex(colour)), [0, 0, 0]]
    if effect == BLINK:
        segment["sx"] = BLINK_SPEED
    return _look(ring, segment, seconds)


def _look(ring: WledRing, segment: dict[str, Any], seconds: float | None) -> Look:
    bright = {} if ring.brightness is None else {"bri": ring.brightness}
    return Look({"on": True, **bright, "tt": 0, "seg": [{"id": ring.segment, **segment}]}, seconds)
