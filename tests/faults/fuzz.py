"""Mutated bytes for every parser: `python -m tests.faults.fuzz PARSER SECONDS SEED [REPORT]`.

With atheris, which is there on x86, mutations follow the coverage; elsewhere, and in the tests, they
are drawn at random from good inputs. The report gets the number of bytes that were tried.
"""

import json
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import ModuleType

SPICE: Final = (
    b"\x00",
    b"\xff",
    b"\n",
    b"\r\n",
    b'"',
    b"{",
    b"[",
    b"}",
    b"9" * 30,
    b"1e999",
    b"-1",
    b"\\ud800",
    b"\xe2\x82",
)


def _parsers() -> "ModuleType":
    """Not imported above: coverage is put in on the way."""
    from tests.faults import parsers

    return parsers


def mutated(good: list[bytes], chance: random.Random) -> bytes:
    """One of the good inputs, or two of them, with a few places changed."""
    data = bytearray(chance.choice(good))
    for _ in range(chance.randint(0, 6)):
        at = chance.randint(0, len(data))
        match chance.randrange(6):
            case 0:
                data[at:at] = chance.choice(SPICE)
            case 1:
                del data[at : at + chance.randint(1, 8)]
            case 2:
                data[at : at + 1] = chance.randbytes(1)
            case 3:
                data[at:at] = chance.randbytes(chance.randint(1, 12))
            case 4:
                data[at:at] = data[: chance.randint(0, 40)]
            case _:
                data[at:] = chance.choice(good)
    return bytes(data[:20_000])


def tries(name: str, count: int, seed: int) -> int:
    """So many inputs at random; the bytes they had. Raises what the parser raises."""
    chance, good, tried = random.Random(f"{name} {seed}"), _parsers().seeds(name), 0
    for _ in range(count):
        data = mutated(good, chance)
        _parsers().PARSERS[name](data)
        tried += len(data)
    return tried


def at_random(name: str, seconds: float, seed: int) -> int:
    end, tried, part = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        tried += tries(name, 50, seed * 1_000_000 + part)
        part += 1
    return tried


def by_coverage(name: str, seconds: float, seed: int, report: Path) -> None:
    """Does not return: libFuzzer ends the process, with 0 where nothing was found."""
    import atheris

    with atheris.instrument_imports(include=["boards", "daemon", "drivers", "engine"], enable_loader_override=False):
        _parsers()
    corpus = report.parent / f"corpus-{name.replace(':', '-')}"
    corpus.mkdir(exist_ok=True)
    for number, data in enumerate(_parsers().seeds(name)):
        (corpus / f"seed-{number}").write_bytes(data)
    tried, since = 0, time.monotonic()
    parser = _parsers().PARSERS[name]

    def one(data: bytes) -> None:
        nonlocal tried, since
        parser(data)
        tried += len(data)
        if time.monotonic() - since > 1:
            since = time.monotonic()
            report.write_text(json.dumps({"bytes": tried}))

    options = [f"-max_total_time={int(seconds)}", f"-seed={seed % 2**31 or 1}", "-max_len=8192", "-timeout=20"]
    atheris.Setup([sys.argv[0], *options, "-rss_limit_mb=2048", f"-artifact_prefix={report.parent}/", str(corpus)], one)
    atheris.Fuzz()


def main(name: str, seconds: float, seed: int, report: Path) -> None:
    try:
        import atheris
    except ImportError:
        report.write_text(json.dumps({"bytes": at_random(name, seconds, seed)}))
    else:
        del atheris
        by_coverage(name, seconds, seed, report)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
