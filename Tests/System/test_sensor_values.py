"""What drivers say of their values, right or wrong, and what is made of it: matrices, scales, stuck scans, glitches."""

import itertools
import signal
import time
from collections.abc import Callable, Iterable

import pytest
from oracle import naive_motion

from support.gyroscope import Gyroscope
from support.process import suspend
from support.sensor import NO_BUFFER, config, open_sensor, scans, sensor_status, status_of, stream_rates, wait_state
from support.waiting import wait_for

IDENTITY = "1, 0, 0; 0, 1, 0; 0, 0, 1"
TURNED = "0, 1, 0; -1, 0, 0; 0, 0, 1"
MIRRORED = "0, 1, 0; 1, 0, 0; 0, 0, 1"
ROWS = {
    IDENTITY: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    TURNED: [0, 1, 0, -1, 0, 0, 0, 0, 1],
    MIRRORED: [0, 1, 0, 1, 0, 0, 0, 0, 1],
}
# A subscriber that hears of changes of the state alone, and need not read all the time.
SELDOM = {"min_interval": 60}
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


def feed_until(one, gyroscope: Gyroscope, values: Callable[[int], tuple[int, int, int]], done: Callable[[dict], bool]):
    """Gives scans, the values of each by its number, until the status is as wanted; the status."""
    number = itertools.count()

    def step() -> dict | None:
        # In a refill the scans of a millisecond, as of a sensor of 1 kHz.
        gyroscope.write_scans([(time.monotonic_ns(), *values(next(number))) for _ in range(5)])
        with one.client() as client:
            status = client.call("GetStatus")
        return status if done(status) else None

    return wait_for(step, "the wanted status", 60)


def in_state(state: str) -> Callable[[dict], bool]:
    """Whether a status has the state, and is not about to try something."""
    return lambda status: status["state"] == state and status.get("retry_in") is None


def moving(number: int) -> tuple[int, int, int]:
    """A sensor with noise, which rests."""
    return (number % 3, -(number % 2), 1)


def stuck(number: int) -> tuple[int, int, int]:
    """One scan for ever, of a turn that would move the picture."""
    return (700, 800, 900)


def test_one_scan_for_ever_is_a_stall(daemon, machine):
    """It is said, the sensor is opened anew once, and what is stuck moves nothing; then it goes on by itself."""
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=config() + '[log]\nlevel = "debug"\n')
    with one.client() as client:
        client.subscribe(**SELDOM)
        gyroscope.wait_enabled()
        feed_until(one, gyroscope, moving, lambda status: status["counters"]["samples"] > 20)
        status = feed_until(one, gyroscope, stuck, lambda status: status["state"] == "stalled")
        assert status["reason"] == "no-data"
        assert "700, 800, 900" in status["text"] and "switched off and on" in status["text"]
        status = feed_until(one, gyroscope, stuck, lambda status: "still" in status["text"])
        assert status["state"] == "stalled" and status.get("retry_in") is None
        assert one.log.count("open: ") == 2
        before = status["counters"]["samples"]
        for _ in range(20):
            gyroscope.write_scans([(time.monotonic_ns(), *stuck(0))])
        gyroscope.wait_consumed()
        assert gyroscope.is_enabled and one.log.count("open: ") == 2, "it stays open"
        with one.client() as other:
            assert other.call("GetStatus")["counters"]["samples"] == before, "what is stuck makes no sample"
        feed_until(one, gyroscope, moving, in_state("running"))
        event = client.event_where(lambda event: event["state"] == "stalled")
        while event["state"] != "running":
            event = client.event()
        assert event["gap"], "a new stream"


def test_zeros_from_the_start_are_a_stall(daemon, machine):
    gyroscope = machine.add(Gyroscope())
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(**SELDOM)
        gyroscope.wait_enabled()
        status = feed_until(one, gyroscope, lambda _: (0, 0, 0), lambda status: status["state"] == "stalled")
    assert "zeros" in status["text"]


def test_a_coarse_sensor_rests(daemon, machine):
    """Its noise does not show: its scans are all the same, and it is well."""
    gyroscope = machine.add(Gyroscope(scale_text="0.02"))
    one = daemon(machine=machine, config=config())
    with one.client() as client:
        client.subscribe(**SELDOM)
        gyroscope.wait_enabled()
        feed_until(one, gyroscope, moving, lambda status: status["counters"]["samples"] > 100)
        end = time.monotonic() + 11

        def rests(status: dict) -> bool:
            assert status["state"] == "running"
            return time.monotonic() > end

        feed_until(one, gyroscope, lambda _: (1, 0, 1), rests)


def test_a_stall_while_polled(daemon, machine):
    """The same through the sensor's thread, which goes on reading."""
    gyroscope = machine.add(Gyroscope(**NO_BUFFER))
    often = config("read_timeout = 0.3").replace("update_interval = 0", "update_interval = 0.002")
    one = daemon(machine=machine, config=often)
    number = itertools.count()

    def status() -> dict:
        with one.client() as client:
            return client.call("GetStatus")

    def rest() -> bool:
        gyroscope.set_raw(*moving(next(number)))
        return status()["counters"]["samples"] > 50

    with one.client() as client:
        client.subscribe(**SELDOM)
        wait_for(rest, "samples")
        gyroscope.set_raw(700, 800, 900)
        wait_for(lambda: "still" in status()["text"] and in_state("stalled")(status()), "a stall that remains", 60)

        def goes_on(samples: int) -> bool:
            """Whether it runs and has so many; it moves all the while."""
            gyroscope.set_raw(*moving(next(number)))
            now = status()
            return in_state("running")(now) and now["counters"]["samples"] > samples

        wait_for(lambda: goes_on(0), "an end of it")
        # Whether it answers is looked after again.
        before = status()["counters"]["samples"]
        wait_for(lambda: goes_on(before + 10), "samples")


def angles(stamps: Iterable[int]) -> list[tuple[int, int, int, int]]:
    """Scans of a device that gives the angle since the scan before: at rest, turned, at rest."""
    stamps = list(stamps)
    turned = [(stamp, 10 + n, -20 - 3 * n, 5 * n) for n, stamp in enumerate(stamps[2:-1])]
    return [(stamps[0], 7, 7, 7), (stamps[1], 0, 0, 0), *turned, (stamps[-1], 0, 0, 0)]


def read_to(client, timestamp: int) -> dict:
    """The event of the update made on a sample."""
    event = client.event_where(lambda event: event["timestamp_ns"] == timestamp)
    return event


def read_angles(daemon, machine, scale_text: str, motion: str, given: list[tuple]) -> tuple[list[dict], dict]:
    """The event of each scan but the first of a device of deltaangl alone, and the sensor's status."""
    gyroscope = machine.add(Gyroscope(name="adis", quantity="deltaangl", scale_text=scale_text))
    one = daemon(machine=machine, config=config(motion=motion))
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        # The first has no time that its angle could belong to.
        assert gyroscope.write_scans(given[:1]) == 1
        events = []
        for scan in given[1:]:
            assert gyroscope.write_scans([scan]) == 1
            events.append(read_to(client, scan[0]))
        return events, sensor_status(one)


def test_the_sum_of_angles_is_the_rotation(daemon, machine):
    """To the last bit, where the times and the scale are powers of two, so that no step has to round."""
    period, scale = 7_812_500, 2.0**-16
    start = time.monotonic_ns()
    given = angles(start + n * period for n in range(16))
    motion = 'integration = "angle"\nmultiplier = 1\n'
    events, status = read_angles(daemon, machine, "0.0000152587890625", motion, given)
    assert status["scale"] == [scale] * 3
    assert any("deltaangl" in sentence for sentence in status["why"]), status["why"]
    for number, event in enumerate(events, 1):
        # The trapezium of the rates knows half of the newest angle; the rest comes with the next scan.
        x, y = (sum(scan[axis] for scan in given[1:number]) + given[number][axis] / 2 for axis in (1, 2))
        assert (event["x"], event["y"]) == (y * scale, x * scale)
    assert event["sequence"] == len(given) - 2
    turned = [sum(scan[axis] for scan in given[1:]) for axis in (1, 2)]
    assert (event["x"], event["y"]) == (turned[1] * scale, turned[0] * scale)


@pytest.mark.parametrize("integration", ["angle", "per-update"])
def test_angles_become_rates(daemon, machine, integration):
    """Angle by time, whatever the time; the offset is what the naive implementation makes of those rates."""
    scale = 1e-5
    start = time.monotonic_ns()
    given = angles(start + n * 5_000_000 + n * n * 12_347 for n in range(40))
    motion = f'integration = "{integration}"\nmultiplier = 3.7\n'
    events, _ = read_angles(daemon, machine, "0.00001", motion, given)
    rows = []
    for (before, *_), (stamp, *raw) in itertools.pairwise(given):
        rows.append((stamp, *(value / ((stamp - before) / 1e9) * scale for value in raw)))
    settings = {"update_interval": 0.0, "threshold": 0.0, "max_gap": 60.0, "multiplier": 3.7}
    settings |= {"integration": integration}
    wanted = naive_motion.run(rows, {f"motion.{key}": value for key, value in settings.items()})
    assert len(events) == len(wanted) == len(rows)
    for event, row, expected in zip(events, rows, wanted):
        assert event["rate"] == dict(zip("xyz", row[1:]))
        assert (event["sequence"], event["x"], event["y"]) == (expected.sequence, expected.x, expected.y)
    assert event["x"] != 0 and event["y"] != 0


def test_rates_are_preferred_to_angles(daemon, machine):
    angle = {f"in_deltaangl_{axis}_raw": "1" for axis in "xyz"} | {"in_deltaangl_scale": "0.5"}
    elements = {f"in_deltaangl_{axis}": "le:s32/32>>0" for axis in "xyz"}
    gyroscope = machine.add(Gyroscope(attributes=angle, others=elements))
    one = daemon(machine=machine, config=config())
    given = scans(3)
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        assert [row[1] for row in stream_rates(client, gyroscope, given)] == [scan[1] * 0.001064724 for scan in given]
        assert gyroscope.enabled_elements == ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z", "in_timestamp"]


def test_angles_are_not_polled(daemon, machine):
    """What is turned between two readings would be lost."""
    machine.add(Gyroscope(quantity="deltaangl", **NO_BUFFER))
    one = daemon(machine=machine)
    with one.client() as client:
        client.subscribe()

        def text() -> str:
            with one.client() as other:
                return other.call("GetStatus")["text"]

        wait_for(lambda: "cannot be polled" in text() and "lost" in text(), "the reason")


@pytest.mark.parametrize("guard", [True, False], ids=["guarded", "not"])
def test_glitch_of_one_scan(daemon, machine, guard):
    """Each scan comes with its own time, one scan later; what one alone shows is gone."""
    gyroscope = machine.add(Gyroscope(scale_text="1"))
    one = daemon(machine=machine, config=config(f"glitch_guard = {str(guard).lower()}"))
    start = time.monotonic_ns()
    values = [(10, -1, 5), (11, -2, 5), (-124, -3, 900), (13, -4, 5), (14, -5, 6), (15, -6, 6)]
    given = [(start + n * 5_000_000, *value) for n, value in enumerate(values)]
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        gyroscope.wait_enabled()
        received = []
        for number, scan in enumerate(given):
            assert gyroscope.write_scans([scan]) == 1
            if guard and number == 0:
                continue
            rate = read_to(client, given[number - 1 if guard else number][0])["rate"]
            received.append((rate["x"], rate["y"], rate["z"]))
    expected = [(10, -1, 5), (10, -2, 5), (11, -3, 5), (13, -4, 6), (14, -5, 6)] if guard else values
    assert received == expected


@pytest.mark.parametrize(("name", "dropped"), [("bmi323", 2), ("bmg160", 2), ("bmx055", 2), ("lsm6ds3_gyro", 0)])
def test_no_data_mark_of_bosch(daemon, machine, name, dropped):
    """0x8000 on all axes of its parts is no reading; on two of them it is one."""
    gyroscope = machine.add(Gyroscope(name=name))
    one = daemon(machine=machine, config=config())
    none = -32768
    given = [(1, 2, 3), (none, none, none), (none, none, 4), (none, none, none), (5, 6, 7)]
    start = time.monotonic_ns()
    stamped = [(start + n * 5_000_000, *value) for n, value in enumerate(given)]
    with one.client() as client:
        client.subscribe(only_changes=False)
        gyroscope.wait_enabled()
        assert gyroscope.write_scans(stamped) == len(given)
        read_to(client, stamped[-1][0])
        counters = one_counters(one)
    assert (counters["invalid"], counters["samples"]) == (dropped, len(given) - dropped)


def one_counters(one) -> dict:
    """The status's counters."""
    with one.client() as client:
        return client.call("GetStatus")["counters"]


@pytest.mark.parametrize("patience", [0, 60])
@pytest.mark.parametrize("stamp", [lambda n: 0, lambda n: 2**63 - 1, lambda n: n], ids=["zero", "largest", "count"])
def test_stamps_that_are_none(daemon, machine, stamp, patience):
    """They stand still, or count something: scans get the time of their arrival, which is said."""
    gyroscope = machine.add(Gyroscope(sampling_frequency_available="200"))
    one = daemon(machine=machine, config=config("sampling_frequency = 200"))
    numbers = itertools.count()
    with one.client() as client:
        client.subscribe(min_interval=patience)
        gyroscope.wait_enabled()

        def trusts_no_stamps() -> bool:
            n = next(numbers)
            gyroscope.write_scans([(stamp(n), 1000 + n, n, -n)])
            return sensor_status(one)["clock"] == "wake-up"

        wait_for(trusts_no_stamps, "stamps to be left out", every=0.005)
        sensor = sensor_status(one)
        assert any("timestamps of iio:device0 (bmi160) are none" in why for why in sensor["why"]), sensor
        gyroscope.wait_enabled()
        assert "in_timestamp" not in gyroscope.enabled_elements
        before = status_of(one)["counters"]["updates"]
        assert gyroscope.write_scans([(0, 1000, 5 * n, -n) for n in range(10)]) == 10
        wait_for(lambda: status_of(one)["counters"]["updates"] > before, "updates")
    wait_state(one, "idle")
    gyroscope.wait_disabled()
    with one.client() as client:
        # It may have been a bad moment: they are looked at once more.
        client.subscribe()
        gyroscope.wait_enabled()
        assert "in_timestamp" in gyroscope.enabled_elements
    one.wait_log("timestamps of iio:device0 (bmi160) are none")


def test_no_stamps_are_spread_over_a_batch(daemon, machine):
    """Scans that come together were not taken together."""
    gyroscope = machine.add(Gyroscope(timestamp=False, sampling_frequency="200", sampling_frequency_available=None))
    one = daemon(machine=machine, config=config("sampling_frequency = 200"))
    with one.client() as client:
        client.subscribe(only_changes=False)
        gyroscope.wait_enabled()
        suspend(one.process)
        assert gyroscope.write_scans(scans(10)) == 10
        one.process.send_signal(signal.SIGCONT)
        wait_for(lambda: one_counters(one)["samples"] == 10, "all samples")
    assert one_counters(one)["out_of_order"] == 0


@pytest.mark.parametrize("offset", ["-3", {"x": "-3", "y": "-3", "z": "-3"}], ids=["shared", "per-axis"])
def test_offset_goes_before_the_scale(daemon, machine, offset):
    gyroscope = machine.add(Gyroscope(scale_text="0.5", offset_text=offset))
    one = daemon(machine=machine, config=config())
    given = scans(2)
    with one.client() as client:
        client.subscribe(rate=True, only_changes=False)
        received = stream_rates(client, gyroscope, given)
    assert received == [(t, *((raw - 3) * 0.5 for raw in values)) for t, *values in given]


@pytest.mark.parametrize(
    ("device", "scale", "notes"),
    [
        ({"scale_text": "0.000000174", "type": "le:s32/32>>0"}, [0.000000174] * 3, ["0.000000174", "0.6 %"]),
        ({"scale_text": "0.000174532"}, [0.000174532] * 3, []),
        ({"scale_text": "0.000000"}, [1, 1, 1], ["in_anglvel_scale", "1 is assumed", "multiplier"]),
        ({"scale_text": None}, [1, 1, 1], ["has no scale", "multiplier"]),
        ({"scale_text": {"x": "0.25", "z": "0.5"}}, [0.25, 1, 0.5], ["anglvel_y has no scale"]),
        ({"scale_text": "0.5", "offset_text": "garbage"}, [0.5] * 3, ["in_anglvel_offset", "0 is assumed"]),
    ],
    ids=["truncated", "whole", "zero", "absent", "one-axis", "offset"],
)  # fmt: skip
def test_scale_says_what_is_assumed(daemon, machine, device, scale, notes):
    gyroscope = machine.add(Gyroscope(**device))
    status, _ = opened(daemon, gyroscope, machine=machine)
    assert status["scale"] == scale
    for note in notes:
        assert any(note in sentence for sentence in status["why"]), status["why"]
    if not notes:
        assert not any("scale" in sentence for sentence in status["why"]), status["why"]
