"""An option without a value, as from an empty variable of a script, is a mistake and not the default."""

import pytest

from tests.rig import oche


@pytest.mark.parametrize("option", ["--http", "--broker", "--node", "--data"])
def test_an_empty_option_is_refused(option: str) -> None:
    said = oche("run", option, "", check=False)
    assert (said.returncode, said.stderr) == (2, f"oche: {option} is empty: give it a value, or leave it out.\n")


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", "soon"])
def test_a_time_is_a_number_of_seconds(seconds: str) -> None:
    said = oche("boards", "/dev/null", "--seconds", seconds, check=False)
    assert said.returncode == 2
    assert "--seconds" in said.stderr
