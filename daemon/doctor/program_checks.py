"""Checks of the program: the daemon that runs, its passwords, and the packages that it is installed with."""

import importlib.metadata
from collections.abc import Iterator
from typing import Final

from daemon.doctor.findings import Finding, Seen, Trouble, Unseen
from daemon.doctor.machine import Machine
from daemon.system.config_writer import has_secrets
from daemon.system.error_text import reason
from daemon.system.version import ROOT, version

PACKAGES: Final = ("boards", "daemon", "drivers", "engine", "hall", "league", "learning", "oche", "twin")
"""The top-level packages of the distribution `oche`."""


def daemon(machine: Machine) -> Iterator[Finding]:
    """A service that does not run or is of another version than installed; pages or a broker that do not answer."""
    running, where = machine.running, f"{machine.settings.host}:{machine.settings.port}"
    if running.unit in ("failed", "inactive"):
        yield Trouble(
            "service",
            f"The service oche is installed and does not run ({running.unit}).",
            "journalctl -u oche -n 20   shows why; sudo systemctl restart oche",
        )
    elif running.unit is not None:
        yield Seen(f"The service oche is {running.unit}.")
    if running.name_fails:
        yield Trouble(
            "name",
            "The name oche.local is not announced: the service oche-name fails.",
            "journalctl -u oche-name -n 20   shows why; the pages are at the address of this machine all the same.",
        )
    if not running.runs:
        if running.unit is None:
            yield Unseen(f"no daemon runs with the data in {machine.settings.data}, and none answers at {where}.")
        return
    if running.pages is not None:
        wrong = f"The daemon runs, and its pages do not answer at {where}: {running.pages}."
        yield Trouble("pages", wrong, "If it was started with another --http, give the doctor the same.")
    else:
        yield Seen(f"The pages answer at {where}.")
    if running.waits is not None:
        # `same_node_name` says what to do.
        yield Unseen("which version runs: the daemon waits for its node name.")
        return
    if running.bus is not None:
        if running.bus != running.pages:
            wrong = f"The daemon runs, and its broker does not answer: {running.bus}."
            yield Trouble("daemon", wrong, "sudo systemctl restart oche")
        return
    installed = version()
    node = running.node or machine.settings.node
    runs = running.nodes.get(node)
    if runs is None:
        yield Unseen(f"which version runs: the broker answers, and {node} is not online there for this user.")
    elif runs != installed:
        wrong = f"The daemon {node} runs oche {runs}, and {installed} is installed."
        yield Trouble("version", wrong, "sudo systemctl restart oche")
    else:
        yield Seen(f"The daemon {node} runs oche {runs}, and its broker answers.")


def passwords(machine: Machine) -> Iterator[Finding]:
    """A password in a configuration that every user may read."""
    try:
        text, mode = machine.config.read_text(encoding="utf-8"), machine.config.stat().st_mode
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        yield Unseen(f"{machine.config}: {reason(error)}.")
        return
    if mode & 0o004 and has_secrets(text):
        do = "sudo oche setup   moves it to a file that the service alone reads. Change it if others use this machine."
        yield Trouble("password", f"{machine.config} has a password in it, and every user may read it.", do)


def packages(_machine: Machine) -> Iterator[Finding]:
    """Other distributions in this environment with a package of the same name: one hides or overwrites the other."""
    yield Seen(f"This is oche {version()}, in {ROOT}.")
    distributions = importlib.metadata.packages_distributions()
    for package in PACKAGES:
        for other in sorted(set(distributions.get(package, ())) - {"oche"}):
            yield Trouble(
                "package",
                f"The distribution {other} has a package `{package}` too, in the same Python environment as oche.",
                "Install oche in an environment of its own, as pipx does (docs/raspberry-pi.md). In this one: "
                f"pip uninstall {other}   and install oche again.",
            )
