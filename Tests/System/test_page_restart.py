"""A page over a restart: whatever state a daemon that was killed has left it in, the next one makes it whole."""

import math
import mmap
import struct
import time

import pytest

from support.gyroscope import Gyroscope
from support.page import FIELDS, Page
from support.waiting import wait_for
from test_page_hammer import TURN, Follower, compiled, is_whole

RECORD = 64
LAST_LOCK = 2**64 - 1
# What stands in the page when a writer has died in the midst of a record: the lock and the words it had got to. That
# record is none of the daemon's, so that nobody can have read it.
TORN = {
    "lock": {},
    "half": {"sequence": 10**6, "timestamp_ns": 1, "published_monotonic_ns": 2, "x": -1.0},
    "no-number": {"sequence": 10**6, "x": math.nan, "velocity_x": math.inf},
    "all-words": {name: -1.0 if name[0] in "xyvrt" and name != "timestamp_ns" else 7 for name in FIELDS[1:]},
    "last-lock": {"lock": LAST_LOCK, "x": -1.0},
}


def tear(store, name: str, words: dict[str, float]) -> int:
    """Leaves the kept page as a writer that was killed would have; the lock that it then has."""
    with mmap.mmap(store.number(name), 192) as memory:
        lock = struct.unpack_from("@Q", memory, RECORD)[0]
        assert lock % 2 == 0, "the daemon itself was between two records"
        for word, value in ({"lock": lock + 1} | words).items():
            kind = "@d" if isinstance(value, float) else "@Q"
            struct.pack_into(kind, memory, RECORD + 8 * FIELDS.index(word), value)
        return struct.unpack_from("@Q", memory, RECORD)[0]


def turn(gyroscope: Gyroscope, count: int) -> int:
    """Some samples of 1 rad/s about x and y; how many were taken."""
    return gyroscope.write_scans([(time.monotonic_ns(), 1, 1, n % 2) for n in range(count)])


@pytest.mark.parametrize("words", TORN.values(), ids=TORN)
def test_a_torn_page_is_taken_up(daemon, machine, store, folder, words):
    """Who has it mapped reads nothing while it is torn, and then whole records from where the others ended."""
    hammer = compiled(folder)
    gyroscope = machine.add(Gyroscope(scale_text="1", sampling_frequency="3200.000000"))
    one = daemon(config=TURN, machine=machine, store=store)
    client = one.client()
    page = Page(client)
    follower = Follower(hammer, page)
    store.wait_kept(**{"connection": 1, "page-rates": 1, "state": 1})
    gyroscope.wait_enabled()
    assert turn(gyroscope, 20) == 20
    last = wait_for(lambda: (frame := page.read())["sequence"] == 19 and frame, "the twentieth update")
    assert is_whole(last) and last["x"] == 50
    # The page is written before it is said to be: the daemon sleeps when it answers.
    with one.client() as other:
        assert other.call("GetMotion")["sequence"] == 19
    one.kill()

    lock = tear(store, "page-rates", words)
    torn = page.raw()
    assert torn["lock"] == lock and lock % 2 == 1
    seen = Follower(hammer, page).end()
    assert seen["records"] == 0, "whoever looks now reads nothing"

    two = daemon(config=TURN, machine=machine, store=store)
    first = page.read()
    assert first["lock"] != lock and (first["sequence"], first["x"], first["y"]) == (19, 50, 50)
    assert first["timestamp_ns"] == last["timestamp_ns"] and (first["velocity_x"], first["velocity_y"]) == (0, 0)
    assert first["published_monotonic_ns"] > last["published_monotonic_ns"]
    with two.client() as other:
        status = other.call("GetStatus")
        assert (status["pages"], status["subscribers"]) == (1, 1)

    def goes_on() -> bool:
        turn(gyroscope, 5)
        frame = page.read()
        assert is_whole(frame), frame
        return frame["sequence"] > 500

    wait_for(goes_on, "the page to go on")
    seen = follower.end()
    assert seen["torn"] == 0 and seen["last"] > 19, seen
    page.close()
    client.close()
