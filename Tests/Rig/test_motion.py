"""A kernel gyroscope's motion is the subscribers' offset."""

import pytest
from guest import motions
from guest.hid import NAME, SCALE_TEXT, HidGyroscope
from guest.service import Service
from oracle import naive_motion

EVERY_SAMPLE = "[motion]\nupdate_interval = 0\n[sensor]\nsampling_frequency = %d\nread_timeout = 10\n"
SEED = 20


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
        raw.send("SubscribeRaw", {"recenter": True}, more=True)
        header = raw.reply()
        assert (header["format"], header["clock"]) == ("integer", "monotonic")
        assert header["scale"] == [float(SCALE_TEXT)] * 3
        gyroscope.queue(motion)
        scans: list[tuple[int, int, int, int]] = []
        while not scans or scans[-1][1:] != motion[-1]:
            batch = raw.reply()
            assert "restart" not in batch and "dropped" not in batch
            stamps = batch.get("timestamps_ns", [batch["timestamp_ns"]])
            values = batch["raw"]
            scans += [(stamp, *values[3 * i : 3 * i + 3]) for i, stamp in enumerate(stamps)]
        first = next(index for index, scan in enumerate(scans) if scan[1:] == motion[0])
        assert [scan[1:] for scan in scans[first:]] == motion
        rows = [(stamp, *motions.rates((x, y, z))) for stamp, x, y, z in scans]
        wanted = {event.time: event for event in naive_motion.run(rows, {}, header["frequency"])}
        last = max(wanted)
        events = client.until(lambda event: event["timestamp_ns"] >= last, "the last update of the motion")
    ours = [event for event in events if event["timestamp_ns"] in wanted and event["sequence"] >= 0]
    # The sequences differ by what came before the raw stream.
    [shift] = {event["sequence"] - wanted[event["timestamp_ns"]].sequence for event in ours}
    assert shift >= 0 and len(ours) >= len(wanted) // 2
    for event in ours:
        expected = wanted[event["timestamp_ns"]]
        assert (event["x"], event["y"]) == (expected.x, expected.y)
    assert ours[-1]["timestamp_ns"] == last and ours[-1]["x"] != 0


@pytest.mark.parametrize("seconds", [10])
def test_at_1000_hertz_nothing_is_lost(parallaxd: Service, gyroscope: HidGyroscope, seconds: int) -> None:
    """Ten thousand samples, a report every millisecond: each is in the offset, in its order."""
    parallaxd.configure(EVERY_SAMPLE % 1000)
    gyroscope.plug()
    motion = motions.random_motion(SEED + 1, 1000 * seconds)
    wanted = motions.offsets(motion, {})
    with parallaxd.client() as client:
        client.subscribe(only_changes=False, min_interval=0.02)
        events = client.until_state("running")
        assert gyroscope.state()["interval"] == 1
        gyroscope.queue(motion)
        events += client.until(
            lambda event: (event["x"], event["y"]) == wanted[-1], "the end of the motion", 120
        )
        motions.assert_follow(events, wanted)
        assert not any(event.get("gap") for event in events if event["sequence"] > 0)
    span = events[-1]["timestamp_ns"] - next(e for e in events if e["x"])["timestamp_ns"]
    print(f"{len(motion) / (span / 1e9):.0f} samples per second of the guest's clock")
