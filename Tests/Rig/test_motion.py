"""A kernel gyroscope's motion is the subscribers' offset."""

import pytest
from guest import motions
from guest.hid import NAME, HidGyroscope
from guest.service import Service

EVERY_SAMPLE = '[motion]\nupdate_interval = 0\n[sensor]\nsampling_frequency = %d\nread_timeout = 10\n'
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


def test_the_default_rule_on_a_steady_turn(parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """Default settings: each update adds 2.5 points per rad/s, and there is one for every 30 ms of the stamps."""
    gyroscope.plug()
    gyroscope.rest(2000, -1500, 700)
    x, y, _ = motions.rates((2000, -1500, 700))
    with parallaxd.client() as client:
        client.subscribe(only_changes=False)
        events = client.until_state("running")
        events += client.until(lambda event: event["sequence"] >= 60, "60 updates")
    made = [event for event in events if event["sequence"] >= 0]
    assert not any(event.get("gap") for event in made)
    offset, updates = (0.0, 0.0), 0
    for event in made:
        while updates <= event["sequence"]:
            offset = (offset[0] + y * 2.5, offset[1] + x * 2.5)
            updates += 1
        assert (event["x"], event["y"]) == offset, event
    first, last = made[0], made[-1]
    intervals = (last["timestamp_ns"] - first["timestamp_ns"]) / 30e6
    # Each update is made on the sample nearest to its due time.
    assert abs((last["sequence"] - first["sequence"]) - intervals) <= 1


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
        events += client.until(lambda event: (event["x"], event["y"]) == wanted[-1], "the end of the motion", 120)
        motions.assert_follow(events, wanted)
        assert not any(event.get("gap") for event in events if event["sequence"] > 0)
    span = events[-1]["timestamp_ns"] - next(e for e in events if e["x"])["timestamp_ns"]
    print(f"{len(motion) / (span / 1e9):.0f} samples per second of the guest's clock")
