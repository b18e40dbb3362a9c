"""Tilt with an accelerometer beside the gyroscope: where it is read, for whom, and what it does."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.bus import DBUS_DAEMON, Bus
from support.gyroscope import Gyroscope
from support.sensor import NO_BUFFER, config, open_sensor, scans, status_of, tree, wait_state
from support.waiting import wait_for

ELEMENTS = {f"in_accel_{axis}": "le:s16/16>>0" for axis in "xyz"}
GYRO_SCALE = 0.001064724
ACCEL_SCALE = 0.000598205
CHIP = "i2c-1/1-0068"
HUB = "hid/0020:1022:0001.000D"
RATES = ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z"]
RAW = {"in_accel_x": 1200, "in_accel_y": -900, "in_accel_z": 16000}
ATTRIBUTES = {"in_accel_scale": str(ACCEL_SCALE)} | {f"{name}_raw": str(value) for name, value in RAW.items()}


def both(**more) -> Gyroscope:
    """A part that measures both in one device, as the bmi160 does."""
    return Gyroscope(part=CHIP, others=ELEMENTS, held=RAW, attributes=ATTRIBUTES, **more)


def beside(part: str = CHIP, **attributes: str | None) -> Gyroscope:
    """The accelerometer of the same part, as a device of its own with a buffer of its own."""
    return Gyroscope(
        name="accel_3d", part=part, axes="", others=ELEMENTS, triggers=["accel_3d-dev1"], trigger="accel_3d-dev1",
        scale_text=None, attributes={**ATTRIBUTES, **attributes},
    )  # fmt: skip


def wait_tilt(one, text: str) -> str:
    """Until the status says this of the tilt."""

    def look() -> str | None:
        tilt = status_of(one)["tilt"]
        return tilt if text in tilt else None

    return wait_for(look, f"{text!r} in the status' tilt, not {status_of(one)['tilt']!r}")


def processed(parallaxctl: Path, trace: Path, *more: str) -> dict[int, dict]:
    """The tilts of a trace by their times, each sample an update."""
    settings = ["--set", "motion.update_interval=0", "--set", "motion.max_gap=60", *more]
    command = [parallaxctl, "process", "--tilt", *settings, trace]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    table = [row.split(",") for row in done.stdout.splitlines()[1:]]
    return {int(row[1]): {"x": float(row[5]), "y": float(row[6])} for row in table}


def test_in_the_same_scans_as_in_a_recording(daemon, machine, parallaxctl, folder):
    """The same samples give the same tilt, live and from a table with ax, ay and az: bit for bit."""
    gyroscope = machine.add(both())
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(tilt=True, only_changes=False, backlog=1024)
        gyroscope.wait_enabled()
        assert set(gyroscope.enabled_elements) == {*RATES, *ELEMENTS, "in_timestamp"}
        made = scans(100)
        assert gyroscope.write_scans(made) == 100
        live = {}
        while made[-1][0] not in live:
            event = client.event_where(lambda event: event["sequence"] >= 0 and event["state"] == "running")
            live[event["timestamp_ns"]] = event["tilt"]
        assert status_of(one)["tilt"] == (
            "gyroscope and accelerometer iio:device0 (bmi160) (they are in the same scans)"
        )
    acceleration = ",".join(repr(value * ACCEL_SCALE) for value in RAW.values())
    rows = [f"{t},{x * GYRO_SCALE!r},{y * GYRO_SCALE!r},{z * GYRO_SCALE!r},{acceleration}\n" for t, x, y, z in made]
    trace = folder / "scans.csv"
    trace.write_text("timestamp_ns,x,y,z,ax,ay,az\n" + "".join(rows))
    # What came in one wake-up is one event.
    offline = processed(parallaxctl, trace)
    assert all(offline[stamp] == tilt for stamp, tilt in live.items())
    plain = processed(parallaxctl, trace, "--set", "tilt.accelerometer=false")
    assert plain[made[-1][0]] != live[made[-1][0]]


def test_only_for_those_who_ask(daemon, machine):
    """Who comes later has the sensor opened anew, once; who goes changes nothing; at the end all is as it was."""
    gyroscope = machine.add(both())
    one = daemon(machine=machine, config=config())
    with one.client() as plain:
        plain.subscribe(min_interval=60)
        gyroscope.wait_enabled()
        assert gyroscope.enabled_elements == [*RATES, "in_timestamp"]
        wait_tilt(one, "gyroscope (nobody asks for tilt)")
        with one.client() as client:
            client.subscribe(tilt=True, min_interval=60)
            wait_for(lambda: len(gyroscope.enabled_elements) == 7 and gyroscope.is_enabled, "accelerations in the scans")
            gyroscope.wait_enabled()
            wait_for(lambda: gyroscope.write_scans(scans(5)), "scans to be taken")
            wait_tilt(one, "they are in the same scans")
        gyroscope.write_scans(scans(5))
        wait_for(lambda: status_of(one)["subscribers"] == 1, "the other one to be gone")
        assert gyroscope.is_enabled and len(gyroscope.enabled_elements) == 7
    gyroscope.wait_disabled()
    wait_for(lambda: not gyroscope.enabled_elements, "the scan elements as they were")
    wait_tilt(one, "gyroscope (nobody asks for tilt)")


def test_a_scene_with_effects_asks_for_tilt(daemon, machine):
    """Its values go by it; layers alone do not."""
    gyroscope = machine.add(both())
    one = daemon(machine=machine, config=config())
    effect = {"key_path": "a", "axis": "horizontal", "minimum": 0, "maximum": 1}
    with one.client() as layers, one.client() as client:
        layers.subscribe(min_interval=60, scene={"layers": [{}]})
        gyroscope.wait_enabled()
        wait_tilt(one, "gyroscope (nobody asks for tilt)")
        client.subscribe(min_interval=60, scene={"effects": [effect]})
        wait_for(lambda: len(gyroscope.enabled_elements) == 7 and gyroscope.is_enabled, "accelerations in the scans")


def test_switched_off(daemon, machine):
    gyroscope = machine.add(both())
    one = daemon("--set", "tilt.accelerometer=false", machine=machine, config=config())
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        gyroscope.wait_enabled()
        assert gyroscope.enabled_elements == [*RATES, "in_timestamp"]
        wait_tilt(one, "gyroscope (tilt.accelerometer is false)")


@pytest.mark.parametrize(
    "parts",
    [(CHIP, CHIP), (f"{HUB}/HID-SENSOR-200076.7.auto", f"{HUB}/HID-SENSOR-200073.5.auto")],
    ids=["chip", "hub"],
)
def test_of_a_device_of_its_own(daemon, machine, parts):
    """It is read value after value while somebody asks for tilt, and its buffer is left alone."""
    gyroscope = machine.add(Gyroscope(part=parts[0]))
    other = machine.add(beside(parts[1]))
    one = daemon(machine=machine, config=config())
    with one.client() as plain, one.client() as client:
        plain.subscribe(min_interval=60)
        gyroscope.wait_enabled()
        wait_tilt(one, "nobody asks for tilt")
        client.subscribe(tilt=True, min_interval=60)

        def steadied() -> bool:
            gyroscope.write_scans(scans(5))
            return "and accelerometer" in status_of(one)["tilt"]

        wait_for(steadied, "the accelerometer in use")
        assert status_of(one)["tilt"] == (
            "gyroscope and accelerometer iio:device1 (accel_3d) (its values are read 25 times a second)"
        )
        assert not other.is_enabled and not other.is_open and not other.enabled_elements
        # No new stream for the other one: it was not opened anew.
        assert status_of(one)["counters"]["gaps"] == 0
        client.close()

        def forgotten() -> bool:
            gyroscope.write_scans(scans(2, period=300_000_000))
            return status_of(one)["tilt"] == "gyroscope (nobody asks for tilt)"

        wait_for(forgotten, "the accelerometer not in use")


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({"in_accel_scale": None}, "iio:device1 (accel_3d) has no scale"),
        ({"in_accel_y_raw": "no number"}, "iio:device1 (accel_3d) cannot be read ("),
        ({f"{name}_raw": None for name in RAW}, "has no raw values"),
    ],
    ids=["scale", "value", "raw"],
)  # fmt: skip
def test_one_that_cannot_be_read(daemon, machine, attributes, reason):
    """The status says why, and the tilt does without."""
    gyroscope = machine.add(Gyroscope(part=CHIP))
    machine.add(beside(**attributes))
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        gyroscope.wait_enabled()
        wait_tilt(one, reason)
        assert gyroscope.write_scans(scans(5)) == 5
        wait_state(one, "running")


def test_one_that_fails_for_a_while(daemon, machine):
    """It is tried again: another program had it, or the bus was disturbed."""
    gyroscope = machine.add(Gyroscope(part=CHIP))
    other = machine.add(beside())
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)

        def says(text: str) -> bool:
            gyroscope.write_scans(scans(5))
            return text in status_of(one)["tilt"]

        wait_for(lambda: says("and accelerometer"), "the accelerometer in use")
        other.set("in_accel_y_raw", "no number")
        wait_for(lambda: says("cannot be read ("), "the accelerometer's trouble")
        other.set("in_accel_y_raw", str(RAW["in_accel_y"]))
        wait_for(lambda: says("and accelerometer"), "the accelerometer in use again")


def test_one_that_hangs(daemon, machine):
    """It is given up with a word, and holds up neither the gyroscope's end nor another opening, nor the daemon's end."""
    gyroscope = machine.add(Gyroscope(part=CHIP))
    other = machine.add(beside())
    before = tree(gyroscope)
    one = daemon(machine=machine, config=config())
    said = "a read of iio:device1 (accel_3d) has not been answered for 5 s: its driver hangs"

    def moving(count: int = 5) -> bool:
        return gyroscope.write_scans(scans(count)) == count

    def given_up() -> bool:
        moving()
        return said in status_of(one)["tilt"]

    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        wait_for(lambda: moving() and "and accelerometer" in status_of(one)["tilt"], "the accelerometer in use")
        with other.hanging("in_accel_x_raw"):
            wait_for(given_up, "the accelerometer given up")
            assert status_of(one)["tilt"] == f"gyroscope ({said})"
            client.close()
            gyroscope.wait_disabled()
            wait_for(lambda: tree(gyroscope) == before, "everything as it was")
            for tilt in False, True:
                with one.client() as next_one:
                    next_one.subscribe(tilt=tilt, min_interval=60)
                    gyroscope.wait_enabled()
                    wait_for(given_up if tilt else moving, "the gyroscope at work")
                    wait_state(one, "running")
                gyroscope.wait_disabled()
            with one.client() as last:
                last.subscribe(tilt=True, min_interval=60)
                gyroscope.wait_enabled()
                one.stop()
            assert tree(gyroscope) == before
            assert one.log.count(said) == 1


def test_one_that_hangs_beside_a_polled_gyroscope(daemon, machine):
    """That goes on, and the daemon ends in time."""
    gyroscope = machine.add(Gyroscope(part=CHIP, raw=(10, 20, 30), **NO_BUFFER))
    other = machine.add(beside())
    one = daemon(machine=machine, config=config())
    number = 0

    def says(text: str) -> bool:
        nonlocal number
        number += 1
        gyroscope.set_raw(10 + number % 7, 20, 30)
        time.sleep(0.02)
        return text in status_of(one)["tilt"]

    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        wait_for(lambda: says("and accelerometer"), "the accelerometer in use")
        with other.hanging("in_accel_z_raw"):
            wait_for(lambda: says("its driver hangs"), "the accelerometer given up")
            before = status_of(one)["counters"]["samples"]
            wait_for(lambda: says("") and status_of(one)["counters"]["samples"] > before, "more samples")
            wait_state(one, "running")
            one.stop()


def test_one_that_answers_again(daemon, machine):
    """The next opening reads it."""
    gyroscope = machine.add(Gyroscope(part=CHIP))
    other = machine.add(beside())
    one = daemon(machine=machine, config=config())

    def says(text: str) -> bool:
        gyroscope.write_scans(scans(5))
        return text in status_of(one)["tilt"]

    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        wait_for(lambda: says("and accelerometer"), "the accelerometer in use")
        with other.hanging("in_accel_y_raw"):
            wait_for(lambda: says("its driver hangs"), "the accelerometer given up")
    gyroscope.wait_disabled()
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        gyroscope.wait_enabled()
        wait_for(lambda: says("and accelerometer"), "the accelerometer in use")


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ({f"{name}_raw": "0" for name in RAW}, "0.0"),
        ({"in_accel_scale": "0.00006"}, "0.964"),
        ({"in_accel_x_raw": "1e30"}, "5.98205e+26"),
        ({f"{name}_raw": "1e308" for name in RAW}, "inf"),
    ],
    ids=["zeros", "scale", "huge", "infinite"],
)  # fmt: skip
def test_one_that_says_nothing_of_use(daemon, machine, attributes, size):
    """The status says what is wrong with it."""
    gyroscope = machine.add(Gyroscope(part=CHIP))
    machine.add(beside(**attributes))
    one = daemon(machine=machine, config=config())
    text = f"the accelerations of iio:device1 (accel_3d) are no gravity: {size} m/s², of which 1 to 100 can be used"
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)

        def said() -> bool:
            gyroscope.write_scans(scans(5))
            return status_of(one)["tilt"] == f"gyroscope ({text})"

        wait_for(said, f"{text!r} in the status")


@pytest.mark.parametrize(
    ("acceleration", "said"),
    [
        ("0,0,9.81", "the accelerations of the recording stay the same while the device turns"),
        ("0,0,0.5", "the accelerations of the recording are no gravity: 0.5 m/s², of which 1 to 100 can be used"),
    ],
)
def test_accelerations_of_a_recording_that_are_none(daemon, folder, acceleration, said):
    """One that is stuck would draw the tilt back to where the device was."""
    trace = folder / "turn.csv"
    rows = [f"{n * 10_000_000},0,{1.5 if 100 <= n < 200 else 0},0,{acceleration}\n" for n in range(400)]
    trace.write_text("timestamp_ns,x,y,z,ax,ay,az\n" + "".join(rows))
    one = daemon("--replay", str(trace), "--set", 'sensor.replay_speed="max"')
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        wait_tilt(one, f"gyroscope ({said})")


@pytest.mark.parametrize("own", [True, False], ids=["scans", "polled"])
def test_a_mount_matrix_that_is_none(daemon, machine, own):
    """It is left out, and that is said, once, also where the gyroscope has a matrix of its own."""
    name = "iio:device0 (bmi160)" if own else "iio:device1 (accel_3d)"
    more = {"mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1", "mount_matrix_attribute": "in_anglvel_mount_matrix"}
    wrong = {"in_accel_mount_matrix": "rubbish"}
    gyroscope = Gyroscope(part=CHIP, others=ELEMENTS, held=RAW, attributes=ATTRIBUTES | wrong, **more)
    machine.add(gyroscope if own else Gyroscope(part=CHIP, **more))
    if not own:
        machine.add(beside(**wrong))
    one = daemon(machine=machine, config=config())
    text = f'in_accel_mount_matrix of {name} is no mount matrix ("rubbish"): it is left out'
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        wait_for(lambda: text in "; ".join(status_of(one)["sensor"].get("why", [])), "the matrix in the status")
        one.wait_log(text)
        assert one.log.count(text) == 1


def test_one_of_another_part_is_not_taken(daemon, machine):
    gyroscope = machine.add(Gyroscope(part=CHIP))
    machine.add(beside("i2c-1/1-0019"))
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        gyroscope.wait_enabled()
        wait_tilt(one, "gyroscope (there is no accelerometer beside it)")


def test_given_back_after_a_crash(daemon, machine, folder):
    """The next run puts back the scan elements of the accelerometer too."""
    state = folder / "state"
    state.mkdir(mode=0o700)
    environment = {"STATE_DIRECTORY": str(state)}
    gyroscope = machine.add(both())
    gyroscope.set("scan_elements/in_accel_y_en", "1")
    before = tree(gyroscope)
    killed = daemon(machine=machine, config=config(), environment=environment)
    with killed.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        gyroscope.wait_enabled()
        open_sensor(killed)
        killed.kill()
    assert len(gyroscope.enabled_elements) == 7
    daemon(machine=machine, environment=environment)
    wait_for(lambda: tree(gyroscope) == before, "everything as it was")


def test_none_beside_it(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        gyroscope.wait_enabled()
        wait_tilt(one, "gyroscope (there is no accelerometer beside it)")


@pytest.fixture
def bus(folder: Path) -> Iterator[Bus]:
    """A system bus."""
    if shutil.which(DBUS_DAEMON) is None:
        pytest.skip("dbus-daemon is missing (see `make deps`): nobody to hear of auto-rotation from")
    made = Bus(folder / "bus")
    yield made
    made.close()


def test_polled_beside_auto_rotation(daemon, machine, bus):
    """Both are read value after value where iio-sensor-proxy needs the part's accelerometer."""
    proxy = bus.owns("net.hadess.SensorProxy")
    gyroscope = machine.add(both(raw=(10, 20, 30)))
    one = daemon(machine=machine, config=config(), environment=bus.environment)
    with one.client() as client:
        client.subscribe(tilt=True, min_interval=60)
        wait_for(lambda: status_of(one)["sensor"]["mode"] == "poll", "the gyroscope to be polled")
        number = 0

        def steadied() -> bool:
            nonlocal number
            number += 1
            gyroscope.set_raw(10 + number % 7, 20, 30)
            time.sleep(0.02)
            return "read 25 times a second" in status_of(one)["tilt"]

        wait_for(steadied, "the accelerometer in use")
        assert not gyroscope.is_enabled
    proxy.close()


def test_of_a_recording(daemon, folder):
    trace = folder / "walk.csv"
    rows = "".join(f"{n * 10_000_000},0.01,0.02,0,0.1,0.2,{9.8 + n % 3 / 10}\n" for n in range(5000))
    trace.write_text("timestamp_ns,x,y,z,ax,ay,az\n" + rows)
    one = daemon("--replay", str(trace))
    with one.client() as client:
        client.subscribe()
        wait_tilt(one, "gyroscope and accelerometer (the recording's)")


def test_a_recording_without(daemon, folder):
    trace = folder / "walk.csv"
    trace.write_text("timestamp_ns,x,y,z\n" + "".join(f"{n * 10_000_000},0.01,0.02,0\n" for n in range(500)))
    one = daemon("--replay", str(trace))
    with one.client() as client:
        client.subscribe()
        wait_tilt(one, "gyroscope (the recording has no accelerations)")
