"""What drivers say of their values, right or wrong, and what is made of it: matrices, scales, stuck scans, glitches."""

import pytest

from support.gyroscope import Gyroscope
from support.sensor import open_sensor
from support.waiting import wait_for

IDENTITY = "1, 0, 0; 0, 1, 0; 0, 0, 1"
TURNED = "0, 1, 0; -1, 0, 0; 0, 0, 1"
MIRRORED = "0, 1, 0; 1, 0, 0; 0, 0, 1"
ROWS = {
    IDENTITY: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    TURNED: [0, 1, 0, -1, 0, 0, 0, 0, 1],
    MIRRORED: [0, 1, 0, 1, 0, 0, 0, 0, 1],
}
CHIP = "i2c-1/1-006a"
HUB = "hid/0020:1022:0001.000D"


def accelerometer(part: str, **attributes: str) -> Gyroscope:
    """The other half of a part whose sensors are devices of their own."""
    return Gyroscope(
        name="accel", part=part, axes="", triggers=[], scale_text=None, timestamp=False, buffer=False,
        attributes={"in_accel_x_raw": "1", "in_accel_y_raw": "2", "in_accel_z_raw": "3", **attributes},
    )  # fmt: skip


def opened(daemon, gyroscope: Gyroscope, **options) -> tuple[dict, str]:
    """The sensor's status and the daemon's log once the gyroscope is open."""
    one = daemon(**options)
    with one.client() as client:
        client.subscribe()
        gyroscope.wait_enabled()
        return open_sensor(one), one.log


@pytest.mark.parametrize(
    ("own", "sibling", "matrix", "source"),
    [
        ({}, {"in_accel_mount_matrix": TURNED}, TURNED, "in_accel_mount_matrix of iio:device1 (accel)"),
        ({}, {"in_mount_matrix": TURNED}, TURNED, "in_mount_matrix of iio:device1 (accel)"),
        ({"in_mount_matrix": IDENTITY}, {"mount_matrix": TURNED}, TURNED, "mount_matrix of iio:device1 (accel)"),
        ({"in_mount_matrix": IDENTITY}, {"in_mount_matrix": IDENTITY}, IDENTITY, "in_mount_matrix"),
        ({"in_mount_matrix": TURNED}, {"in_mount_matrix": IDENTITY}, TURNED, "in_mount_matrix"),
        ({"in_accel_mount_matrix": TURNED, "in_accel_x_raw": "1"}, {}, TURNED,
         "in_accel_mount_matrix of iio:device0 (bmi160)"),
    ],
    ids=["accel", "shared", "identity-first", "identities", "own", "of-one-device"],
)  # fmt: skip
def test_matrix_of_the_same_part(daemon, machine, own, sibling, matrix, source):
    gyroscope = machine.add(Gyroscope(part=CHIP, attributes=own))
    machine.add(accelerometer(CHIP, **sibling))
    status, _ = opened(daemon, gyroscope, machine=machine)
    assert (status["mount_matrix"], status["mount_matrix_from"]) == (ROWS[matrix], source)


@pytest.mark.parametrize("part", [None, "i2c-1/1-006b"])
def test_matrix_of_another_part_is_not_taken(daemon, machine, part):
    gyroscope = machine.add(Gyroscope(part=CHIP if part else None))
    machine.add(accelerometer(part, in_mount_matrix=TURNED))
    status, _ = opened(daemon, gyroscope, machine=machine)
    assert (status["mount_matrix"], status["mount_matrix_from"]) == (ROWS[IDENTITY], "none")


def test_matrix_of_a_sensor_hub(daemon, machine):
    """Its sensors are parts of their own to the kernel; those in the base are turned otherwise than the display's."""
    gyroscope = machine.add(Gyroscope(part=f"{HUB}/HID-SENSOR-200076.7.auto"))
    base = accelerometer(f"{HUB}/HID-SENSOR-200073.1.auto", in_mount_matrix=MIRRORED)
    base.label = "accel-base"
    machine.add(base)
    machine.add(accelerometer(f"{HUB}/HID-SENSOR-200073.2.auto", in_mount_matrix=TURNED))
    status, _ = opened(daemon, gyroscope, machine=machine)
    assert status["mount_matrix"] == ROWS[TURNED]
    assert status["mount_matrix_from"] == "in_mount_matrix of iio:device2 (accel)"


@pytest.mark.parametrize("whose", ["sibling", "own"])
def test_matrix_of_udev(daemon, machine, whose):
    gyroscope = machine.add(Gyroscope(part=CHIP, attributes={"in_mount_matrix": IDENTITY}))
    other = machine.add(accelerometer(CHIP))
    machine.tell_udev(other if whose == "sibling" else gyroscope, ACCEL_MOUNT_MATRIX=TURNED)
    status, log = opened(daemon, gyroscope, machine=machine)
    name = "iio:device1 (accel)" if whose == "sibling" else "iio:device0 (bmi160)"
    assert (status["mount_matrix"], status["mount_matrix_from"]) == (ROWS[TURNED], f"ACCEL_MOUNT_MATRIX of {name}")
    assert "matrix" not in log


@pytest.mark.parametrize(
    ("own", "udev", "config", "matrix", "source", "said"),
    [
        (MIRRORED, None, "", MIRRORED, "in_mount_matrix", "it is used as it is"),
        (None, None, f"mount_matrix = {ROWS[MIRRORED]}", MIRRORED, "configuration", "it is used as it is"),
        (None, MIRRORED, "", IDENTITY, "none", "parallaxctl doctor --axes"),
        (None, "nonsense", "", IDENTITY, "none", "is no mount matrix"),
        ("(null)", TURNED, "", TURNED, "ACCEL_MOUNT_MATRIX of iio:device0 (bmi160)", "is no mount matrix"),
    ],
    ids=["own", "configured", "udev", "unparsable-udev", "unparsable-own"],
)  # fmt: skip
def test_doubtful_matrix(daemon, machine, own, udev, config, matrix, source, said):
    """Used where it was meant for this gyroscope, else not; the status and one line of the log say so."""
    gyroscope = machine.add(Gyroscope(attributes={"in_mount_matrix": own}))
    if udev:
        machine.tell_udev(gyroscope, ACCEL_MOUNT_MATRIX=udev)
    one = daemon(machine=machine, config=f"[sensor]\n{config}\n")
    for _ in range(2):
        with one.client() as client:
            client.subscribe()
            gyroscope.wait_enabled()
            status = open_sensor(one)
            assert (status["mount_matrix"], status["mount_matrix_from"]) == (ROWS[matrix], source)
            assert any(said in sentence for sentence in status["why"]), status["why"]
        gyroscope.wait_disabled()
    wait_for(lambda: said in one.log, f"{said} in the log")
    # Not again at every opening.
    assert one.log.count(said) == 1
