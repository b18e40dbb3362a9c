"""What tests of a gyroscope through libiio share: a configuration, scans, and what the status says."""

import time

from .gyroscope import Gyroscope
from .waiting import wait_for

# A user without rights.
NOBODY = 65534
# A gyroscope whose driver gives no scans.
NO_BUFFER = {"buffer": False, "trigger": None, "triggers": [], "timestamp": False}
# Every sample is an update, nothing is left out, no sample begins a new stream.
EVERY_SAMPLE = "[sensor]\nsettle_time = 0\n{sensor}[motion]\nupdate_interval = 0\nthreshold = 0\nmax_gap = 60\n"


def config(sensor: str = "", motion: str = "") -> str:
    """A configuration with more keys in [sensor] and [motion]; silence is no fault unless `sensor` says when."""
    if "read_timeout" not in sensor and "uri" not in sensor:
        sensor = f"read_timeout = 30\n{sensor}"
    return EVERY_SAMPLE.format(sensor=sensor + "\n") + motion


def scans(count: int = 20, period: int = 5_000_000) -> list[tuple[int, int, int, int]]:
    """Scans that differ on all axes, some of them negative."""
    start = time.monotonic_ns()
    return [(start + n * period, 100 + n, -200 - n, 50 * (-1) ** n + n) for n in range(count)]


def status_of(one) -> dict:
    """The status."""
    with one.client() as client:
        return client.call("GetStatus")


def sensor_status(one) -> dict:
    """What the status says of the sensor."""
    return status_of(one)["sensor"]


def open_sensor(one) -> dict:
    """What the status says of the sensor once it is open."""

    def look() -> dict | None:
        sensor = sensor_status(one)
        return sensor if sensor.get("mode") else None

    return wait_for(look, "an open sensor")


def wait_state(one, state: str, reason: str | None = None) -> dict:
    """Until the status has the state, and the reason where one is given; the status."""

    def look() -> dict | None:
        status = status_of(one)
        right = status["state"] == state and (reason is None or status.get("reason") == reason)
        return status if right else None

    return wait_for(look, f"the state {state} ({reason})")


def tree(gyroscope: Gyroscope) -> dict[str, str]:
    """Every attribute's text."""
    files = (path for path in sorted(gyroscope.folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(gyroscope.folder)): path.read_text().rstrip("\0\n") for path in files}


def first_event(client, gyroscope: Gyroscope, scan: tuple[int, int, int, int], sequence: int) -> dict | None:
    """Writes a scan and reads the event of its update; None where none comes soon."""
    gyroscope.write_scans([scan])
    try:
        while (event := client.event(5))["sequence"] < sequence:
            pass
    except TimeoutError:
        return None
    return event


def stream_rates(client, gyroscope: Gyroscope, given: list[tuple[int, int, int, int]], first: int = 0) -> list[tuple]:
    """Writes scans one by one and reads the event of each: (timestamp, rate x, y, z).

    `first` is the sequence of the first one's update. That scan is written again where nothing comes of it: an opening
    that is given up, such as one with the hardware's FIFO, takes it along. Twice the same scan is one update.
    """
    gyroscope.wait_enabled()
    received = []
    for scan in given:
        if received:
            assert gyroscope.write_scans([scan]) == 1
            event = client.event()
        else:
            event = wait_for(lambda: first_event(client, gyroscope, scan, first), "the first scan's event")
        while event["sequence"] < first + len(received):
            event = client.event()
        rate = event["rate"]
        received.append((event["timestamp_ns"], rate["x"], rate["y"], rate["z"]))
    return received


def read_one(client, gyroscope: Gyroscope, seconds: float = 60) -> dict:
    """Gives scans until one has come through; its event.

    Again and again: a slow machine may be silent for longer than `read_timeout`, and what the sensor is then opened
    anew for is lost.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        given = scans(3)
        gyroscope.write_scans(given)
        wanted = {axis: raw * 0.001064724 for axis, raw in zip("xyz", given[-1][1:])}
        again = time.monotonic() + 0.5
        try:
            while True:
                event = client.event(timeout=max(0.001, again - time.monotonic()))
                if event.get("rate") == wanted:
                    return event
        except TimeoutError:
            continue
    raise AssertionError(f"no scan came through in {seconds:g} s")
