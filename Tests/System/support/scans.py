"""The kernel's binary scan format: `le:s16/16>>0` and its kin, laid out as a driver lays them out."""

import re
from dataclasses import dataclass

TYPE = re.compile(r"(le|be):([su])(\d+)/(\d+)>>(\d+)")


@dataclass(frozen=True)
class ScanType:
    """One channel's `_type`."""

    little_endian: bool
    bits: int
    storage_bits: int
    shift: int

    @classmethod
    def parse(cls, text: str) -> "ScanType":
        """Reads the text of a `_type` file."""
        match = TYPE.fullmatch(text)
        if not match:
            raise ValueError(f"not a scan type: {text!r}")
        endianness, _, bits, storage, shift = match.groups()
        return cls(endianness == "le", int(bits), int(storage), int(shift))

    @property
    def size(self) -> int:
        """Bytes in a scan; the alignment too."""
        return self.storage_bits // 8

    def encode(self, value: int) -> bytes:
        """The bytes of `value`, which is cut to `bits` as a converter would."""
        stored = (value & ((1 << self.bits) - 1)) << self.shift
        stored &= (1 << self.storage_bits) - 1
        return stored.to_bytes(self.size, "little" if self.little_endian else "big")


def encode_scan(values: list[tuple[ScanType, int]]) -> bytes:
    """A scan: each value aligned to its own size, the whole to the largest."""
    scan = bytearray()
    for scan_type, value in values:
        scan += bytes(-len(scan) % scan_type.size)
        scan += scan_type.encode(value)
    scan += bytes(-len(scan) % max(scan_type.size for scan_type, _ in values))
    return bytes(scan)
