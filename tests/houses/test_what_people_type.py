"""The commands of docs/two-houses.md, and what a wrong configuration says."""

import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from daemon.system.catalogue import games
from tests.houses.pair import House, SharedBroker
from tests.rig import OCHE, oche

GUIDE: Final = (Path(__file__).parent.parent.parent / "docs/two-houses.md").read_text()
COMMANDS: Final = re.findall(r"^oche .*", GUIDE, re.MULTILINE)


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, House]]:
    folder = tmp_path_factory.mktemp("typed")
    with ExitStack() as stack:
        shared = SharedBroker(folder / "hub", "anna", "bob")
        shared.start()
        stack.callback(shared.kill)
        houses = [House(folder / node, node, shared.url(node)) for node in ("anna", "bob")]
        for house in houses:
            stack.callback(house.close)
            house.start()
        yield houses[0], houses[1]


def _typed(house: House, line: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a command line of the guide at a house."""
    words = [*shlex.split(line)[1:], "--broker", f"mqtt://127.0.0.1:{house.port}"]
    return oche(*words, given=answer, check=False)


def test_the_brokers_configuration_works_from_any_folder(tmp_path: Path) -> None:
    """mosquitto is started as a service, in the folder `/`, and as a user who may not read a private key."""
    words = [OCHE, *shlex.split(COMMANDS[0])[1:]]
    said = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    config = (tmp_path / "hub/oche.conf").read_text()
    files = dict(line.split(maxsplit=1) for line in config.splitlines() if "file " in line)
    names = {
        "password_file": "hub/oche.passwords",
        "acl_file": "hub/oche.acl",
        "certfile": "hub.pem",
        "keyfile": "hub.key",
    }
    assert files == {key: str(tmp_path / name) for key, name in names.items()}
    assert f"mosquitto must be able to read {tmp_path / 'hub.key'} as well" in said


def test_the_guide_names_the_games_that_stay_in_one_house() -> None:
    secret = {game.title for game in games().values() if not getattr(game, "all_public", False)}
    [listed] = re.findall(r"hidden from a player are refused, with a sentence: ([^.]*)\.", GUIDE.replace("\n", " "))
    assert set(re.split(r", | and ", listed)) == secret


def test_the_guide_is_played(hub: tuple[House, House]) -> None:
    anna, bob = hub
    assert [line.split()[1] for line in COMMANDS] == [
        "broker-config",
        "invite",
        "accept",
        "adjourn",
        "resume",
        "invite",
    ]
    _, invite, accept, adjourn, resume, again = COMMANDS
    invited = _typed(anna, invite)
    assert invited.returncode == 0, invited.stderr
    code = invited.stdout.split()[-1]
    accept = accept.replace("anna/lounge/7KQ4MX2P", code)
    looked = _typed(bob, accept, "n\n")
    assert looked.returncode == 1
    assert 'x01 {"start": 301}: Ann, Bob; the guests are Bob.' in looked.stdout
    accepted = _typed(bob, accept, "y\n")
    assert accepted.returncode == 0, accepted.stderr
    assert "not_invited" in _typed(anna, accept).stderr
    assert _typed(bob, adjourn).returncode == 1
    assert _typed(anna, adjourn).returncode == 0
    assert _typed(anna, resume).returncode == 0
    assert _typed(anna, again).stdout.split()[-1].startswith("anna/lounge/")
    assert _typed(bob, "oche throw stop").returncode == 0
    anna.house("left")
    assert _typed(bob, f"{accept} --yes").returncode == 0
    anna.house("here")


def test_the_broker_has_the_files_of_the_guide(tmp_path: Path) -> None:
    words = shlex.split(COMMANDS[0])[1:]
    words[words.index("hub")] = str(tmp_path / "hub")
    done = oche(*words)
    assert "anna.url, bob.url" in done.stdout
    assert (tmp_path / "hub/anna.url").read_text().startswith("mqtts://anna:")
    assert "listener 8883" in (tmp_path / "hub/oche.conf").read_text()
    assert (tmp_path / "hub/anna.url").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("broker", "said"),
    [("mqtts://eve:x@hub.example.org", "they must be the same"), ("embedded:", "that both houses reach")],
)
def test_a_wrong_configuration_says_what_is_wrong(tmp_path: Path, broker: str, said: str) -> None:
    config = tmp_path / "oche.toml"
    config.write_text(f'node = "anna"\n[houses]\nbroker = "{broker}"\n')
    assert tomllib.loads(config.read_text())
    done = oche("run", "--config", str(config), check=False)
    assert done.returncode == 2
    assert said in done.stderr


def test_without_a_broker_there_are_no_other_houses(tmp_path: Path) -> None:
    done = oche("invite", check=False)
    assert done.returncode == 2
    assert "--guest" in done.stderr
