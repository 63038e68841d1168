"""The Debian package in a Debian system: installed, upgraded, removed and purged."""

import io
import platform
import re
import subprocess
import tarfile
from pathlib import Path
from typing import Final

from daemon.system.version import version
from tests.install.conftest import ROOT, Tree, build_deb

AARCH64: Final = 0xB7
ARM: Final = 0x28
"""Numbers of machines in ELF headers."""


def test_install_upgrade_remove_and_purge(tree: Tree, deb: Path, tmp_path: Path) -> None:
    tree.install(build_deb(tmp_path / "before", "--version", "0.0.9", "--quick"))
    assert "loewen-darts" in tree.run("oche", "boards").stdout
    groups = tree.run("id", "-nG", "oche").stdout.split()
    assert {"oche", "dialout", "input", "plugdev"} <= set(groups)
    assert "enabled" in tree.run("systemctl", "is-enabled", "oche").stdout
    assert tree.run("systemctl", "is-enabled", "oche-kiosk", check=False).stdout.strip() == "disabled"
    assert tree.run("stat", "-c", "%U:%G %a", "/etc/oche/oche.toml").stdout.strip() == "root:root 644"
    assert list(tree.path("/usr/lib/oche").rglob("*.pyc"))

    # Configuration and history survive an upgrade and a removal.
    config = tree.path("/etc/oche/oche.toml")
    config.write_text('node = "lounge" # mine\nbroker = "mqtt://ann:s3cret@pi"\n')
    history = tree.path("/var/lib/oche/journal.db")
    history.parent.mkdir(mode=0o700)
    history.write_text("history")
    tree.install(deb)
    assert tree.run("dpkg-query", "-W", "-f", "${Version}", "oche").stdout != "0.0.9+deb12"
    # Passwords are moved to the secrets file; every user may read the rest.
    assert config.read_text() == 'node = "lounge" # mine\nbroker = "mqtt://ann@pi"\n'
    assert tree.run("stat", "-c", "%U:%G %a", "/etc/oche/oche.toml").stdout.strip() == "root:root 644"
    assert tree.run("stat", "-c", "%U:%G %a", "/etc/oche/oche.secrets.toml").stdout.strip() == "root:oche 640"
    assert "mqtt://ann:s3cret@pi" in tree.path("/etc/oche/oche.secrets.toml").read_text()
    tree.run("dpkg", "--remove", "oche")
    assert not tree.path("/usr/lib/oche").exists()
    assert not tree.path("/usr/bin/oche").exists()
    assert history.read_text() == "history"
    assert config.exists()
    tree.install(deb)
    assert "enabled" in tree.run("systemctl", "is-enabled", "oche").stdout
    assert config.read_text() == 'node = "lounge" # mine\nbroker = "mqtt://ann@pi"\n'

    # The udev rules that `oche setup` writes are purged too.
    own = tree.path("/etc/udev/rules.d/71-oche-boards.rules")
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("# rules\n")
    tree.run("dpkg", "--purge", "oche")
    for path in ("/etc/oche", "/var/lib/oche", "/usr/lib/oche", "/usr/lib/systemd/system/oche.service"):
        assert not tree.path(path).exists(), path
    assert tree.run("getent", "passwd", "oche", check=False).returncode != 0
    left = tree.run("find", "/etc", "/var/lib/systemd", "/usr/bin", "/usr/lib", "-name", "*oche*").stdout
    assert left == ""


def test_numpy_of_debian_is_used_where_it_is_installed(installed: Tree) -> None:
    asks = "from daemon.system.numpy_package import has_numpy, install_command; print(has_numpy(), install_command())"

    def answer() -> str:
        return installed.run("/usr/lib/oche/bin/python3", "-I", "-c", asks).stdout

    assert answer() == "False sudo apt install python3-numpy\n"
    folder = installed.path("/usr/lib/python3/dist-packages/numpy")
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    try:
        assert answer().startswith("True ")
    finally:
        (folder / "__init__.py").unlink()
        folder.rmdir()


def test_the_units_are_sound(installed: Tree) -> None:
    # The kiosk's programs, which an owner installs, only have to exist here.
    for program in ("cage", "chromium", "avahi-publish-address"):
        installed.path(f"/usr/bin/{program}").write_text("#!/bin/sh\n")
        installed.path(f"/usr/bin/{program}").chmod(0o755)
    installed.path("/usr/lib/systemd/system/avahi-daemon.service").write_text("[Service]\nExecStart=/bin/true\n")
    for unit in ("oche", "oche-kiosk", "oche-name"):
        said = installed.run(
            "systemd-analyze", "verify", "--man=no", f"/usr/lib/systemd/system/{unit}.service", check=False
        )
        assert (said.returncode, said.stderr.replace("Failed to", "")) == (0, ""), said.stderr


def test_udev_reads_the_rules(installed: Tree) -> None:
    subprocess.run(["mount", "--bind", "/sys", installed.path("/sys")], check=True)
    try:
        said = installed.run("udevadm", "test", "/sys/class/mem/null", check=False)
    finally:
        subprocess.run(["umount", installed.path("/sys")], check=True)
    about = [line for line in (said.stdout + said.stderr).splitlines() if "70-oche.rules" in line]
    assert about
    assert not [line for line in about if "Reading rules file" not in line], about


def machines(deb: Path) -> dict[str, int]:
    """The machine in the ELF header of each compiled part of a package: not every name tells it."""
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", deb], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        compiled = [(part.name, archive.extractfile(part)) for part in archive if part.name.endswith(".so")]
        return {name: int.from_bytes(file.read(20)[18:], "little") for name, file in compiled if file is not None}


def test_every_architecture_can_be_built_here(tmp_path: Path) -> None:
    for arch, debian, machine in (("arm64", "12", AARCH64), ("armhf", "13", ARM)):
        built = build_deb(tmp_path, "--arch", arch, "--debian", debian, "--quick")
        assert built.name == f"oche_{version()}+deb{debian}_{arch}.deb"
        listed = subprocess.run(["dpkg-deb", "-c", built], check=True, capture_output=True, text=True).stdout
        compiled = machines(built)
        assert set(compiled.values()) == {machine}, compiled
        fields = subprocess.run(["dpkg-deb", "-f", built], check=True, capture_output=True, text=True).stdout
        assert f"Version: {version()}+deb{debian}\n" in fields
        python, following = {"12": ("3.11", "3.12"), "13": ("3.13", "3.14")}[debian]
        assert f"python3 (>= {python}), python3 (<< {following})" in fields
        for path in ("man/man1/oche-run.1.gz", "bash-completion/completions/oche", "zsh/vendor-completions/_oche"):
            assert f"/usr/share/{path}\n" in listed
        # On a merged /usr, lintian of Debian 13 refuses files below /lib.
        tops = {line.split()[5].split("/")[1] for line in listed.splitlines()}
        assert tops == {"", "etc", "usr"}


def test_each_debian_upgrades_to_the_next_and_none_to_an_older_package() -> None:
    ours = version()
    for older, newer in (
        (ours, f"{ours}+deb12"),
        (f"{ours}+deb12", f"{ours}+deb13"),
        (f"{ours}+deb13", f"{ours}.1+deb12"),
    ):
        subprocess.run(["dpkg", "--compare-versions", older, "lt", newer], check=True)


def test_the_package_that_the_guides_install_is_the_one_that_they_build() -> None:
    for guide in ("docs/getting-started.md", "docs/raspberry-pi.md"):
        text = (ROOT / guide).read_text()
        installed = re.findall(r"apt install \./(\S*\.deb)", text)
        assert installed
        for deb in installed:
            found = re.fullmatch(r"dist/oche_\*\+deb([0-9]+)_(\w+)\.deb", deb)
            assert found, deb
            option = "" if found[1] == "12" else f" --debian {found[1]}"
            assert f"scripts/build-deb --arch {found[2]}{option}\n" in text


def test_lintian_finds_nothing(deb: Path, tmp_path: Path) -> None:
    """Each release has a lintian of its own, which checks the package for that release."""
    if platform.freedesktop_os_release().get("VERSION_ID") == "13":
        deb = build_deb(tmp_path, "--debian", "13", "--quick")
    said = subprocess.run(["lintian", "--allow-root", deb], check=False, capture_output=True, text=True)
    assert said.stdout == ""


def test_an_owner_reads_what_there_is_to_configure() -> None:
    from daemon.system.config_parser import ConfigFile

    text = (ROOT / "systemd/oche.toml").read_text()
    keys = {line[1:].split("=")[0].strip() for line in text.splitlines() if line.startswith("#") and " = " in line}
    assert set(ConfigFile.model_fields) - {"boards", "data"} <= keys
