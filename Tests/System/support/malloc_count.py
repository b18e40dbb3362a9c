"""Counts the allocations of a running program, from outside (see Tests/Bench/malloc_count.c)."""

import struct
from dataclasses import dataclass
from pathlib import Path

from support import c_source

LAYOUT = struct.Struct("=4Q")


@dataclass(frozen=True)
class Allocations:
    """Calls since the program began."""

    malloc: int
    calloc: int
    realloc: int
    aligned: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.malloc + self.calloc + self.realloc + self.aligned


class MallocCount:
    """A counter for one program: start it with `environment`, then `read` as often as needed."""

    def __init__(self, folder: Path) -> None:
        """Builds the library in `folder`, where the counters lie too."""
        self.library = c_source.build("malloc_count.c", folder / "malloc_count.so", "-shared", "-fPIC")
        self.file = folder / "malloc_count"
        self.file.unlink(missing_ok=True)

    @property
    def environment(self) -> dict[str, str]:
        """What the program's environment needs besides its own."""
        return {"LD_PRELOAD": str(self.library), "MALLOC_COUNT_FILE": str(self.file)}

    def read(self) -> Allocations:
        """The present counts; raises where the program never loaded the library."""
        return Allocations(*LAYOUT.unpack(self.file.read_bytes()))
