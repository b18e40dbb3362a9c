"""Restart without loss, under systemd itself: `FileDescriptorStoreMax=` of the installed unit."""

import pytest
from guest.hid import HidGyroscope
from guest.machine import Guest, GuestClient, wait_for
from guest.service import Service
from support.client import Closed

RESTARTS = {
    "restart": "systemctl restart parallaxd.service",
    "kill": "systemctl kill --signal=KILL parallaxd.service",
    "segv": "systemctl kill --signal=SEGV parallaxd.service",
    "abort": "systemctl kill --signal=ABRT parallaxd.service",
}


def moved(client: GuestClient, gyroscope: HidGyroscope) -> dict:
    """Some motion, and the event in which it has ended."""
    x = client.last["x"]
    gyroscope.queue([(0, 3000, 0)] * 30)
    client.until(lambda event: event["state"] == "running" and event["x"] > x + 1, "motion")
    while True:
        try:
            client.event(2)
        except TimeoutError:
            return client.last


@pytest.mark.parametrize("how", RESTARTS)
def test_a_subscriber_sees_a_pause(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, how: str
) -> None:
    """No end of the stream; sequence and offset go on, and so does a held switch of reduced motion."""
    parallaxd.configure("[accessibility]\nreduced_motion_scale = 0.5")
    gyroscope.plug()
    with parallaxd.client() as client, parallaxd.client() as holder:
        client.subscribe()
        client.until_state("running")
        holder.send("SetReducedMotion", {"enabled": True}, more=True)
        holder.reply()
        client.until(lambda event: event["reduced_motion"], "reduced motion")
        before = moved(client, gyroscope)
        pid = parallaxd.pid
        guest.shell(RESTARTS[how])
        wait_for(lambda: parallaxd.pid not in (0, pid), "another daemon")
        starting = client.until_state("starting")[-1]
        assert starting["reduced_motion"]
        assert (starting["x"], starting["y"]) == (before["x"], before["y"])
        assert starting["sequence"] >= before["sequence"]
        running = client.until(lambda event: event["sequence"] > starting["sequence"], "an update")
        assert running[-1]["gap"] and (running[-1]["x"], running[-1]["y"]) == (before["x"], before["y"])
        assert moved(client, gyroscope)["x"] > before["x"]
        # And once more, since what was taken up is kept as well as what came new.
        pid = parallaxd.pid
        guest.shell(RESTARTS[how])
        wait_for(lambda: parallaxd.pid not in (0, pid), "another daemon")
        client.until_state("starting")
        client.until_state("running")
        assert client.last["reduced_motion"]
        holder.close()
        client.until(lambda event: not event["reduced_motion"], "the end of the hold")
        guest.shell("systemctl reset-failed parallaxd.service")


def test_a_stop_ends_connections(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """systemd lets go of what it kept; what a client then asks for is a new connection."""
    gyroscope.plug()
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        guest.shell("systemctl stop parallaxd.service")
        with pytest.raises(Closed):
            while True:
                client.event()
    assert parallaxd.show("NFileDescriptorStore") == "0"


def test_who_has_gone_is_kept_no_longer(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """What is kept are those who listen, and the state."""
    gyroscope.plug()
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        wait_for(lambda: parallaxd.show("NFileDescriptorStore") == "2", "the connection to be kept")
    wait_for(lambda: parallaxd.show("NFileDescriptorStore") == "1", "the connection to be dropped")
