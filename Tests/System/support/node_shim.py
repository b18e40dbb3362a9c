"""What only a kernel does to a device node, by a library that is preloaded into the daemon."""

from pathlib import Path

from .c_source import build

SOURCE = Path(__file__).with_name("node_shim.c")


class NodeShim:
    """Files that, while they exist, make the daemon's calls fail."""

    def __init__(self, folder: Path) -> None:
        library = build(str(SOURCE), folder / "node_shim.so", "-shared", "-fPIC", "-ldl")
        # Another program has the buffer: EBUSY for who opens the node.
        self.node_is_busy = folder / "node-is-busy"
        # And for who reads raw values.
        self.raw_is_busy = folder / "raw-is-busy"
        # As a unit with RestrictAddressFamilies=AF_UNIX has it.
        self.no_sockets = folder / "no-sockets"
        self.environment = {
            "LD_PRELOAD": str(library),
            "BUSY_FILE": str(self.node_is_busy),
            "RAW_BUSY_FILE": str(self.raw_is_busy),
            "NO_SOCKETS_FILE": str(self.no_sockets),
        }

    def killing_after(self, attribute: str) -> dict[str, str]:
        """An environment in which the daemon is killed when it has written the attribute, and before it goes on."""
        return self.environment | {"KILL_AFTER": "/" + attribute}
