"""Restart without loss, under a service manager that keeps descriptors: a pause for subscribers, not a hang-up."""

import fcntl
import json
import mmap
import os
import random
import signal
import socket
import struct
import threading
import time

import pytest

from support.client import Client, Closed
from support.gyroscope import Gyroscope
from support.malloc_count import MallocCount
from support.page import Page
from support.process import context_switches
from support.waiting import wait_for

FAST = ["--demo", "--set", "motion.update_interval=0.005"]
ENDS = {"TERM": signal.SIGTERM, "KILL": signal.SIGKILL, "SEGV": signal.SIGSEGV}


# A debug build's runtime shows where a crash was and, if a signal from outside was all there was to it, goes on.
NO_BACKTRACE = {"SWIFT_BACKTRACE": "enable=no"}


def end(one, how: str) -> None:
    """Ends a daemon by a signal; what it was, the next one must not mind."""
    one.signal(ENDS[how])
    one.wait()


def running(event: dict) -> bool:
    """Whether it has an update in it that was made just now."""
    return event["state"] == "running" and event["sequence"] >= 0


@pytest.mark.parametrize("how", ENDS)
def test_a_subscriber_sees_a_pause(daemon, store, how):
    """No end of the stream; sequence and offset go on from the last event, and the first new update says `gap`."""
    one = daemon(*FAST, store=store, environment=NO_BACKTRACE)
    client = one.client()
    client.subscribe(only_changes=False)
    events = [client.event_where(lambda event: running(event) and event["sequence"] > 50 and event["x"] != 0)]
    store.wait_kept(connection=1, state=1)
    end(one, how)
    # What was made before it ended.
    while True:
        try:
            events.append(client.event(0.5))
        except TimeoutError:
            break
    last = events[-1]
    assert not any(event.get("gap") for event in events)
    daemon(*FAST, store=store)
    pause = []
    while not pause or not (running(pause[-1]) and pause[-1]["sequence"] > last["sequence"]):
        pause.append(client.event())
    # Killed between writing down and sending, it has made one more event that nobody saw, perhaps of several updates.
    unseen = {event["sequence"] for event in pause[:-1]} - {last["sequence"]}
    assert len(unseen) <= 1 and all(0 < sequence - last["sequence"] < 1000 for sequence in unseen)
    assert pause[0]["state"] == "starting"
    assert pause[-1]["gap"]
    # Several updates are one event where the machine is held up; they are as many as fit into the time, not a new count.
    steps = pause[-1]["sequence"] - last["sequence"]
    assert steps < 1000
    # A step of the demonstration: 2.5 points for each rad/s.
    assert abs(pause[-1]["x"] - last["x"]) < 20 * steps and abs(pause[-1]["y"] - last["y"]) < 20 * steps
    after = client.events(50)
    assert not any(event.get("gap") for event in after)
    sequences = [event["sequence"] for event in after]
    assert sequences == sorted(sequences)
    client.close()
    store.wait_kept(connection=0, state=1)


def test_sequence_and_offset_go_on_without_a_subscriber(daemon, store):
    """What nobody sees just now is not forgotten either, nor is the run-time switch."""
    one = daemon(*FAST, store=store)
    with one.client() as client:
        client.subscribe()
        client.event_where(lambda event: running(event) and event["sequence"] > 50)
    wait_for(lambda: "no subscriber" in one.log, "the daemon to be idle")
    with one.client() as client:
        before = client.call("GetMotion")
        client.call("SetReducedMotion", {"enabled": False})
    one.stop()
    two = daemon(*FAST, "--set", "accessibility.reduced_motion=true", store=store)
    with two.client() as client:
        assert client.call("GetMotion") == before
        assert not client.call("GetStatus")["reduced_motion"]


def test_options_form_and_holds_go_on(daemon, store):
    """Lines stay lines, the picture stays turned, who held reduced motion on holds it on, until it hangs up."""
    config = "[accessibility]\nreduced_motion_scale = 0.5\n"
    one = daemon(*FAST, config=config, store=store)
    lines = one.client(lines=True)
    lines.subscribe(rate=True, tilt=True, screen_rotation=90, min_interval=0.02, only_changes=False)
    straight = one.client()
    straight.subscribe(only_changes=False, backlog=1024)
    holder = one.client(lines=True)
    assert holder.call("SetReducedMotion", {"enabled": True}, more=True) == {}
    lines.event_where(lambda event: running(event) and event["reduced_motion"] and "rate" in event)
    store.wait_kept(connection=3)
    end(one, "KILL")
    two = daemon(*FAST, config=config, store=store)
    first = lines.event_where(lambda event: running(event) and event.get("gap"))
    # Up to now: what comes from now on is kept for it until it is read.
    straight.event_where(lambda event: event["sequence"] >= first["sequence"])
    events = [lines.event() for _ in range(20)]
    assert first["reduced_motion"] and all(event["reduced_motion"] and "rate" in event and "tilt" in event for event in events)
    stamps = [event["timestamp_ns"] for event in events]
    assert all(later - earlier >= 20_000_000 for earlier, later in zip(stamps, stamps[1:]))
    wanted = {event["sequence"]: event for event in events}
    seen = straight.event_where(lambda event: event["sequence"] in wanted and not event.get("gap"))
    turned = wanted[seen["sequence"]]
    assert (turned["x"], turned["y"]) == (-seen["y"], seen["x"])
    with two.client() as client:
        status = client.call("GetStatus")
        assert (status["subscribers"], status["connections"]) == (2, 4)
    holder.close()
    lines.event_where(lambda event: running(event) and not event["reduced_motion"])
    for client in lines, straight:
        client.close()
    store.wait_kept(connection=0)


def test_calls_behind_a_stream_go_on(daemon, store):
    """What waits behind a stream still waits, and its bound is still one."""
    one = daemon(*FAST, "--set", "server.max_pipelined_calls=4", store=store)
    client = one.client()
    client.subscribe()
    client.event_where(running)
    half = b'{"method":"org.parallaxd.Motion.GetStatus"}\0' * 3 + b'{"method":"org.para'
    client.send_bytes(half)
    store.wait_kept(connection=1)
    settled(store, 1)
    end(one, "KILL")
    daemon(*FAST, "--set", "server.max_pipelined_calls=4", store=store)
    client.event_where(lambda event: event.get("gap") and running(event))
    # The other half of the fourth; then one too many.
    client.send_bytes(b'llaxd.Motion.GetStatus"}\0')
    for _ in range(20):
        assert "error" not in client.receive()
    client.send_bytes(b'{"method":"org.parallaxd.Motion.GetStatus"}\0')
    while "error" not in (message := client.receive()):
        pass
    assert client.is_closed()
    store.wait_kept(connection=0)


def settled(store, count: int) -> None:
    """Until what the daemon has written down of so many connections is free of doubt."""
    number = store.number("state")
    with mmap.mmap(number, 8192, prot=mmap.PROT_READ) as image:

        def locks() -> list[int]:
            return [struct.unpack_from("=Q", image, 4096 + 128 * slot + 72)[0] for slot in range(count)]

        wait_for(lambda: all(lock and lock % 2 == 0 for lock in locks()), f"{locks()} to be even")


class Reader(threading.Thread):
    """Reads a stream at its own pace, keeps the bytes, and never mends anything."""

    def __init__(self, one, chunk: int, pause: float, **parameters) -> None:
        super().__init__(daemon=True)
        self.client = one.client(lines=True)
        self.client.send("Subscribe", parameters, more=True)
        self.client.socket.settimeout(0.2)
        self.chunk, self.pause = chunk, pause
        self.data = b""
        self.is_closed = False
        self.going = True
        self.start()

    def run(self) -> None:
        while self.going:
            try:
                data = self.client.socket.recv(self.chunk)
            except TimeoutError:
                continue
            except ConnectionResetError:
                data = b""
            if not data:
                self.is_closed = True
                return
            self.data += data
            time.sleep(self.pause)

    def events(self) -> list[dict]:
        """All whole messages; each must be one."""
        return [json.loads(line)["parameters"] for line in self.data.split(b"\n")[:-1]]


@pytest.mark.parametrize("how", ENDS)
def test_a_page_goes_on(daemon, store, how):
    """The same memory: who has it mapped reads on, and the connection that keeps it calls on."""
    one = daemon(*FAST, store=store, environment=NO_BACKTRACE)
    client = one.client()
    page = Page(client)
    wait_for(lambda: page.read()["sequence"] > 50, "the page to move")
    names = ["connection", "page-rates", "state"]
    wait_for(lambda: sorted(store.names()) == names, f"{names} to be kept")
    settled(store, 1)
    end(one, how)
    last = page.read()
    daemon(*FAST, store=store)
    wait_for(lambda: page.read()["sequence"] > last["sequence"] + 50, "the page to go on")
    assert client.call("GetStatus")["pages"] == 1
    client.close()
    store.wait_kept(**{"connection": 0, "page-rates": 0, "state": 1})
    wait_for(lambda: page.read()["state"] == "idle", "the page to be given up")
    page.close()


def test_a_page_with_rates_is_not_for_those_who_may_no_more(daemon, store):
    """Settings that take the right away hold for who has it mapped, too: that page is given up."""
    one = daemon(*FAST, "--set", "server.allow_rate=true", store=store)
    client = one.client()
    page = Page(client)
    wait_for(lambda: page.read()["has_rate"], "rates on the page")
    store.wait_kept(**{"connection": 1, "page-rates": 1})
    settled(store, 1)
    end(one, "KILL")
    two = daemon(*FAST, store=store)
    two.wait_log("the page that it had open is not there for it any more")
    assert not page.read()["has_rate"]
    with pytest.raises(Closed):
        client.receive()
    store.wait_kept(**{"connection": 0, "page-rates": 0})
    page.close()


def test_a_reply_that_was_sent_in_part(daemon, store):
    """Killed in the middle of a long reply to one that reads slowly: the rest of it follows, and the next ones."""
    one = daemon(*FAST, "--set", "server.max_pipelined_calls=64", store=store)
    client = one.client()
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    page = Page(client)
    call = b'{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.parallaxd.Motion"}}'
    count = 40
    client.send_bytes((call + b"\0") * count)
    store.wait_kept(connection=1)
    # Not before the daemon waits for room.
    wait_for(lambda: in_slot(store)[0] > 0 and in_slot(store)[1] > 0, "a reply to wait")
    settled(store, 1)
    end(one, "KILL")
    daemon(*FAST, "--set", "server.max_pipelined_calls=64", store=store)
    replies = [client.reply()["description"] for _ in range(count)]
    assert set(replies) == {replies[0]} and "method OpenPage" in replies[0]
    assert client.call("GetStatus")["pages"] == 1
    page.close()


def in_slot(store) -> tuple[int, int]:
    """The bytes that wait to go out on the first connection, and those that have come."""
    with mmap.mmap(store.number("state"), 8192, prot=mmap.PROT_READ) as image:
        lengths = struct.unpack_from("=Q", image, 4096 + 24)[0]
        return lengths >> 32, lengths & 0xFFFF_FFFF


def test_killed_at_any_moment(daemon, store):
    """Under load, with readers that stop in mid-message: whole messages, no end, nothing twice."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    load = ["--demo", "--set", "motion.update_interval=0", "--set", "server.client_timeout=3600"]
    one = daemon(*load, store=store)
    readers = [
        Reader(one, chunk, pause, only_changes=False, backlog=backlog, rate=rate)
        for chunk, pause, backlog, rate in [
            (65536, 0, 8, False), (65536, 0, 64, True), (37, 0.002, 1, True), (101, 0.01, 4, False), (7, 0.005, 2, True)
        ]
    ]  # fmt: skip
    store.wait_kept(connection=len(readers))
    for _ in range(8):
        mark = [len(reader.data) for reader in readers]
        wait_for(
            lambda: all(len(reader.data) > before for reader, before in zip(readers, mark)), "every reader to read"
        )
        time.sleep(rng.uniform(0, 0.2))
        end(one, "KILL")
        one = daemon(*load, store=store)
    wait_for(lambda: all(reader.events() for reader in readers), "an event for each")
    last = one.client().call("GetMotion")["sequence"]
    wait_for(lambda: all(reader.events()[-1]["sequence"] > last for reader in readers[:2]), "the fast ones to be there")
    assert not any(reader.is_closed for reader in readers)
    for reader in readers:
        reader.going = False
        reader.join()
        sequences = [event["sequence"] for event in reader.events()]
        assert sequences == sorted(sequences)
        updates = [event for event in reader.events() if running(event)]
        assert updates
        reader.client.close()
    store.wait_kept(connection=0)


def test_what_a_reader_missed_is_not_forgotten(daemon, store):
    """For one that did not read meanwhile, `dropped` counts on from before the restart."""
    one = daemon(*FAST, store=store)
    stopped, reader = one.client(), one.client()
    stopped.subscribe(only_changes=False, backlog=4)
    made = [reader.subscribe(only_changes=False, backlog=1024)]

    def read_until(wanted) -> None:
        while not wanted(made[-1]):
            made.append(reader.event())

    read_until(lambda event: event["sequence"] > 200)
    store.wait_kept(connection=2)
    end(one, "KILL")
    daemon(*FAST, store=store)
    read_until(lambda event: running(event) and event.get("gap"))
    last, event = None, stopped.event()
    while not event.get("dropped"):
        last, event = event, stopped.event()
    read_until(lambda one: one["sequence"] > event["sequence"])
    # All that was made after the last event it got and before this one, of which the last stands for several.
    before = max(one["sequence"] for one in made if one["sequence"] < event["sequence"])
    assert event["sequence"] > 200 > last["sequence"] and event["gap"]
    # Killed between writing down and sending, there is one more that nobody saw, perhaps of several updates.
    assert abs(event["dropped"] - (before - last["sequence"])) <= 20, (last, before, event)


def test_rights_and_limits_are_those_of_now(daemon, store):
    """A smaller limit closes who is above it; a right that is gone is not given."""
    one = daemon(*FAST, store=store)
    clients = [one.client() for _ in range(3)]
    for client in clients:
        client.subscribe(only_changes=False)
    for client in clients:
        client.event_where(running)
    store.wait_kept(connection=3)
    end(one, "KILL")
    two = daemon(*FAST, config="[server]\nmax_connections = 2\n", store=store, ready=False)
    two.wait_log("1 connection of before closed: there are 2 already")
    closed = 0
    for client in clients:
        try:
            client.event_where(lambda event: running(event) and event.get("gap"))
        except Closed:
            closed += 1
    assert closed == 1
    store.wait_kept(connection=2)


def test_stopping_hangs_up(daemon, store):
    """The manager lets go of what it kept: clients see the end, as at `systemctl stop`."""
    one = daemon(*FAST, store=store)
    client = one.client()
    client.subscribe()
    store.wait_kept(connection=1)
    one.stop()
    with pytest.raises(TimeoutError):
        while True:
            client.event(0.5)
    store.close_kept()
    with pytest.raises(Closed):
        client.event()


def test_calls_and_raw_streams_are_not_kept(daemon, store):
    """Who only asks costs the manager nothing; a recording must not go on as if nothing had been."""
    one = daemon(*FAST, config="[server]\nallow_raw = true\n", store=store)
    caller, raw = one.client(), one.client()
    for _ in range(20):
        with one.client() as client:
            client.call("GetStatus")
    caller.call("GetStatus")
    raw.send("SubscribeRaw", more=True)
    raw.receive()
    # What the manager is told comes in order: after a stream's there is nothing more to come of theirs.
    with one.client() as stream:
        stream.subscribe()
        store.wait_kept(connection=1, state=1)
        assert sum(line == "FDSTORE=1" for line in store.lines) == 2
    store.wait_kept(connection=0, state=1)
    assert store.names() == ["state"]
    end(one, "KILL")
    for client in caller, raw:
        with pytest.raises(Closed):
            while True:
                client.receive()


def test_closing_reaches_the_other_end(daemon, store):
    """Although the manager has the connection open too."""
    one = daemon(*FAST, store=store)
    client = one.client()
    client.subscribe(only_changes=False)
    store.wait_kept(connection=1)
    client.send_bytes(b"no JSON\0")
    while "error" not in client.receive():
        pass
    assert client.is_closed()
    store.wait_kept(connection=0)


def test_one_that_takes_nothing_is_closed(daemon, store):
    """Its end, too, reaches it, once it reads on; and a restart does not bring it back."""
    one = daemon(*FAST, "--set", "server.client_timeout=0.2", store=store)
    stopped = one.client()
    stopped.subscribe(only_changes=False)
    wait_for(lambda: "FDNAME=connection" in store.lines, "the connection to be kept")
    store.wait_kept(connection=0, state=1)
    with pytest.raises(Closed):
        while True:
            stopped.event()


def spoil(store, offset: int, data: bytes) -> None:
    """Writes into the handover file."""
    size = os.fstat(store.number("state")).st_size
    with mmap.mmap(store.number("state"), size) as image:
        image[offset : offset + len(data)] = data


@pytest.mark.parametrize(
    ("offset", "data", "said"),
    [
        (8, struct.pack("=Q", 1), "of another version"),
        (0, b"\0" * 8, "what the daemon before left is damaged"),
        (128, b"\xff" * 256, "what the daemon before left is damaged"),
        (4096 + 8, b"\xff", "what was written down of it is damaged"),
        (4096 + 72, b"\x03", "while it was reading from it or sending to it"),
    ],
)
def test_what_is_damaged_is_not_served(daemon, store, offset, data, said):
    """The connection is closed, with a line in the log; the daemon serves, and the next restart is as any."""
    one = daemon(*FAST, store=store)
    client = one.client()
    client.subscribe()
    store.wait_kept(connection=1)
    settled(store, 1)
    end(one, "KILL")
    spoil(store, offset, data)
    two = daemon(*FAST, store=store)
    two.wait_log(said)
    with pytest.raises(Closed):
        while True:
            client.event()
    store.wait_kept(connection=0, state=1)
    with two.client() as again:
        again.subscribe(only_changes=False)
        again.event_where(running)
        store.wait_kept(connection=1, state=1)
        end(two, "KILL")
        daemon(*FAST, store=store)
        again.event_where(lambda event: running(event) and event.get("gap"))


def test_a_file_with_room_for_fewer_is_left(daemon, store):
    """Whole as it is: who came later would not be kept, for as long as there are restarts."""
    one = daemon(*FAST, store=store)
    store.wait_kept(state=1)
    end(one, "KILL")
    slot, body = 128, 196_608
    with mmap.mmap(store.number("state"), 4096 + slot + body) as image:
        head = bytearray(image[:4096])
    struct.pack_into("=Q", head, 16, 1)
    small = os.memfd_create("parallaxd-state", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.write(small, head)
    os.ftruncate(small, 4096 + slot + body)
    fcntl.fcntl(small, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    store.close_kept()
    store.kept.append(("state", small))
    two = daemon(*FAST, store=store)
    two.wait_log("of another version")
    clients = [two.client() for _ in range(3)]
    for client in clients:
        client.subscribe()
    store.wait_kept(connection=3, state=1)
    for client in clients:
        client.close()


def test_strange_descriptors(daemon, store):
    """What the manager hands over is not believed either: no socket, no connection, no file of ours."""
    left, right = socket.socketpair()
    reading, writing = os.pipe()
    other = os.memfd_create("other")
    udp = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    for name, number in [
        ("connection", left.fileno()), ("connection", reading), ("connection", other), ("connection", udp.fileno()),
        ("state", other), ("state", reading), ("nobody-knows", writing),
    ]:  # fmt: skip
        store.kept.append((name, os.dup(number)))
    one = daemon(*FAST, store=store)
    assert "4 connections of before closed: nothing was written down of it" in one.log
    right.settimeout(60)
    assert right.recv(1) == b""
    store.wait_kept(state=1)
    with one.client() as client:
        client.subscribe()
        client.event_where(running)


def test_without_a_store_nothing_is_kept(daemon, store):
    """FDSTORE=0, as on a unit without FileDescriptorStoreMax=: a restart is a hang-up, as ever."""
    store.environment["FDSTORE"] = "0"
    one = daemon(*FAST, store=store)
    client = one.client()
    client.subscribe()
    assert not store.names()
    end(one, "KILL")
    with pytest.raises(Closed):
        while True:
            client.event()


def test_no_wakeup_and_no_allocation(daemon, machine, store, folder, own_allocator, asleep_means_asleep):
    """Being kept costs nothing per event, and nothing at all while the daemon sleeps."""
    malloc_count = MallocCount(folder)
    gyroscope = machine.add(Gyroscope(sampling_frequency="400.000000"))
    one = daemon(
        "--set", "motion.update_interval=0", machine=machine, store=store, environment=malloc_count.environment
    )
    client = one.client()
    client.subscribe(only_changes=False)
    gyroscope.wait_enabled()
    store.wait_kept(connection=1)

    going = threading.Event()
    going.set()

    def move() -> None:
        n = 0
        while going.is_set():
            n += 1
            time.sleep(0.0025)
            gyroscope.write_scans([(time.monotonic_ns(), n * 31 % 2000 - 1000, n * 17 % 2000 - 1000, 5)])

    mover = threading.Thread(target=move, daemon=True)
    mover.start()
    client.events(200)
    before, notified = malloc_count.read().total, len(store.lines)
    client.events(500)
    allocated, told = malloc_count.read().total - before, len(store.lines) - notified
    going.clear()
    mover.join()
    assert (allocated, told) == (0, 0)
    client.close()
    wait_for(lambda: "no subscriber" in one.log, "the daemon to be idle")
    gyroscope.wait_disabled()
    wait_for(lambda: switches_stand_still(one.pid), "no more wake-ups")


def switches_stand_still(pid: int) -> bool:
    """Whether two looks a second apart find as many wake-ups."""
    before = context_switches(pid)
    time.sleep(1)
    return context_switches(pid) == before


def test_a_manager_that_does_not_read_delays_nobody(daemon, store):
    """Who subscribes meanwhile is served, and kept as soon as the manager reads again."""
    one = daemon(*FAST, store=store)
    first = one.client()
    first.subscribe(only_changes=False)
    store.wait_kept(connection=1)
    with store.lock:
        # Its queue holds about ten messages; the rest finds no room.
        clients = [one.client() for _ in range(40)]
        for client in clients:
            client.subscribe(only_changes=False)
            client.event_where(running)
        last = clients[-1].event()["sequence"]
        first.event_where(lambda event: event["sequence"] > last)
    store.wait_kept(connection=41)
    end(one, "KILL")
    daemon(*FAST, store=store)
    clients[-1].event_where(lambda event: running(event) and event.get("gap"))
