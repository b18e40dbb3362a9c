"""systemd's watchdog over the installed service, and the service's sleep."""

import time

from guest.hid import POWER_OFF, HidGyroscope
from guest.machine import Guest, wait_for
from guest.service import Service


def pinged(parallaxd: Service) -> int:
    """When it last pinged, microseconds of the guest's clock."""
    return int(parallaxd.show("WatchdogTimestampMonotonic"))


def test_in_idle_it_is_disarmed_and_nothing_wakes_up(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope
) -> None:
    """A ping is a wake-up: neither pings nor context switches of any thread, with a kernel's gyroscope there."""
    gyroscope.plug()
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        wait_for(lambda: parallaxd.show("WatchdogUSec") == "10s", "the watchdog to be armed")
        first = pinged(parallaxd)
        wait_for(lambda: pinged(parallaxd) > first, "a ping")
        pid = parallaxd.pid
    wait_for(lambda: parallaxd.show("WatchdogUSec") in ("0", "infinity"), "the watchdog to be disarmed")
    wait_for(lambda: "no subscriber" in parallaxd.show("StatusText"), "the service to be idle")
    gyroscope.wait_state("the chip to be off", power=POWER_OFF)
    last = pinged(parallaxd)
    script = f"cat /proc/{pid}/task/*/status | grep -E '^(non)?voluntary_ctxt'"
    switches = guest.shell(script)
    # Longer than two periods: what must not happen has this long to happen.
    time.sleep(21)
    assert guest.shell(script) == switches
    assert pinged(parallaxd) == last
    assert (parallaxd.pid, parallaxd.show("NRestarts")) == (pid, "0")


def test_it_fires_on_a_loop_that_hangs(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """A stopped process pings no more, and does not end when it is told to: systemd kills it, starts another."""
    gyroscope.plug()
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        pid = parallaxd.pid
        guest.shell(f"kill -STOP {pid}")
        wait_for(lambda: parallaxd.pid not in (0, pid), "systemd to start another", 90)
    assert "Watchdog timeout" in guest.shell("journalctl --no-pager -u parallaxd.service")
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
