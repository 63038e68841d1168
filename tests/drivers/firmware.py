"""Boards as they behave: contacts that ring and stay closed, and the loops of the firmware that looks at them.

Shares no code with the decoders. Times are those of the firmware in an
emulator at 16 MHz: what waits how long after a line, and how long a look at
the matrix takes. All in ms of the board's own clock.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.drivers.contacts import Cell, Contacts


@dataclass(frozen=True)
class Sent:
    """One report on the wire. `dart` is the one that closed the contact; `first` says it was not reported before."""

    at: float
    data: bytes
    dart: int | None = None
    first: bool = False
    key: bytes = b""
    """Which contact it is about, as `+R,C` or `-R,C`; empty where `data` says it."""

    @property
    def about(self) -> bytes:
        return self.key or self.data


Encode = Callable[[Cell], bytes]


def waits_after_each_line(
    contacts: Contacts, encode: Encode, wait: float, look: float = 1.0, one_a_column: bool = False
) -> Iterator[Sent]:
    """Goes through the cells; sends a closed one, waits deaf, and goes on: `hundreds`, `raspuino` and most others.

    `one_a_column`: after a report the rest of the column is skipped (`break`), as `row-col` does.
    """
    seen: set[int] = set()
    cells = sorted(contacts.cells, key=lambda cell: (cell[1], cell[0]))
    step = look / max(1, len(cells))
    at: float | None = 0.0
    while at is not None and (at := contacts.looks(at, look)) is not None:
        skipped: int | None = None
        for cell in cells:
            at += step
            if one_a_column and cell[1] == skipped:
                continue
            dart = contacts.dart_on(cell, at)
            if dart is not None:
                yield Sent(at, encode(cell), dart, dart not in seen)
                seen.add(dart)
                at += wait
                skipped = cell[1]


def waits_for_release(contacts: Contacts, encode: Encode, least: float, look: float = 0.3) -> Iterator[Sent]:
    """One line, then blind until the contact opens, at least for `least` ms: `sector-multiplier`."""
    seen: set[int] = set()
    at: float | None = 0.0
    while at is not None and (at := contacts.looks(at, look)) is not None:
        for cell in contacts.cells:
            dart = contacts.dart_on(cell, at)
            if dart is None:
                continue
            yield Sent(at, encode(cell), dart, dart not in seen)
            seen.add(dart)
            at += least
            while contacts.dart_on(cell, at) is not None:
                at = contacts.opens(cell, at)
        at += look


def says_stuck(contacts: Contacts, encode: Encode, look: float = 1.0) -> Iterator[Sent]:
    """One byte, 250 ms later the stuck code and then every 400 ms, 250 ms more after the release: `pidart`."""
    seen: set[int] = set()
    at: float | None = 0.0
    while at is not None and (at := contacts.looks(at, look)) is not None:
        for cell in contacts.cells:
            dart = contacts.dart_on(cell, at)
            if dart is None:
                continue
            yield Sent(at, encode(cell), dart, dart not in seen)
            seen.add(dart)
            at += 250.0
            while contacts.dart_on(cell, at) is not None:
                yield Sent(at, b"\x70")
                at += 400.0
            at += 250.0
        at += look


def says_each_edge(contacts: Contacts, encode: Encode, lockout: float = 19.2, look: float = 1.152) -> Iterator[Sent]:
    """A line when a contact is seen closed that was seen open; then the board is deaf for `lockout`: `suffix`."""
    seen: set[int] = set()
    closed: set[Cell] = set()
    at: float | None = 0.0
    while at is not None:
        before = set(closed)
        for cell in contacts.cells:
            dart = contacts.dart_on(cell, at)
            if dart is None:
                closed.discard(cell)
            elif cell not in closed:
                closed.add(cell)
                yield Sent(at, encode(cell), dart, dart not in seen)
                seen.add(dart)
                at += lockout
        at = at + look if closed != before else contacts.change_seen(at, look)


def says_on_release(contacts: Contacts, encode: Encode, rng: random.Random, rings_again: float = 0.2) -> Iterator[Sent]:
    """Nothing until the contact opens, then one character; some contacts ring once more 80 ms later: `single-char`."""
    sent = []
    for dart in contacts.darts:
        opened = dart.rings[-1][1]
        sent.append(Sent(opened, encode(dart.cell), dart.number, True))
        if rng.random() < rings_again:
            sent.append(Sent(opened + rng.uniform(20.0, 80.0), encode(dart.cell), dart.number, False))
    yield from sorted(sent, key=lambda report: report.at)


def counts_and_waits(contacts: Contacts, encode: Encode, wait: float = 200.0) -> Iterator[Sent]:
    """25 looks of 0.2 ms, the contact that was closed most is sent, then deaf: `ordinal`."""
    cells = contacts.cells
    seen: set[int] = set()
    at: float | None = 0.0
    while at is not None and (at := contacts.looks(at, 0.2)) is not None:
        counts: dict[Cell, list[int]] = {}
        near = [cell for cell in cells if contacts.closes_within(cell, at, at + 25 * 0.2 + 0.1)]
        for _ in range(25):
            at += 0.2
            for cell in near:
                dart = contacts.dart_on(cell, at)
                if dart is not None:
                    counts.setdefault(cell, []).append(dart)
        if counts:
            cell = max(near, key=lambda c: len(counts.get(c, [])))
            if len(counts[cell]) >= 2:
                dart = counts[cell][-1]
                yield Sent(at, encode(cell), dart, dart not in seen)
                seen.add(dart)
                at += wait


def says_both_edges(contacts: Contacts, encode: Callable[[Cell, bool], bytes], look: float = 0.5) -> Iterator[Sent]:
    """Press and release as they are seen, ringing and ghosts included: `virtual`."""
    seen: set[int] = set()
    closed: set[Cell] = set()
    at: float | None = 0.0
    while at is not None:
        darts = {cell: dart for cell in contacts.cells if (dart := contacts.dart_on(cell, at)) is not None}
        read = _with_ghosts(set(darts))
        for cell in sorted(closed - read):
            yield Sent(at, encode(cell, False))
        # What a dart closed comes before what it makes read as closed: which of the two it was no wire tells.
        for cell in sorted(read - closed, key=lambda c: (c not in darts, c)):
            dart = darts.get(cell)
            yield Sent(at, encode(cell, True), dart, dart is not None and dart not in seen)
            if dart is not None:
                seen.add(dart)
        closed = read
        at = contacts.change_seen(at, look)


def debounced(contacts: Contacts, release: float = 10.0) -> Contacts:
    """The contacts as firmware takes them that believes a press at once and a release after `release` ms."""
    return Contacts([replace(d, rings=((d.rings[0][0], d.rings[-1][1] + release),)) for d in contacts.darts])


def says_all_closed(contacts: Contacts, report: Callable[[set[Cell]], bytes]) -> Iterator[Sent]:
    """A report of everything that is closed, at each change: `usb-bits` and `usb-codes`."""
    closed: set[Cell] = set()
    for sent, cell, closes in _debounced_edges(contacts):
        (closed.add if closes else closed.discard)(cell)
        yield replace(sent, data=report(closed))


def says_numbered_edges(
    contacts: Contacts, hello: bytes, edge: Callable[[int, Cell, bool, float], bytes]
) -> Iterator[Sent]:
    """A greeting, then each edge with its number and time, but for ghosts, which the board knows: `oche-matrix`."""
    yield Sent(0.0, hello)
    told: set[Cell] = set()
    number = 0
    for sent, cell, closes in _debounced_edges(contacts):
        if sent.dart is not None or cell in told:
            (told.add if closes else told.discard)(cell)
            yield replace(sent, data=edge(number, cell, closes, sent.at))
            number += 1


def _debounced_edges(contacts: Contacts) -> Iterator[tuple[Sent, Cell, bool]]:
    for sent in says_both_edges(
        debounced(contacts), lambda cell, closes: b"%s%d,%d" % (b"+" if closes else b"-", *cell)
    ):
        row, col = sent.data[1:].split(b",")
        yield replace(sent, key=sent.data), (int(row), int(col)), sent.data.startswith(b"+")


def _with_ghosts(closed: set[Cell]) -> set[Cell]:
    """Contacts join rows and columns: every crossing of a joined row and column reads as closed."""
    nets: list[tuple[set[int], set[int]]] = []
    for row, col in closed:
        rows, cols = {row}, {col}
        apart = []
        for net in nets:
            if net[0] & rows or net[1] & cols:
                rows |= net[0]
                cols |= net[1]
            else:
                apart.append(net)
        nets = [*apart, (rows, cols)]
    return {(row, col) for rows, cols in nets for row in rows for col in cols}


@dataclass(frozen=True)
class Arrived:
    """A report as the host sees it."""

    at_ns: int
    sent: Sent


def over_the_wire(
    sent: list[Sent], baud: int, rng: random.Random, clock: float = 1.0, late: float = 30.0
) -> list[Arrived]:
    """What the host sees: a line takes its time, most are hardly late, some by 16 ms, few by `late`. In order, always.

    `clock` is the board's clock against the host's: a resonator is off by up to half a percent.
    """
    arrived: list[Arrived] = []
    last = 0
    for report in sent:
        delay = rng.uniform(0.0, 1.5)
        if rng.random() < 0.2:
            delay = rng.uniform(0.0, 16.0)
        if rng.random() < 0.02:
            delay = rng.uniform(0.0, late)
        wire = len(report.data) * 10_000 / baud if baud else 1.0
        last = max(last + 1, round((report.at * clock + wire + delay) * 1e6))
        arrived.append(Arrived(last, report))
    return arrived
