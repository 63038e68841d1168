"""What `oche doctor` finds wrong with the machine, the broker, other programs and the data directory."""

import contextlib
import http.server
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.doctor.running_daemon import SETTLED_SECONDS, Unit, name_fails
from tests.install.doctor import Doctor, kinds, only
from tests.mqtt_clients import watching
from tests.rig import Daemon, Mosquitto, free_port, takes_connections, until


def test_a_pi_without_power(doctor: Doctor, tmp_path: Path) -> None:
    throttled = tmp_path / "pi/sys/devices/platform/soc/soc:firmware/get_throttled"
    throttled.parent.mkdir(parents=True)
    for bits, when in (("0x50005", "now"), ("50000", "at least once")):
        throttled.write_text(bits + "\n")
        assert when in only(doctor.ask(root=tmp_path / "pi")[1], "power")["wrong"]
    throttled.write_text("0\n")
    assert "power" not in kinds(doctor.ask(root=tmp_path / "pi")[1])


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="a file system is mounted, which takes root")


@contextlib.contextmanager
def card(folder: Path) -> Iterator[Path]:
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=120m", "card", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@needs_root
def test_a_full_card(doctor: Doctor, tmp_path: Path) -> None:
    with card(tmp_path / "card") as folder:
        assert "disk" not in kinds(doctor.ask("--data", str(folder / "oche"))[1])
        (folder / "films").write_bytes(bytes(30 * 1024 * 1024))
        assert "MB left" in only(doctor.ask("--data", str(folder / "oche"))[1], "disk")["wrong"]
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        assert "read-only" in only(doctor.ask("--data", str(folder / "oche"))[1], "disk")["wrong"]


def test_a_dead_broker(doctor: Doctor, broker: Mosquitto) -> None:
    assert "broker" not in kinds(doctor.ask("--broker", broker.url)[1])
    dead = f"mqtt://127.0.0.1:{free_port()}"
    assert "Connection refused" in only(doctor.ask("--broker", dead)[1], "broker")["wrong"]


def test_a_clock_without_time(doctor: Doctor, tmp_path: Path) -> None:
    sync = tmp_path / "pi/run/systemd/timesync"
    sync.mkdir(parents=True)
    assert "timesync-status" in only(doctor.ask(root=tmp_path / "pi")[1], "clock")["do"]
    (sync / "synchronized").touch()
    assert "clock" not in kinds(doctor.ask(root=tmp_path / "pi")[1])


def test_a_daemon_of_another_version(doctor: Doctor, tmp_path: Path, broker: Mosquitto) -> None:
    board = ("--board", "lounge=virtual@sim:")
    with Daemon(tmp_path, *board, "--broker", broker.url) as daemon, watching(broker.port) as watcher:
        status = watcher.wait(lambda m: m.topic == "oche/test/status" and m.payload["state"] == "online", "it")
        where = ("--data", str(daemon.data), "--broker", broker.url, "--http", f"127.0.0.1:{daemon.http}")
        until(lambda: takes_connections(daemon.http), "its pages")
        assert "version" not in kinds(doctor.ask(*where)[1])
        # As after an upgrade without a restart.
        watcher.publish("oche/test/status", status.payload | {"version": "0.0.9"}, retain=True)
        assert "runs oche 0.0.9" in only(doctor.ask(*where)[1], "version")["wrong"]


def test_another_program_at_the_port_of_the_pages(doctor: Doctor, tmp_path: Path) -> None:
    with Daemon(tmp_path, "--board", "lounge=virtual@sim:") as daemon, other_pages() as port:
        until(lambda: takes_connections(daemon.http), "its pages")
        where = ("--data", str(daemon.data), "--http", f"127.0.0.1:{port}")
        assert "another program" in only(doctor.ask(*where)[1], "pages")["wrong"]


@contextlib.contextmanager
def other_pages() -> Iterator[int]:
    """A web server that is not oche's."""

    class Pages(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def test_data_that_is_missing(doctor: Doctor) -> None:
    missing = Path("/nosuchdir/oche")
    code, troubles = doctor.ask("--data", str(missing))
    assert (code, str(missing) in only(troubles, "data")["wrong"], missing.parent.exists()) == (1, True, False)


def test_a_password_that_everybody_may_read(doctor: Doctor, tmp_path: Path) -> None:
    config = tmp_path / "with.toml"
    config.write_text('broker = "mqtt://ann:s3cret@127.0.0.1:1"\n')
    for mode, is_told in ((0o644, True), (0o640, False)):
        config.chmod(mode)
        _, troubles = doctor.ask("--config", str(config))
        assert ("password" in kinds(troubles)) == is_told
        assert "s3cret" not in str(troubles)


def test_what_setup_would_leave_in_the_configuration_is_no_password(doctor: Doctor, tmp_path: Path) -> None:
    """The address of a web hook stands in the file that everybody reads, as the guide says."""
    config = tmp_path / "with.toml"
    config.write_text('[[show]]\nwhen = { event = "bust" }\nhttp = { url = "http://hook.local/x?token=s3cret" }\n')
    config.chmod(0o644)
    _, troubles = doctor.ask("--config", str(config))
    assert "password" not in kinds(troubles)
    config.write_text(config.read_text() + "# was http://hook.local/x?token=old\n")
    _, troubles = doctor.ask("--config", str(config))
    assert "password" in kinds(troubles)


@pytest.mark.parametrize(
    ("looks", "fails"),
    [
        ([None], False),
        ([Unit("inactive", "success")], False),
        ([Unit("active", "success", since=50.0)], False),
        # It waits to be started again after a failure, or after the ten minutes for which it runs.
        ([Unit("activating", "exit-code", since=99.9)], True),
        ([Unit("activating", "timeout", since=50.0)], False),
        ([Unit("failed", "signal")], True),
        # It has just started: whether it fails is seen when it had time to.
        ([Unit("active", "success", since=99.9), Unit("activating", "exit-code", since=99.9)], True),
        ([Unit("active", "success", since=99.9), Unit("active", "success", since=99.9)], False),
    ],
)
def test_the_service_of_the_name_fails(looks: list[Unit | None], fails: bool) -> None:
    left, slept = iter(looks), list[float]()
    assert name_fails(lambda: next(left), lambda: 100.0, slept.append) == fails
    assert next(left, "all were taken") == "all were taken"
    assert all(0 < seconds <= SETTLED_SECONDS for seconds in slept)
