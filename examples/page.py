#!/usr/bin/env python3
"""Where the content belongs, sixty times a second, from parallaxd's shared page: Python's own library alone.

usage: page.py [SOCKET [SECONDS]]

The layout is in include/parallax_page.h. Python cannot order its loads as that asks; the interpreter's own
work between them is far longer than a record takes to be written, and x86 keeps their order anyway. A
program that must be right everywhere uses the C header.
"""

import mmap, socket, struct, sys, time  # noqa: E401

RECORD = struct.Struct("@Qqqq9dQ")  # lock, sequence, timestamp_ns, published_monotonic_ns, x, y, ..., flags
STATES = ["idle", "starting", "running", "reduced", "waiting", "stalled"]
HORIZON = 0.05  # seconds that one may look ahead


def open_page(path: str) -> tuple[socket.socket, mmap.mmap]:
    """The connection, to be kept open, and the page."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(path)
    connection.sendall(b'{"method":"org.parallaxd.Motion.OpenPage"}\0')
    reply, descriptors, _, _ = socket.recv_fds(connection, 4096, 1)
    if not descriptors:
        raise SystemExit(f"no page: {reply.decode()}")
    page = mmap.mmap(descriptors[0], 192, prot=mmap.PROT_READ)
    if page[:8] != b"parallax" or struct.unpack_from("=I", page, 8)[0] != 1:
        raise SystemExit("a page of another version")
    return connection, page


def read(page: mmap.mmap) -> tuple | None:
    """The newest record; None where it could not be read just now."""
    for _ in range(100):
        record = RECORD.unpack_from(page, 64)
        if record[0] and record[0] % 2 == 0 and struct.unpack_from("@Q", page, 64)[0] == record[0]:
            return record
    return None


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else "/run/parallaxd/socket"
    end = time.monotonic() + float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")
    connection, page = open_page(path)
    connection.setblocking(False)
    while time.monotonic() < end:
        try:
            if not connection.recv(4096):
                raise SystemExit("the daemon has left")
        except BlockingIOError:
            pass
        if record := read(page):
            _, sequence, _, published, x, y, vx, vy, *_, flags = record
            ahead = min(max(time.monotonic_ns() - published, 0) / 1e9, HORIZON) if flags & 1 else 0
            print(f"{sequence} {x + vx * ahead:.3f} {y + vy * ahead:.3f} {STATES[flags >> 8 & 255]}", flush=True)
        time.sleep(1 / 60)


if __name__ == "__main__":
    main()
