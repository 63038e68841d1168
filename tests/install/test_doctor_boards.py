"""What `oche doctor` says of boards that a running daemon has."""

from pathlib import Path

from tests.install.doctor import command_of
from tests.rig import Daemon, oche, until


def test_a_board_that_is_away_is_not_well(tmp_path: Path) -> None:
    with Daemon(tmp_path, "--board", "lounge=maddarts@/dev/no-such-board") as daemon:
        command = [*command_of(tmp_path, daemon.data), "--http", str(daemon.http), "--root", str(tmp_path)]

        def said() -> str:
            return oche(*command, check=False).stdout

        until(lambda: "not looked at: lounge: /dev/no-such-board is not there" in said(), "why the board is away")
        assert "--  the boards stay awake" in said()
