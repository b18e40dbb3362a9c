"""Which gyroscope is read, why, and how `--list-sensors` tells it."""

import signal
import socket
import subprocess
from pathlib import Path

import pytest

from support.gyroscope import Gyroscope
from support.machine import Machine
from support.parts import hang
from support.sensor import NOBODY, open_sensor, scans, tree, wait_state


@pytest.fixture
def three(machine: Machine) -> list[Gyroscope]:
    """A hub with three gyroscopes, two of one name, and something else."""
    machine.add(Gyroscope(name="accel_3d", axes="", others={"in_accel_x": "le:s16/16>>0"}, triggers=[]))
    hub = {"trigger": "gyro_3d-dev9", "triggers": ["gyro_3d-dev9"]}
    return [
        machine.add(Gyroscope(name="gyro_3d", label="gyro-base", **hub)),
        machine.add(Gyroscope(name="gyro_3d", attributes={"location": "lid"}, **hub)),
        machine.add(Gyroscope(name="bmi160", label="gyro-display", triggers=["bmi160-dev3"], trigger="bmi160-dev3")),
    ]


@pytest.mark.parametrize(
    ("device", "index"),
    [(None, 2), ("gyro-base", 0), ("lid", 1), ("gyro_3d", 1), ("iio:device2", 1)],
)
def test_which_of_several(daemon, machine, three, device, index):
    one = daemon(machine=machine, config=f'[sensor]\ndevice = "{device}"\n' if device else "")
    with one.client() as client:
        client.subscribe()
        three[index].wait_enabled()
        status = open_sensor(one)
    assert status["id"] == f"iio:device{three[index].index}"
    assert any((device or "display") in sentence for sentence in status["why"]), status["why"]
    assert [gyroscope.is_open for gyroscope in three].count(True) <= 1


@pytest.mark.parametrize("device", ["gyro", "iio:device9", "accel_3d"])
def test_a_device_that_is_not_there(daemon, machine, three, device):
    one = daemon(machine=machine, config=f'[sensor]\ndevice = "{device}"\n')
    with one.client() as client:
        client.subscribe()
        assert device in wait_state(one, "waiting", "no-device")["text"]


def test_by_its_place_in_the_hardware(daemon, machine):
    """Two of one name, numbered against the order of the parts; a number of two digits."""
    machine.add(Gyroscope(name="gyro_3d", index=9, triggers=["gyro_3d-dev9"], trigger="gyro_3d-dev9"))
    machine.add(Gyroscope(name="gyro_3d", triggers=["gyro_3d-dev10"], trigger="gyro_3d-dev10"))
    nine, ten = machine.gyroscopes
    assert ten.folder.name == "iio:device10"
    hang(machine, nine, "HID-SENSOR-200076.12.auto")
    hang(machine, ten, "HID-SENSOR-200076.4.auto")
    for device, gyroscope in {
        "": ten,
        "gyro_3d": ten,
        "/sys/bus/hw/HID-SENSOR-200076.12.auto": nine,
        "/sys/bus/hw/HID-SENSOR-200076.4.auto/iio:device10": ten,
        "iio:device9": nine,
    }.items():
        one = daemon(machine=machine, config=f'[sensor]\ndevice = "{device}"\n')
        with one.client() as client:
            client.subscribe()
            gyroscope.wait_enabled()
            status = open_sensor(one)
        one.stop()
        assert status["id"] == gyroscope.folder.name
        if device in ("", "gyro_3d"):
            assert any("the first" in sentence and "`device`" in sentence for sentence in status["why"]), status["why"]


def test_the_half_that_is_looked_at(daemon, machine):
    """Where nothing is labelled as the display, what is said to be elsewhere comes last."""
    machine.add(Gyroscope(name="gyro_3d", label="gyro-base", trigger="t", triggers=["t"]))
    other = machine.add(Gyroscope(name="gyro_3d", label="imu0", trigger="t", triggers=[]))
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        other.wait_enabled()
        assert any("outside the display" in sentence for sentence in open_sensor(one)["why"])


def test_a_single_axis_is_no_gyroscope(daemon, machine, parallaxd):
    """It is passed over and that is said, also where it is all there is or what `device` names."""
    single = machine.add(Gyroscope(name="adxrs450", axes="z"))
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        assert "adxrs450" in wait_state(one, "waiting", "no-device")["text"]
    one.stop()
    assert "about z only" in listing(parallaxd, machine)[1]
    machine.add(Gyroscope(name="bmi160"))
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        status = open_sensor(one)
        assert status["name"] == "bmi160"
        assert any("adxrs450" in sentence and "about z only" in sentence for sentence in status["why"])
    one.stop()
    one = daemon(machine=machine, config='[sensor]\ndevice = "adxrs450"\n')
    with one.client() as client:
        client.subscribe()
        assert "about z only" in wait_state(one, "waiting", "no-device")["text"]
    assert not single.is_open
    code, text = listing(parallaxd, machine, "--set", "sensor.device=adxrs450")
    assert code == 1 and "about z only" in text


def listing(parallaxd: Path, machine: Machine, *options: str, user: int | None = None) -> tuple[int, str]:
    """`parallaxd --list-sensors` in the machine: exit code and what it prints."""
    command = machine.command([str(parallaxd), "--list-sensors", *options], user)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def test_list_sensors(parallaxd, machine, three):
    before = [tree(gyroscope) for gyroscope in three]
    code, text = listing(parallaxd, machine)
    assert code == 0
    for gyroscope in three:
        assert f"iio:device{gyroscope.index}  {gyroscope.name}" in text
    assert "iio:device0  accel_3d\n  no gyroscope" in text
    assert "iio:device3  bmi160  <- this one" in text
    assert "Would read iio:device3 (bmi160): iio:device3 is said to be in the display" in text
    assert "0.001064724 rad/s" in text and "25 50 100 200" in text and "le:s16/16>>0" in text
    assert [tree(gyroscope) for gyroscope in three] == before, "nothing is changed"
    code, text = listing(parallaxd, machine, "--set", "sensor.device=gyro-base")
    assert code == 0 and "iio:device1  gyro_3d  <- this one" in text
    code, text = listing(parallaxd, machine, "--set", "sensor.device=none-such")
    assert code == 1 and '"none-such"' in text


def test_list_sensors_as_a_plain_user(parallaxd, machine, three):
    code, text = listing(parallaxd, machine, user=NOBODY)
    assert code == 0 and "make install" in text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_listing_that_waits_can_be_ended(parallaxd, number):
    """Ctrl-C ends it, also where the other machine says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        uri = f"ip:127.0.0.1:{silent.getsockname()[1]}"
        listing = subprocess.Popen(
            [parallaxd, "--list-sensors", "--set", f"sensor.uri={uri}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            connection, _ = silent.accept()
            with connection:
                listing.send_signal(number)
                assert listing.wait(60) == -number
        finally:
            listing.kill()
            listing.wait()


def test_list_no_sensors(parallaxd, machine):
    code, text = listing(parallaxd, machine)
    assert code == 1 and "no IIO devices" in text and "--demo" in text
    (machine.bus / "iio" / "devices").mkdir(parents=True)
    code, text = listing(parallaxd, machine)
    assert code == 1 and "sees no devices" in text and "--demo" in text


def test_a_terminal_is_not_driven_by_a_device(parallaxd, machine):
    """Escape sequences in a device's name are not passed on."""
    machine.add(Gyroscope(name="evil\x1b[2J\x1b]0;title\x07"))
    code, text = listing(parallaxd, machine)
    assert code == 0 and "evil" in text
    assert not set(text) & {chr(code) for code in range(32) if chr(code) != "\n"}


# What a terminal obeys, what begins a line, and what turns the direction of writing.
HOSTILE = "ev\x1b[2Jil\x1b]0;title\x07\r\u202eab\x9b"


def unprintable(value) -> set[str]:
    """What no text in a reply may have in it."""
    if isinstance(value, dict):
        return set().union(*map(unprintable, value.values()))
    if isinstance(value, list):
        return set().union(*map(unprintable, value))
    return {one for one in value if not one.isprintable()} if isinstance(value, str) else set()


def assert_printable(one) -> dict:
    """Neither the status nor the log has in it what a device says to a terminal; the status."""
    with one.client() as client:
        status = client.call("GetStatus")
    assert not unprintable(status), status
    assert not unprintable(one.log.splitlines()), one.log
    return status


def test_the_status_is_not_driven_by_a_device(daemon, machine):
    """Whatever a driver or the firmware prints: names, a trigger, a clock, numbers that are none."""
    attributes = {"location": HOSTILE, "in_anglvel_offset": HOSTILE, "buffer/hwfifo_watermark_max": HOSTILE}
    gyroscope = machine.add(
        Gyroscope(
            name=HOSTILE,
            label=HOSTILE,
            trigger=f"{HOSTILE}-dev0",
            triggers=[f"{HOSTILE}-dev0"],
            clock=HOSTILE,
            scale_text=HOSTILE,
            mount_matrix=HOSTILE,
            sampling_frequency=HOSTILE,
            sampling_frequency_available=HOSTILE,
            attributes=attributes,
        )
    )
    machine.add(Gyroscope(name=HOSTILE, axes="z", triggers=[], trigger=None))
    one = daemon(machine=machine, config="[sensor]\nsettle_time = 0\n")
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        sensor = open_sensor(one)
        gyroscope.write_scans(scans())
        text = wait_state(one, "running")["text"]
        assert_printable(one)
    shown = "ev\\u{1b}[2Jil\\u{1b}]0;title"
    assert all(shown in part for part in (sensor["name"], sensor["label"], text)), (sensor, text)
    assert any(shown in sentence and "mount matrix" in sentence for sentence in sensor["why"]), sensor["why"]
    one.stop()
    # As it is shown it can be named.
    name = sensor["label"].replace("\\", "\\\\")
    one = daemon(machine=machine, config=f'[sensor]\ndevice = "{name}"\n')
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        assert open_sensor(one)["label"] == sensor["label"]


@pytest.mark.parametrize("fault", ["no-axes", "no-node"])
def test_a_failure_is_not_driven_by_a_device(daemon, machine, fault):
    options = {"axes": "z"} if fault == "no-axes" else {}
    gyroscope = machine.add(Gyroscope(name=HOSTILE, label=HOSTILE, **options))
    if fault == "no-node":
        gyroscope.node.unlink()
    one = daemon(machine=machine, config='[sensor]\nmode = "buffer"\n')
    with one.client() as client:
        client.subscribe()
        wait_state(one, "waiting")
        assert "\\u{1b}" in assert_printable(one)["text"]


REFUSED = {
    "no-index": ("scan_elements/in_anglvel_x_index", "nan\x1b\n"),
    "negative-index": ("scan_elements/in_anglvel_x_index", "-1\n"),
    "huge-index": ("scan_elements/in_anglvel_x_index", "9" * 30 + "\n"),
    "blank-index": ("scan_elements/in_anglvel_x_index", "\n"),
    "no-element": ("scan_elements/in_anglvel_x_sign", "0\n"),
    "no-channel": ("scan_elements/other_x_index", "0\n"),
    "long-name": ("name", "n" * 2000 + "\n"),
    "empty-label": ("label", ""),
    "long-label": ("label", "n" * 1024),
    "no-target": ("subsystem", None),
}


@pytest.mark.parametrize(("attribute", "text"), REFUSED.values(), ids=REFUSED)
def test_one_device_that_hides_all(daemon, machine, parallaxd, attribute, text):
    """libiio then shows no device at all: the one that it stumbles over is named."""
    machine.add(Gyroscope())
    culprit = machine.add(Gyroscope(name="bmg160", triggers=[], trigger=None))
    if text is None:
        (culprit.folder / attribute).symlink_to("nowhere")
    else:
        (culprit.folder / attribute).write_text(text)
    code, listed = listing(parallaxd, machine)
    assert code == 1 and f"{attribute} of iio:device1 " in listed, listed
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()
        wait_state(one, "waiting", "no-device")
        told = assert_printable(one)["text"]
    assert f"{attribute} of iio:device1 " in told, told
