"""The table of exit codes: every command, done and failed, each with a message."""

import re
from pathlib import Path

import pytest

from daemon.cli.parser import parser
from daemon.system.exit_codes import EXITS, Exit
from tests.faults.command import oche

MISSING = "/nosuchdir/data"
NOBODY = "mqtt://127.0.0.1:1"
DOCTOR = ("doctor", "--seconds", "0.1", "--root", "{folder}", "--config", "{empty}")
COMMANDS = tuple(parser().commands())
CODES: dict[str, tuple[int, tuple[str, ...]]] = {
    # Commands that end without a board, a broker or an answer.
    "boards": (Exit.DONE, ("boards",)),
    "doctor": (
        Exit.DONE,
        ("doctor", "--seconds", "0.1", "--root", "{folder}", "--data", "{folder}", "--config", "{empty}"),
    ),
    "flash": (Exit.DONE, ("flash",)),
    "rules": (Exit.DONE, ("rules", "x01", "--json")),
    "simulate": (Exit.DONE, ("simulate", "x01", "--matches", "1")),
    "fair": (Exit.DONE, ("fair", "x01", "Ann=10", "Bob=pub", "--options", '{"start": 101}')),
    # Elsewhere than in `/`, which takes root.
    "install-service": (
        Exit.DONE,
        ("install-service", "--dry-run", "--program", "/usr/local/bin/oche", "--root", "{folder}"),
    ),
    "broker-config": (Exit.DONE, ("broker-config", "--data", "{folder}", "--out", "{folder}/out", "--node", "n")),
    "access": (Exit.DONE, ("access", "list", "--data", "{folder}")),
    "access alone": (Exit.DONE, ("access",)),
    "season": (Exit.DONE, ("season",)),
    "tournament": (Exit.DONE, ("tournament",)),
    "nothing": (Exit.DONE, ()),
    "version": (Exit.DONE, ("--version",)),
    # Refused, or failed.
    "run 1": (Exit.FAILED, ("run", "--data", "/proc/nosuchdir/data")),
    "setup 1": (Exit.FAILED, ("setup", "--config", "{folder}/new.toml")),
    "doctor 1": (Exit.FAILED, (*DOCTOR, "--data", MISSING)),
    "boards 1": (Exit.FAILED, ("boards", "/dev/nosuchport")),
    "listen 1": (Exit.FAILED, ("listen", "maddarts@replay:/proc")),
    "learn 1": (Exit.FAILED, ("learn", "/dev/nosuchport", "--out", "{folder}/x.toml")),
    "flash 1": (Exit.FAILED, ("flash", "/dev/nosuchport")),
    "replay 1": (Exit.FAILED, ("replay", "{match}")),
    "simulate 1": (Exit.FAILED, ("simulate", "x01", "--options", '{"start": -1}')),
    "fair 1": (Exit.FAILED, ("fair", "tic_tac_toe", "Ann=10", "Bob=pub")),
    "matches 1": (Exit.FAILED, ("matches", "--data", MISSING)),
    "export 1": (Exit.FAILED, ("export", "m1", "--data", MISSING)),
    "forget 1": (Exit.FAILED, ("forget", "Ann", "--data", MISSING)),
    "hand 1": (Exit.FAILED, ("hand", "Ann", "--data", MISSING)),
    "leaders 1": (Exit.FAILED, ("leaders", "--data", MISSING)),
    "hall 1": (Exit.FAILED, ("hall", "nodes", "--db", "postgresql://nobody@127.0.0.1:1/none")),
    "salvage 1": (Exit.FAILED, ("salvage", "{folder}/out", "--data", MISSING)),
    "backup 1": (Exit.FAILED, ("backup", "{folder}/backup", "--data", MISSING)),
    "restore 1": (Exit.FAILED, ("restore", "{match}", "--data", "{folder}/new")),
    "access 1": (Exit.FAILED, ("access", "list", "--data", MISSING)),
    "broker-config 1": (Exit.FAILED, ("broker-config", "--out", "/proc/out", "--node", "n")),
    "throw 1": (Exit.FAILED, ("throw", "T20", "--broker", NOBODY)),
    "watch 1": (Exit.FAILED, ("watch", "--once", "--broker", NOBODY)),
    "invite 1": (Exit.FAILED, ("invite", "x01", "Ann", "Bob", "--guest", "Bob", "--broker", NOBODY)),
    "accept 1": (Exit.FAILED, ("accept", "ABCD-EFGH", "--broker", NOBODY)),
    "adjourn 1": (Exit.FAILED, ("adjourn", "--broker", NOBODY)),
    "resume 1": (Exit.FAILED, ("resume", "--broker", NOBODY)),
    "show 1": (Exit.FAILED, ("show", "--config", "{door}", "--broker", NOBODY)),
    "tournament 1": (Exit.FAILED, ("tournament", "show", "--http", "127.0.0.1:1")),
    "install-service 1": (Exit.FAILED, ("install-service", "--program", "/home/ann/oche", "--root", "{folder}/root")),
}
"""Command lines and their exit codes. A wrong command line is tested for all commands below."""


@pytest.mark.parametrize(("code", "words"), CODES.values(), ids=CODES)
def test_the_table_of_exit_codes(tmp_path: Path, code: int, words: tuple[str, ...]) -> None:
    (tmp_path / "empty.toml").write_text("")
    match = tmp_path / "match.jsonl"
    match.write_text('{"match": 1, "game": "x01", "players": ["Ann", "Bob"]}\n{"throw": "T21"}\n')
    door = tmp_path / "door.toml"
    # An address of the documentation, which no machine has.
    door.write_text('[caller_door]\naddress = "192.0.2.1:8079"\ntoken = "no-token-but-24-letters"\n')
    places = {"folder": tmp_path, "empty": tmp_path / "empty.toml", "match": match, "door": door}
    filled = [word if word.startswith('{"') else word.format(**places) for word in words]
    ended, said = oche(*filled, folder=tmp_path)
    assert ended == code, said
    assert "Traceback" not in said
    assert "[Errno" not in said
    # The doctor prints what it found to stdout.
    assert bool(said) == (code != Exit.DONE) or words[0] == "doctor", said
    assert not Path(MISSING).parent.exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_row_and_refuses_a_strange_option(tmp_path: Path, command: str) -> None:
    # `rules` fails only for a game of another package that has no cards, and `season` only by its input.
    assert (command if command in ("rules", "season") else f"{command} 1") in CODES
    code, said = oche(command, "--no-such-option", folder=tmp_path)
    assert (code, said.count("oche: ")) == (Exit.USAGE, 1)


def test_the_guide_has_the_table_of_exit_codes() -> None:
    guide = (Path(__file__).parents[2] / "docs/commands.md").read_text()
    rows = re.findall(r"^\| ([0-9]+) \| (.*) \|$", guide, re.MULTILINE)
    assert {int(code): says for code, says in rows} == EXITS
    assert list(EXITS) == list(Exit)
