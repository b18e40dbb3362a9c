"""Where every subscriber is patient, the buffer is emptied by a timer: fewer wake-ups, the same offsets."""

import time

import pytest

from support.gyroscope import Gyroscope
from support.sensor import config, open_sensor, scans
from support.waiting import wait_for


def counters(one) -> dict:
    """The status's counters."""
    with one.client() as client:
        return client.call("GetStatus")["counters"]


def feed(gyroscope: Gyroscope, given: list[tuple[int, int, int, int]]) -> None:
    """Gives scans one by one, at the pace of their stamps."""
    start = time.monotonic()
    for scan in given:
        time.sleep(max(0.0, start + (scan[0] - given[0][0]) / 1e9 - time.monotonic()))
        assert gyroscope.write_scans([scan]) == 1


def run(daemon, machine, given: list[tuple[int, int, int, int]], **options) -> tuple[dict, int]:
    """A subscriber listens to these scans: the motion afterwards, and how often the loop woke for them."""
    gyroscope = machine.gyroscopes[0]
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(**options)
        open_sensor(one)
        gyroscope.wait_enabled()
        feed(gyroscope, given)
        wait_for(lambda: counters(one)["samples"] == len(given), "all samples")
        with one.client() as other:
            motion = other.call("GetMotion")
        wakeups = counters(one)["wakeups"]
    one.stop()
    return motion, wakeups


def test_same_offsets_with_fewer_wakeups(daemon, machine):
    machine.add(Gyroscope(sampling_frequency="200", sampling_frequency_available="200"))
    given = scans(200, period=5_000_000)
    patient, seldom = run(daemon, machine, given, min_interval=1)
    eager, often = run(daemon, machine, given)
    assert patient == eager and patient["sequence"] == len(given) - 1
    # Twenty scans come in a period of the timer.
    assert seldom < len(given) / 2, (seldom, often)


@pytest.mark.parametrize("clock", ["realtime", None])
def test_a_device_that_does_not_stamp_wakes_the_loop(daemon, machine, clock):
    """The time of the wake-up is in its samples: none may be late."""
    machine.add(Gyroscope(sampling_frequency="200", sampling_frequency_available="200", timestamp=False, clock=clock))
    given = scans(40, period=25_000_000)
    _, wakeups = run(daemon, machine, given, min_interval=1)
    assert wakeups > len(given) / 4


def test_an_impatient_subscriber_ends_it_and_may_leave_again(daemon, machine):
    gyroscope = machine.add(Gyroscope(sampling_frequency="200", sampling_frequency_available="200"))
    one = daemon(machine=machine, config=config())
    with one.client() as patient:
        patient.subscribe(min_interval=60)
        open_sensor(one)
        gyroscope.wait_enabled()
        given = scans(70)
        for part in given[:35], given[35:]:
            before = counters(one)["samples"]
            with one.client() as eager:
                eager.subscribe(rate=True, only_changes=False)
                # Each comes by itself, as soon as it is there.
                for scan in part[:5]:
                    assert gyroscope.write_scans([scan]) == 1
                    wait_for(lambda: eager.event()["timestamp_ns"] == scan[0], "the event of a scan")
            assert gyroscope.write_scans(part[5:]) == 30
            wait_for(lambda: counters(one)["samples"] == before + 35, "the samples by the timer")


def test_an_unplugged_device_is_noticed_by_the_timer(daemon, machine):
    gyroscope = machine.add(Gyroscope(sampling_frequency="200", sampling_frequency_available="200"))
    one = daemon(machine=machine, config=config("read_timeout = 0.2"))
    with one.client() as client:
        client.subscribe(min_interval=1)
        open_sensor(one)
        gyroscope.wait_enabled()
        machine.remove(gyroscope)
        wait_for(lambda: client.event()["state"] == "waiting", "the state waiting")
        again = machine.add(Gyroscope(index=4))
        again.wait_enabled()
        assert again.write_scans(scans(30)) == 30
        wait_for(lambda: client.event()["state"] == "running", "the state running")
