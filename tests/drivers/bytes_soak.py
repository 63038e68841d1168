"""Promise 3 at length: `python -m tests.drivers.bytes_soak BYTES [DRIVER…]` feeds random and mutated bytes.

A third is random, a third made of the characters that real lines have, a third
real streams with bytes flipped, left out, doubled and swapped. Nothing may
raise, no more than a line may be kept, and memory must be where it was. A
twentieth of it goes through debounce and table as well. Prints a line for each.
"""

import gc
import json
import random
import sys
import time
import tracemalloc
from collections import Counter

from drivers import DRIVERS
from drivers.pipeline import Pipeline
from tests.drivers.boards import RIGS
from tests.drivers.contacts import Contacts, session

LONGEST = 256
PIECE = 512
GROWTH_BYTES = 500_000
"""The 256 contacts that a board may be remembered to have are less; of ten million bytes, one kept of twenty shows."""
ALPHABET = b'0123456789;:,x.ioSDTBullseyeKNOPFmub+-{}"segmentat[]\r\n\x00\x70\xff\x7e '


def streams(name: str, rng: random.Random) -> bytes:
    """Returns what the boards of a dialect put on the wire."""
    rigs = [rig for rig in RIGS.values() if rig.board.dialect == name]
    darts = [(rig, session(rng, sorted(rig.beds), 200)) for rig in rigs]
    return b"".join(sent.data for rig, thrown in darts for sent in rig.firmware(Contacts(thrown), rng))


def mutated(stream: bytes, rng: random.Random) -> bytes:
    """A piece of a real stream with some damage."""
    start = rng.randrange(max(1, len(stream) - PIECE))
    piece = bytearray(stream[start : start + PIECE])
    for _ in range(rng.randrange(8)):
        at = rng.randrange(max(1, len(piece) - 1))
        match rng.randrange(4):
            case 0:
                piece[at : at + 1] = bytes([piece[at] ^ 1 << rng.randrange(8)])
            case 1:
                del piece[at : at + rng.randrange(1, 5)]
            case 2:
                piece[at:at] = rng.randbytes(rng.randrange(1, 5))
            case _:
                piece[at : at + 2] = piece[at : at + 2][::-1]
    return bytes(piece)


def held() -> tuple[int, int]:
    """Returns how many bytes and objects are in use, by what allocates and collects them.

    Not the memory of the process: its allocator keeps pages of whatever ran before.
    """
    gc.collect()
    return tracemalloc.get_traced_memory()[0], len(gc.get_objects())


def soak(name: str, count: int, seed: int = 0) -> dict[str, object]:
    """Feeds one dialect; what became of it. AssertionError where a promise is broken."""
    tracemalloc.start()
    try:
        return _soak(name, count, random.Random(f"{name} {seed}"))
    finally:
        tracemalloc.stop()


def _soak(name: str, count: int, rng: random.Random) -> dict[str, object]:
    driver = DRIVERS[name]
    board = next(rig.board for rig in RIGS.values() if rig.board.dialect == name)
    decoder, pipeline = driver.decoder(), Pipeline(board, driver)
    stream = streams(name, rng)
    fed = at_ns = reports = heard = 0
    began = time.perf_counter()
    start: tuple[int, int] | None = None
    while fed < count:
        kind = rng.randrange(3)
        data = rng.randbytes(PIECE) if kind == 0 else bytes(rng.choices(ALPHABET, k=PIECE))
        data = mutated(stream, rng) if kind == 2 else data
        at_ns += rng.randrange(400_000_000)
        reports += len(decoder.feed(data, at_ns))
        assert decoder.pending <= LONGEST, (name, decoder.pending)
        if rng.random() < 0.05:
            for byte in range(0, len(data), 64):
                heard += len(pipeline.feed(data[byte : byte + 64], at_ns + byte))
            assert pipeline.pending <= LONGEST
        if rng.random() < 0.01:
            decoder.reset()
            heard += len(pipeline.lost(at_ns)) + len(pipeline.opened(at_ns))
        fed += len(data)
        if start is None and fed >= count // 10:
            start = held()
    assert start is not None
    end = held()
    grown, objects = end[0] - start[0], end[1] - start[1]
    # A contact that is closed is a few objects, and no board of any dialect is remembered to have more than 256.
    assert objects < 5_000, (name, objects)
    assert grown < GROWTH_BYTES, (name, grown)
    totals: dict[str, object] = {"driver": name, "bytes": fed, "reports": reports, "heard": heard}
    totals |= {"rejects": dict(Counter(decoder.rejects)), "grown_bytes": grown, "grown_objects": objects}
    return totals | {"seconds": round(time.perf_counter() - began, 1)}


if __name__ == "__main__":
    for dialect in sys.argv[2:] or DRIVERS:
        print(json.dumps(soak(dialect, int(sys.argv[1]))), flush=True)
