"""A ring of LEDs around a board: what it shows of a match, as JSON that WLED documents."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from hypothesis import example, given
from hypothesis import strategies as st

from daemon.show import ring as shown
from daemon.show.app import Show
from daemon.show.cues import BoardFollower, Cue
from daemon.show.ring import COLOURS, PLAYERS, brief, is_at, lasting
from daemon.show.rings import Rings
from daemon.show.wled import Look
from daemon.system.config import load_settings
from daemon.system.ring_config import WledRing
from daemon.system.urls import UsageError
from engine import jsontext
from engine.segments import CLOCKWISE, SEGMENTS
from tests.rig import LIMIT_SECONDS
from tests.show.played import Played
from tests.show.strip import strip

AT = "http://wled.local"
RING = WledRing(at=AT, leds=20)
ANN, BOB = PLAYERS[:2]


def colors(look: Look | None, leds: int = 20) -> list[str]:
    """The color of each LED; every one is set exactly once, in a range of the segment."""
    assert look is not None
    (segment,) = look.state["seg"]
    found: list[str] = []
    for begin, end, color in zip(*[iter(segment["i"])] * 3, strict=True):
        assert begin == len(found) < end
        found += [color] * (end - begin)
    assert len(found) == leds
    return found


def of(number: int, found: list[str]) -> str:
    return found[CLOCKWISE.index(number)]


def state(**turn: Any) -> dict[str, Any]:
    return {"players": [{"name": "Ann"}, {"name": "Bob"}], "turn": {"player": "Ann", "awaits": "throw", **turn}}


RINGS = st.integers(1, 300).flatmap(
    lambda leds: st.builds(
        WledRing,
        at=st.just(AT),
        leds=st.just(leds),
        first=st.integers(0, leds - 1),
        clockwise=st.booleans(),
        segment=st.integers(0, 31),
        brightness=st.none() | st.integers(1, 255),
    )
)


@given(RINGS, st.sampled_from(CLOCKWISE))
def test_a_number_is_where_the_configuration_says(ring: WledRing, number: int) -> None:
    found = colors(lasting(ring, state(targets=[number])), ring.leds)
    at = [n * 20 // ring.leds for n in range(ring.leds)]
    places = {
        (ring.first + (n if ring.clockwise else -n)) % ring.leds for n in range(ring.leds) if CLOCKWISE[at[n]] == number
    }
    assert {n for n, color in enumerate(found) if color == COLOURS["any"]} == places


def test_a_turn_has_the_color_that_its_player_has_chosen() -> None:
    chosen = {"Bob": "123456"}
    assert set(colors(lasting(RING, state(player="Bob"), chosen.get))) == {"123456"}
    assert lasting(RING, state(player="Ann"), chosen.get) == lasting(RING, state(player="Ann"))
    follower = BoardFollower("lounge", state(player="Bob"))
    [(_, look)] = Rings([RING], chosen.get).state(follower)
    assert look == lasting(RING, follower.state, chosen.get)


def test_whose_turn_it_is_and_what_counts() -> None:
    plain = colors(lasting(RING, state(player="Bob")))
    assert set(plain) == {BOB}
    found = colors(lasting(RING, state(targets=[20, "D16", "T7", "SO3", "S9", "D9"])))
    assert [of(n, found) for n in (20, 16, 7, 3, 9)] == [COLOURS[part] for part in ("any", "D", "T", "S", "any")]
    (dim,) = {of(n, found) for n in CLOCKWISE if n not in (20, 16, 7, 3, 9)}
    assert dim not in {ANN, *COLOURS.values()}
    assert set(colors(lasting(RING, state(targets=["bull"])))) == {COLOURS["any"]}


def test_a_match_of_x01_from_the_first_dart_to_the_checkout() -> None:
    played = Played("x01", ["Ann", "Bob"], {"start": 101})
    begun = lasting(RING, played.cues[-1].state)
    assert of(17, colors(begun)) == COLOURS["T"], "the first dart of the checkout"
    (dart,) = played.act("T20")
    assert of(20, colors(brief(RING, dart))) == COLOURS["T"]
    assert colors(brief(RING, dart)).count("000000") == 19
    cues = played.act("T17")
    bust = next(look for cue in cues if cue.kind == "bust" and (look := brief(RING, cue)))
    assert bust.state["seg"] == [{"id": 0, "frz": False, "fx": 1, "col": [[255, 0, 0], [0, 0, 0]], "sx": 215}]
    takeout = lasting(RING, cues[-1].state)
    assert takeout.state["seg"] == [{"id": 0, "frz": False, "fx": 28, "col": [[0, 0x60, 255], [0, 0, 0]]}]
    (turn,) = [cue for cue in played.act("next") if cue.kind == "turn"]
    assert brief(RING, turn) is None
    cues = played.act("T20", "S1", "D20")
    assert [cue.kind for cue in cues if cue.kind != "dart" and brief(RING, cue)] == ["checkout", "leg"]
    over = played.act("next")
    assert over[-1].state["finished"]
    assert lasting(RING, over[-1].state).state["seg"] == [{"id": 0, "frz": False, "fx": 9}]


def test_no_match_is_dark_and_a_miss_shows_nothing() -> None:
    assert lasting(RING, {}) == Look({"on": False})
    assert brief(RING, Cue("lounge", {"event": "dart", "dart": "MISS"}, {})) is None
    assert brief(RING, Cue("lounge", {"event": "dart", "dart": "XY"}, {})) is None


def test_a_match_on_several_boards_is_at_one_of_them() -> None:
    there = {"turn": {"player": "Bob"}, "players": [{"name": "Ann", "board": "a"}, {"name": "Bob", "board": "b"}]}
    assert [is_at(board, there) for board in ("a", "b")] == [False, True]
    assert is_at("a", there | {"finished": True})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from([*SEGMENTS, "bull", "throw"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["turn", "players", "player", "targets", "awaits", "name", "board", "checkout"]), inner
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["turn", "players", "finished"]), JSON))
@example({"players": [{"name": []}], "turn": {}})
@example({"players": [], "turn": {"player": []}})
def test_no_state_of_the_bus_raises(value: Mapping[str, Any]) -> None:
    follower = BoardFollower("lounge")
    follower.take_state(dict(value))
    list(Rings([RING]).state(follower))


def test_only_the_rings_of_a_board_are_told_and_each_look_once() -> None:
    rings = Rings([RING, WledRing(at=AT, leds=7, board="bar")])
    follower = BoardFollower("lounge", state())
    assert len(list(rings.state(follower))) == 1
    assert list(rings.state(follower)) == []
    assert len(list(rings.state(BoardFollower("bar", state(player="Bob"))))) == 2
    dart = Cue("lounge", {"event": "dart", "dart": "T20"}, {})
    assert len(list(rings.cue(dart))) == 1


@pytest.mark.parametrize(
    ("ring", "why"),
    [
        ("leds = 20\nfirst = 20", "first is one of these"),
        ("leds = 0", "greater than or equal to 1"),
        ("first = 3", "Field required"),
        ("leds = 3\ncolour = 1", "not permitted"),
        (f'leds = 3\n[[ring]]\nat = "{AT}/"\nboard = "b"\nleds = 3', "two rings have the same controller"),
        (
            'leds = 3\n[boards]\na = "maddarts@/dev/a"\nb = "maddarts@/dev/b"',
            "needs its board, for there are several: a, b",
        ),
    ],
)
def test_a_ring_that_cannot_be_is_a_mistake(ring: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "oche.toml"
    path.write_text(f'[[ring]]\nat = "{AT}"\n{ring}\n')
    with pytest.raises(UsageError, match=why):
        load_settings(str(path), [], None, None, None, None)


def test_a_name_that_cannot_be_encoded_raises_nothing(tmp_path: Path) -> None:
    path = tmp_path / "oche.toml"
    path.write_text(
        f'[[show]]\nwhen = {{ event = "dart" }}\nwords = "$player"\n'
        f'http = {{ url = "{AT}/$player" }}\nmqtt = {{ topic = "a", payload = "$player" }}\n'
    )

    async def try_it() -> None:
        async with ClientSession() as session:
            show = Show(load_settings(str(path), [], "mqtt://127.0.0.1:9", None, str(tmp_path), "test"), session)
            for player in (b'"\\ud800"', b'"\xed\xa0\x80"'):
                event = b'{"event": "dart", "dart": "T20", "player": ' + player + b"}"
                assert show.take("oche/test/board/lounge/event", event) == []
            await show.close()

    asyncio.run(try_it())


def test_a_controller_is_told_what_its_board_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From messages of the bus to a controller that takes documented JSON alone; a rule's preset in between."""
    monkeypatch.setattr(shown, "HIT_SECONDS", 0.01)

    async def try_it() -> list[dict[str, Any]]:
        async with asyncio.timeout(LIMIT_SECONDS), strip() as at, ClientSession() as session:
            path = tmp_path / "oche.toml"
            path.write_text(
                f'[[ring]]\nat = "{at.at}"\nleds = 60\nfirst = 7\nclockwise = false\nbrightness = 90\nsegment = 2\n'
                f'[[show]]\nwhen = {{ award = "high_ton" }}\nwled = {{ at = "{at.at}", preset = 7, seconds = 0.01 }}\n'
            )
            settings = load_settings(str(path), [], "mqtt://127.0.0.1:9", None, str(tmp_path), "test")
            show = Show(settings, session)

            def bus(name: str, value: object) -> None:
                show.take(f"oche/test/board/lounge/{name}", jsontext.dump(value).encode())

            bus("match", state(targets=[20]))
            await at.told(1)
            bus("event", {"id": "1", "event": "dart", "dart": "D20"})
            await at.told(3)
            bus("event", {"id": "2", "event": "award", "award": "high_ton"})
            await at.told(6)
            bus("match", None)
            await at.told(8)
            await show.close()
            return at.seen

    begun, hit, again, unfrozen, preset, after, free, off = asyncio.run(try_it())
    assert (begun["bri"], begun["tt"], begun["seg"][0]["id"]) == (90, 0, 2)
    found = colors(Look(begun), 60)
    assert {n for n, color in enumerate(found) if color == COLOURS["any"]} == {5, 6, 7}
    assert {n for n, color in enumerate(colors(Look(hit), 60)) if color == COLOURS["D"]} == {5, 6, 7}
    assert again == after == begun
    assert unfrozen == {"seg": [{"id": 2, "frz": False}]}, "a preset would stand still"
    assert preset == {"on": True, "ps": 7}
    assert (free, off) == (unfrozen, {"on": False})
