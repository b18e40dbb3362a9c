"""A kernel gyroscope's motion is the subscribers' offset."""

import itertools
import select

import pytest
from guest import motions
from guest.hid import NAME, HidGyroscope
from guest.machine import Guest, wait_for
from guest.service import Service

EVERY_SAMPLE = "[motion]\nupdate_interval = 0\n[sensor]\nsampling_frequency = %d\nread_timeout = 10\n"
SEED = 20
SECONDS = 10


def test_the_offsets_are_those_of_the_motion_fed_in(parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """Every sample an update: what the naive implementation makes of the same counts, bit for bit."""
    parallaxd.configure(EVERY_SAMPLE % 100)
    gyroscope.plug()
    motion = motions.random_motion(SEED, 200)
    wanted = motions.offsets(motion, {})
    with parallaxd.client() as client:
        client.subscribe(only_changes=False, rate=True)
        # Some rest first: the samples of a sensor that settles are left out.
        events = client.until_state("running")
        gyroscope.queue(motion)
        events += client.until(lambda event: (event["x"], event["y"]) == wanted[-1], "the end of the motion")
        motions.assert_follow(events, wanted)
        # And each rate is that of its sample.
        first = motions.first_update(events, wanted)
        moving = [event for event in events if event["sequence"] >= first]
        for event in moving:
            x, y, z = motions.rates(motion[min(event["sequence"] - first, len(motion) - 1)])
            assert event["rate"] == {"x": x, "y": y, "z": z} or event["sequence"] - first >= len(motion)
    sensor = parallaxd.status()["sensor"]
    assert (sensor["name"], sensor["mode"], sensor["clock"]) == (NAME, "buffer", "monotonic")


def test_with_default_settings_the_updates_fall_where_the_rule_says(
    parallaxd: Service, gyroscope: HidGyroscope
) -> None:
    """The naive implementation on the scans that `SubscribeRaw` shows, with the kernel's stamps: bit for bit."""
    parallaxd.configure("[server]\nallow_raw = true")
    gyroscope.plug()
    motion = [(turn, -y, z) for turn, y, z in motions.random_motion(SEED, 150)]
    with parallaxd.client() as client, parallaxd.client() as raw:
        client.subscribe(only_changes=False)
        client.until_state("running")
        header = motions.open_raw(raw)
        assert header["clock"] == "monotonic"
        gyroscope.queue(motion)
        scans = motions.read_scans(raw, motion[-1])
        first = next(index for index, scan in enumerate(scans) if scan[1:] == motion[0])
        assert [scan[1:] for scan in scans[first:]] == motion
        wanted = motions.naive_updates(scans, header, {})
        last = max(wanted)
        events = client.until(lambda event: event["timestamp_ns"] >= last, "the last update of the motion")
    motions.assert_naive(events, wanted)
    assert len(events) >= len(wanted) // 2 and events[-1]["x"] != 0


@pytest.mark.parametrize("min_interval", [0.02, 0], ids=["in-portions", "each-scan"])
def test_at_1000_hertz_nothing_is_lost(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, min_interval: float
) -> None:
    """Ten seconds, a report every millisecond: each is in the offset, in its order, however the loop is woken."""
    parallaxd.configure(EVERY_SAMPLE % 1000)
    gyroscope.plug()
    motion = motions.random_motion(SEED + 1, 1000 * SECONDS)
    wanted = motions.offsets(motion, {})
    with parallaxd.client() as client:
        client.subscribe(only_changes=False, min_interval=min_interval, backlog=1024)
        events = client.until_state("running")
        assert gyroscope.state()["interval"] == 1
        # By the scans themselves, or by a timer that empties the kernel's buffer.
        wait_for(lambda: scans_wake_the_loop(guest, parallaxd) == (min_interval == 0), "the way of reading")
        gyroscope.queue(motion)
        events += client.until(
            lambda event: (event["x"], event["y"]) == wanted[-1], "the end of the motion", 240
        )
        # A scan that was lost, or came twice, would part the sequences from the offsets that belong to them.
        motions.assert_follow(events, wanted)
        assert scans_wake_the_loop(guest, parallaxd) == (min_interval == 0)
        counters = parallaxd.status()["counters"]
    assert not any(event.get("gap") for event in events if event["sequence"] > 0)
    assert (counters["invalid"], counters["out_of_order"]) == (0, 0)
    made = [event for event in events if event["sequence"] >= 0]
    for earlier, later in itertools.pairwise(made):
        # `until` begins with the event that it ended with.
        assert earlier is later or (
            earlier["sequence"] < later["sequence"] and earlier["timestamp_ns"] < later["timestamp_ns"]
        )
    span = events[-1]["timestamp_ns"] - next(e for e in events if e["x"])["timestamp_ns"]
    print(f"{len(motion) / (span / 1e9):.0f} samples per second of the guest's clock, {len(made)} events")


def scans_wake_the_loop(guest: Guest, parallaxd: Service) -> bool:
    """Whether the daemon's epoll looks at the device's node for something to read (proc(5), fdinfo)."""
    script = (
        f"cd /proc/{parallaxd.pid}; for fd in fd/*; do case $(readlink $fd) in"
        " /dev/iio:device*) echo node ${fd#fd/} ;; *eventpoll*) grep tfd: fdinfo/${fd#fd/} ;; esac; done; true"
    )
    rows = [line.split() for line in guest.shell(script).splitlines()]
    nodes = {row[1] for row in rows if row[0] == "node"}
    assert len(nodes) == 1, rows
    watched = {row[1]: int(row[3], 16) for row in rows if row[0] == "tfd:"}
    return any(watched.get(node, 0) & select.EPOLLIN for node in nodes)
