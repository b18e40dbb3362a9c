"""The helpers of the measurements measure what they say."""

import json
import os
import random
import socket
import struct
import subprocess
from pathlib import Path

from oracle import naive_motion
from support import c_source
from support.malloc_count import Allocations, MallocCount

# Allocates on request: each line on stdin is a round, answered by a line.
PROGRAM = r"""
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char byte;
  while (read(0, &byte, 1) == 1) {
    void *volatile memory = malloc(7);
    memory = realloc(memory, 9000);
    free(memory);
    free((memory = calloc(2, 50)));
    void *aligned;
    if (posix_memalign(&aligned, 64, 100) == 0) free(aligned);
    free((memory = aligned_alloc(32, 64)));
    if (write(1, &byte, 1) != 1) return 1;
  }
  return 0;
}
"""


def test_every_allocation_is_counted_and_nothing_else(folder: Path) -> None:
    """Exact counts of a program that is told when to allocate."""
    source = folder / "allocates.c"
    source.write_text(PROGRAM)
    program = c_source.build(str(source), folder / "allocates")
    counter = MallocCount(folder)
    with subprocess.Popen(
        [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        env={**os.environ, **counter.environment},
    ) as running:
        seen: list[Allocations] = []
        for _ in range(4):
            running.stdin.write(b"x")
            assert running.stdout.read(1) == b"x"
            seen.append(counter.read())
        running.stdin.close()
        assert running.wait(timeout=60) == 0
    for before, after in zip(seen, seen[1:]):
        assert after.malloc - before.malloc == 1
        assert after.calloc - before.calloc == 1
        assert after.realloc - before.realloc == 1
        assert after.aligned - before.aligned == 2
        assert after.total - before.total == 5


def test_the_bare_loop_does_the_same_work(folder: Path) -> None:
    """Its events are those of the default rule at every sample, for every client."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    scans = [(index * 5_000_000, *(rng.randint(-32768, 32767) for _ in range(3))) for index in range(200)]
    scale = 0.001
    rows = [(time, *(value * scale for value in raw)) for time, *raw in scans]
    expected = naive_motion.run(rows, {"motion.update_interval": 0.0})

    fifo, path = folder / "fifo", folder / "socket"
    os.mkfifo(fifo)
    program = c_source.build("bare_loop.c", folder / "bare_loop")
    with subprocess.Popen(
        [program, fifo, path, "2", str(scale)], stdout=subprocess.PIPE
    ) as running:
        assert running.stdout.readline() == b"listening\n"
        clients = [socket.socket(socket.AF_UNIX) for _ in range(2)]
        for client in clients:
            client.settimeout(60)
            client.connect(str(path))
        data = b"".join(struct.pack("=hhhhq", x, y, z, 0, time) for time, x, y, z in scans)
        with open(fifo, "wb", buffering=0) as writer:
            for start in range(0, len(data), 100):  # 100 bytes: scans come broken in two
                writer.write(data[start : start + 100])
        for client in clients:
            with client, client.makefile("rb") as stream:
                messages = stream.read().split(b"\0")
            assert messages.pop() == b""
            events = [json.loads(message) for message in messages]
            assert all(event["continues"] is True for event in events)
            got = [event["parameters"] for event in events]
            assert [(e["sequence"], e["timestamp_ns"], e["x"], e["y"]) for e in got] == [
                (e.sequence, e.time, e.x, e.y) for e in expected
            ]
            assert {(e["state"], e["reduced_motion"]) for e in got} == {("running", False)}
        assert running.wait(timeout=60) == 0


def test_the_client_counts_what_it_is_sent(folder: Path) -> None:
    """Against the bare loop: every scan that was made comes to each of its subscribers."""
    fifo, path = folder / "fifo", folder / "socket"
    os.mkfifo(fifo)
    include = f"-I{c_source.BENCH.parents[1] / 'include'}"
    client = c_source.build(
        "subscribers.c", folder / "subscribers", str(c_source.BENCH / "channels.c"), include, "-pthread"
    )
    loop = c_source.build("bare_loop.c", folder / "bare_loop")
    with subprocess.Popen([loop, fifo, path, "3", "0.001"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout.readline() == b"listening\n"
        done = subprocess.run(
            [client, "fifo", fifo, "100", "1", "3", "messages", path, ""],
            env=os.environ | {"SERVER_PID": str(server.pid)}, capture_output=True, text=True, timeout=60, check=True,
        )
        server.kill()
    got = {name: float(value) for name, _, value in (word.partition("=") for word in done.stdout.split())}
    assert 0 < got["delivered"] <= 3 * (got["made"] + 100)
    assert 0 < got["p50_ns"] <= got["p99_ns"]
    assert got["cpu_ns"] > 0 and got["rss_kib"] >= got["anon_kib"] > 0


def test_the_tables_leave_alone_what_is_kept_by_hand(folder: Path, monkeypatch) -> None:
    """Only what stands between the marks is written anew."""
    monkeypatch.syspath_prepend(c_source.BENCH)
    import report

    monkeypatch.setattr(report, "generated", lambda results, command: f"made by {command}")
    page = folder / "benchmarks.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    for _ in range(2):
        report.write(None, page, "a test")
        assert page.read_text() == f"before\n{report.BEGIN}\n\nmade by a test\n{report.END}\nafter\n"
