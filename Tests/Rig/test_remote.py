"""A daemon on this machine that reads the guest's gyroscope over the network, as libiio does."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from guest import motions
from guest.hid import NAME, HidGyroscope
from guest.image import REPOSITORY
from guest.machine import IIOD_PORT, Guest, wait_for
from guest.service import Service
from support.daemon import Daemon

TURN = [(1500, 900, 0)] * 400
CONFIGURATION = """
[sensor]
uri = "ip:127.0.0.1:%d"
"""


@pytest.fixture
def outside(guest: Guest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """The release on this side, which reads from the guest's iiod."""
    folder = tmp_path_factory.mktemp("outside")
    program = REPOSITORY / ".build/release/parallaxd"
    one = Daemon(program, folder, [], config=CONFIGURATION % guest.ports[IIOD_PORT])
    yield one
    one.stop()


def start_iiod(guest: Guest) -> None:
    """It knows the devices that are there when it starts."""
    guest.shell("systemctl restart iiod.service")
    wait_for(lambda: guest.code("timeout 20 iio_info -u ip:127.0.0.1")[0] == 0, "iiod to answer")


def test_offsets_from_another_machines_kernel(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, outside: Daemon
) -> None:
    """Through `ip:`: the guest's gyroscope turns, the offset outside moves, and the chip sleeps afterwards."""
    gyroscope.plug()
    start_iiod(guest)
    outside.wait_ready(60)
    x, y, _ = motions.rates(TURN[0])
    with outside.client(timeout=60) as client:
        client.subscribe(only_changes=False, rate=True)
        wait_running(client)
        gyroscope.rest(*TURN[0])
        event = client.event()
        while not event["x"]:
            event = client.event()
        # But for the noise of two counts.
        assert abs(event["rate"]["x"] - x) < 0.001 and abs(event["rate"]["y"] - y) < 0.001
        status = client_status(outside)
        assert status["sensor"]["name"] == NAME and status["sensor"]["uri"].startswith("ip:")
    gyroscope.wait_state("the chip to be off", power=6)


def test_the_other_machine_goes_and_comes_back(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, outside: Daemon
) -> None:
    """The subscriber stays and sees `waiting`, then `running`."""
    gyroscope.plug()
    start_iiod(guest)
    outside.wait_ready(60)
    with outside.client(timeout=120) as client:
        client.subscribe()
        wait_running(client)
        guest.shell("systemctl kill --signal=KILL iiod.service; systemctl stop iiod.service")
        event = client.event()
        while event["state"] == "running":
            event = client.event()
        assert event["state"] in ("waiting", "stalled"), event
        start_iiod(guest)
        wait_running(client)


def wait_running(client) -> None:
    """Until the stream says so."""
    while client.event()["state"] != "running":
        pass


def client_status(outside: Daemon) -> dict:
    """Its GetStatus."""
    with outside.client() as client:
        return client.call("GetStatus")
