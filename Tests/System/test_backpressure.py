"""A reader that does not read delays nobody, and what it misses is counted."""

import contextlib
import json
import signal
import socket
import subprocess
import sys
import time

import pytest

from support.client import INTERFACE
from support.process import suspend
from support.waiting import wait_for

# A reader with a backlog of 1024 may be held up for ten seconds.
INTERVAL = 0.01
BACKLOG = 8

# Reads as the other readers do; a process of its own, so that it can be stopped. It notes what it has read
# when it is told to end, by the end of its input.
READER = """
import select, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
connection.sendall(sys.argv[2].encode() + b"\\n")
read = b""
while True:
    ready, _, _ = select.select([connection, sys.stdin], [], [])
    if connection in ready:
        data = connection.recv(65536)
        if not data:
            break
        read += data
    elif sys.stdin in ready:
        break
sys.stdout.write(read.decode())
"""


def subscribe_call(**parameters) -> str:
    """A Subscribe call of JSON Lines, without its end."""
    return json.dumps({"method": f"{INTERFACE}.Subscribe", "more": True, "parameters": parameters})


class Reader:
    """A subscriber in a process of its own."""

    def __init__(self, path, **parameters) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", READER, str(path), subscribe_call(only_changes=False, **parameters)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def events(self) -> list[dict]:
        """Ends it; all that it has read."""
        output = self.process.communicate(timeout=120)[0]
        return [json.loads(line)["parameters"] for line in output.split(b"\n")[:-1]]


@pytest.fixture
def demo(daemon):
    return daemon("--demo", "--set", f"motion.update_interval={INTERVAL}")


def lost(events: list[dict]) -> int:
    """The updates that its events say were dropped."""
    return sum(event.get("dropped", 0) for event in events)


def running(events: list[dict]) -> list[dict]:
    """The events with updates in them."""
    return [event for event in events if event["state"] == "running" and event["sequence"] >= 0]


def check_account(events: list[dict], reference: list[dict]) -> None:
    """received + dropped = made, event by event, from what each was told at first.

    Updates that were made in one wake-up are one event; how many are in one shows in `reference`, which is
    what a reader got who missed nothing.
    """
    assert lost(reference) == 0
    made = [reference[0], *running(reference[1:])]
    before = {after["sequence"]: event["sequence"] for event, after in zip(made, made[1:])}
    received = [events[0], *running(events[1:])]
    compared = []
    for event, after in zip(received, received[1:]):
        if after["sequence"] in before and event["sequence"] >= made[0]["sequence"]:
            assert before[after["sequence"]] - event["sequence"] == after.get("dropped", 0), (event, after)
            compared.append(after)
    assert lost(compared) == lost(received)


def wait_dropped(control, count: int) -> None:
    """Until the daemon has dropped so many updates."""
    wait_for(lambda: control.call("GetStatus")["counters"]["dropped"] >= count, "more events than fit")


def test_one_of_twenty_is_stopped_for_three_seconds(demo):
    readers = [Reader(demo.socket, backlog=BACKLOG if number == 7 else 1024) for number in range(20)]
    stopped = readers.pop(7)
    with demo.client() as control:
        wait_for(lambda: control.call("GetStatus")["subscribers"] == 20, "twenty subscribers")
        wait_for(lambda: control.call("GetMotion")["sequence"] > 50, "the demonstration to begin")
        suspend(stopped.process)
        at_stop = control.call("GetMotion")["sequence"]
        before = control.call("GetStatus")["counters"]["dropped"]
        time.sleep(3)
        # It may have been behind before, too.
        wait_dropped(control, before + 200)
        at_continue = control.call("GetMotion")["sequence"]
        stopped.process.send_signal(signal.SIGCONT)
        wait_for(
            lambda: control.call("GetMotion")["sequence"] > at_continue + 100, "the demonstration to go on"
        )

    events = stopped.events()
    others = [reader.events() for reader in readers]
    for other in others:
        check_account(other, others[0])
        assert lost(other) == 0
        assert other[-1]["sequence"] > at_continue
    check_account(events, others[0])
    late = next(number for number, event in enumerate(events) if event["sequence"] >= at_continue)
    stale = [event for event in events[:late] if event["sequence"] > at_stop]
    assert len(stale) <= BACKLOG
    assert events[late]["dropped"] >= 200
    assert events[-1]["sequence"] > events[late]["sequence"]


@pytest.mark.parametrize("backlog", [1, 2, 8, 64])
def test_a_stopped_reader_has_at_most_its_backlog(demo, backlog):
    reference = Reader(demo.socket, backlog=1024)
    with demo.client() as client, demo.client() as control:
        wait_for(lambda: control.call("GetStatus")["subscribers"] == 1, "the reference")
        events = [client.subscribe(only_changes=False, backlog=backlog)]
        # What came with the first one was read with it.
        at_once = 1 + client.buffer.count(b"\0")
        wait_dropped(control, 100)
        newest = control.call("GetMotion")["sequence"]
        while events[-1]["sequence"] < newest + 5:
            events.append(client.event())
    check_account(events, reference.events())
    # Where the demonstration began slowly, something may have been dropped before.
    late = next(number for number, event in enumerate(events) if event["sequence"] >= newest)
    assert late <= at_once + backlog
    assert events[late].get("dropped", 0) > 0


def test_a_slow_reader_loses_and_counts(demo):
    """One event for every two that are made."""
    reference = Reader(demo.socket, backlog=1024)
    with demo.client() as client, demo.client() as control:
        wait_for(lambda: control.call("GetStatus")["subscribers"] == 1, "the reference")
        events = [client.subscribe(only_changes=False)]
        end = time.monotonic() + 60
        # A machine that is slower still makes one event of several updates.
        while len(events) < 100 or not lost(events) and time.monotonic() < end:
            time.sleep(2 * INTERVAL)
            # No more at once than the one event.
            while b"\0" not in client.buffer:
                client.buffer += client.socket.recv(16)
            events.append(client.event())
    check_account(events, reference.events())
    assert lost(events) > 0


def test_what_a_stopped_reader_asked_for_does_not_delay_calls(daemon):
    """It asks and asks and never reads; others are served all the same."""
    # However slowly they are taken, it is not closed for asking too much.
    one = daemon("--demo", "--set", "server.max_pipelined_calls=1024")
    call = json.dumps(
        {"method": "org.varlink.service.GetInterfaceDescription", "parameters": {"interface": INTERFACE}}
    ).encode()
    with socket.socket(socket.AF_UNIX) as greedy, one.client() as other:
        greedy.connect(str(one.socket))
        greedy.setblocking(False)
        sent = 0
        with contextlib.suppress(BlockingIOError):
            while greedy.send(call + b"\0") == len(call) + 1:
                sent += 1
                if sent % 10 == 0:
                    other.call("GetMotion")
        assert sent > 16
        for _ in range(50):
            assert other.call("GetMotion")["state"] == "idle"
