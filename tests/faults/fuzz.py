"""Mutated bytes for every parser: `python -m tests.faults.fuzz coverage|chance PARSER SECONDS SEED FOLDER`.

`coverage` is led by atheris, which is there on x86; what it finds worth keeping is in FOLDER, a corpus for each parser.
`chance` draws mutations of those and of good inputs, without the instruments, which make every parser several times
slower. `report-SEED.json` in FOLDER gets the bytes that the parser has read. An input that raises, or takes longer than
`HANG_SECONDS`, is kept in FOLDER and ends it.
"""

import contextlib
import json
import random
import signal
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import ModuleType

    from tests.faults.parsers import Parser

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
LONGEST: Final = 20_000
STREAM: Final = 8192
"""The longest input of a parser of streams: long enough that the setup for each input weighs little."""
LED: Final = 2048
"""The longest one that coverage leads to: it reads its corpus again in each round, and is slow."""
CORPUS: Final = 500
"""How many inputs of a corpus a round draws from."""
HANG_SECONDS: Final = 20
CORPORA: Final = Path(__file__).parent / "corpora"
"""A file for each parser; each line is an input in base64."""
KEPT: Final = 100
KEPT_BYTES: Final = 300


def _parsers() -> "ModuleType":
    """Imported here, not above, so that atheris instruments the parsers. Those with a planted fault are for tests."""
    from tests.faults import parsers

    return parsers


def parser_of(name: str) -> "Parser":
    if name.startswith("planted:"):
        from tests.faults import planted

        return planted.PARSERS[name]
    parser: Parser = _parsers().PARSERS[name]
    return parser


def seeds_of(name: str) -> list[bytes]:
    """Good inputs, and those that the coverage once led to."""
    if name.startswith("planted:"):
        return [b"a good input"]
    good: list[bytes] = _parsers().seeds(name)
    kept = CORPORA / _file_name(name)
    return good + [b64decode(line) for line in kept.read_bytes().split()] if kept.exists() else good


def _file_name(name: str) -> str:
    return name.replace(":", "-")


def mutated(good: list[bytes], chance: random.Random, *, stream: bool = False, few: int = 6) -> bytes:
    """One of the good inputs, or several of a stream, with a few places changed."""
    data = bytearray(chance.choice(good))
    if stream:
        while len(data) < STREAM and chance.random() < 0.95:
            data += chance.choice(good) * chance.randint(1, 4)
        del data[STREAM:]
    for _ in range(chance.randint(0, few + (len(data) // 100 if stream else 0))):
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
                data[at : at if stream else len(data)] = chance.choice(good)[:LONGEST]
    return bytes(data[:LONGEST])


def _is_stream(name: str) -> bool:
    """What it reads has no end: good inputs one behind another are a good one too."""
    return name.startswith("dialect:")


def tries(name: str, count: int, seed: int, good: list[bytes] | None = None) -> int:
    """Feeds `count` random inputs; returns how many bytes were read. Raises what the parser raises, with the input."""
    chance, parse, read = random.Random(f"{name} {seed}"), parser_of(name), 0
    good = good or seeds_of(name)
    for _ in range(count):
        data = mutated(good, chance, stream=_is_stream(name))
        try:
            read += parse(data)
        except BaseException as error:
            error.add_note(data.hex())
            raise
    return read


def at_random(name: str, seconds: float, seed: int, folder: Path) -> None:
    kept = sorted(_corpus(name, folder).iterdir())
    good = [file.read_bytes() for file in random.Random(seed).sample(kept, min(CORPUS, len(kept)))]
    good = seeds_of(name) + [data for data in good if data]
    end, read, part = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        with _noticed(folder, 1 if name.startswith("planted:") else HANG_SECONDS):
            read += tries(name, 20, seed * 1_000_000 + part, good)
        part += 1
        _report(folder, seed, read)


@contextlib.contextmanager
def _noticed(folder: Path, limit: int) -> Iterator[None]:
    """Keeps the input that raised, and makes what does not end raise."""

    def too_long(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"it took longer than {limit} s")

    # Of the processor's time: where a machine has other things to do, nothing hangs.
    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        yield
    except BaseException as error:
        data = bytes.fromhex(error.__notes__[0]) if getattr(error, "__notes__", None) else b""
        (folder / f"found-{sha256(data).hexdigest()[:16]}").write_bytes(data)
        raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def by_coverage(name: str, seconds: float, seed: int, folder: Path) -> None:
    """Does not return: libFuzzer ends the process, with 0 where nothing was found."""
    import atheris

    ours = ["boards", "daemon", "drivers", "engine", "tests.faults.planted"]
    with atheris.instrument_imports(include=ours, enable_loader_override=False):
        parse = parser_of(name)
    corpus, good = _corpus(name, folder), seeds_of(name)
    for number, data in enumerate(good):
        (corpus / f"seed-{number}").write_bytes(data)
    read, since = 0, time.monotonic()

    def one(data: bytes) -> None:
        nonlocal read, since
        read += parse(data)
        if time.monotonic() - since > 0.2:
            since = time.monotonic()
            _report(folder, seed, read)

    def mutate(data: bytes, most: int, drawn: int) -> bytes:
        chance = random.Random(drawn)
        if chance.random() < 0.5:
            changed: bytes = atheris.Mutate(data, most)
            return changed
        return mutated([*good, data], chance, stream=_is_stream(name))[:most]

    options = [f"-max_total_time={int(seconds)}", f"-seed={seed % 2**31 or 1}", f"-max_len={LED}", "-len_control=0"]
    options += [f"-timeout={HANG_SECONDS}", "-rss_limit_mb=2048", f"-artifact_prefix={folder}/found-", str(corpus)]
    atheris.Setup([sys.argv[0], *options], one, custom_mutator=mutate)
    atheris.Fuzz()


def keep(name: str, folder: Path) -> None:
    """Writes the short inputs of a corpus to one file of the tests, as seeds for later runs."""
    found = {file.read_bytes() for file in _corpus(name, folder).iterdir()} - {*_parsers().seeds(name), b""}
    lines = sorted((data for data in found if len(data) <= KEPT_BYTES), key=lambda data: (len(data), data))[:KEPT]
    CORPORA.mkdir(exist_ok=True)
    (CORPORA / _file_name(name)).write_bytes(b"".join(b64encode(data) + b"\n" for data in lines))


def _corpus(name: str, folder: Path) -> Path:
    corpus = folder / f"corpus-{_file_name(name)}"
    corpus.mkdir(exist_ok=True, parents=True)
    return corpus


def _report(folder: Path, seed: int, read: int) -> None:
    (folder / f"report-{seed}.json").write_text(json.dumps({"bytes": read}))


if __name__ == "__main__":
    how, called, for_seconds, from_seed, where = sys.argv[1:]
    {"coverage": by_coverage, "chance": at_random}[how](called, float(for_seconds), int(from_seed), Path(where))
