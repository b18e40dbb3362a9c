"""Where there is no buffer, no right, no scan or no device: polling, reasons and new attempts."""

import signal
import time

import pytest

from support.doctor import moving
from support.gyroscope import Gyroscope
from support.node_shim import NodeShim
from support.sensor import (
    NO_BUFFER,
    NOBODY,
    config,
    open_sensor,
    read_one,
    scans,
    sensor_status,
    status_of,
    stream_rates,
    tree,
    wait_state,
)
from support.waiting import wait_for


@pytest.mark.parametrize(
    ("device", "reason"),
    [
        (NO_BUFFER, "no buffer"),
        ({"trigger": None, "triggers": []}, "no trigger"),
        ({"type": "nonsense"}, "no buffer"),
        ({"type": "le:s16/24>>0"}, "no buffer"),
        # The stamp's eight bytes in the place of an axis' two would be read beyond the scan.
        ({"attributes": {f"scan_elements/in_anglvel_{axis}_index": "3" for axis in "xyz"}}, "in one place of a scan"),
    ],
    ids=["no-buffer", "no-trigger", "nonsense-type", "odd-type", "one-place-for-all"],
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
        # Which right that is depends on what is installed here; the rule or the group is named in any case.
        assert any("Permission denied" in sentence and "parallax" in sentence for sentence in why), why
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
        (NOBODY, {}, "permission", "parallax"),
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
    one = daemon(machine=machine, config=config("read_timeout = 0.5"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert read_one(client, gyroscope)["state"] == "running"
        machine.remove(gyroscope)
        event = client.event_where(lambda event: event["state"] == "waiting")
        assert event["reason"] == "no-device"
        again = machine.add(Gyroscope(index=4))
        assert read_one(client, again)["state"] == "running"
        assert sensor_status(one)["id"] == "iio:device4"


def test_silence_is_noticed_and_tried_again(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=config("read_timeout = 0.2"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert read_one(client, gyroscope)["state"] == "running"
        event = client.event_where(lambda event: event["state"] == "stalled")
        assert event["reason"] == "no-data"
        one.wait_log("stalled (no-data)")
        [said, *_] = [line for line in one.log.splitlines() if "stalled (no-data)" in line]
        assert "0.2 s" in said
        assert read_one(client, gyroscope)["state"] == "running"


def test_a_buffer_that_says_nothing_gives_way_to_raw_reads(daemon, machine):
    """Neither its reset nor a new opening brings scans, but raw reads work; the buffer is tried again later."""
    gyroscope = machine.add(Gyroscope(raw=(100, -200, 50)))
    one = daemon(machine=machine, config=config("read_timeout = 0.2"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        event = client.event_where(lambda event: event["state"] == "stalled")
        assert event["reason"] == "no-data"
        wait_for(lambda: sensor_status(one).get("mode") == "poll", "polling")
        assert any("its buffer gave no scans" in why for why in sensor_status(one)["why"])
        event = client.event_where(lambda event: event["state"] == "running")
        assert event["rate"]["x"] == 100 * 0.001064724

        def polled_for_now() -> bool:
            status = status_of(one)
            return status["sensor"].get("mode") == "poll" and (status["retry_in"] or 0) > 0 and not gyroscope.is_enabled

        wait_for(polled_for_now, "polling until another attempt")
        gyroscope.wait_enabled()
        # Again and again: it may be given up before this test has written anything.
        with moving(gyroscope):
            wait_for(lambda: (status := status_of(one))["state"] == "running" and status["sensor"]["mode"] == "buffer", "scans")


def test_a_silent_buffer_is_tried_when_the_sensor_is_wanted_again(daemon, machine):
    gyroscope = machine.add(Gyroscope(raw=(100, -200, 50)))
    one = daemon(machine=machine, config=config("read_timeout = 0.5"))
    with one.client() as client:
        client.subscribe()
        wait_for(lambda: sensor_status(one)["mode"] == "poll", "polling")
    wait_state(one, "idle")
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()


def test_a_stuck_attribute_delays_nobody(daemon, machine):
    """While the sensor's thread waits for a driver, clients are served and may come and go; it is said."""
    gyroscope = machine.add(Gyroscope())
    with gyroscope.hanging("buffer/length"):
        one = daemon(machine=machine, config=config("read_timeout = 2"))
        with one.client() as client:
            client.subscribe()
            wait_state(one, "starting")
            for _ in range(20):
                with one.client() as other:
                    assert other.call("GetStatus")["state"] in ("starting", "stalled")
                    assert other.subscribe()["state"] in ("starting", "stalled")
            text = wait_state(one, "stalled", "no-data")["text"]
            assert "setting up" in text and "does not answer" in text
        wait_state(one, "idle")
        # Nor is it given back; somebody else wants it.
        with one.client() as client:
            client.subscribe()
            wait_state(one, "starting")
            text = wait_state(one, "stalled", "no-data")["text"]
            assert "giving the sensor back" in text and "does not answer" in text
            # Nothing is changed by a reload.
            one.config.write_text(config("read_timeout = 7"))
            one.signal(signal.SIGHUP)
            one.wait_log("the configuration was read again")
            wait_state(one, "stalled", "no-data")
        wait_state(one, "idle")
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
    gyroscope.wait_disabled()


def test_a_slow_sensor_is_not_silent(daemon, machine):
    """Its scans are further apart than read_timeout: ten seconds, far more than is waited here."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="0.1", sampling_frequency_available="0.1"))
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


def test_a_polled_read_that_hangs_is_stalled(daemon, machine):
    """And goes on when the driver answers."""
    gyroscope = machine.add(Gyroscope(**NO_BUFFER))
    one = daemon(machine=machine, config=config("read_timeout = 0.3"))
    with one.client() as client:
        client.subscribe()
        wait_state(one, "running")
        with gyroscope.hanging("in_anglvel_x_raw"):
            wait_state(one, "stalled", "no-data")
        wait_state(one, "running")


@pytest.fixture
def shim(folder, sanitizer):
    """EBUSY on demand."""
    if sanitizer:
        pytest.skip("a sanitizer wants to be loaded first")
    return NodeShim(folder)


def test_a_buffer_that_another_program_has(daemon, machine, shim):
    """Polled meanwhile, said why and until when; the buffer is taken when it is free, in a new stream."""
    gyroscope = machine.add(Gyroscope())
    gyroscope.set_raw(3, -4, 5)
    shim.node_is_busy.touch()
    one = daemon(machine=machine, environment=shim.environment, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        status = wait_state(one, "running")
        assert status["sensor"]["mode"] == "poll" and 0 < status["retry_in"] <= 60
        assert any("another program" in sentence for sentence in status["sensor"]["why"]), status
        event = client.event_where(lambda event: event["sequence"] >= 5)
        shim.node_is_busy.unlink()
        gyroscope.wait_enabled()
        given = scans(1)
        assert gyroscope.write_scans(given) == 1
        while event["timestamp_ns"] != given[0][0]:
            event = client.event()
        assert event["gap"] is True
        status = wait_state(one, "running")
        assert status["sensor"]["mode"] == "buffer" and status.get("retry_in") is None


def test_busy_for_raw_reads_too(daemon, machine, shim):
    """As most drivers are while another program's buffer runs."""
    gyroscope = machine.add(Gyroscope())
    shim.node_is_busy.touch()
    shim.raw_is_busy.touch()
    one = daemon(machine=machine, environment=shim.environment, config=config())
    with one.client() as client:
        event = client.subscribe(rate=True, only_changes=False)
        while event["state"] != "waiting":
            event = client.event()
        assert event["reason"] == "busy"
        status = wait_state(one, "waiting", "busy")
        assert 0 <= status["retry_in"] <= 60 and "another program" in status["text"]
        # In this order: with raw values alone it would be polled.
        shim.node_is_busy.unlink()
        shim.raw_is_busy.unlink()
        assert len(stream_rates(client, gyroscope, scans(3))) == 3


def test_what_a_crash_left_is_not_taken_from_another_reader(daemon, machine, shim, folder):
    """The journal is followed only when the node is free."""
    gyroscope = machine.add(Gyroscope(sampling_frequency="25"))
    before = tree(gyroscope)
    environment = shim.environment | {"STATE_DIRECTORY": str(folder / "state")}
    killed = daemon(machine=machine, environment=environment)
    with killed.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        open_sensor(killed)
        killed.kill()
    during = tree(gyroscope)
    shim.node_is_busy.touch()
    one = daemon(machine=machine, environment=environment)
    with one.client() as client:
        client.subscribe()
        why = wait_state(one, "running")["sensor"]["why"]
        assert tree(gyroscope) == during
    one.stop()
    assert tree(gyroscope) == during and any("another program" in sentence for sentence in why)
    shim.node_is_busy.unlink()
    daemon(machine=machine, environment=environment)
    wait_for(lambda: tree(gyroscope) == before, f"{before} again: {tree(gyroscope)}")


def test_the_buffer_is_reset_before_the_device(daemon, machine):
    """Switched off and on, and that brings the scans back: nothing else is written, the node stays open."""
    gyroscope = machine.add(Gyroscope())
    enable, length = gyroscope.folder / "buffer/enable", gyroscope.folder / "buffer/length"
    one = daemon(machine=machine, config=config("read_timeout = 8"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        stream_rates(client, gyroscope, scans(3))
        written = enable.stat().st_mtime_ns
        set_up = length.stat().st_mtime_ns
        wait_for(lambda: enable.stat().st_mtime_ns != written and gyroscope.is_enabled, "the buffer to be reset")
        given = scans(1)
        assert gyroscope.write_scans(given) == 1
        assert length.stat().st_mtime_ns == set_up
        event = client.event()
        seen = [event["state"]]
        while event["timestamp_ns"] != given[0][0]:
            event = client.event()
            seen.append(event["state"])
        assert "stalled" in seen and event["state"] == "running" and event["gap"] is True
