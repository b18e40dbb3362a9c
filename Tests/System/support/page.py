"""A reader of the shared page that looks closely: where the descriptor came, what it allows, every word."""

import mmap
import os
import socket
import struct
import time

from .client import Client

FIELDS = (
    "lock sequence timestamp_ns published_monotonic_ns x y velocity_x velocity_y"
    " rate_x rate_y rate_z tilt_x tilt_y flags"
).split()
RECORD = struct.Struct("@Qqqq9dQ")
STATES = ["idle", "starting", "running", "reduced", "waiting", "stalled"]
REASONS = [None, "no-device", "permission", "busy", "no-data", "suspended", "replay-ended", "configuration", "user"]


class Page:
    """The page of a connection, which must stay open."""

    def __init__(self, client: Client) -> None:
        """Calls OpenPage; the descriptor must come with the reply's first byte."""
        client.send("OpenPage")
        first, descriptors, _, _ = socket.recv_fds(client.socket, 1, 4)
        client.buffer += first
        self.reply = client.reply()
        assert len(descriptors) == 1, "one descriptor, with the first byte"
        self.descriptor = descriptors[0]
        self.map = mmap.mmap(self.descriptor, self.reply["size"], prot=mmap.PROT_READ)

    def close(self) -> None:
        """Unmaps it."""
        self.map.close()
        os.close(self.descriptor)

    def raw(self) -> dict:
        """The words as they are just now, whole or not."""
        return dict(zip(FIELDS, RECORD.unpack_from(self.map, 64)))

    def read(self) -> dict:
        """A whole record, with what the flags say."""
        end = time.monotonic() + 60
        # Its writer may be held up in the midst of a record.
        while time.monotonic() < end:
            frame = self.raw()
            if frame["lock"] and frame["lock"] % 2 == 0 and self.raw()["lock"] == frame["lock"]:
                flags = frame["flags"]
                names = ["running", "reduced_motion", "has_rate", "has_tilt"]
                frame |= {name: bool(flags >> bit & 1) for bit, name in enumerate(names)}
                return frame | {"state": STATES[flags >> 8 & 255], "reason": REASONS[flags >> 16 & 255]}
        raise AssertionError("no whole record")
