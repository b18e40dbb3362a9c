"""The sensor sleeps while nobody looks, and is given back as it was found."""

import pytest
from guest.hid import POWER_FULL, POWER_OFF, HidGyroscope
from guest.machine import Guest, wait_for
from guest.service import Service, sysfs


def test_the_chip_sleeps_when_the_last_subscriber_leaves(parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """Its power state, as the kernel sets it some seconds after the buffer is off."""
    gyroscope.plug()
    first, second = parallaxd.client(), parallaxd.client("subscriber")
    for one in first, second:
        one.subscribe()
        one.until_state("running")
    gyroscope.wait_state("the chip at full power", power=POWER_FULL)
    first.close()
    # One is still looking.
    gyroscope.queue([(1000, 0, 0)] * 10)
    second.until(lambda event: event["y"] > 0, "motion")
    assert gyroscope.state()["power"] == POWER_FULL
    second.close()
    gyroscope.wait_state("the chip to be off", power=POWER_OFF)


def test_the_chip_sleeps_in_reduced_motion(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """`parallaxctl reduced-motion on` with a subscriber that stays; it is told, and again afterwards."""
    gyroscope.plug()
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        client.until_state("running")
        gyroscope.queue([(1000, 900, 0)] * 10)
        client.until(lambda event: event["x"] > 0, "motion")
        guest.shell("runuser -u controller -- parallaxctl reduced-motion on")
        event = client.until_state("reduced", "user")[-1]
        assert (event["x"], event["y"], event["reduced_motion"]) == (0, 0, True)
        gyroscope.wait_state("the chip to be off", power=POWER_OFF)
        guest.shell("runuser -u controller -- parallaxctl reduced-motion default")
        event = client.until_state("running")[-1]
        assert not event["reduced_motion"]
        gyroscope.wait_state("the chip at full power", power=POWER_FULL)


def test_everything_is_put_back_on_idle(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """Frequency, trigger, scan elements, clock, length and watermark, as a text each."""
    device = gyroscope.plug()
    guest.shell(
        f"cd {device}; echo 25 > in_anglvel_sampling_frequency; echo 1 > scan_elements/in_anglvel_y_en"
    )
    before = sysfs(guest, device)
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        during = sysfs(guest, device)
    wait_for(lambda: sysfs(guest, device) == before, f"{device} as it was: {before}")
    changed = {name for name in before if before[name] != during[name]}
    assert {"buffer/enable", "in_anglvel_sampling_frequency", "current_timestamp_clock"} <= changed
    assert before["trigger/current_trigger"].startswith("gyro_3d-dev")


@pytest.mark.parametrize("signal", ["TERM", "KILL"])
def test_everything_is_put_back_after_a_signal(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, signal: str
) -> None:
    """SIGTERM: on its way out. SIGKILL: by its successor, with nobody subscribed."""
    device = gyroscope.plug()
    before = sysfs(guest, device)
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        pid = parallaxd.pid
        assert sysfs(guest, device) != before
        if signal == "KILL":
            # Or its successor would go on with the subscriber.
            guest.shell(f"kill -STOP {pid}")
            client.close()
        guest.shell(f"kill -{signal} {pid}")
        if signal == "KILL":
            wait_for(lambda: parallaxd.pid not in (0, pid), "systemd to start it again")
    wait_for(lambda: sysfs(guest, device) == before, f"{device} as it was: {before}")
    # And the next subscriber has a sensor.
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
