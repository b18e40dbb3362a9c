"""A thousand subscribers in one process: none that reads loses an event, and what the others miss is counted."""

import resource
import subprocess
from pathlib import Path

import pytest

from support import c_source
from support.gyroscope import Gyroscope
from support.waiting import wait_for

READERS, STOPPED = 990, 10
SCANS = 1000
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


def test_a_thousand_at_200_hz(daemon, machine, folder, many_descriptors, sanitizer):
    """With a backlog of 64."""
    if sanitizer:
        pytest.skip("a sanitized daemon is far slower than 200 000 deliveries a second")
    program = c_source.build(str(CROWD), folder / "crowd", "-pthread")
    gyroscope = machine.add(Gyroscope(sampling_frequency="200.000000", sampling_frequency_available=None))
    one = daemon(
        machine=machine,
        config="[motion]\nupdate_interval = 0\n[server]\nmax_connections_per_user = 1100\nclient_timeout = 3600\n"
        "[sensor]\nread_timeout = 60\nsettle_time = 0\n",
    )
    crowd = subprocess.Popen(
        [program, one.socket, gyroscope.node, str(READERS), str(STOPPED), "200", str(SCANS)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (many_descriptors, many_descriptors)),
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
    assert crowd.returncode == 0 and len(output) == READERS + STOPPED

    reference = pairs(output[0])
    assert reference[-1][0] == SCANS - 1 and all(dropped == 0 for _, dropped in reference)
    # What was made in one wake-up is one event for everybody.
    assert output[1:READERS] == ["="] * (READERS - 1)

    before = dict(zip([sequence for sequence, _ in reference], [-1, *(sequence for sequence, _ in reference)]))
    dropped_in_all = 0
    for line in output[READERS:]:
        events = pairs(line)
        own = sum(sequence - before[sequence] for sequence, _ in events)
        dropped = sum(count for _, count in events)
        assert own + dropped == SCANS, "received + dropped = made"
        assert dropped > 0 and len(events) <= 64 + 1
        dropped_in_all += dropped
    assert counters["dropped"] == dropped_in_all
