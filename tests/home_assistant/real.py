"""Tries the blueprints and sentences of the guide in a real Home Assistant: `PYTHON real.py FOLDER PORT`.

`PYTHON` has Home Assistant installed, which needs other versions of packages than oche: so this file imports nothing of
oche. Prints a line for each thing that was seen; exit code 1 if one is missing.
"""

import asyncio
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml
from homeassistant import bootstrap, runner
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import intent

GUIDE = Path(__file__).parents[2] / "docs" / "home-assistant"
EVENT, TURN, FAULT = (
    "event.dartboard_lounge_match_event",
    "sensor.dartboard_lounge_turn",
    "binary_sensor.dartboard_lounge_fault",
)
LAMP = "light.lamp"
SECONDS = 60.0


def note(text: str) -> list[dict[str, Any]]:
    return [{"service": "test.note", "data": {"text": text}}]


INPUTS: dict[str, dict[str, Any]] = {
    "lights_at_total": {"event": EVENT, "lights": [LAMP], "seconds": 1},
    "lights_at_bust": {"event": EVENT, "lights": [LAMP], "seconds": 1, "color": [9, 9, 9]},
    "lights_on_turn": {"turn": TURN, "player": "Ann", "lights": {"entity_id": LAMP}, "color": [0, 0, 255]},
    "announce_winner": {"event": EVENT, "announce": note("{{ winner }} wins")},
    "award": {"event": EVENT, "awards": ["hat_trick"], "celebrate": note("{{ player }}: {{ award }}")},
    "board_stuck": {"fault": FAULT, "minutes": 0.01, "tell": note("{{ message }}")},
}


class Tried:
    """A Home Assistant whose lights, buttons and notes are written down."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass, self._news = hass, asyncio.Condition()
        self.seen: list[tuple[str, dict[str, Any]]] = []
        for domain, service in (("light", "turn_on"), ("test", "note"), ("button", "press")):
            hass.services.async_register(domain, service, self._note)

    async def _note(self, call: ServiceCall) -> None:
        data = {key: list(value) if isinstance(value, tuple) else value for key, value in call.data.items()}
        async with self._news:
            self.seen.append((f"{call.domain}.{call.service}", data))
            self._news.notify_all()

    def event(self, kind: str, number: int, **about: Any) -> None:
        self.hass.states.async_set(EVENT, f"2026-11-22T12:00:{number:02}", {"event_type": kind, **about})

    async def sees(self, service: str, **about: Any) -> None:
        """Waits until a service was called with these data."""
        async with asyncio.timeout(SECONDS), self._news:
            await self._news.wait_for(
                lambda: any(name == service and about.items() <= data.items() for name, data in self.seen)
            )
        print("seen:", service, about)
        self.seen.clear()


async def _try(folder: Path, port: int) -> None:
    hass = await bootstrap.async_setup_hass(
        runner.RuntimeConfig(config_dir=str(folder), skip_pip=False, safe_mode=False)
    )
    assert hass is not None
    await hass.async_start()
    tried = Tried(hass)
    loaded = hass.states.async_entity_ids("automation")
    assert len(loaded) == len(INPUTS), loaded
    hass.states.async_set(LAMP, "off")
    tried.hass.states.async_set(EVENT, "unavailable")
    tried.event("score", 0, points=180)
    tried.event("score", 1, points=26)
    await hass.async_block_till_done()
    assert not tried.seen, tried.seen
    tried.event("score", 2, points=180)
    await tried.sees("light.turn_on", rgb_color=[255, 0, 0])
    tried.event("bust", 3, points=0)
    await tried.sees("light.turn_on", rgb_color=[9, 9, 9])
    tried.event("award", 4, award="low_ton", player="Ann", points=100)
    tried.event("award", 5, award="hat_trick", player="Ann", points=125)
    await tried.sees("test.note", text="Ann: hat trick")
    tried.event("won", 6, winners=["Ann", "Bob"])
    await tried.sees("test.note", text="Ann, Bob wins")
    hass.states.async_set(TURN, "Bob")
    hass.states.async_set(TURN, "Ann")
    await tried.sees("light.turn_on", rgb_color=[0, 0, 255])
    hass.states.async_set(FAULT, "off")
    hass.states.async_set(FAULT, "on", {"stuck": ["T20", "S5"]})
    await tried.sees("test.note", text="Beds of the dartboard stay closed: T20, S5")
    for name, button in (("OcheNext", "next"), ("OcheUndo", "undo")):
        await intent.async_handle(hass, "test", name)
        await tried.sees("button.press", entity_id=[f"button.dartboard_lounge_{button}"])
    players = [{"name": "Ann", "score": 40}, {"name": "Bob", "score": 81}]
    hass.states.async_set("sensor.dartboard_lounge_match", "throw", {"players": players})
    said = (await intent.async_handle(hass, "test", "OcheScore")).speech["plain"]["speech"]
    assert said.split() == ["Ann", "40.", "Bob", "81.", "Ann."], said
    print("seen: OcheScore", said.split())
    await hass.async_stop(force=True)


def sentences() -> None:
    """Recognizes the sentences as Assist does."""
    from hassil import Intents, recognize

    for language, text, name in (
        ("en", "next player", "OcheNext"),
        ("en", "undo the last dart", "OcheUndo"),
        ("en", "whose turn is it", "OcheScore"),
        ("de", "nächster Spieler", "OcheNext"),
        ("de", "den letzten Dart zurücknehmen", "OcheUndo"),
        ("de", "wie steht es", "OcheScore"),
        ("fr", "joueur suivant", "OcheNext"),
        ("fr", "annuler la dernière fléchette", "OcheUndo"),
        ("fr", "quel est le score", "OcheScore"),
    ):
        known = Intents.from_dict(yaml.safe_load((GUIDE / "sentences" / f"{language}.yaml").read_text("utf-8")))
        found = recognize(text, known)
        assert found is not None and found.intent.name == name, (language, text, found)
        print("seen:", language, text)


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    sentences()
    shutil.copytree(GUIDE / "blueprints", folder / "blueprints" / "automation" / "oche")
    automations = [{"use_blueprint": {"path": f"oche/{name}.yaml", "input": given}} for name, given in INPUTS.items()]
    config: dict[str, Any] = {"automation": automations, "scene": [], "http": {"server_port": port}}
    config["http"]["server_host"] = "127.0.0.1"
    config |= yaml.safe_load((GUIDE / "sentences" / "intent_script.yaml").read_text("utf-8"))
    (folder / "configuration.yaml").write_text(yaml.safe_dump(config))
    asyncio.run(_try(folder, port))


if __name__ == "__main__":
    main()
