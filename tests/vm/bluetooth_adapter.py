"""What happens to the Bluetooth adapter of the virtual machine while a board plays."""

from typing import Final

from tests.rig import until
from tests.vm.bluetooth_scenes import NAME, RESTART_SECONDS, Scene, tell


def adapter_is_pulled(play: Scene) -> None:
    since = play.now
    play.bluetooth.pull()
    tell("adapter pulled, to offline", play.offline(since))
    said = play.machine.run("oche doctor --seconds 1 || true")
    assert "There is no Bluetooth adapter." in said, said
    since = play.now
    play.bluetooth.plug_in()
    tell("adapter put back, to online", play.online(since))
    play.dart()


POWER_ON: Final = "until bluetoothctl power on; do sleep 1; done"
"""BlueZ is busy for a moment after an adapter was unblocked."""
SWITCHES = (
    ("switched off", "bluetoothctl power off", POWER_ON, "The Bluetooth adapter is switched off."),
    (
        "blocked",
        "for each in /sys/class/rfkill/*; do grep -q bluetooth $each/type && echo 1 >$each/soft; done",
        f"for each in /sys/class/rfkill/*; do grep -q bluetooth $each/type && echo 0 >$each/soft; done; {POWER_ON}",
        "The Bluetooth adapter hci0 is blocked.",
    ),
)
"""Ways to switch off an adapter: how it is done and undone, and what `oche doctor` says."""


def adapter_is_switched_off(play: Scene) -> None:
    """By a command of BlueZ, and by rfkill. The board's status and the commands say what to do."""
    for way, off, on, why in SWITCHES:
        since = play.now
        play.machine.run(off)
        tell(f"adapter {way}, to offline", play.offline(since))
        play.bluetooth.lose_boards()
        until(lambda: (play.watcher.last(f"{NAME}/status") or {}).get("reason") == "adapter-off", "the reason")
        said = play.machine.run("oche doctor --seconds 1 || true", RESTART_SECONDS)
        assert why in said, said
        said = play.machine.run("oche boards --scan --seconds 1 2>&1 && echo done || true", RESTART_SECONDS)
        assert said.startswith("The Bluetooth adapter is switched off: sudo rfkill unblock bluetooth"), said
        assert "done" not in said, said
        since = play.now
        play.machine.run(on)
        tell("switched on, to online", play.online(since))
        play.dart()
