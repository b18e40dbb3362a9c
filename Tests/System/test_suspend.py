"""A machine that sleeps: the sensor is off before, set up anew after; with logind's word or without."""

import os
import time
from pathlib import Path

import pytest
from jeepney import HeaderFields

from support.bus import DBUS_DAEMON, Bus, Logind, prepare_for_sleep
from support.c_source import build
from support.gyroscope import Gyroscope
from support.process import context_switches, wait_still
from support.sensor import config, scans, sensor_status, stream_rates, tree, wait_state
from support.waiting import wait_for


@pytest.fixture
def bus(folder):
    """A system bus."""
    if DBUS_DAEMON is None:
        pytest.skip("dbus-daemon is missing (see `make deps`): nobody to hear of a suspend from")
    made = Bus(folder / "bus")
    yield made
    made.close()


@pytest.fixture
def logind(bus):
    """Its logind."""
    made = Logind(bus)
    yield made
    made.close()


def until(client, **wanted) -> dict:
    """The next event with these values."""
    event = client.event()
    while any(event.get(key) != value for key, value in wanted.items()):
        event = client.event()
    return event


def wait_inhibitors(logind: Logind, count: int) -> None:
    """Until so many are held."""
    wait_for(lambda: logind.inhibitors == count, f"{count} inhibitors: {logind.requests}")


def test_off_before_the_machine_sleeps(daemon, machine, bus, logind):
    """The delay is given back only when the sensor is as it was; afterwards a new stream begins."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    before = tree(gyroscope)
    one = daemon(machine=machine, environment=bus.environment, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        stream_rates(client, gyroscope, scans(3))
        wait_inhibitors(logind, 1)
        assert logind.requests[0][0] == "sleep" and logind.requests[0][3] == "delay"
        logind.announce(True)
        assert until(client, state="waiting")["reason"] == "suspended"
        wait_inhibitors(logind, 0)
        assert tree(gyroscope) == before and not gyroscope.is_open
        status = wait_state(one, "waiting", "suspended")
        assert "sleep" in status["text"] and status.get("retry_in") is None
        logind.announce(False)
        gyroscope.wait_enabled()
        wait_inhibitors(logind, 1)
        given = scans(1)
        assert gyroscope.write_scans(given) == 1
        event = client.event_where(lambda event: event["timestamp_ns"] == given[0][0])
        assert event["state"] == "running" and event["gap"] is True
    wait_inhibitors(logind, 0)


def test_a_subscriber_that_comes_while_the_machine_goes_to_sleep(daemon, machine, bus, logind):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, environment=bus.environment, config=config())
    with one.client() as first:
        first.subscribe()
        gyroscope.wait_enabled()
        logind.announce(True)
        until(first, state="waiting", reason="suspended")
        gyroscope.wait_disabled()
        with one.client() as second:
            assert second.subscribe()["reason"] == "suspended"
            assert not gyroscope.is_enabled
    assert wait_state(one, "idle")
    with one.client() as client:
        client.subscribe()
        logind.announce(False)
        gyroscope.wait_enabled()


def test_only_logind_is_believed(daemon, machine, bus, logind):
    """Anybody may send a signal that looks like logind's."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, environment=bus.environment, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        stream_rates(client, gyroscope, scans(3))
        wait_inhibitors(logind, 1)
        liar = bus.connect()
        liar.send(prepare_for_sleep(True))
        # To the daemon alone, whatever it listens to.
        for number in range(1, 10):
            message = prepare_for_sleep(True)
            message.header.fields[HeaderFields.destination] = f":1.{number}"
            liar.send(message)
        stream_rates(client, gyroscope, scans(20), first=3)
        liar.close()
        assert wait_state(one, "running") and gyroscope.is_enabled
        logind.announce(True)
        until(client, state="waiting", reason="suspended")


def test_a_refused_delay(daemon, machine, bus):
    """Best effort then; it is not asked for again and again."""
    logind = Logind(bus, refuses=True)
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, environment=bus.environment, config=config())
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        wait_for(lambda: logind.requests, "the request")
        logind.announce(True)
        until(client, state="waiting", reason="suspended")
        gyroscope.wait_disabled()
        logind.announce(False)
        gyroscope.wait_enabled()
    logind.close()
    assert len(logind.requests) <= 2


@pytest.mark.parametrize("goes", ["logind", "bus"])
def test_a_logind_that_goes_keeps_nothing_asleep(daemon, machine, bus, goes):
    logind = Logind(bus)
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, environment=bus.environment, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        wait_inhibitors(logind, 1)
        logind.announce(True)
        until(client, state="waiting", reason="suspended")
        gyroscope.wait_disabled()
        if goes == "logind":
            logind.close()
        else:
            bus.close()
        assert len(stream_rates(client, gyroscope, scans(3))) == 3


def test_a_bus_wakes_nobody_in_idle(daemon, machine, bus, logind, asleep_means_asleep):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, environment=bus.environment, config=config())
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        wait_inhibitors(logind, 1)
    wait_state(one, "idle")
    wait_inhibitors(logind, 0)
    before = wait_still(one.pid)
    stranger = bus.owns("org.example.Stranger")
    stranger.close()
    time.sleep(1)
    assert context_switches(one.pid) == before


class Sleeper:
    """A machine that sleeps without a word."""

    def __init__(self, folder) -> None:
        library = build(str(SHIM), folder / "sleep_shim.so", "-shared", "-fPIC", "-ldl")
        self.slept = folder / "slept"
        self.fifo = folder / "resume"
        os.mkfifo(self.fifo)
        self.environment = {
            "LD_PRELOAD": str(library),
            "SLEPT_FILE": str(self.slept),
            "RESUME_FIFO": str(self.fifo),
        }

    def set_clock(self) -> None:
        """The kernel tells that CLOCK_REALTIME was set, as it does at each resume."""
        pipe = os.open(self.fifo, os.O_WRONLY | os.O_NONBLOCK)
        os.write(pipe, bytes(8))
        os.close(pipe)

    def sleep(self, seconds: int) -> None:
        """Sleeps, and goes on."""
        self.slept.write_text(str(seconds))
        self.set_clock()


SHIM = Path(__file__).parent / "support/sleep_shim.c"


def test_a_suspend_that_nobody_announced(daemon, machine, folder, sanitizer):
    """The sensor is set up anew, and a new stream begins; a clock that was set is no suspend."""
    if sanitizer:
        pytest.skip("a sanitizer wants to be loaded first")
    sleeper = Sleeper(folder)
    gyroscope = machine.add(Gyroscope())
    length = gyroscope.folder / "buffer/length"
    one = daemon(machine=machine, environment=sleeper.environment, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        stream_rates(client, gyroscope, scans(3))
        set_up = length.stat().st_mtime_ns
        sleeper.set_clock()
        stream_rates(client, gyroscope, scans(3), first=3)
        assert length.stat().st_mtime_ns == set_up
        sleeper.sleep(3600)
        assert until(client, state="waiting")["reason"] == "suspended"
        wait_for(lambda: length.stat().st_mtime_ns != set_up, "the sensor to be set up anew")
        gyroscope.wait_enabled()
        given = scans(1)
        wait_for(lambda: gyroscope.write_scans(given) == 1, "a scan to be taken")
        event = client.event_where(lambda event: event["timestamp_ns"] == given[0][0])
        assert event["gap"] is True


PROXY = "net.hadess.SensorProxy"
# A part that measures accelerations too, whose values can be read one by one.
BOTH = {"others": {"in_accel_x": "le:s16/16>>0"}, "raw": (1000, -2000, 500)}


def test_a_part_that_auto_rotation_needs(daemon, machine, bus):
    """iio-sensor-proxy comes while a sensor is read that measures accelerations too: it is polled until that goes."""
    gyroscope = machine.add(Gyroscope(**BOTH))
    one = daemon(machine=machine, environment=bus.environment, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        wait_for(lambda: sensor_status(one).get("mode") == "buffer", "the buffer")
        proxy = bus.owns(PROXY)
        wait_for(lambda: sensor_status(one).get("mode") == "poll", "polling")
        assert_polled_for_auto_rotation(one, gyroscope)
        assert client.event_where(lambda event: "rate" in event)["rate"]["x"] == 1000 * 0.001064724
        proxy.close()
        wait_for(lambda: sensor_status(one).get("mode") == "buffer", "the buffer again")
        gyroscope.wait_enabled()


def assert_polled_for_auto_rotation(one, gyroscope: Gyroscope) -> None:
    """The buffer is off, and the status says for whose sake and what changes that."""
    assert not gyroscope.is_enabled and not gyroscope.is_open
    [reason] = [sentence for sentence in sensor_status(one)["why"] if sentence.startswith("poll:")]
    assert reason.startswith("poll: iio-sensor-proxy is on the bus"), reason
    assert "accelerometer of this part" in reason and '`mode = "buffer"`' in reason, reason


@pytest.mark.parametrize(
    ("device", "sensor", "mode"),
    [
        (BOTH, "", "poll"),
        (BOTH, 'mode = "buffer"', "buffer"),
        ({"raw": (1000, 0, 0)}, "", "buffer"),
    ],
    ids=["both", "forced", "gyroscope-alone"],
)
def test_auto_rotation_runs_already(daemon, machine, bus, device, sensor, mode):
    """Only where another program needs the accelerometer of this very part, and nobody has forced the buffer."""
    proxy = bus.owns(PROXY)
    gyroscope = machine.add(Gyroscope(**device))
    one = daemon(machine=machine, environment=bus.environment, config=config(sensor))
    with one.client() as client:
        client.subscribe()
        wait_for(lambda: sensor_status(one).get("mode") == mode, mode)
        if mode == "poll":
            assert_polled_for_auto_rotation(one, gyroscope)
        else:
            gyroscope.wait_enabled()
            assert not any("iio-sensor-proxy" in sentence for sentence in sensor_status(one)["why"])
    proxy.close()
