"""Gyroscopes that no trigger of their own starts: a trigger is made, or they are polled."""

import pytest
from guest import motions
from guest.machine import Guest, wait_for
from guest.service import Service, sysfs
from guest.stub import BMG160, FXAS21002C, Bus

TRIGGERS = "/sys/kernel/config/iio/triggers/hrtimer"
COUNTS = (1200, -800, 300)


def made(guest: Guest) -> list[str]:
    """The names of the hrtimer triggers that there are."""
    return guest.shell(f"ls {TRIGGERS} 2>/dev/null || true").split()


def assert_turns(client, scale: float) -> None:
    """The rates and offsets of a steady turn by COUNTS."""
    x, y, z = motions.rates(COUNTS, scale)
    event = client.until(lambda event: event["x"] and "rate" in event, "motion")[-1]
    assert event["rate"] == {"x": x, "y": y, "z": z}
    assert event["x"] * y > 0 and event["y"] * x > 0


def scale_of(guest: Guest, device: str) -> float:
    """The kernel's."""
    return float(guest.shell(f"cat {device}/in_anglvel_scale"))


def test_an_hrtimer_is_made_and_removed(guest: Guest, parallaxd: Service, bus: Bus, chip) -> None:
    """bmg160 without an interrupt: the buffer runs by a trigger that is ours, and it is gone afterwards."""
    device = chip(BMG160)
    bus.move(BMG160, *COUNTS)
    before = sysfs(guest, device)
    with parallaxd.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert_turns(client, scale_of(guest, device))
        sensor = parallaxd.status()["sensor"]
        assert sensor["mode"] == "buffer", sensor["why"]
        assert any("hrtimer" in why for why in sensor["why"])
        [name] = made(guest)
        assert sysfs(guest, device)["trigger/current_trigger"] == name
    wait_for(lambda: not made(guest), "our trigger to be gone")
    assert sysfs(guest, device) == before


def test_an_hrtimer_left_by_a_crash_is_used_or_removed(
    guest: Guest, parallaxd: Service, bus: Bus, chip
) -> None:
    """SIGKILL leaves it; the next daemon has the same one, and then none."""
    device = chip(BMG160)
    bus.move(BMG160, *COUNTS)
    before = sysfs(guest, device)
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        names, pid = made(guest), parallaxd.pid
        assert len(names) == 1
        guest.shell(f"kill -KILL {pid}")
        wait_for(lambda: parallaxd.pid not in (0, pid), "systemd to start it again")
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        assert made(guest) == names
    wait_for(lambda: not made(guest), "our trigger to be gone")
    wait_for(lambda: sysfs(guest, device) == before, f"{device} as it was: {before}")


@pytest.mark.parametrize("mode", ["auto", "poll"])
def test_polled_without_a_trigger(guest: Guest, parallaxd: Service, bus: Bus, chip, mode: str) -> None:
    """No trigger and none to be made: raw values, and the status says why."""
    device = chip(BMG160)
    bus.move(BMG160, *COUNTS)
    parallaxd.configure(f'[sensor]\nmode = "{mode}"')
    if mode == "auto":
        guest.shell(
            "rmmod iio_trig_hrtimer 2>/dev/null || true; mkdir -p /run/modprobe.d;"
            " echo 'install iio-trig-hrtimer /bin/false' > /run/modprobe.d/rig.conf"
        )
    try:
        with parallaxd.client() as client:
            client.subscribe(rate=True, only_changes=False)
            assert_turns(client, scale_of(guest, device))
            sensor = parallaxd.status()["sensor"]
            assert (sensor["mode"], sensor["clock"]) == ("poll", "wake-up")
            word = "trigger" if mode == "auto" else "mode"
            assert any(word in why for why in sensor["why"]), sensor["why"]
            assert made(guest) == []
            assert sysfs(guest, device)["buffer/enable"] == "0"
    finally:
        guest.shell("rm -f /run/modprobe.d/rig.conf")


def test_a_big_endian_chip_without_stamps(guest: Guest, parallaxd: Service, bus: Bus, chip) -> None:
    """fxas21002c: the same turn, whichever way it is read."""
    device = chip(FXAS21002C)
    bus.move(FXAS21002C, *COUNTS)
    with parallaxd.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert_turns(client, scale_of(guest, device))
    sensor = parallaxd.status()["sensor"]
    assert (sensor["name"], sensor["clock"]) == ("fxas21002c", "wake-up")
