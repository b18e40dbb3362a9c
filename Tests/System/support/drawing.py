"""Pictures that `plot` has made, read without its help: SVG by an XML parser, PNG by zlib."""

import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from dataclasses import dataclass
from pathlib import Path

Colour = tuple[int, int, int]

X: Colour = (0xD5, 0x5E, 0x00)
Y: Colour = (0x00, 0x72, 0xB2)
Z: Colour = (0x00, 0x9E, 0x73)
THRESHOLD: Colour = (0xF0, 0xE4, 0x42)
GAP: Colour = (0x7B, 0x87, 0x94)
UPDATE: Colour = (0x3E, 0x4C, 0x59)
CLOCK_STEP: Colour = (0xB4, 0x23, 0x18)
LIMIT: Colour = (0xA8, 0x32, 0x6B)

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Text:
    """A text, and where it begins."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Shape:
    """A path: its colour as a line or an area, and the points of its parts."""

    is_area: bool
    colour: Colour
    width: float
    parts: list[list[tuple[float, float]]]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        xs, ys = zip(*(point for part in self.parts for point in part))
        return min(xs), min(ys), max(xs), max(ys)


def rgb(text: str) -> Colour:
    """`rgb(83.529412%,36.862745%,0%)`"""
    return tuple(round(float(share) * 255 / 100) for share in re.findall(r"([\d.]+)%", text))


class Drawing:
    """An SVG."""

    def __init__(self, path: Path) -> None:
        root = ElementTree.fromstring(path.read_bytes())
        assert root.tag == f"{SVG}svg"
        self.size = (root.get("width"), root.get("height"))
        self.title = root.findtext(f"{SVG}title")
        self.description = root.findtext(f"{SVG}desc")
        self.texts = [
            Text(one.text, float(one.get("x")), float(one.get("y"))) for one in root.iter(f"{SVG}text")
        ]
        letters = {path for symbol in root.iter(f"{SVG}symbol") for path in symbol.iter(f"{SVG}path")}
        self.shapes = [self.shape(one) for one in root.iter(f"{SVG}path") if one not in letters]

    @staticmethod
    def shape(path: ElementTree.Element) -> Shape:
        style = dict(part.strip().split(":", 1) for part in path.get("style", "").split(";") if part.strip())
        style |= {key: value for key, value in path.attrib.items() if key not in ("style", "d")}
        is_area = style.get("stroke", "none") == "none"
        parts: list[list[tuple[float, float]]] = []
        for command, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", path.get("d")):
            values = [float(number) for number in numbers.split()]
            if command == "M":
                parts.append([])
            # Of a curve, its end.
            if command != "Z":
                parts[-1].append((values[-2], values[-1]))
        # cairo ends a closed one with a move.
        parts = [part for part in parts if len(part) > 1]
        return Shape(
            is_area, rgb(style["fill" if is_area else "stroke"]), float(style.get("stroke-width", "0")), parts
        )

    def lines(self, colour: Colour) -> list[Shape]:
        """Of that colour."""
        return [one for one in self.shapes if not one.is_area and one.colour == colour]

    def areas(self, colour: Colour) -> list[Shape]:
        """Of that colour, without the small ones of legends."""
        found = [one for one in self.shapes if one.is_area and one.colour == colour]
        return [one for one in found if one.box[3] - one.box[1] > 20]

    def has(self, text: str) -> bool:
        """Whether a text is just that."""
        return any(one.text == text for one in self.texts)


def scale(texts: list[Text], left: float, top: float, right: float, bottom: float) -> tuple[float, float]:
    """An upright axis by its numbers, which begin in that box: the pixel of 0, and pixels per unit."""
    inside = [one for one in texts if left <= one.x < right and top <= one.y < bottom]
    read = [(one.text.replace("−", "-"), one.y) for one in inside]
    at = {float(text): y for text, y in read if re.fullmatch(r"-?[\d.]+(e-?\d+)?", text)}
    least, most = min(at), max(at)
    unit = (at[least] - at[most]) / (most - least)
    # A number's baseline is below its middle, by a part of its size (15).
    return at[least] + least * unit - 15 * 0.36, unit


def pixels(path: Path) -> tuple[int, int, bytes]:
    """Width, height and red, green and blue of every pixel of a PNG of 8 bits a colour."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, head = 8, b"", b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        (crc,) = struct.unpack_from(">I", data, at + 8 + length)
        assert crc == zlib.crc32(kind + body)
        if kind == b"IHDR":
            head = body
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, bits, colours, _, _, interlaced = struct.unpack(">IIBBBBB", head)
    assert (bits, colours, interlaced) == (8, 2, 0)
    return width, height, unfiltered(zlib.decompress(packed), width * 3, height)


def unfiltered(data: bytes, stride: int, height: int) -> bytes:
    """The five filters of PNG taken back."""
    rows, before = [], bytes(stride)
    for row in range(height):
        start = row * (stride + 1)
        kind, line = data[start], bytearray(data[start + 1 : start + 1 + stride])
        if kind == 2:
            line = bytearray((one + up) & 255 for one, up in zip(line, before))
        elif kind:
            for at in range(stride):
                left = line[at - 3] if at >= 3 else 0
                corner = before[at - 3] if at >= 3 else 0
                up = before[at]
                if kind == 1:
                    guess = left
                elif kind == 3:
                    guess = (left + up) // 2
                else:
                    estimate = left + up - corner
                    guess = min((left, up, corner), key=lambda one: abs(estimate - one))
                line[at] = (line[at] + guess) & 255
        before = bytes(line)
        rows.append(before)
    return b"".join(rows)
