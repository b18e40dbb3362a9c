"""Sensors that are plugged in and out, with udev's news of it: at once, not when the next attempt is due."""

import os
import time

import pytest

from support import uevents
from support.gyroscope import Gyroscope
from support.machine import Machine, unshare_command
from support.process import context_switches, wait_still
from support.sensor import NOBODY, config, scans, sensor_status, stream_rates, wait_state


@pytest.fixture
def udev_machine(folder):
    """A machine with something that sends news of devices."""
    if os.geteuid() != 0 or unshare_command() is None:
        pytest.skip("playing udev needs root and a network namespace")
    made = Machine(folder / "machine", has_udev=True)
    yield made
    made.close()


def test_the_news_is_what_starts_the_next_attempt(daemon, udev_machine):
    """What only another device can mend is not tried again by itself."""
    useless = udev_machine.add(Gyroscope(trigger=None, triggers=[]))
    one = daemon(machine=udev_machine, config=config('mode = "buffer"'))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert wait_state(one, "waiting", "configuration").get("retry_in") is None
        udev_machine.remove(useless)
        gyroscope = udev_machine.add(Gyroscope(index=4))
        uevents.send(one.pid, "add", "iio:device4")
        gyroscope.wait_enabled()
        assert sensor_status(one)["id"] == "iio:device4"


def test_unplugged_is_told_at_once(daemon, udev_machine):
    """No scans come from a sensor that is at rest in a driver that waits: only the news can tell."""
    gyroscope = udev_machine.add(Gyroscope())
    one = daemon(machine=udev_machine, config=config("read_timeout = 60"))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        stream_rates(client, gyroscope, scans(3))
        udev_machine.remove(gyroscope)
        uevents.send(one.pid, "remove", "iio:device7")
        uevents.send(one.pid, "remove", "trigger0")
        uevents.send(one.pid, "remove", gyroscope.folder.name, subsystem="input")
        with one.client() as other:
            assert other.call("GetStatus")["state"] == "running", "the news was of others"
        uevents.send(one.pid, "remove", gyroscope.folder.name)
        status = wait_state(one, "waiting", "no-device")
        again = udev_machine.add(Gyroscope(index=4))
        uevents.send(one.pid, "add", "iio:device4")
        again.wait_enabled()
        event = client.event_where(lambda event: event["state"] == "waiting")
        assert event["reason"] == "no-device"
        given = scans(1)
        assert again.write_scans(given) == 1
        while event["timestamp_ns"] != given[0][0]:
            event = client.event()
        assert event["state"] == "running" and event["gap"] is True
    assert status["text"]


def hand_over(gyroscope: Gyroscope) -> None:
    """What the udev rule does."""
    for path in [gyroscope.node, *(path for path in gyroscope.folder.rglob("*") if not path.is_dir())]:
        path.chmod(0o666)


def test_rights_that_come_late(daemon, udev_machine):
    """Opened before the udev rule had handed it over, it is polled; with the rights the buffer is used."""
    gyroscope = udev_machine.add(Gyroscope())
    one = daemon(machine=udev_machine, user=NOBODY, config=config())
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert wait_state(one, "running")["sensor"]["mode"] == "poll"
        hand_over(gyroscope)
        uevents.send(one.pid, "change", gyroscope.folder.name)
        gyroscope.wait_enabled()
        given = scans(1)
        assert gyroscope.write_scans(given) == 1
        event = client.event_where(lambda event: event["timestamp_ns"] == given[0][0])
        assert event["state"] == "running"


def test_rights_that_come_one_by_one(daemon, udev_machine):
    """Opened while the rule was at work: some files were this user's, and others not yet."""
    gyroscope = udev_machine.add(Gyroscope())
    hand_over(gyroscope)
    late = gyroscope.folder / "scan_elements/in_anglvel_x_en"
    late.chmod(0o644)
    one = daemon(machine=udev_machine, user=NOBODY, config=config())
    with one.client() as client:
        client.subscribe()
        assert wait_state(one, "running")["sensor"]["mode"] == "poll"
        late.chmod(0o666)
        uevents.send(one.pid, "change", gyroscope.folder.name)
        gyroscope.wait_enabled()


def test_rights_without_news(daemon, machine):
    """As in a container, where nobody tells."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, user=NOBODY, config=config())
    with one.client() as client:
        client.subscribe()
        assert wait_state(one, "running")["sensor"]["mode"] == "poll"
        hand_over(gyroscope)
        gyroscope.wait_enabled()


def test_news_does_not_wake_a_daemon_that_sleeps(daemon, udev_machine, asleep_means_asleep):
    gyroscope = udev_machine.add(Gyroscope())
    one = daemon(machine=udev_machine, config=config())
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
    wait_state(one, "idle")
    gyroscope.wait_disabled()
    before = wait_still(one.pid)
    for number in range(5):
        uevents.send(one.pid, "add", "iio:device4", number=number)
    time.sleep(0.5)
    assert context_switches(one.pid) == before


def test_a_flood_of_news(daemon, udev_machine):
    """Each asks for an attempt; they do not put each other off, nor does each get one."""
    one = daemon(machine=udev_machine, config=config())
    with one.client() as client:
        client.subscribe()
        wait_state(one, "waiting", "no-device")
        for number in range(20):
            uevents.send(one.pid, "change", "iio:device0", number=number)
        gyroscope = udev_machine.add(Gyroscope())
        uevents.send(one.pid, "add", "iio:device0")
        gyroscope.wait_enabled()
