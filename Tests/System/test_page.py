"""OpenPage from outside: what the descriptor allows, who sees rates, what keeps the sensor on, what it costs."""

import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from support.client import CallError
from support.gyroscope import Gyroscope
from support.machine import becoming, need_root
from support.page import Page
from support.sensor import NOBODY, config, wait_state
from support.waiting import wait_for

SUPPORT = Path(__file__).parent / "support"
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "page.py"
F_GET_SEALS = 1034
SEALED = 0x1 | 0x2 | 0x4  # no new seals, no shrinking, no growing


def read_until(page: Page, **wanted) -> dict:
    """The first record with these values."""

    def look() -> dict | None:
        frame = page.read()
        return frame if all(frame[name] == value for name, value in wanted.items()) else None

    return wait_for(look, f"a record with {wanted}; the last: {page.read()}")


def running(page: Page) -> dict:
    """The first record of a sensor that runs."""
    return read_until(page, state="running")


def test_what_the_descriptor_allows(daemon):
    one = daemon("--demo")
    with one.client() as client:
        page = Page(client)
        assert page.reply == {"version": 1, "size": 192, "fileDescriptor": 0}
        about = os.fstat(page.descriptor)
        assert stat.S_IMODE(about.st_mode) == 0o600 and about.st_size == 192
        assert about.st_uid == os.geteuid()
        assert fcntl.fcntl(page.descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
        assert fcntl.fcntl(page.descriptor, F_GET_SEALS) == SEALED
        with pytest.raises(PermissionError):
            mmap.mmap(page.descriptor, 192, prot=mmap.PROT_READ | mmap.PROT_WRITE)
        with pytest.raises(OSError):
            os.write(page.descriptor, b"x")
        with pytest.raises(OSError):
            os.ftruncate(page.descriptor, 0)
        assert page.map[:8] == b"parallax" and page.map[16:64] == bytes(48)


@pytest.mark.parametrize("lines", [False, True])
def test_pipelined_and_in_both_forms(daemon, lines):
    """Behind a long reply and before another there is one descriptor."""
    one = daemon("--demo")
    with one.client(lines=lines) as client:
        for method in ["GetStatus", "OpenPage", "GetMotion"]:
            client.send(method)
        found = []
        while client.buffer.count(client.end) < 3:
            data, descriptors, _, _ = socket.recv_fds(client.socket, 100, 4)
            client.buffer += data
            found += descriptors
        assert len(found) == 1
        os.close(found[0])
        assert "text" in client.reply()
        assert client.reply() == {"version": 1, "size": 192, "fileDescriptor": 0}
        assert "sequence" in client.reply()
    with one.client(lines=lines) as client:
        assert running(Page(client))["has_rate"]


def test_the_end_of_calls_is_no_goodbye(daemon, machine):
    """A client that will call no more keeps its page, until it hangs up."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(config=config(), machine=machine)
    with one.client() as client, one.client() as other:
        Page(client)
        client.half_close()
        gyroscope.wait_enabled()
        with one.client() as later:
            assert later.call("GetStatus")["pages"] == 1
        assert other.call("GetStatus")["pages"] == 1 and gyroscope.is_enabled
    gyroscope.wait_disabled()


def test_it_keeps_the_sensor_on_until_the_connection_closes(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    one = daemon(config=config(), machine=machine)
    with one.client() as client, one.client() as other:
        page = Page(client)
        gyroscope.wait_enabled()
        status = other.call("GetStatus")
        assert (status["pages"], status["subscribers"]) == (1, 1)
        assert client.call("GetStatus")["pages"] == 1, "other calls on the connection go on"
        with pytest.raises(CallError, match="TooManySubscribers"):
            client.call("OpenPage")
        with one.client() as second:
            assert client.subscribe(min_interval=60)["state"]
            assert Page(second).read()["lock"] > 0
            assert other.call("GetStatus")["subscribers"] == 3
        wait_for(lambda: other.call("GetStatus")["pages"] == 1, "the second page closed")
        assert gyroscope.is_enabled
        client.close()
        gyroscope.wait_disabled()
        assert read_until(page, state="idle")["running"] is False
        assert other.call("GetStatus")["pages"] == 0


def test_states_and_reduced_motion(daemon, machine):
    """Each change of state is on the page by itself, without a subscriber of events."""
    gyroscope = machine.add(Gyroscope(scale_text="1"))
    one = daemon(config=config(sensor="read_timeout = 60"), machine=machine)
    with one.client() as client, one.client() as control:
        page = Page(client)
        gyroscope.wait_enabled()
        assert gyroscope.write_scans([(n * 5_000_000 + 10**12, 1, 2, n % 2) for n in range(20)]) == 20
        frame = read_until(page, sequence=19)
        assert frame["state"] == "running" and frame["running"] and not frame["reduced_motion"]
        assert (frame["x"], frame["y"]) == (20 * 2 * 2.5, 20 * 2.5)
        assert (frame["rate_x"], frame["rate_y"]) == (1, 2)
        assert frame["velocity_x"] == pytest.approx(5 / 0.005) and frame["velocity_y"] == pytest.approx(2.5 / 0.005)
        control.call("Pan", {"x": 1, "y": 1})
        moved = page.read()
        assert (moved["x"], moved["y"]) == (frame["x"] + 1, frame["y"] - 1), "at once"
        assert (moved["velocity_x"], moved["sequence"]) == (0, 19)
        control.call("SetReducedMotion", {"enabled": True})
        frame = page.read()
        assert (frame["state"], frame["reason"], frame["reduced_motion"]) == ("reduced", "user", True)
        assert (frame["x"], frame["y"], frame["running"]) == (0, 0, False)
        gyroscope.wait_disabled()
        control.call("SetReducedMotion", {"enabled": None})
        assert page.read()["state"] == "starting"


def test_a_sensor_that_says_nothing(daemon, machine):
    machine.add(Gyroscope())
    one = daemon(config=config(sensor="read_timeout = 0.2"), machine=machine)
    with one.client() as client:
        read_until(Page(client), state="stalled", reason="no-data", running=False, has_rate=False)


# What a plain user's program does, with the project's files given as text: the tests may lie where it may not look.
AS_NOBODY = """
import json, socket
client = Client(sys.argv[1])
page = Page(client)
for _ in range(10000):
    frame = page.read()
    if frame["state"] == "running": break
    time.sleep(0.005)
print(json.dumps(frame), flush=True)
try:
    os.open(f"/proc/self/fd/{page.descriptor}", os.O_RDWR)
    print("writable")
except OSError as error:
    print(error.errno, flush=True)
try:
    answer = client.receive(120).get("error")
except Closed:
    answer = "closed"
print(answer, json.dumps(page.read()), flush=True)
"""


def as_nobody(one) -> subprocess.Popen:
    """A plain user with a page open."""
    client = (SUPPORT / "client.py").read_text()
    page = (SUPPORT / "page.py").read_text().replace("from .client import Client", "")
    program = "import os, sys, time\n" + client + page + AS_NOBODY
    python = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable
    return subprocess.Popen(
        [*becoming(NOBODY), python, "-c", program, str(one.socket)], stdout=subprocess.PIPE, text=True, cwd="/"
    )


def nobodys(daemon, allow_rate: bool):
    """A daemon that lets nobody's group connect."""
    need_root()
    rate = str(allow_rate).lower()
    return daemon("--demo", config=f'[server]\ngroup = "nogroup"\nallow_rate = {rate}\n')


def test_others_get_a_page_without_rates(daemon):
    one = nobodys(daemon, allow_rate=False)
    with one.client() as client:
        mine = Page(client)
        process = as_nobody(one)
        theirs = json.loads(process.stdout.readline())
        assert theirs["running"] and not theirs["has_rate"]
        assert (theirs["rate_x"], theirs["rate_y"], theirs["rate_z"]) == (0, 0, 0)
        assert process.stdout.readline() == "13\n", "its mode keeps others from opening it for writing"
        assert running(mine)["has_rate"]
        assert client.call("GetStatus")["pages"] == 2
        one.stop()
        answer, last = process.communicate(timeout=60)[0].split(" ", 1)
        assert answer == "closed" and not json.loads(last)["running"]


def test_a_reload_that_takes_the_right_to_see_rates(daemon):
    one = nobodys(daemon, allow_rate=True)
    with one.client() as client:
        mine = Page(client)
        process = as_nobody(one)
        assert json.loads(process.stdout.readline())["has_rate"]
        process.stdout.readline()
        one.config.write_text(one.config.read_text().replace("true", "false"))
        one.signal(signal.SIGHUP)
        answer, last = process.communicate(timeout=60)[0].split(" ", 1)
        assert answer == "org.varlink.service.PermissionDenied"
        frame = json.loads(last)
        assert not frame["has_rate"] and not frame["running"]
        assert (frame["rate_x"], frame["rate_y"], frame["rate_z"]) == (0, 0, 0)
        # Who may still see them opens it anew: this one is the same memory.
        assert client.is_closed() and not mine.read()["has_rate"]
    with one.client() as client:
        assert running(Page(client))["has_rate"]


def test_a_thousand_readers_cost_what_one_costs(daemon, machine):
    """Counted, not timed: each record is written once, and nothing is sent."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    readers = 1000 if most > 4000 else (most - 100) // 3
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gyroscope = machine.add(Gyroscope(scale_text="1"))
    server = f"[server]\nmax_connections_per_user = {readers + 50}\nmax_connections = {readers + 50}\n"
    try:
        one = daemon(config=config() + server, machine=machine)
        clients = [one.client()]
        page = Page(clients[0])
        while len(clients) < readers:
            clients.append(one.client())
            Page(clients[-1]).close()
        gyroscope.wait_enabled()
        with one.client() as control:
            assert control.call("GetStatus")["pages"] == readers
            gyroscope.write_scans([(10**12, 1, 2, 3)])
            before = read_until(page, sequence=0)
            gyroscope.write_scans([(10**12 + n * 5_000_000, 1, 2, n) for n in range(1, 101)])
            after = read_until(page, sequence=100)
            counters = control.call("GetStatus")["counters"]
        wakeups = counters["wakeups"] - 1
        assert 1 <= wakeups <= 100
        # A write is two steps of the lock.
        assert after["lock"] - before["lock"] == 2 * wakeups
        assert counters["events_sent"] == 0
        for client in clients:
            client.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def rows_of(text: str) -> list[tuple[int, float, float, str]]:
    """What the example prints: sequence, x, y, state."""
    words = [line.split() for line in text.splitlines()]
    return [(int(sequence), float(x), float(y), state) for sequence, x, y, state in words]


def seconds_ahead(row: tuple, before: dict, event: dict) -> float:
    """How far ahead of an event a row is, in x as in y; what the event moved, and in what time, says how fast."""
    took = (event["timestamp_ns"] - before["timestamp_ns"]) / 1e9
    velocities = [(event[axis] - before[axis]) / took for axis in "xy"]
    fastest = 0 if abs(velocities[0]) > abs(velocities[1]) else 1
    moved = [row[1] - event["x"], row[2] - event["y"]]
    ahead = moved[fastest] / velocities[fastest] if velocities[fastest] else 0.0
    # Of three digits after the point the last may be half a one off.
    for distance, velocity in zip(moved, velocities):
        assert abs(distance - velocity * ahead) < 0.002, (row, before, event)
    return ahead


def all_ahead(rows: list[tuple], events: list[dict]) -> list[float]:
    """How far ahead each row is of the event with its sequence."""
    # The demonstration's first update is at the time 0, as the state before it; a slow machine may still show that.
    pairs = {
        event["sequence"]: (before, event)
        for before, event in zip(events, events[1:])
        if "gap" not in event and event["timestamp_ns"] > before["timestamp_ns"]
    }
    return [seconds_ahead(row, *pairs[row[0]]) for row in rows if row[0] in pairs]


def test_the_example_in_python(daemon):
    """Its numbers are those of the event with the same sequence, and as far ahead as it says."""
    one = daemon("--demo")
    with one.client() as client:
        events = [client.subscribe(only_changes=False, backlog=1024)]
        while events[-1]["sequence"] < 0:
            events.append(client.event())
        # Longer where it was held up nearly all the time.
        for seconds in "2", "20":
            done = subprocess.run([EXAMPLE, one.socket, seconds], capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            rows = rows_of(done.stdout)
            while rows and events[-1]["sequence"] <= rows[-1][0]:
                events.append(client.event())
            ahead = all_ahead(rows, events)
            if any(ahead):
                break
    assert {row[3] for row in rows} == {"running"} and rows[0][0] < rows[-1][0]
    assert not any(event.get("dropped") for event in events)
    assert ahead and -0.0001 < min(ahead) and max(ahead) < 0.0501
    assert max(ahead) > 0
    wait_state(one, "idle")
    endless = subprocess.Popen([EXAMPLE, one.socket], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert endless.stdout.readline()
    one.stop()
    assert "the daemon has left" in endless.communicate(timeout=60)[1]
    assert endless.returncode == 1


def test_the_example_in_python_where_nothing_comes(daemon, machine):
    """50 ms ahead of the last record and no farther; not at all where nothing moves."""
    gyroscope = machine.add(Gyroscope(scale_text="1"))
    one = daemon(config=config(sensor="read_timeout = 60"), machine=machine)
    example = subprocess.Popen([EXAMPLE, one.socket], stdout=subprocess.PIPE, text=True)

    def wait_row(*wanted) -> None:
        wait_for(lambda: rows_of(example.stdout.readline())[0] == wanted, f"the row {wanted}", every=0)

    try:
        gyroscope.wait_enabled()
        wait_row(-1, 0, 0, "starting")
        # 1 and 2 rad/s: 2.5 and 5 points in each 5 ms.
        assert gyroscope.write_scans([(n * 5_000_000 + 10**12, 1, 2, n % 2) for n in range(20)]) == 20
        wait_row(19, 20 * 5 + 1000 * 0.05, 20 * 2.5 + 500 * 0.05, "running")
        with one.client() as control:
            control.call("Pan", {"x": 1, "y": 1})
            wait_row(19, 20 * 5 + 1, 20 * 2.5 - 1, "running")
            control.call("SetReducedMotion", {"enabled": True})
            wait_row(19, 0, 0, "reduced")
    finally:
        example.kill()
        example.wait()
        example.stdout.close()
