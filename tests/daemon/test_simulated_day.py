"""A day of tournament in simulated time: through kills, withdrawals, corrections and late players to its end."""

from pathlib import Path

from tests.daemon.simulated_day import check_day, simulated_day


def test_a_day_ends_through_kills_and_its_forecast_comes_true(tmp_path: Path) -> None:
    day = simulated_day(tmp_path, players=10, boards=3, kills=4, options={"start": 301})
    check_day(day)
    assert day.last["state"] == "over"
    assert "damaged" not in day.last
    # Somebody came late, and it was said.
    assert any("late" in fixture for _, state in day.states for fixture in state["fixtures"])
    # In the second half the forecast is less than a quarter of the day wrong.
    assert all(abs(wrong) < 0.25 for share, wrong in day.forecasts() if share > 0.5)
