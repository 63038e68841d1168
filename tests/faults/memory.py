"""How much memory a process has held, and how much the daemon may."""

from pathlib import Path
from typing import Final

MEMORY_MIB: Final = 128
"""The daemon's resident memory under any flood of messages or requests; docs/reliability.md states it."""


def memory_mib(pid: int) -> float:
    """The most that a process ever held."""
    [line] = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024
