"""Where there is no buffer, no right, no scan or no device: polling, reasons and new attempts."""

import os
import time

import pytest

from support.gyroscope import Gyroscope
from support.sensor import (
    NO_BUFFER,
    NOBODY,
    config,
    scans,
    sensor_status,
    stream_rates,
    tree,
    wait_state,
)


@pytest.mark.parametrize(
    ("device", "reason"),
    [
        (NO_BUFFER, "no buffer"),
        ({"trigger": None, "triggers": []}, "no trigger"),
        ({"type": "nonsense"}, "no buffer"),
        ({"type": "le:s16/24>>0"}, "no buffer"),
    ],
    ids=["no-buffer", "no-trigger", "nonsense-type", "odd-type"],
)
def test_polls_where_no_buffer_can_be_had(daemon, machine, device, reason):
    gyroscope = machine.add(Gyroscope(**device, scale_text="0.5"))
    gyroscope.set_raw(3, -4, 5)
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        event = client.event()
        while event["sequence"] < 3:
            before = event["timestamp_ns"]
            event = client.event()
        assert event["rate"] == {"x": 1.5, "y": -2, "z": 2.5}
        assert before < event["timestamp_ns"] <= time.monotonic_ns()
        gyroscope.set_raw(-30, 4, 5)
        while event["rate"]["x"] != -15:
            event = client.event()
        status = sensor_status(one)
    assert status["mode"] == "poll"
    assert any(sentence.startswith("poll:") and reason in sentence for sentence in status["why"]), status["why"]


def test_polls_where_the_node_is_missing(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    gyroscope.set_raw(1000, 0, 0)
    gyroscope.node.unlink()
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        while client.event()["y"] == 0:
            pass
        assert any("/dev/iio:device0" in sentence for sentence in sensor_status(one)["why"])


def test_a_plain_user_polls_and_learns_why(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    gyroscope.set_raw(1000, 0, 0)
    before = tree(gyroscope)
    one = daemon(machine=machine, user=NOBODY)
    with one.client() as client:
        client.subscribe()
        while client.event()["y"] == 0:
            pass
        why = sensor_status(one)["why"]
        assert any("Permission denied" in sentence and "make install" in sentence for sentence in why), why
    assert tree(gyroscope) == before


def test_a_user_with_the_rights_uses_the_buffer(daemon, machine):
    gyroscope = machine.add(Gyroscope(open_to_all=True))
    one = daemon(machine=machine, user=NOBODY, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert len(stream_rates(client, gyroscope, scans(3))) == 3


@pytest.mark.parametrize(
    ("user", "device", "reason", "text"),
    [
        (NOBODY, {}, "permission", "make install"),
        (None, {"trigger": None, "triggers": []}, "configuration", "no trigger"),
        (None, NO_BUFFER, "configuration", "no buffer"),
    ],
    ids=["permission", "no-trigger", "no-buffer"],
)
def test_a_forced_buffer_that_cannot_be_had(daemon, machine, user, device, reason, text):
    machine.add(Gyroscope(**device))
    one = daemon(machine=machine, user=user, config='[sensor]\nmode = "buffer"\n')
    with one.client() as client:
        client.subscribe()
        status = wait_state(one, "waiting", reason)
    assert text in status["text"]
    # What only another configuration can mend is not tried again.
    assert status.get("retry_in") is None if reason == "configuration" else 0 < status["retry_in"] <= 60


def test_forced_polling_leaves_the_buffer_alone(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    gyroscope.set_raw(0, 1000, 0)
    one = daemon(machine=machine, config='[sensor]\nmode = "poll"\n')
    with one.client() as client:
        client.subscribe()
        while client.event()["x"] == 0:
            pass
        assert not gyroscope.is_enabled and not gyroscope.is_open
        assert sensor_status(one)["mode"] == "poll"


def test_unplugged_and_plugged_in_again(daemon, machine):
    """A subscriber hears why nothing comes, and hears the sensor again when there is one, with another number."""
    gyroscope = machine.add(Gyroscope(index=0))
    one = daemon(machine=machine, config=config("read_timeout = 0.2"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        stream_rates(client, gyroscope, scans(3))
        machine.remove(gyroscope)
        wait_state(one, "waiting", "no-device")
        again = machine.add(Gyroscope(index=4))
        again.wait_enabled()
        given = scans(1)
        assert again.write_scans(given) == 1
        event = client.event()
        while event["timestamp_ns"] != given[0][0]:
            event = client.event()
        assert event["state"] == "running"
        assert sensor_status(one)["id"] == "iio:device4"


def test_silence_is_noticed_and_tried_again(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=config("read_timeout = 0.2"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        stream_rates(client, gyroscope, scans(3))
        status = wait_state(one, "stalled", "no-data")
        assert "0.2 s" in status["text"] and status["retry_in"] <= 1
        gyroscope.wait_disabled()
        gyroscope.wait_enabled()


def test_a_stuck_attribute_delays_nobody(daemon, machine, folder):
    """While the sensor's thread waits for a driver, clients are served and may come and go."""
    gyroscope = machine.add(Gyroscope())
    length = gyroscope.folder / "buffer/length"
    length.unlink()
    os.mkfifo(length)
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        wait_state(one, "starting")
        for _ in range(20):
            with one.client() as other:
                assert other.call("GetStatus")["state"] == "starting"
                assert other.subscribe()["state"] == "starting"
    wait_state(one, "idle")
    length.rename(folder / "pipe")
    length.write_text("2\n")
    # A writer that comes and goes ends the read.
    os.close(os.open(folder / "pipe", os.O_WRONLY | os.O_NONBLOCK))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
    gyroscope.wait_disabled()


def test_a_slow_sensor_is_not_silent(daemon, machine):
    """Its scans are further apart than read_timeout."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="1", sampling_frequency_available="1"))
    one = daemon(machine=machine, config=config("read_timeout = 0.2"))
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        for _ in range(2):
            gyroscope.write_scans(scans(1))
            time.sleep(1)
            assert sensor_status(one)["mode"] == "buffer" and gyroscope.is_enabled
            wait_state(one, "running")


def test_frequencies_beyond_all_bounds(daemon, machine):
    gyroscope = machine.add(Gyroscope(sampling_frequency_available="[1e19 1 1e20]"))
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()


def test_a_polled_read_that_hangs_is_stalled(daemon, machine, folder):
    """And goes on when the driver answers."""
    gyroscope = machine.add(Gyroscope(**NO_BUFFER))
    one = daemon(machine=machine, config=config("read_timeout = 0.3"))
    with one.client() as client:
        client.subscribe()
        wait_state(one, "running")
        raw = gyroscope.folder / "in_anglvel_x_raw"
        raw.rename(folder / "raw")
        os.mkfifo(raw)
        wait_state(one, "stalled", "no-data")
        pipe = folder / "pipe"
        raw.rename(pipe)
        (folder / "raw").rename(raw)
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        wait_state(one, "running")
