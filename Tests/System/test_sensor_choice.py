"""Which gyroscope is read, why, and how `--list-sensors` tells it."""

import subprocess
from pathlib import Path

import pytest

from support.gyroscope import Gyroscope
from support.machine import Machine
from support.sensor import NOBODY, open_sensor, tree, wait_state


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
