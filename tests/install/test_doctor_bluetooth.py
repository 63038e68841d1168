"""What `oche doctor` says of Bluetooth adapters, on machines that are folders; this one has no Bluetooth service."""

from pathlib import Path

import pytest

from tests.install.doctor import Doctor, kinds, only

BOARD = "lounge=granboard@ble://"
KINDS = {"no-adapter", "rfkill", "no-bluetooth", "adapter-off"}


def machine(folder: Path, *adapters: str, soft: int = 0, hard: int = 0) -> Path:
    """A machine with these adapters, and the states of rfkill."""
    root = folder / "machine"
    for number, adapter in enumerate(adapters):
        # The kernel lists connections beside the adapters.
        for name in (adapter, f"{adapter}:64"):
            (root / "sys/class/bluetooth" / name).mkdir(parents=True)
        for name, kind in (("bluetooth", "bluetooth"), ("wifi", "wlan")):
            switch = root / f"sys/class/rfkill/rfkill{2 * number + (kind == 'wlan')}"
            switch.mkdir(parents=True)
            (switch / "type").write_text(f"{kind}\n")
            (switch / "name").write_text(f"{adapter if name == 'bluetooth' else 'phy0'}\n")
            (switch / "soft").write_text(f"{soft}\n")
            (switch / "hard").write_text(f"{hard}\n")
    return root


def test_no_adapter(doctor: Doctor, tmp_path: Path) -> None:
    troubles = doctor.ask(board=BOARD, root=machine(tmp_path))[1]
    assert "Plug one in" in only(troubles, "no-adapter")["do"]


@pytest.mark.parametrize(("soft", "hard", "do"), [(1, 0, "sudo rfkill unblock bluetooth"), (1, 1, "switch")])
def test_an_adapter_that_is_blocked(doctor: Doctor, tmp_path: Path, soft: int, hard: int, do: str) -> None:
    trouble = only(doctor.ask(board=BOARD, root=machine(tmp_path, "hci0", soft=soft, hard=hard))[1], "rfkill")
    assert "hci0" in trouble["wrong"] and do in trouble["do"]


def test_an_adapter_that_is_well(doctor: Doctor, tmp_path: Path) -> None:
    assert not kinds(doctor.ask(board=BOARD, root=machine(tmp_path, "hci0"))[1]) & KINDS


def test_nobody_who_has_no_bluetooth_board_is_told_of_bluetooth(doctor: Doctor, tmp_path: Path) -> None:
    assert not kinds(doctor.ask(root=machine(tmp_path))[1]) & KINDS
