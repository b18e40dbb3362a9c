"""What cables, chips and other programs do to a sensor, by a real kernel's rules."""

import time

from guest.hid import NAME, HidGyroscope
from guest.machine import Guest, wait_for
from guest.service import Service, sysfs
from guest.stub import BMC150

TURN = [(1500, 900, 0)] * 40
# Who has the node of a device open.
HOLDERS = "ls -l /proc/[0-9]*/fd 2>/dev/null | grep /dev/iio:device || true"
HANDED_OVER = (
    "buffer/enable buffer/length buffer/watermark scan_elements/in_anglvel_x_en in_anglvel_sampling_frequency"
    " current_timestamp_clock trigger/current_trigger"
)


def assert_rights(guest: Guest, device: str) -> None:
    """The service's group may write what setting up a buffer writes, and nobody else may."""
    said = guest.shell(f"cd {device}; stat -c '%U %G %a %n' {HANDED_OVER}")
    assert {line.rsplit(" ", 1)[0] for line in said.splitlines()} == {"root parallax-sensor 664"}, said
    node = guest.shell(f"stat -c '%U %G %a' /dev/{device.rsplit('/', 1)[1]}")
    assert node == "root parallax-sensor 660"


def test_unplugged_in_mid_stream_and_plugged_in_again(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope
) -> None:
    """The subscriber stays: `waiting`, then `running`, and offsets go on."""
    gyroscope.plug()
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        client.until_state("running")
        gyroscope.queue(TURN)
        before = client.until(lambda event: event["x"] > 0, "motion")[-1]
        gyroscope.unplug()
        client.until_state("waiting", "no-device")
        assert_rights(guest, gyroscope.plug())
        again = client.until_state("running", seconds=120)[-1]
        assert again["x"] >= before["x"]
        gyroscope.queue(TURN)
        client.until(lambda event: event["x"] > again["x"], "motion again")
    assert parallaxd.status()["sensor"]["mode"] == "buffer"


def test_plugged_in_again_under_another_number(
    guest: Guest, parallaxd: Service, gyroscope: HidGyroscope, chip
) -> None:
    """Another device has taken its number meanwhile."""
    first = gyroscope.plug()
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        client.until_state("running")
        gyroscope.unplug()
        client.until_state("waiting", "no-device")
        assert chip(BMC150) == first
        second = gyroscope.plug()
        assert second != first
        assert_rights(guest, second)
        again = client.until_state("running", seconds=120)[-1]
        gyroscope.queue(TURN)
        client.until(lambda event: event["x"] > again["x"], "motion again")
    sensor = parallaxd.status()["sensor"]
    assert (sensor["name"], sensor["id"]) == (NAME, second.rsplit("/", 1)[1])


def test_plugged_in_after_the_subscriber_came(parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """Nothing there at first; nobody has to ask again."""
    with parallaxd.client("subscriber") as client:
        client.subscribe()
        client.until_state("waiting", "no-device")
        gyroscope.plug()
        client.until_state("running", seconds=120)


def test_a_pause_of_five_seconds(parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """`stalled` or `waiting` for want of data; then it goes on."""
    gyroscope.plug()
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        gyroscope.command("stall")
        begin = time.monotonic()
        silent = ("stalled", "waiting")
        client.until(lambda event: event["state"] in silent and event["reason"] == "no-data", "no data")
        # The pause lasts this long whatever else is slow.
        time.sleep(max(0.0, begin + 5 - time.monotonic()))
        gyroscope.command("resume")
        again = client.until_state("running", seconds=120)[-1]
        gyroscope.queue(TURN)
        client.until(lambda event: event["x"] > again["x"], "motion again")


def test_a_reader_that_was_there_before(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """Nothing of its setting is touched; raw values are polled, and the status says why; then it has the buffer."""
    device = gyroscope.plug()
    guest.shell(f"cd {device}; for axis in x y z; do echo 1 > scan_elements/in_anglvel_${{axis}}_en; done")
    guest.shell(f"echo 1 > {device}/buffer/enable")
    with guest.connect("cat", f"/dev/{device.rsplit('/', 1)[1]}") as reader:
        reader.settimeout(60)
        assert reader.recv(12)
        before = sysfs(guest, device)
        with parallaxd.client() as client:
            client.subscribe()
            client.until_state("running")
            sensor = parallaxd.status()["sensor"]
            assert sensor["mode"] == "poll"
            assert any("Device or resource busy" in why for why in sensor["why"]), sensor["why"]
            assert sysfs(guest, device) == before
            assert reader.recv(12)
            reader.close()
            # It notices when it has something to write: as long as scans come.
            wait_for(lambda: not guest.shell(HOLDERS), "the reader to be gone")
            guest.shell(f"echo 0 > {device}/buffer/enable")
            wait_for(
                lambda: parallaxd.status()["sensor"]["mode"] == "buffer", "the buffer to be the daemon's", 150
            )
            gyroscope.rest(1500, 900)
            client.until(lambda event: event["x"] > 0, "motion")


def test_a_reader_that_comes_after(guest: Guest, parallaxd: Service, gyroscope: HidGyroscope) -> None:
    """It is refused (EBUSY), but its libiio has switched the buffer off by then: the stream comes back."""
    gyroscope.plug()
    with parallaxd.client() as client:
        client.subscribe()
        client.until_state("running")
        code, said = guest.code(f"timeout 20 iio_readdev -b 4 -s 4 {NAME} 2>&1 >/dev/null")
        assert code != 0 and "busy" in said.lower(), said
        gyroscope.rest(1500, 900)
        client.until(lambda event: event["x"] > 0 and event["state"] == "running", "motion", 120)
        assert parallaxd.status()["sensor"]["mode"] == "buffer"
