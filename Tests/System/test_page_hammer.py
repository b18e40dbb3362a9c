"""The page under load: readers in other processes never see a torn record, and never hang, whoever dies."""

import subprocess
import threading
import time
from pathlib import Path

import pytest

from support import c_source
from support.gyroscope import Gyroscope
from support.page import Page
from support.sensor import config
from support.waiting import wait_for

HAMMER = Path(__file__).resolve().parents[1] / "Page" / "hammer.c"
# 1 rad/s about x and y is 2.5 points an update: x = y = 2.5 * (sequence + 1).
TURN = config(motion="multiplier = 2.5\n")


def compiled(folder: Path, *flags: str) -> Path:
    """The hammer."""
    return c_source.build(str(HAMMER), folder / "hammer", *flags)


def counts(text: str) -> dict[str, int]:
    """What it says last: names and numbers by turns."""
    words = text.splitlines()[-1].split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2])}


def run(hammer: Path, *arguments: str) -> tuple[int, dict[str, int]]:
    """Its exit code and its counts."""
    done = subprocess.run([hammer, *arguments], capture_output=True, text=True, timeout=300)
    assert done.stdout, done
    return done.returncode, counts(done.stdout)


def test_no_record_is_torn(folder):
    code, seen = run(compiled(folder), "torn", "4", "500000")
    assert code == 0 and seen["torn"] == 0, seen
    assert seen["calls"] == 2_000_000 and seen["records"] > 1000, seen


def test_the_hammer_sees_a_writer_without_a_lock(folder):
    """Else it would prove nothing."""
    hammer = compiled(folder, "-DBROKEN")
    wait_for(lambda: run(hammer, "torn", "4", "500000")[1]["torn"] > 0, "a torn record", every=0)


def test_writers_killed_in_the_midst_of_a_record(folder):
    """Readers come back while the lock is odd, with nothing, and go on when the next writer has taken it up."""
    code, seen = run(compiled(folder), "killed", "3", "300")
    assert code == 0 and seen["torn"] == 0, seen
    assert seen["odd"] > 0, "none was killed in the midst of a record"


class Feeder:
    """Turns a gyroscope as fast as its reader takes it; the bit in z keeps it from looking stalled."""

    def __init__(self, gyroscope: Gyroscope) -> None:
        self.gyroscope = gyroscope
        self.going = True
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        while self.going:
            if self.gyroscope.write_scans([(time.monotonic_ns(), 1, 1, n % 2) for n in range(200)]) == 0:
                time.sleep(0.001)

    def stop(self) -> None:
        self.going = False
        self.thread.join()


@pytest.fixture
def feeder(machine):
    """A gyroscope that never rests."""
    one = Feeder(machine.add(Gyroscope(scale_text="1", sampling_frequency="3200.000000")))
    yield one
    one.stop()


class Follower:
    """The hammer's reader on a daemon's page."""

    def __init__(self, hammer: Path, page: Page) -> None:
        self.process = subprocess.Popen(
            [hammer, "follow", str(page.descriptor)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=[page.descriptor],
        )
        assert self.process.stdout.readline() == "mapped\n"

    def end(self) -> dict[str, int]:
        """Stops it; its counts, or the test fails: it must come back, whatever has become of the writer."""
        text, _ = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, text
        return counts(text)


def is_whole(frame: dict) -> bool:
    return frame["x"] == frame["y"] == 2.5 * (frame["sequence"] + 1)


def test_a_daemons_page(daemon, machine, feeder, folder):
    """C readers and Python's, at events as fast as they can be made."""
    hammer = compiled(folder)
    one = daemon(config=TURN, machine=machine)
    with one.client() as client:
        page = Page(client)
        followers = [Follower(hammer, page) for _ in range(2)]
        last = -1
        for _ in range(3):
            wait_for(lambda: page.read()["sequence"] > last + 500, "500 updates")
            for _ in range(2000):
                frame = page.read()
                assert is_whole(frame), frame
                assert frame["sequence"] >= last
                last = frame["sequence"]
        for follower in followers:
            seen = follower.end()
            assert seen["torn"] == 0 and seen["different"] > 10, seen
        page.close()


def test_daemons_killed_at_any_moment(daemon, machine, feeder, folder):
    """What is left is the last record or a half written one; a reader comes back from both."""
    hammer = compiled(folder)
    for _ in range(8):
        one = daemon(config=TURN, machine=machine)
        with one.client() as client:
            page = Page(client)
            follower = Follower(hammer, page)
            wait_for(lambda: page.raw()["sequence"] > 50, "some updates")
            one.kill()
            assert client.is_closed()
            before = page.raw()
            seen = follower.end()
            assert seen["torn"] == 0, seen
            if before["lock"] % 2 == 0:
                assert is_whole(page.read())
            assert page.raw() == before, "nobody writes it any more"
            page.close()
