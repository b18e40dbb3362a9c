"""A daemon on this machine that reads the guest's gyroscope over the network, as libiio does."""

import socket
from collections.abc import Iterator

import pytest
from guest import motions
from guest.hid import NAME, HidGyroscope
from guest.image import REPOSITORY
from guest.machine import IIOD_PORT, Guest, StreamClient
from guest.service import Service, start_iiod
from support.daemon import Daemon

SEED = 22
CONFIGURATION = """
[sensor]
uri = "ip:127.0.0.1:%d"
read_timeout = 10
[server]
allow_raw = true
"""


@pytest.fixture
def outside(guest: Guest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """The release on this side, which reads from the guest's iiod."""
    folder = tmp_path_factory.mktemp("outside")
    program = REPOSITORY / ".build/release/parallaxd"
    one = Daemon(program, folder, [], config=CONFIGURATION % guest.ports[IIOD_PORT])
    yield one
    one.stop()


def test_offsets_from_another_machines_kernel(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, outside: Daemon
) -> None:
    """Through `ip:`: the guest's gyroscope turns, and the offsets outside are the naive implementation's."""
    gyroscope.plug()
    start_iiod(guest)
    outside.wait_ready(60)
    motion = motions.random_motion(SEED, 150)
    with connect(outside) as client, connect(outside) as raw:
        client.subscribe(only_changes=False)
        client.until_state("running")
        header = motions.open_raw(raw)
        # A scan may be lost where the network is slower than the sensor; the last one comes again and again.
        gyroscope.queue(motion + motion[-1:] * 20)
        scans = motions.read_scans(raw, motion[-1])
        wanted = motions.naive_updates(scans, header, {})
        last = max(wanted)
        events = client.until(lambda event: event["timestamp_ns"] >= last, "the last update of the motion")
        motions.assert_naive(events, wanted)
        assert events[-1]["x"] != 0 and events[-1]["y"] != 0
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
    with connect(outside) as client:
        client.subscribe()
        client.until_state("running")
        guest.shell("systemctl kill --signal=KILL iiod.service; systemctl stop iiod.service")
        client.until(lambda event: event["state"] in ("waiting", "stalled"), "the end of the scans", 120)
        start_iiod(guest)
        client.until_state("running", seconds=120)


def connect(outside: Daemon) -> StreamClient:
    """A connection to it."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(str(outside.socket))
    return StreamClient(connection)


def client_status(outside: Daemon) -> dict:
    """Its GetStatus."""
    with outside.client() as client:
        return client.call("GetStatus")
