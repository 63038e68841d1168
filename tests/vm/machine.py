"""The virtual machine: Debian 12 with our package, booted in QEMU without hardware help (TCG)."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Final

from tests.install.conftest import ROOT, Tree
from tests.rig import free_port

IMAGES: Final = ROOT / "build/vm"
BOOT_SECONDS: Final = 900.0
"""The limit of a boot, and of each command in the machine.

Far beyond the 11 to 40 s that a boot takes: at a load of 25 it took more than 240 s, and `oche doctor` more than 180 s,
which must not fail a test.
"""

AGENT_UNIT: Final = """\
[Unit]
DefaultDependencies=no
After=dev-virtio\\x2dports-org.oche.agent.device
BindsTo=dev-virtio\\x2dports-org.oche.agent.device
[Service]
ExecStart=/usr/bin/python3 /usr/local/lib/oche-agent.py
"""
AGENT_RULE: Final = """\
SUBSYSTEM=="virtio-ports", ATTR{name}=="org.oche.agent", TAG+="systemd", ENV{SYSTEMD_WANTS}+="oche-agent.service"
"""
DOOR_SOCKET: Final = "[Socket]\nListenStream=0.0.0.0:{outside}\n[Install]\nWantedBy=sockets.target\n"
DOOR_SERVICE: Final = "[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd 127.0.0.1:{inside}\n"
DOORS: Final = {1884: 11884, 8080: 18080}
"""oche listens inside the machine alone, as it should; these let the test in, and are no part of it."""
DEVICES: Final = ("ftdi", "acm1", "acm2", "hid1", "hid2", "keys", "ch340", "cp2102")
"""What there is a USB socket for: a serial adapter, and devices that the test makes (`redir.py`)."""


def make_disk(folder: Path, deb: Path, *extra: Path) -> Path:
    """A disk of the Debian tree with the package installed, nothing started yet; `extra` files go to /root."""
    subprocess.run([ROOT / "tests/vm/image"], check=True)
    tree = folder / "tree"
    tree.mkdir(parents=True)
    subprocess.run(["tar", "-C", tree, "-xf", IMAGES / "rootfs.tar"], check=True)
    system = Tree(tree)
    try:
        shutil.copy(deb, tree / "root/oche.deb")
        system.run("dpkg", "--install", "/root/oche.deb")
        for path in extra:
            shutil.copy(path, tree / "root")
        (tree / "usr/sbin/policy-rc.d").unlink()
        (tree / "usr/local/lib/oche-agent.py").write_text((ROOT / "tests/vm/agent.py").read_text())
        (tree / "etc/systemd/system/oche-agent.service").write_text(AGENT_UNIT)
        (tree / "etc/udev/rules.d/99-agent.rules").write_text(AGENT_RULE)
        for inside, outside in DOORS.items():
            units = tree / "etc/systemd/system"
            (units / f"door-{inside}.socket").write_text(DOOR_SOCKET.format(outside=outside))
            (units / f"door-{inside}.service").write_text(DOOR_SERVICE.format(inside=inside))
            system.run("systemctl", "enable", f"door-{inside}.socket")
    finally:
        system.leave()
    disk = folder / "disk.img"
    subprocess.run(["/usr/sbin/mke2fs", "-q", "-t", "ext4", "-F", "-d", tree, disk, "900M"], check=True)
    shutil.rmtree(tree)
    return disk


class Machine:
    """One computer with a disk, USB sockets, and a network card for the test.

    Two more cards, eth1 and eth2, are on a wire of their own and not set up: a home's network, with another device.
    """

    def __init__(self, folder: Path, disk: Path) -> None:
        self.folder = folder
        self.mqtt, self.http = free_port(), free_port()
        self.bluetooth = folder / "bluetooth.sock"
        """The other end of the machine's second serial port, for `bluetooth.py`."""
        self._disk = disk
        self._process: subprocess.Popen[bytes] | None = None
        self._agent: socket.socket | None = None
        self._half = b""

    def socket_of(self, device: str) -> Path:
        """Connecting here plugs the device in: one of DEVICES."""
        return self.folder / f"{device}.sock"

    def power_on(self) -> float:
        """Boots; how many seconds until the machine answers."""
        began = time.monotonic()
        command = ["nice", "-n", "5", "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi,tb-size=512"]
        # One processor: with two emulated ones a boot has hung, because the timer of the second one was never heard of.
        command += ["-cpu", "max", "-smp", "1", "-m", "512", "-nodefaults", "-display", "none", "-no-reboot"]
        command += ["-kernel", str(IMAGES / "vmlinuz"), "-initrd", str(IMAGES / "initrd.img"), "-append"]
        # Where the emulator has to wait for a processor, the kernel finds no timer and panics without `no_timer_check`,
        # and systemd gives up after 90 s.
        command += [
            "console=ttyS0 root=/dev/vda rw quiet mitigations=off nokaslr random.trust_cpu=on net.ifnames=0 panic=-1 "
            "systemd.show_status=0 no_timer_check "
            f"systemd.default_timeout_start_sec={BOOT_SECONDS:.0f} "
            f"systemd.default_device_timeout_sec={BOOT_SECONDS:.0f}"
        ]
        command += ["-serial", f"file:{self.folder / 'serial.log'}"]
        command += ["-chardev", f"socket,path={self.bluetooth},server=on,wait=off,id=bluetooth"]
        command += ["-device", "pci-serial,chardev=bluetooth"]
        command += ["-drive", f"file={self._disk},if=none,id=d0,format=raw,cache=writeback"]
        command += ["-device", "virtio-blk-pci,drive=d0", "-device", "virtio-rng-pci"]
        doors = ",".join(
            f"hostfwd=tcp:127.0.0.1:{here}-:{DOORS[there]}" for here, there in ((self.mqtt, 1884), (self.http, 8080))
        )
        command += ["-netdev", f"user,id=n0,restrict=on,{doors}", "-device", "virtio-net-pci,netdev=n0"]
        for card in ("home", "phone"):
            command += ["-netdev", f"hubport,id={card},hubid=0", "-device", f"virtio-net-pci,netdev={card}"]
        command += ["-device", "virtio-serial-pci", "-chardev"]
        command += [f"socket,path={self.folder / 'agent.sock'},server=on,wait=off,id=agent"]
        command += ["-device", "virtserialport,chardev=agent,name=org.oche.agent", "-device", "qemu-xhci,id=xhci,p2=10"]
        for device in DEVICES:
            command += ["-chardev", f"socket,path={self.socket_of(device)},server=on,wait=off,id={device}"]
            kind = "usb-serial,serial=EB0001" if device == "ftdi" else "usb-redir"
            command += ["-device", f"{kind},chardev={device},bus=xhci.0"]
        with (self.folder / "qemu.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        self._answer(began + BOOT_SECONDS)
        return time.monotonic() - began

    def run(self, command: str, seconds: float = BOOT_SECONDS) -> str:
        """What a shell in the machine printed; AssertionError where it failed."""
        assert self._agent is not None
        self._agent.sendall(json.dumps({"run": command}).encode() + b"\n")
        until = time.monotonic() + seconds
        while "code" not in (answer := self._answer(until)):
            pass  # It says that it has booted, which somebody has waited for in vain.
        assert answer["code"] == 0, f"{command}: {answer['out']}{answer['err']}"
        return str(answer["out"])

    def reboot(self) -> float:
        """As somebody would; how many seconds until it answers again. The emulator ends, and is started again."""
        began = time.monotonic()
        assert self._agent is not None
        assert self._process is not None
        self._agent.sendall(b'{"run": "systemctl --no-block reboot"}\n')
        self._process.wait(BOOT_SECONDS)
        self._forget()
        self.power_on()
        return time.monotonic() - began

    def cut_power(self) -> None:
        """What the machine had not written is gone."""
        assert self._process is not None
        # nice has become the machine itself.
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._forget()

    def power_off(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.cut_power()
        else:
            self._forget()

    def _forget(self) -> None:
        if self._agent is not None:
            self._agent.close()
        self._agent, self._half, self._process = None, b"", None

    def _answer(self, until: float) -> dict[str, Any]:
        while b"\n" not in self._half:
            if time.monotonic() > until:
                raise AssertionError(f"the machine does not answer; its console: {self.console()}")
            assert self._process is not None
            assert self._process.poll() is None, (self.folder / "qemu.log").read_text()
            if self._agent is None:
                self._agent = self._reach()
                continue
            with contextlib.suppress(TimeoutError):
                self._half += self._agent.recv(65536)
        line, _, self._half = self._half.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _reach(self) -> socket.socket | None:
        link = socket.socket(socket.AF_UNIX)
        link.settimeout(0.2)
        try:
            link.connect(str(self.folder / "agent.sock"))
        except OSError:
            link.close()
            time.sleep(0.05)
            return None
        return link

    def console(self) -> str:
        log = self.folder / "serial.log"
        return log.read_text(errors="replace")[-2000:] if log.exists() else ""
