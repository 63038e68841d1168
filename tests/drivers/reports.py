"""What the boards of the tests put on the wire for a contact, written from the grammars of the dialects."""

from tests.drivers.contacts import Cell


def raw_line(cell: Cell) -> bytes:
    return cell[0].to_bytes((cell[0].bit_length() + 7) // 8, "big") + b"\r\n"


def _text(cell: Cell) -> str:
    return "SDT"[cell[1]]


def hundreds(cell: Cell) -> bytes:
    return b"%d%02d\r\n" % (cell[1] + 1, cell[0])


def sector(cell: Cell) -> bytes:
    return b"%d;%d\r\n" % (cell[0], cell[1] + 1)


def ring(cell: Cell) -> bytes:
    return f"{cell[0]}:{_text(cell)}\r\n".encode()


def suffix(cell: Cell) -> bytes:
    if cell[0] == 25:
        return b"Bullseyex2\n" if cell[1] else b"Bullseye\n"
    return b"%d%s\n" % (cell[0], ("", "x2", "x3")[cell[1]].encode())


def points(cell: Cell) -> bytes:
    return b"%d\r\n" % (cell[0] * (cell[1] + 1))


def json_line(cell: Cell) -> bytes:
    bed = ("SB", "DB")[cell[1]] if cell[0] == 25 else f"{_text(cell)}{cell[0]}"
    return b'{"segment":"%s"}\n' % bed.encode()


def num_zone(cell: Cell) -> bytes:
    number, zone = (0, cell[1] + 1) if cell[0] == 25 else (cell[0], cell[1] + 1)
    return b'new-dart {"board_id":7,"num":%d,"zone":%d}\n' % (number, zone)


def nibble(cell: Cell) -> bytes:
    return bytes([cell[0] * 16 + cell[1]])


def numbered_byte(cell: Cell) -> bytes:
    return bytes([cell[0] * 16 + cell[1] + 1])


def pair(cell: Cell) -> bytes:
    return b"%d,%d\r\n" % cell


def char(cell: Cell) -> bytes:
    return chr(cell[0]).encode("latin-1")


def edge(cell: Cell, closed: bool) -> bytes:
    return b"%s%d,%d\n" % (b"+" if closed else b"-", *cell)


def bits(closed: set[Cell]) -> bytes:
    return bytes([8]) + sum(1 << col for _, col in closed).to_bytes(8, "little")


def codes(closed: set[Cell]) -> bytes:
    return bytes([64]) + bytes(sorted(row for row, _ in closed)).ljust(64, b"\0")


def framed(payload: bytes) -> bytes:
    """COBS with a CRC-16, as `firmware/PROTOCOL.md` has it."""
    crc = 0xFFFF
    for byte in payload:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    blocks = (payload + crc.to_bytes(2, "little")).split(b"\0")
    return b"".join(bytes([len(block) + 1]) + block for block in blocks) + b"\0"


HELLO = framed(bytes([1, 1, 1, 8, 10, 0, 1, 0, 64, 7, 0, 0, 0, 0, 0, 0]) + b"A board!")


def numbered(number: int, cell: Cell, closes: bool, at: float) -> bytes:
    """An edge after a heartbeat by which it is just now: the oracle knows darts by the time of their arrival."""
    ticks = round(at * 1000 / 64).to_bytes(4, "little")
    edge = bytes([0x10 if closes else 0x11, number % 256, cell[0] * 16 + cell[1]]) + ticks[:3]
    return framed(bytes([2, 7, 0, 0]) + ticks) + framed(edge)
