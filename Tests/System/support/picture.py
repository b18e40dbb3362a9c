"""Pictures that a program saved: uncompressed BMP files of 24 bits, as SDL writes them."""

import struct
from pathlib import Path

Colour = tuple[int, int, int]


def positions(path: Path, wanted: dict[str, Colour]) -> dict[str, tuple[float, float]]:
    """The middle of the pixels of each colour (red, green, blue): x from the left, y from the top."""
    data = path.read_bytes()
    start, _, width, height, _, bits, compression = struct.unpack_from("<10xIIiiHHI", data)
    assert data[:2] == b"BM" and bits == 24 and compression == 0 and height > 0
    stride = (width * 3 + 3) // 4 * 4
    names = {bytes(reversed(colour)): name for name, colour in wanted.items()}
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in wanted}
    for row in range(height):
        line = data[start + row * stride : start + row * stride + width * 3]
        for column in range(width):
            name = names.get(line[3 * column : 3 * column + 3])
            if name:
                found[name].append((column, height - 1 - row))
    assert all(found.values()), {name: len(points) for name, points in found.items()}
    return {name: tuple(sum(axis) / len(points) for axis in zip(*points)) for name, points in found.items()}
