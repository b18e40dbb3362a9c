"""The machine sleeps and wakes up: logind tells, the kernel freezes what runs."""

from guest.hid import HidGyroscope
from guest.machine import Guest
from guest.service import Service

HOOK = "/usr/lib/systemd/system-sleep/rig"
SEEN = "/run/rig-asleep"


def test_a_suspend_and_a_resume(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """The buffer is off before the machine sleeps; the subscriber sees why, and a new stream afterwards."""
    device = gyroscope.plug()
    # What systemd runs last before it sleeps, and the kernel's own test of a suspend: it freezes all, for 5 s.
    guest.shell(
        f"mkdir -p {HOOK.rpartition('/')[0]};"
        f" printf '#!/bin/sh\\n[ $1 = post ] || cat {device}/buffer/enable > {SEEN}\\n' > {HOOK};"
        f" chmod +x {HOOK}; echo freezer > /sys/power/pm_test"
    )
    try:
        with parallaxd.client("subscriber") as client:
            client.subscribe(only_changes=False)
            client.until_state("running")
            guest.shell("systemctl suspend")
            client.until(lambda event: event.get("reason") == "suspended", "word of the suspend")
            events = client.until_state("running", seconds=120)
            events += client.until(lambda event: event["sequence"] > events[-1]["sequence"], "an update")
            assert any(event.get("gap") for event in events)
            gyroscope.queue([(1500, 900, 0)] * 40)
            client.until(lambda event: event["x"] > 0, "motion")
        assert guest.shell(f"cat {SEEN}") == "0"
    finally:
        guest.shell(f"echo none > /sys/power/pm_test; rm -f {HOOK} {SEEN}")
