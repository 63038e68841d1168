"""An evening with a machine: the package is installed, boards come and go, and no command is typed for the first dart.

One machine for all of it, in this order; the times are printed and never asserted, for the machine is emulated.
"""

import json
import time
from pathlib import Path

import pytest

from tests.firmware.avr_parts import image
from tests.firmware.evening import cell_of
from tests.firmware.live import LiveBoard
from tests.mqtt_clients import Referee
from tests.vm import bluetooth_adapter, bluetooth_scenes, learnt
from tests.vm.adapter import Adapter
from tests.vm.clone_scenes import clones_play
from tests.vm.evening import CLUB, HOME_NETWORK, NODE, WHOLE, Evening, dart, darts, missing, offline, tell

UPGRADE_SECONDS = 1800.0
"""An emulated machine has needed more than ten minutes beside other tests."""
X01 = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}}
KEYS = "/dev/input/by-id/usb-Pub_Typing_dartboard_KEYS03-event-kbd"
FTDI = "/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_EB0001-if00-port0"


pytestmark = [
    pytest.mark.skipif(missing() is not None, reason=f"no virtual machine: {missing()}"),
    # An emulated machine is slow, and slower beside other tests.
    pytest.mark.timeout(3600),
]


more = pytest.mark.skipif(not WHOLE, reason="the rest of the evening: scripts/vm-test")


def test_bots_play_after_the_boot(evening: Evening) -> None:
    began = time.monotonic()
    watcher = evening.watch()
    watcher.wait(lambda m: m.topic == f"oche/{NODE}/board/virtual/hit", "a dart of the bots")
    tell("then to the first dart of the bots", time.monotonic() - began)


def test_a_generic_chip_is_refused_with_what_to_type(evening: Evening) -> None:
    with Adapter(evening.machine.socket_of("ftdi")):
        watcher = evening.watch()
        said = watcher.wait(
            lambda m: m.topic == f"oche/{NODE}/status" and "unknown" in m.payload, "the refusal"
        ).payload
        assert said["boards"] == ["virtual"]
        assert [unknown["port"] for unknown in said["unknown"]] == [FTDI]
        assert f'lounge = "MODEL@{FTDI}"' in said["unknown"][0]["message"]
    watcher.wait(
        lambda m: m.topic == f"oche/{NODE}/status" and "unknown" not in m.payload, "it is gone", len(watcher.seen)
    )


def test_the_first_dart_without_a_command(evening: Evening) -> None:
    watcher = evening.watch()
    began = time.monotonic()
    evening.club.plug()
    Referee(watcher, "json-segment-ab0001", NODE).online()
    tell("plugged in to online", time.monotonic() - began)
    evening.club.say(b'{"segment":"T20"}\n')
    hit = watcher.wait(lambda m: m.topic.endswith("json-segment-ab0001/hit"), "the first dart").payload
    assert hit["segment"] == "T20"
    node = watcher.wait(lambda m: m.topic == f"oche/{NODE}/status", "the node")
    assert "virtual" not in watcher.last(f"oche/{NODE}/status")["boards"], node


def test_a_bluetooth_board_comes_and_goes(evening: Evening) -> None:
    with bluetooth_scenes.scene(evening.machine, evening.watch, NODE) as play:
        bluetooth_scenes.comes_and_goes(play, 60, 1)


def test_the_name_oche_local_is_announced(evening: Evening) -> None:
    """The service may do what its programs need, shut in as it is. Where it may not, the doctor says so."""
    run, overrides = evening.machine.run, "/run/systemd/system/oche-name.service.d"
    run(f"mkdir -p {overrides} && printf '[Service]\nSystemCallFilter=~capset\n' >{overrides}/test.conf")
    run("systemctl daemon-reload && systemctl start oche-name")
    run("until journalctl -u oche-name | grep -q 'has no address'; do sleep 1; done")
    # Between two failures the service runs for a moment, which on an emulated machine is seconds.
    run("until oche doctor | grep -q 'The name oche.local is not announced'; do sleep 1; done")
    run(f"rm -r {overrides} && systemctl daemon-reload && systemctl restart oche-name")
    run("until journalctl -u oche-name | grep -q 'Established under name'; do sleep 1; done")
    assert "oche.local is not announced" not in run("oche doctor || true")
    run("systemctl stop oche-name")


@more
@pytest.mark.timeout(7200)  # An emulated machine takes about 100 ms a dart.
def test_ten_thousand_darts_of_a_bluetooth_board(evening: Evening) -> None:
    with bluetooth_scenes.scene(evening.machine, evening.watch, NODE) as play:
        bluetooth_scenes.comes_and_goes(play, 10_000, 10)


@more
def test_what_happens_to_a_bluetooth_board(evening: Evening) -> None:
    with bluetooth_scenes.scene(evening.machine, evening.watch, NODE) as play:
        bluetooth_scenes.is_listed(play)
        bluetooth_adapter.adapter_is_pulled(play)
        bluetooth_adapter.adapter_is_switched_off(play)
        bluetooth_scenes.service_is_restarted(play)
        bluetooth_scenes.daemon_is_killed(play)
        bluetooth_scenes.daemon_is_stopped(play)
        bluetooth_scenes.is_away(play, 600.0)


@more
def test_a_bluetooth_board_beside_a_serial_one(evening: Evening) -> None:
    serial = f'{bluetooth_scenes.SERIAL} = "json-segment@{CLUB}"'
    evening.club.plug()
    with bluetooth_scenes.scene(evening.machine, evening.watch, NODE, serial) as play:
        bluetooth_scenes.beside(play, evening.club, 60)


@more
def test_the_chips_of_most_clones(evening: Evening) -> None:
    clones_play(evening)


@more
def test_the_doctor_and_install_service_on_a_running_system(evening: Evening) -> None:
    machine = evening.machine
    evening.club.plug()
    Referee(evening.watch(), "json-segment-ab0001", NODE).online()
    said = machine.run("oche doctor --seconds 5").splitlines()
    assert said[0] == "ok  the daemon runs, its pages and its broker answer"
    assert not [line for line in said if line.startswith("no  ")], said
    # As after an installation with pipx: its units take the place of those of the package.
    machine.run("oche install-service --program /usr/bin/oche")
    assert machine.run("systemctl show -p FragmentPath --value oche") == "/etc/systemd/system/oche.service\n"
    assert machine.run("systemctl is-enabled oche") == "enabled\n"
    watcher = evening.watch()
    Referee(watcher, "json-segment-ab0001", NODE).online()
    since = len(watcher.seen)
    evening.club.say(b'{"segment":"D20"}\n')
    watcher.wait(lambda m: m.topic.endswith("json-segment-ab0001/hit"), "a dart of the service", since)
    machine.run("systemctl stop oche")
    stopped = machine.run("oche doctor --seconds 1 || true").splitlines()
    assert stopped[0] == "no  the daemon runs, its pages and its broker answer", stopped
    machine.run("rm /etc/systemd/system/oche*.service /etc/udev/rules.d/70-oche.rules; udevadm control --reload")
    machine.run("systemctl daemon-reload; systemctl reenable oche; systemctl restart oche")
    assert "/lib/systemd/system/oche.service" in machine.run("systemctl show -p FragmentPath --value oche")


@more
def test_a_board_that_is_plugged_in_starts_the_service(evening: Evening) -> None:
    evening.club.unplug()
    evening.machine.run("systemctl stop oche")
    watcher_began = time.monotonic()
    evening.club.plug()
    watcher = evening.watch()
    Referee(watcher, "json-segment-ab0001", NODE).online()
    tell("plugged in, service started, online", time.monotonic() - watcher_began)


@more
def test_two_at_once_in_another_order(evening: Evening) -> None:
    evening.club.unplug()
    watcher = evening.watch()
    # What is retained may still be from before.
    offline(watcher, "json-segment-ab0001", 0)
    # Another number each time: the same one again so soon after a board came back is a repeat.
    for first, second, number in ((evening.pub, evening.club, 7), (evening.club, evening.pub, 5)):
        since = len(watcher.seen)
        first.plug()
        time.sleep(0.3)  # One hand, then the other.
        second.plug()
        Referee(watcher, "json-segment-ab0001", NODE).online(since)
        Referee(watcher, "number-ring-cd0002", NODE).online(since)
        evening.club.say(f'{{"segment":"D{number}"}}\n'.encode())
        evening.pub.say(f"{number}:T\n".encode())
        for board, bed in (("json-segment-ab0001", f"D{number}"), ("number-ring-cd0002", f"T{number}")):
            hit = watcher.wait(lambda m, b=board: m.topic.endswith(f"{b}/hit"), board, since).payload  # type: ignore[misc]
            assert hit["segment"] == bed
        gone = len(watcher.seen)
        evening.club.unplug()
        evening.pub.unplug()
        for name in ("json-segment-ab0001", "number-ring-cd0002"):
            offline(watcher, name, gone)


@more
def test_setup_names_a_board_and_the_name_opens_the_page(evening: Evening) -> None:
    machine = evening.machine
    machine.run("mkdir -p /etc/oche/boards && cp /root/*.toml /etc/oche/boards/")
    for command in HOME_NETWORK:
        machine.run(f"ip {command}")
    began = time.monotonic()
    with darts(evening.bits, learnt.bits("T20")):
        evening.bits.plug()
        said = evening.converse(
            "oche setup",
            ("1  usb://1209:0b0a/BITS01  Shed Bits BITS01", "1"),
            ("Which model is it?", "/etc/oche/boards/bits.toml"),
            ("What is its name?", "bits"),
            ("T20. It works.", "yes"),
            ("2. The broker", ""),
            ("Who may see the pages?", "yes"),
        )
    tell("oche setup", time.monotonic() - began)
    assert "The display is at http://oche.local:8080 for every device on your network" in said, said
    # The QR code.
    assert sum("▄" in line for line in said.splitlines()) > 8

    watcher = evening.watch()
    Referee(watcher, "bits", NODE).online()
    # More than once: what was thrown while nobody read still fills the emulator's queue, and it drops what comes then.
    with darts(evening.bits, learnt.bits("D16")):
        watcher.wait(lambda m: m.topic.endswith("/bits/hit") and m.payload["segment"] == "D16", "the dart")
    began = time.monotonic()
    found = json.loads(machine.run("ip netns exec phone python3 /root/phone.py oche.local 8080"))
    tell("oche.local to an open page", time.monotonic() - began)
    assert found["address"] == "192.168.7.1"
    assert found["status"] == 200
    assert "<title>" in found["page"]
    assert found["sites"] == ["Darts on raspberrypi"]


@more
def test_it_starts_the_service_too(evening: Evening) -> None:
    evening.bits.unplug()
    evening.machine.run("systemctl stop oche")
    evening.bits.plug()
    Referee(evening.watch(), "bits", NODE).online()
    evening.bits.unplug()


@more
def test_boards_without_a_serial_port_come_and_go(evening: Evening) -> None:
    named = {"bits": "usb://1209:0b0a/BITS01", "codes": "usb://1209:0b0b", "keys": f"keyboard://{KEYS}"}
    evening.configure({name: f"/etc/oche/boards/{name}.toml@{url}" for name, url in named.items()})
    # Without a question about a board, setup lets in those that are written down.
    evening.machine.run("printf 'none\n\nno\n' | oche setup")
    boards = {"bits": evening.bits, "codes": evening.codes, "keys": evening.keys}
    sends = {"bits": learnt.bits, "codes": learnt.codes, "keys": learnt.key}
    watcher = evening.watch()
    for order, bed in (
        (("bits", "codes", "keys"), "T19"),
        (("keys", "bits", "codes"), "S1"),
        (("codes", "keys"), "DB"),
    ):
        since = len(watcher.seen)
        for name in order:
            boards[name].plug()
        began = time.monotonic()
        for name in order:
            Referee(watcher, name, NODE).online(since)
        tell(f"{', '.join(order)} plugged in to online", time.monotonic() - began)
        for name in order:
            dart(boards[name], sends[name](bed))
        for name in order:
            topic = f"oche/{NODE}/board/{name}/hit"
            hit = watcher.wait(lambda m, t=topic: m.topic == t, topic, since).payload  # type: ignore[misc]
            assert hit["segment"] == bed
        gone = len(watcher.seen)
        for name in order:
            boards[name].unplug()
        for name in order:
            offline(watcher, name, gone)


@more
def test_darts_type_nowhere_while_the_service_runs(evening: Evening) -> None:
    watcher = evening.watch()
    evening.codes.plug()
    evening.keys.plug()
    for name in ("codes", "keys"):
        Referee(watcher, name, NODE).online()
    assert evening.driver("CODES2") == "usbfs"
    # One event: the kernel gives no part of it.
    read = f"timeout 5 head -c 24 {KEYS} | wc -c"
    with darts(evening.keys, learnt.key("T1")):
        assert evening.machine.run(read) == "0\n"
        # A daemon that was killed has left the HID board without a driver; the next one gives it back all the same.
        since = len(watcher.seen)
        evening.machine.run("systemctl kill --kill-who=main -s KILL oche")
        for name in ("codes", "keys"):
            Referee(watcher, name, NODE).online(since)
        evening.machine.run("systemctl stop oche")
        assert evening.machine.run(read) == "24\n"
    assert evening.driver("CODES2") == "usbhid"
    # The device node that the driver made again did not restart it.
    assert evening.machine.run("udevadm settle; systemctl is-active oche || true") == "inactive\n"
    evening.codes.unplug()
    evening.keys.unplug()


@more
def test_a_board_named_by_its_serial_number_with_our_firmware_behind_it(
    evening: Evening, images: Path, tmp_path: Path
) -> None:
    machine = evening.machine
    evening.configure({"lounge": f"/etc/oche/boards/garage.toml@{FTDI}"})
    live = LiveBoard(image("atmega328p", images), tmp_path)
    try:
        with Adapter(machine.socket_of("ftdi"), str(live.path)):
            watcher = evening.watch()
            referee = Referee(watcher, "lounge", NODE)
            referee.online()
            assert referee.ask(X01)["ok"]
            live.dart(cell_of("T20"))
            referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the first dart")
            live.dart(cell_of("T19"))
            before = referee.state(lambda s: s["turn"]["darts"] == ["T20", "T19"], "the second dart")

            tell("reboot in the middle of the turn, to an answer", machine.reboot())
            referee = Referee(evening.watch(), "lounge", NODE)
            referee.online()
            assert referee.state(lambda _: True, "the state after the reboot") == before

            machine.cut_power()
            tell("power cut, to an answer", machine.power_on())
    finally:
        live.close()


@more
def test_after_the_power_cut_and_an_upgrade(evening: Evening, images: Path, tmp_path: Path) -> None:
    machine = evening.machine
    live = LiveBoard(image("atmega328p", images), tmp_path)
    try:
        with Adapter(machine.socket_of("ftdi"), str(live.path)):
            watcher = evening.watch()
            referee = Referee(watcher, "lounge", NODE)
            referee.online()
            state = referee.state(lambda _: True, "the state after the power cut")
            assert state["turn"]["darts"] == ["T20", "T19"]
            since = len(watcher.seen)
            began = time.monotonic()
            machine.run("dpkg --install /root/newer.deb", UPGRADE_SECONDS)
            tell("upgrade", time.monotonic() - began)
            referee.online(since)
            assert referee.state(lambda _: True, "the state after the upgrade", since) == state
            live.dart(cell_of("D5"))
            last = referee.state(lambda s: len(s["turn"]["darts"]) == 3, "the third dart", since)
            assert last["turn"]["darts"] == ["T20", "T19", "D5"]
            assert last["players"][0]["score"] == 301 - 60 - 57 - 10
            print(
                machine.run(
                    "dpkg-query -W oche; head -3 /proc/meminfo; systemctl show oche -p MemoryCurrent -p NRestarts"
                )
            )
            seqs = {hit["seq"]: hit["segment"] for hit in watcher.all("lounge/hit")}
            assert seqs == {3: "D5"}
    finally:
        live.close()
