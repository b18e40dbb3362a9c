#!/usr/bin/env python3
"""Where the content belongs, sixty times a second, from the shared page: page.py [SOCKET [SECONDS]].

Python's own library alone; the layout is in include/parallax_page.h. Python cannot order its loads as that asks; the
interpreter's own work between them is far longer than a record takes to be written, and x86 keeps their order anyway.
A program that must be right everywhere uses the C header.
"""

import mmap, os, signal, socket, struct, sys, time  # noqa: E401

RECORD = struct.Struct("@Qqqq9dQ")  # lock, sequence, timestamp_ns, published_monotonic_ns, x, y, ..., flags
STATES = ["idle", "starting", "running", "reduced", "waiting", "stalled"]
HORIZON = 0.05  # seconds that one may look ahead

path = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PARALLAXD_SOCKET") or "/run/parallaxd/socket"
end = time.monotonic() + float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `page.py | head` ends without a word.
daemon = socket.socket(socket.AF_UNIX)  # To be kept open: the sensor is on as long as it is.
try:
    daemon.connect(path)
except OSError as error:
    sys.exit(f"no daemon at {path}: {error.strerror}; PARALLAXD_SOCKET names another")
daemon.sendall(b'{"method":"org.parallaxd.Motion.OpenPage"}\0')
reply, descriptors, _, _ = socket.recv_fds(daemon, 4096, 1)
if not descriptors:
    sys.exit(f"no page: {reply.decode()}")
page = mmap.mmap(descriptors[0], 192, prot=mmap.PROT_READ)
if page[:8] != b"parallax" or struct.unpack_from("=I", page, 8)[0] != 1:
    sys.exit("a page of another version")
daemon.setblocking(False)
while time.monotonic() < end:
    try:
        if not daemon.recv(4096):
            sys.exit("the daemon has left")
    except BlockingIOError:
        pass
    lock, sequence, _, published, x, y, vx, vy, *_, flags = RECORD.unpack_from(page, 64)
    # Odd while it is written, another one where it was: then the next look is as good.
    if lock and lock % 2 == 0 and struct.unpack_from("@Q", page, 64)[0] == lock:
        ahead = min(max(time.monotonic_ns() - published, 0) / 1e9, HORIZON) if flags & 1 else 0
        print(f"{sequence} {x + vx * ahead:.3f} {y + vy * ahead:.3f} {STATES[flags >> 8 & 255]}", flush=True)
    time.sleep(1 / 60)
