"""A thousand subscribers in one process: none that reads loses an event, and what the others miss is counted."""

import resource
import subprocess
import warnings
from pathlib import Path

import pytest

from support import c_source
from support.gyroscope import Gyroscope
from support.waiting import wait_for

READERS, STOPPED = 990, 10
# Five seconds of them.
SCANS = 1000
# Of the backlog of 64, what no reader may have used up for a loss to be nobody's but the daemon's.
FAR_BEHIND = 48
CROWD = Path(__file__).with_name("support") / "crowd.c"


@pytest.fixture
def many_descriptors() -> int:
    """The limit that the crowd's process is started with."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if 0 < hard < READERS + STOPPED + 100:
        pytest.skip(f"this machine allows {hard} descriptors to a process")
    return hard


def pairs(line: str) -> list[tuple[int, int]]:
    """The sequences of a subscriber's events, each with what it says was dropped."""
    numbers = [int(word) for word in line.split()]
    return list(zip(numbers[::2], numbers[1::2]))


def check_accounts(subscribers: list[list[tuple[int, int]]]) -> None:
    """Received + dropped = made, for each: what is neither in an event nor counted as dropped would be a hole.

    What was made in one wake-up is one event, the same for everybody: as many updates as lie between it and the event
    before it that are not dropped. All must agree on how many those are.
    """
    updates: dict[int, int] = {}
    for events in subscribers:
        last = -1
        for sequence, dropped in events:
            own = sequence - last - dropped
            assert own > 0 and updates.setdefault(sequence, own) == own, (last, sequence, dropped, updates)
            last = sequence
        assert last == SCANS - 1
    made = sorted(updates)
    for before, sequence in zip([-1, *made], made):
        assert sequence - updates[sequence] >= before, (before, sequence, updates[sequence])


class Crowd:
    """What became of a crowd: its rate, how far its slowest reader was ever behind, and the events of each."""

    def __init__(self, output: list[str]) -> None:
        rate, behind = output[0].split()
        self.rate, self.behind = float(rate), int(behind)
        first = pairs(output[1])
        everybody = [first if line == "=" else pairs(line) for line in output[1:]]
        self.readers, self.stopped = everybody[:READERS], everybody[READERS:]


def run_crowd(daemon, machine, folder, descriptors: int, feed: str) -> tuple[Crowd, dict]:
    """A crowd at 200 Hz, and the daemon's counters after it."""
    program = c_source.build(str(CROWD), folder / "crowd", "-pthread")
    gyroscope = machine.add(Gyroscope(sampling_frequency="200.000000", sampling_frequency_available=None))
    one = daemon(
        machine=machine,
        config="[motion]\nupdate_interval = 0\n[server]\nmax_connections_per_user = 1100\nclient_timeout = 3600\n"
        "[sensor]\nread_timeout = 60\nsettle_time = 0\n",
    )
    crowd = subprocess.Popen(
        [program, one.socket, gyroscope.node, str(READERS), str(STOPPED), "200", str(SCANS), feed],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)),
    )
    try:
        with one.client() as control:
            wait_for(lambda: control.call("GetStatus")["subscribers"] == READERS + STOPPED, "all to have come")
            gyroscope.wait_enabled()
            output = crowd.communicate("x", timeout=300)[0].splitlines()
            counters = control.call("GetStatus")["counters"]
    finally:
        crowd.kill()
        crowd.wait()
    assert crowd.returncode == 0 and len(output) == 1 + READERS + STOPPED
    return Crowd(output), counters


def dropped_by(events: list[tuple[int, int]]) -> int:
    return sum(dropped for _, dropped in events)


@pytest.mark.parametrize("feed", ["clock", "waits"])
def test_a_thousand_at_200_hz(daemon, machine, folder, many_descriptors, sanitizer, feed):
    """With a backlog of 64: by the clock, as a sensor would; and waiting for readers, where a slow machine loses none.

    By the clock a machine may be too slow. A reader loses an event only when it is 64 behind; where one was ever near
    that, the rate that was reached is said, and the counts must be right all the same.
    """
    if sanitizer:
        pytest.skip("a sanitized daemon is far slower than 200 000 deliveries a second")
    crowd, counters = run_crowd(daemon, machine, folder, many_descriptors, feed)
    print(f"{crowd.rate} Hz reached; the slowest reader was up to {crowd.behind} updates behind")
    check_accounts(crowd.readers + crowd.stopped)
    if feed == "waits" or crowd.behind < FAR_BEHIND:
        assert not any(map(dropped_by, crowd.readers))
        # What was made in one wake-up is one event for everybody.
        assert all(events == crowd.readers[0] for events in crowd.readers)
        # Where more events were made than there is room for; a machine that is held up makes fewer of as many updates.
        assert len(crowd.readers[0]) <= 64 + 1 or all(map(dropped_by, crowd.stopped))
    else:
        lost = sum(map(dropped_by, crowd.readers))
        warnings.warn(
            f"this machine is too slow for 1000 subscribers at 200 Hz: {crowd.rate} Hz, the slowest reader"
            f" {crowd.behind} updates behind, {lost} of {READERS * SCANS} updates dropped",
            stacklevel=1,
        )
    assert all(len(events) <= 64 + 1 for events in crowd.stopped)
    assert counters["dropped"] == sum(map(dropped_by, crowd.readers + crowd.stopped))
