"""Writes an image for the drive of a Pico's boot loader: `uf2.py IMAGE.bin IMAGE.uf2`.

The checksum of the second boot stage is filled in: RP2040 Datasheet, 2.8.1.3.1. The format is UF2: 512 bytes a block,
256 of them of the image. Source: github.com/microsoft/uf2.
"""

import struct
import sys
from pathlib import Path

BOOT2 = 252
FLASH = 0x10000000
FAMILY_RP2040 = 0xE48BFF56
FAMILY_IS_GIVEN = 0x2000
PIECE = 256


def checksum(data: bytes) -> int:
    """CRC-32/MPEG-2: polynomial 0x04C11DB7, initial value 0xFFFFFFFF, most significant bit first, nothing inverted."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)) & 0xFFFFFFFF
    return crc


def whole(image: bytes) -> bytes:
    """Returns the image with the checksum of its first bytes, filled up to whole pieces."""
    image = image[:BOOT2] + struct.pack("<I", checksum(image[:BOOT2])) + image[PIECE:]
    return image + bytes(-len(image) % PIECE)


def uf2(image: bytes) -> bytes:
    """Returns the blocks of an image."""
    count = len(image) // PIECE
    blocks = []
    for number in range(count):
        at = number * PIECE
        head = struct.pack(
            "<8I", 0x0A324655, 0x9E5D5157, FAMILY_IS_GIVEN, FLASH + at, PIECE, number, count, FAMILY_RP2040
        )
        blocks.append((head + image[at : at + PIECE]).ljust(508, b"\0") + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(uf2(whole(Path(sys.argv[1]).read_bytes())))
